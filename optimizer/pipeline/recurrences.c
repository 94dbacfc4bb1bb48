/* Nests of a thread's serial loops as graphs.

   In: a kernel. Out: for each innermost loop its operations and what orders them.

   Arcs come from the distances of references (ir/access/distance.h): where the second reference is
   made later, or in the same iteration and later in the text, the arc goes from the first to the
   second, else the other way. From a write to a read it has the latency of the statement that reads
   (latency.h); from a read to a write none; two writes are a cycle apart. Where both references
   depend on all loops but one, each iteration of that loop meets the next one, in both directions.
   Scalars that the body declares belong to one iteration; others run through all of them, so that
   the nest cannot be unrolled. An open distance leaves the graph without meaning, and `open` says
   so. */
#include "optimizer/pipeline/recurrences.h"
#include "ir/access/distance.h"
#include "ir/walk.h"
#include <string.h>

_Static_assert((int)DISTANCE_LOOPS == (int)MODULO_LOOPS, "the same nests");

typedef VEC(struct modulo_arc) arc_list;

struct nest_reader {
    struct ctx *ctx;
    const struct kernel *kernel;
    const struct latencies *latencies;
    struct recurrence *nest;
    arc_list arcs;
    VEC(struct delay) delays;         /* of the arcs */
};

/* --- operations ------------------------------------------------------------------------------- */

static bool is_operation(const struct stmt *s)
{
    return s->kind == STMT_STORE || s->kind == STMT_SET || s->kind == STMT_IF ||
           (s->kind == STMT_LET && s->value);
}

static void statements_collect(struct arena *arena, struct recurrence *nest)
{
    VEC(const struct stmt *) found = {0};
    struct stmt_walk walk;
    const struct stmt *s = stmt_first(&walk, arena, nest->loops[nest->n_loops - 1]->children[0]);
    for (; s; s = stmt_next(&walk))
        if (is_operation(s))
            vec_push(arena, &found, s);
    nest->statements = found.at;
    nest->n_statements = (int)found.count;
    if (nest->n_statements > MODULO_OPERATIONS)
        nest->open = "the body has too many assignments";
}

/* The operation of a reference, -1 if the reference stands in none. */
static int operation_of(const struct nest_reader *r, const struct reference *reference)
{
    const struct stmt *const *statements = r->nest->statements;
    for (int i = 0; i < r->nest->n_statements; i++)
        if (reference->is_write ? statements[i] == reference->store
                                : stmt_holds_expr(statements[i], reference->load))
            return i;
    return -1;
}

/* --- arcs ------------------------------------------------------------------------------------- */

static void arc_add(struct nest_reader *r, int from, int to, struct delay delay,
                    const int64_t *distance)
{
    struct modulo_arc arc = {.from = from, .to = to,
                             .latency = delay_cycles(r->latencies, &delay)};
    memcpy(arc.distance, distance, sizeof arc.distance);
    for (size_t i = 0; i < r->arcs.count; i++) {
        struct modulo_arc *old = &r->arcs.at[i];
        if (old->from != from || old->to != to ||
            memcmp(old->distance, distance, sizeof arc.distance) != 0)
            continue;
        if (arc.latency > old->latency) {
            old->latency = arc.latency;
            r->delays.at[i] = delay;
        }
        return;
    }
    vec_push(r->ctx->arena, &r->arcs, arc);
    vec_push(r->ctx->arena, &r->delays, delay);
}

static struct delay delay_of(const struct nest_reader *r, const struct reference *from,
                             const struct reference *to)
{
    int number = to->is_write ? -1 : operation_of(r, to);
    if (!from->is_write)
        return (struct delay){0};
    if (number < 0)
        return (struct delay){.cycles = 1};
    return delay_through(r->latencies, r->nest->statements[number], to->load, NULL);
}

