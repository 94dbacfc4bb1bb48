/* Which loads of a thread are under way at once.

   In: a kernel. Out: a number for each reference; loads with the same number wait together. One
   walk in the order of evaluation: an operation or a store that uses a value just loaded waits for
   it, and for all that were loaded with it. The emitted code gathers loads (ir/llvm/loads.c): one
   behind that wait belongs to the phase still if it is made in any case, by subscripts that depend
   on no load of the phase, and if the values of the phase take few registers; else it begins a
   new one. So does a load behind the beginning or end of a loop that is not unrolled, of a branch,
   of a band, behind a barrier, and one of what the phase has stored to (of shared memory: of
   anything shared). An asynchronous copy waits while the rounds before it are computed: as if the
   loads of as many rounds as there are buffers were under way at once. Source: docs/counters.md,
   "Predicted time". */
#include "optimizer/phases.h"
#include "base/map.h"
#include "ir/walk.h"

enum { STORED_MOST = 16, LOADED_MOST = 64, WORDS_GATHERED = 16 };

/* What a value has to do with the loads of the phase. */
enum phase_source {
    SOURCE_OTHER,
    SOURCE_COMPUTED,    /* computed from a load of the phase */
    SOURCE_LOADED       /* loaded, as it stands: nothing has waited for it */
};

struct phase_walk {
    struct arena *arena;
    struct map *phases;
    int number;
    bool is_used;                                /* something has waited for a load of the phase */
    int words;                                   /* that the phase has loaded */
    int conditions;                              /* ?:, && and || around the expression */
    size_t n_loaded;                             /* locals with a value of this phase */
    struct { const struct var *var; enum phase_source source; } loaded[LOADED_MOST];
    int pressure;                                /* of the kernel */
    int overlaps;
    int slopes;
    struct map *values;                          /* of locals: what they were defined by */
    int n_stored;
    const struct array *stored[STORED_MOST];     /* in this phase; full: anything */
    int depth;
    bool unrolled[PHASE_LOOPS];                  /* loops around, the outermost first */
};

static void phase_begin(struct phase_walk *walk)
{
    walk->number++;
    walk->is_used = false;
    walk->words = 0;
    walk->n_loaded = 0;
    walk->n_stored = 0;
}

