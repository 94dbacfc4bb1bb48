/* Which loads of a thread are under way at once.

   In: a kernel. Out: a number for each reference; loads with the same number wait together. One
   walk in the order of evaluation, which is that of the emitted code: an operation or a store that
   uses a value just loaded waits for it, and for all that were loaded with it; the next load begins
   a new phase. So does one behind the beginning or end of a loop that is not unrolled, of a branch,
   of a band, behind a barrier, and one of what the phase has stored to (of shared memory: of
   anything shared). Source: docs/counters.md, "Predicted time". */
#include "optimizer/phases.h"
#include "ir/walk.h"

enum { STORED_MOST = 16, LOADED_MOST = 64 };

struct phase_walk {
    struct arena *arena;
    struct map *phases;
    int number;
    bool is_used;                                /* something has waited for a load of the phase */
    size_t n_loaded;
    const struct var *loaded[LOADED_MOST];       /* locals that were loaded in this phase */
    bool overlaps;
    int n_stored;
    const struct array *stored[STORED_MOST];     /* in this phase; full: anything */
    int depth;
    bool unrolled[PHASE_LOOPS];                  /* loops around, the outermost first */
};

static void phase_begin(struct phase_walk *walk)
{
    walk->number++;
    walk->is_used = false;
    walk->n_loaded = 0;
    walk->n_stored = 0;
}

static void phase_note(struct phase_walk *walk, const void *node)
{
    struct phase *phase = ARENA_NEW(walk->arena, struct phase);
    *phase = (struct phase){.number = walk->number, .overlaps = walk->overlaps,
                            .n_loops = walk->depth};
    for (int i = 0; i < walk->depth; i++)
        phase->unrolled[i] = walk->unrolled[walk->depth - 1 - i];
    map_put_pointer(walk->phases, node, phase);
}

/* May a load of the array read what the phase has stored? */
static bool is_stored(const struct phase_walk *walk, const struct array *array)
{
    bool stored = walk->n_stored == STORED_MOST;
    for (int i = 0; i < walk->n_stored; i++)
        stored |= walk->stored[i] == array || (array->space == SPACE_SHARED &&
                                               walk->stored[i]->space == SPACE_SHARED);
    return stored;
}

static bool is_loaded(const struct phase_walk *walk, const struct var *var)
{
    for (size_t i = 0; i < walk->n_loaded; i++)
        if (walk->loaded[i] == var)
            return true;
    return false;
}

/* Is the value of e one that this phase loads, as it stands? */
static bool phase_expr(struct phase_walk *walk, const struct expr *e)
{
    bool is_memory = e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE, loads = false;
    for (int i = 0; i < e->n_arguments; i++)
        loads |= phase_expr(walk, e->arguments[i]);
    if (e->kind == EXPR_CAST)
        return loads;
    if (e->kind == EXPR_VAR)
        return is_loaded(walk, e->var);
    walk->is_used |= loads;
    if (!is_memory)
        return false;
    if (walk->is_used || is_stored(walk, e->array))
        phase_begin(walk);
    phase_note(walk, e);
    return true;
}

static void phase_stmt(struct phase_walk *walk, const struct stmt *s);

static void phase_children(struct phase_walk *walk, const struct stmt *s)
{
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            phase_stmt(walk, s->children[i]);
}

/* What stands in s is a phase of its own. */
static void phase_apart(struct phase_walk *walk, const struct stmt *s)
{
    phase_begin(walk);
    phase_children(walk, s);
    phase_begin(walk);
}

/* Does the loop only load and compute? */
static bool is_plain(struct arena *arena, const struct stmt *loop)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, loop->children[0]); s;
         s = stmt_next(&walk)) {
        bool stores = s->kind == STMT_STORE && s->array->space != SPACE_PRIVATE;
        bool is_rolled = s->kind == STMT_FOR && !s->unroll;
        if (stores || is_rolled || s->kind == STMT_IF || s->kind == STMT_BAND ||
            s->kind == STMT_BARRIER)
            return false;
    }
    return true;
}

static void phase_for(struct phase_walk *walk, const struct stmt *s)
{
    bool overlaps = walk->overlaps, has_room = walk->depth < PHASE_LOOPS;
    if (has_room)
        walk->unrolled[walk->depth++] = s->unroll;
    if (s->unroll) {
        phase_children(walk, s);
    } else {
        walk->overlaps = is_plain(walk->arena, s);
        phase_apart(walk, s);
    }
    walk->overlaps = overlaps;
    walk->depth -= has_room;
}

static void phase_store(struct phase_walk *walk, const struct stmt *s, bool loads)
{
    walk->is_used |= loads && s->array->space != SPACE_PRIVATE;
    phase_note(walk, s);
    if (s->array->space != SPACE_PRIVATE && walk->n_stored < STORED_MOST)
        walk->stored[walk->n_stored++] = s->array;
}

static void phase_define(struct phase_walk *walk, const struct stmt *s, bool loads)
{
    if (loads && walk->n_loaded < LOADED_MOST)
        walk->loaded[walk->n_loaded++] = s->var;
}

static void phase_stmt(struct phase_walk *walk, const struct stmt *s)
{
    int depth = walk->depth;
    bool loads = false;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        loads |= phase_expr(walk, stmt_expr(s, i));
    switch (s->kind) {
    case STMT_SEQUENCE: phase_children(walk, s); break;
    case STMT_LET:
    case STMT_SET: phase_define(walk, s, loads); break;
    case STMT_STORE: phase_store(walk, s, loads); break;
    case STMT_FOR: phase_for(walk, s); break;
    case STMT_BAND:
        walk->depth = 0;
        phase_apart(walk, s);
        walk->depth = depth;
        break;
    case STMT_IF: phase_apart(walk, s); break;
    case STMT_BARRIER: phase_begin(walk); break;
    case STMT_ARRAY: break;
    }
}

struct map *phases_find(struct arena *arena, const struct kernel *kernel)
{
    struct phase_walk walk = {.arena = arena, .phases = map_new(arena)};
    phase_stmt(&walk, kernel->body);
    return walk.phases;
}
