/* The ring, the solver and the variables behind a script. In: terms, one assertion at a time; out:
   assertions of the solver. A symbol gets a variable when an assertion first uses it; a variable is
   used again when nothing that is still asserted uses it, by a symbol of the same name or as an
   auxiliary one of the same sort; where there are many, two truth values share one. Names are those
   of the symbols where the reader of polynomials understands them; others are spelt with
   underscores. All of it depends on the assertions alone, never on what the solver did: a checker
   that reads the script again gets the same names. */
#include "constraints/smt/session.h"
#include "constraints/guard.h"
#include <ctype.h>
#include <string.h>

struct session *session_new(const struct session_options *options)
{
    struct arena *arena = arena_new();
    struct session *session = ARENA_NEW(arena, struct session);
    session->arena = arena;
    session->ring = ring_new(arena);
    session->solver = options->solver ? solver_new(arena, session->ring, options->solver) : NULL;
    session->strong = options->strong;
    session->variables = map_new(arena);
    for (int i = 0; i < ZERO_COUNT; i++)
        session->zero_constant[i] = -1;
    return session;
}

void session_free(struct session *session)
{
    if (session)
        arena_free(session->arena);
}

unsigned session_level(const struct session *session)
{
    return (unsigned)session->marks.count + 1;
}

void session_push(struct session *session)
{
    vec_push(session->arena, &session->marks,
             ((struct session_mark){session->zeros.count, session->parts.count,
                                    session->asserted.count}));
    if (session->solver)
        solver_push(session->solver);
}

void session_pop(struct session *session)
{
    struct session_mark mark = vec_pop(&session->marks);
    unsigned level = session_level(session);
    session->zeros.count = mark.zeros;
    session->parts.count = mark.parts;
    session->asserted.count = mark.asserted;
    for (int v = 0; v < RING_CAPACITY; v++)
        if (session->roles[v].taken > level)
            session_give_back(session, v);
    if (session->approximate > level)
        session->approximate = 0;
    if (session->weakened > level)
        session->weakened = 0;
    if (session->solver)
        solver_pop(session->solver);
}

void session_weaken(struct session *session, const char *why)
{
    if (session->weakened)
        return;
    session->weakened = session_level(session);
    session->why_weakened = why;
}

static bool is_dead(const struct role *role)
{
    return role->kind == ROLE_SYMBOL && !role->symbol && !role->second;
}

bool session_is_stale(const struct session *session)
{
    enum { WORK_LEAST = 10000, VARIABLES_LEAST = 40 };
    int dead = 0;
    for (int v = 0; v < ring_count(session->ring); v++)
        dead += session->roles[v].kind == ROLE_SYMBOL ? is_dead(&session->roles[v])
                                                      : !session->roles[v].taken;
    bool full = ring_count(session->ring) >= VARIABLES_LEAST && dead >= RING_CAPACITY / 4;
    return full || (session->work > WORK_LEAST && session->work > 4 * session->asserted.count);
}

/* --- variables ------------------------------------------------------------------------------- */

static int role_set(struct session *session, int variable, struct role role)
{
    if (variable < 0)
        return -1;
    session->roles[variable] = role;
    if (role.integer && session->solver)
        solver_integer(session->solver, variable);
    return variable;
}

/* A second truth value of one variable z holds where z^2 > 1: the four signs of z and z^2 - 1 leave
   both free. */
static const struct poly *second_poly(const struct session *session, int variable)
{
    return poly_sub(poly_power(poly_variable(session->ring, variable), 2),
                    poly_integer(session->ring, 1));
}

const struct poly *session_find(const struct session *session, const struct symbol *symbol)
{
    const int *place = map_get_pointer(session->variables, symbol);
    if (!place)
        return NULL;
    return *place < RING_CAPACITY ? poly_variable(session->ring, *place)
                                  : second_poly(session, *place - RING_CAPACITY);
}