/* Between references that meet at this distance, the second less the first. */
static void reference_arc(struct nest_reader *r, const struct access_distance *pair,
                          const int64_t *distance)
{
    int a = operation_of(r, &pair->a), b = operation_of(r, &pair->b), k = 0;
    int64_t back[MODULO_LOOPS] = {0};
    while (k < r->nest->n_loops && !distance[k])
        k++;
    if (a < 0 || b < 0) {
        r->nest->open = "a subscript of a loop's bound refers to an array";
    } else if (k == r->nest->n_loops) {
        if (a != b)
            arc_add(r, a < b ? a : b, a < b ? b : a,
                    a < b ? delay_of(r, &pair->a, &pair->b) : delay_of(r, &pair->b, &pair->a),
                    distance);
    } else if (distance[k] > 0) {
        arc_add(r, a, b, delay_of(r, &pair->a, &pair->b), distance);
    } else {
        for (int i = k; i < r->nest->n_loops; i++)
            back[i] = -distance[i];
        arc_add(r, b, a, delay_of(r, &pair->b, &pair->a), back);
    }
}

static const char *pair_text(struct nest_reader *r, const struct access_distance *pair)
{
    return arena_printf(r->ctx->arena, "two references of %s, in lines %u and %u",
                        pair->a.array->name, loc_line(pair->a.loc), loc_line(pair->b.loc));
}

/* References of which no subscript depends on some loop. */
static void free_arcs(struct nest_reader *r, const struct access_distance *pair, int n_free,
                      int loop)
{
    int64_t distance[MODULO_LOOPS] = {0};
    bool is_level = true;
    for (int k = 0; k < r->nest->n_loops; k++)
        is_level &= pair->is_free[k] || !pair->at[k];
    if (n_free > 1 || !is_level)
        r->nest->bound = arena_printf(r->ctx->arena, "%s meet at distances without bound",
                                      pair_text(r, pair));
    reference_arc(r, pair, distance);
    for (int way = 1; way >= -1; way -= 2) {
        distance[is_level ? loop : r->nest->n_loops - 1] = way;
        reference_arc(r, pair, distance);
    }
}

static void pair_arcs(struct nest_reader *r, const struct access_distance *pair)
{
    int n_free = 0, loop = 0;
    for (int k = 0; k < r->nest->n_loops; k++)
        if (pair->is_free[k]) {
            n_free++;
            loop = k;
        }
    if (pair->kind == DISTANCE_OPEN)
        r->nest->open = arena_printf(r->ctx->arena, "the distance of %s, is not constant",
                                     pair_text(r, pair));
    else if (n_free)
        free_arcs(r, pair, n_free, loop);
    else
        reference_arc(r, pair, pair->at);
}

/* --- scalars ---------------------------------------------------------------------------------- */

static bool reads_var(const struct stmt *s, const struct var *var)
{
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_uses_var(stmt_expr(s, i), var))
            return true;
    return false;
}

static bool is_declared(const struct nest_reader *r, const struct stmt *body, const struct var *var)
{
    struct stmt_walk walk;
    const struct stmt *s = stmt_first(&walk, r->ctx->arena, body);
    for (; s; s = stmt_next(&walk))
        if (s->kind == STMT_LET && s->var == var)
            return true;
    return false;
}

static void scalar_arcs(struct nest_reader *r, const struct stmt *body, int from)
{
    const struct stmt *s = r->nest->statements[from];
    bool is_own = is_declared(r, body, s->var);
    int64_t here[MODULO_LOOPS] = {0}, next[MODULO_LOOPS] = {0};
    next[r->nest->n_loops - 1] = 1;
    if (!is_own)
        r->nest->bound = arena_printf(r->ctx->arena, "%s runs through all iterations",
                                      s->var->name);
    for (int to = 0; to < r->nest->n_statements; to++) {
        if (!reads_var(r->nest->statements[to], s->var))
            continue;
        struct delay delay = delay_through(r->latencies, r->nest->statements[to], NULL, s->var);
        if (to > from)
            arc_add(r, from, to, delay, here);
        else if (!is_own)
            arc_add(r, from, to, delay, next);
    }
}

/* Operations under a condition wait for the condition. */
static void condition_arcs(struct nest_reader *r, int from)
{
    const struct stmt *s = r->nest->statements[from];
    const int64_t here[MODULO_LOOPS] = {0};
    const struct delay delay = {.additions = 1};
    struct stmt_walk walk;
    const struct stmt *in = stmt_first(&walk, r->ctx->arena, s);
    for (; in; in = stmt_next(&walk))
        for (int to = from + 1; to < r->nest->n_statements; to++)
            if (r->nest->statements[to] == in)
                arc_add(r, from, to, delay, here);
}