static void phase_note(struct phase_walk *walk, const void *node)
{
    struct phase *phase = ARENA_NEW(walk->arena, struct phase);
    *phase = (struct phase){.number = walk->number, .overlaps = walk->overlaps,
                            .slopes = walk->slopes,
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

static enum phase_source var_source(const struct phase_walk *walk, const struct var *var)
{
    for (size_t i = walk->n_loaded; i-- > 0;)
        if (walk->loaded[i].var == var)
            return walk->loaded[i].source;
    return SOURCE_OTHER;
}

/* A load of global or shared memory whose subscripts come from `subscripts`. */
static void phase_load(struct phase_walk *walk, const struct expr *e, enum phase_source subscripts)
{
    int words = type_bytes(e->type) > 4 ? 2 : 1;
    bool gathers = subscripts == SOURCE_OTHER && !walk->conditions &&
                   walk->words + words <= WORDS_GATHERED;
    if (is_stored(walk, e->array) || (walk->is_used && !gathers))
        phase_begin(walk);
    walk->words += words;
    phase_note(walk, e);
}

static enum phase_source phase_expr(struct phase_walk *walk, const struct expr *e)
{
    bool decides = e->kind == EXPR_SELECT ||
                   (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    enum phase_source most = SOURCE_OTHER;
    for (int i = 0; i < e->n_arguments; i++) {
        bool is_conditional = decides && i > 0;
        walk->conditions += is_conditional;
        enum phase_source source = phase_expr(walk, e->arguments[i]);
        walk->conditions -= is_conditional;
        most = source > most ? source : most;
    }
    if (e->kind == EXPR_CAST)
        return most;
    if (e->kind == EXPR_VAR)
        return var_source(walk, e->var);
    walk->is_used |= most == SOURCE_LOADED;
    if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE) {
        phase_load(walk, e, most);
        return SOURCE_LOADED;
    }
    return most == SOURCE_OTHER ? SOURCE_OTHER : SOURCE_COMPUTED;
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

/* Does the loop only load, compute and store to global arrays that it does not load? *stores: it
   stores to some. */
static bool is_plain(struct arena *arena, const struct stmt *loop, bool *stores)
{
    struct stmt_walk walk;
    *stores = false;
    for (const struct stmt *s = stmt_first(&walk, arena, loop->children[0]); s;
         s = stmt_next(&walk)) {
        bool apart = s->kind == STMT_STORE && s->array->space == SPACE_GLOBAL &&
                     !stmt_loads_from(loop->children[0], s->array),
             in_way = s->kind == STMT_STORE && s->array->space != SPACE_PRIVATE && !apart;
        *stores |= apart;
        if (in_way || stmt_is_rolled(s) || s->kind == STMT_IF || s->kind == STMT_BAND ||
            s->kind == STMT_BARRIER)
            return false;
    }
    return true;
}

/* As phase.overlaps: the copies of its body that the loop gets (ir/llvm/lower_loop.c). */
static int loop_overlaps(const struct phase_walk *walk, const struct stmt *loop)
{
    bool stores, plain = is_plain(walk->arena, loop, &stores);
    int copies = stmt_small_copies(loop, walk->pressure);
    return plain && (copies > 1 || !stores) ? copies : 0;
}

/* Is the expression a sum in which a place counts, not the lesser or greater of two? */
static bool grows(const struct phase_walk *walk, const struct expr *e)
{
    bool is_sum = e->kind == EXPR_CAST ||
                  (e->kind == EXPR_BINARY &&
                   (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL)) ||
                  (e->kind == EXPR_UNARY && e->op == OP_NEG);
    int n = is_sum ? e->n_arguments : 0;
    bool found = false;
    if (e->kind == EXPR_VAR) {
        const struct expr *value = map_get_pointer(walk->values, e->var);
        return value ? grows(walk, value) : e->var->kind != VAR_PARAM;
    }
    for (int i = 0; i < n && !found; i++)
        found = grows(walk, e->arguments[i]);
    return found;
}

static void phase_for(struct phase_walk *walk, const struct stmt *s)
{
    int overlaps = walk->overlaps, slopes = walk->slopes;
    walk->slopes += !s->unroll && grows(walk, s->from) != grows(walk, s->to);
    bool has_room = walk->depth < PHASE_LOOPS;
    if (has_room)
        walk->unrolled[walk->depth++] = s->unroll;
    if (s->unroll) {
        phase_children(walk, s);
    } else {
        walk->overlaps = loop_overlaps(walk, s);
        phase_apart(walk, s);
    }
    walk->overlaps = overlaps;
    walk->slopes = slopes;
    walk->depth -= has_room;
}

/* Rounds of the loop around a copy that are under way or computed on at once: its buffers, the
   first extent of the tile. 0 of other stores. */
static int rounds_ahead(const struct stmt *s)
{
    int64_t buffers;
    bool is_ahead = s->kind == STMT_STORE && s->async && s->array->n_dims > 1 &&
                    expr_get_integer(s->array->dims[0], &buffers);
    return is_ahead ? (int)buffers : 0;
}

static void phase_store(struct phase_walk *walk, const struct stmt *s, enum phase_source value)
{
    walk->is_used |= !s->async && value == SOURCE_LOADED && s->array->space != SPACE_PRIVATE;
    phase_note(walk, s);
    if (s->array->space != SPACE_PRIVATE && walk->n_stored < STORED_MOST)
        walk->stored[walk->n_stored++] = s->array;
}

static void phase_define(struct phase_walk *walk, const struct stmt *s, enum phase_source value)
{
    if (s->kind == STMT_LET && s->value)
        map_put_pointer(walk->values, s->var, (void *)s->value);
    bool known = value != SOURCE_OTHER || var_source(walk, s->var) != SOURCE_OTHER;
    if (!known || walk->n_loaded == LOADED_MOST)
        return;
    walk->loaded[walk->n_loaded].var = s->var;
    walk->loaded[walk->n_loaded++].source = value;
}

static void phase_stmt(struct phase_walk *walk, const struct stmt *s)
{
    int depth = walk->depth, slopes = walk->slopes, overlaps = walk->overlaps,
        ahead = rounds_ahead(s);
    enum phase_source most = SOURCE_OTHER;
    walk->overlaps = ahead ? ahead : overlaps;
    for (int i = 0; i < stmt_n_exprs(s); i++) {
        enum phase_source source = phase_expr(walk, stmt_expr(s, i));
        most = source > most ? source : most;
    }
    walk->overlaps = overlaps;
    switch (s->kind) {
    case STMT_SEQUENCE: phase_children(walk, s); break;
    case STMT_LET:
    case STMT_SET: phase_define(walk, s, most); break;
    case STMT_STORE: phase_store(walk, s, most); break;
    case STMT_FOR: phase_for(walk, s); break;
    case STMT_BAND:
        walk->depth = walk->slopes = 0;
        phase_apart(walk, s);
        walk->depth = depth;
        walk->slopes = slopes;
        break;
    case STMT_IF:
    case STMT_WHILE: phase_apart(walk, s); break;
    case STMT_BARRIER: phase_begin(walk); break;
    case STMT_LAST:
        phase_begin(walk);
        phase_apart(walk, s);
        break;
    case STMT_ARRAY: break;
    }
}

struct map *phases_find(struct arena *arena, const struct kernel *kernel)
{
    struct phase_walk walk = {.arena = arena, .phases = map_new(arena),
                              .values = map_new(arena),
                              .pressure = kernel->pressure};
    phase_stmt(&walk, kernel->body);
    return walk.phases;
}