const struct symbol *session_truth(const struct session *session, const struct poly *p)
{
    for (int v = 0; v < ring_count(session->ring); v++) {
        const struct role *role = &session->roles[v];
        if (role->symbol && role->symbol->sort == SORT_BOOL &&
            poly_equal(p, poly_variable(session->ring, v)))
            return role->symbol;
        if (role->second && poly_equal(p, second_poly(session, v)))
            return role->second;
    }
    return NULL;
}

/* A name that the reader of polynomials understands. */
static const char *spelling(struct arena *arena, const char *name)
{
    char *text = arena_strdup(arena, *name ? name : "_");
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127)
            *c = '_';
    return isdigit((unsigned char)*text) ? arena_printf(arena, "_%s", text) : text;
}

/* The variable of that name may be the symbol's if nobody has it, or if it is used for a second
   truth value only. */
static bool is_usable(const struct role *role, const struct symbol *symbol)
{
    bool second = role->second && symbol->sort != SORT_BOOL;
    return role->kind == ROLE_SYMBOL && !role->symbol && !second &&
           role->integer == (symbol->sort == SORT_INT);
}

/* Where many variables are used already, truth values share them two by two. -1 if there is none to
   share. */
static int shared_variable(struct session *session, const struct symbol *symbol)
{
    enum { SHARED_FROM = RING_CAPACITY / 2 };
    if (symbol->sort != SORT_BOOL || ring_count(session->ring) < SHARED_FROM)
        return -1;
    for (int v = 0; v < ring_count(session->ring); v++) {
        struct role *role = &session->roles[v];
        if (!role->symbol || role->symbol->sort != SORT_BOOL || role->second)
            continue;
        role->second = symbol;
        return v;
    }
    return -1;
}

/* Place of a symbol that has none: (variable), (variable + RING_CAPACITY) for a second truth value,
   -1. */
static int symbol_place(struct session *session, const struct symbol *symbol)
{
    const char *spelt = spelling(session->arena, symbol->name), *name = spelt;
    int found = ring_find(session->ring, name);
    for (int i = 1; found >= 0 && !is_usable(&session->roles[found], symbol); i++) {
        name = arena_printf(session->arena, "%s_%d", spelt, i);
        found = ring_find(session->ring, name);
    }
    if (found >= 0) {
        session->roles[found].symbol = symbol;
        return found;
    }
    int shared = shared_variable(session, symbol);
    if (shared >= 0)
        return shared + RING_CAPACITY;
    const struct role role = {ROLE_SYMBOL, symbol->sort == SORT_INT, 1, symbol, NULL};
    return role_set(session, ring_variable(session->ring, name), role);
}

const struct poly *session_symbol(struct session *session, const struct symbol *symbol)
{
    const struct poly *found = session_find(session, symbol);
    if (found)
        return found;
    int *place = ARENA_NEW(session->arena, int);
    *place = symbol_place(session, symbol);
    if (*place < 0)
        return NULL;
    map_put_pointer(session->variables, symbol, place);
    return session_find(session, symbol);
}

void session_forget(struct session *session, const struct symbol *symbol)
{
    const int *place = map_get_pointer(session->variables, symbol);
    if (!place)
        return;
    if (*place < RING_CAPACITY)
        session->roles[*place].symbol = NULL;
    else
        session->roles[*place - RING_CAPACITY].second = NULL;
    map_put_pointer(session->variables, symbol, NULL);
}

int session_auxiliary(struct session *session, bool integer)
{
    int variable = 0;
    while (variable < ring_count(session->ring) &&
           (session->roles[variable].kind != ROLE_AUXILIARY || session->roles[variable].taken ||
            session->roles[variable].integer != integer))
        variable++;
    if (variable == ring_count(session->ring))
        variable = guard_variable(session->ring, integer ? "int" : "real");
    return role_set(session, variable,
                    (struct role){ROLE_AUXILIARY, integer, session_level(session), NULL, NULL});
}

void session_give_back(struct session *session, int variable)
{
    if (session->roles[variable].kind != ROLE_AUXILIARY)
        return;
    session->roles[variable].taken = 0;
    for (int i = 0; i < ZERO_COUNT; i++)
        if (session->zero_constant[i] == variable)
            session->zero_constant[i] = -1;
}