/* --- nests ------------------------------------------------------------------------------------ */

static void nest_arcs(struct nest_reader *r)
{
    struct recurrence *nest = r->nest;
    struct distance_nest loops = {.n_loops = nest->n_loops};
    const struct stmt *body = nest->loops[nest->n_loops - 1]->children[0];
    memcpy(loops.loops, nest->loops, sizeof loops.loops);
    nest->n_pairs = access_distances(r->ctx, r->kernel, &loops, &nest->pairs);
    for (size_t i = 0; i < nest->n_pairs; i++)
        pair_arcs(r, &nest->pairs[i]);
    for (int i = 0; i < nest->n_statements; i++) {
        const struct stmt *s = nest->statements[i];
        if (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE)
            nest->open = arena_printf(r->ctx->arena, "%s is a thread's own array", s->array->name);
        else if (s->kind == STMT_SET || s->kind == STMT_LET)
            scalar_arcs(r, body, i);
        else if (s->kind == STMT_IF)
            condition_arcs(r, i);
    }
}

static struct modulo_graph nest_graph(const struct nest_reader *r)
{
    int n = r->nest->n_statements;
    struct modulo_operation *operations = ARENA_ARRAY(r->ctx->arena, struct modulo_operation,
                                                      (size_t)n + 1);
    for (int i = 0; i < n; i++)
        operations[i] = (struct modulo_operation){r->latencies->addition, {1}};
    for (size_t i = 0; i < r->arcs.count; i++) {
        struct modulo_operation *from = &operations[r->arcs.at[i].from];
        from->latency = from->latency > r->arcs.at[i].latency ? from->latency
                                                              : r->arcs.at[i].latency;
    }
    return (struct modulo_graph){r->nest->n_loops, n, 1, operations, r->arcs.count, r->arcs.at,
                                 {1}};
}

void recurrence_connect(struct ctx *ctx, const struct kernel *kernel,
                        const struct latencies *latencies, struct recurrence *nest)
{
    struct nest_reader r = {.ctx = ctx, .kernel = kernel, .latencies = latencies, .nest = nest};
    if (!nest->open)
        nest_arcs(&r);
    nest->graph = nest_graph(&r);
    nest->delays = r.delays.at;
}

/* The nest of the innermost loop at which the walk stands. */
static struct recurrence nest_read(struct arena *arena, const struct stmt_walk *walk)
{
    struct recurrence nest = {0};
    bool is_perfect = true;
    for (int i = walk->depth; i >= 0 && walk->path[i].stmt->kind != STMT_BAND; i--) {
        const struct stmt *s = walk->path[i].stmt;
        if (s->kind == STMT_FOR && nest.n_loops == MODULO_LOOPS) {
            nest.open = "more than four loops stand in each other";
        } else if (s->kind == STMT_FOR) {
            memmove(nest.loops + 1, nest.loops, sizeof nest.loops - sizeof nest.loops[0]);
            nest.loops[0] = s;
            nest.n_loops++;
            nest.perfect += is_perfect;
        } else {
            is_perfect &= s->kind == STMT_SEQUENCE && s->n_children == 1;
        }
    }
    statements_collect(arena, &nest);
    return nest;
}

/* Does the walk stand at an innermost loop of a thread? */
static bool is_innermost(const struct stmt_walk *walk, const struct stmt *s)
{
    bool is_in_band = false;
    for (int i = 0; i < walk->depth; i++)
        is_in_band |= walk->path[i].stmt->kind == STMT_BAND;
    return is_in_band && s->kind == STMT_FOR && !stmt_has_loop(s->children[0]);
}

size_t recurrences_find(struct ctx *ctx, const struct kernel *kernel, struct recurrence **list)
{
    VEC(struct recurrence) found = {0};
    struct stmt_walk walk;
    const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body);
    for (; s; s = stmt_next(&walk))
        if (is_innermost(&walk, s)) {
            struct recurrence nest = nest_read(ctx->arena, &walk);
            vec_push(ctx->arena, &found, nest);
        }
    *list = found.at;
    return found.count;
}
