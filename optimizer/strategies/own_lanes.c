/* A thread's own sums in lanes.

   In: a banded kernel that says so (ir/own.h). Out: the same with
       for (j = from; j < to; j++)
           s = s + e;
   as
       lanes[0 … 15] = -0.0;
       for (r = 0; r < (to - from) / 16; r++)
           for (l = 0; l < 16; l++)
               lanes[l] = lanes[l] + e with from + 16 * r + l for j;
       for (l = 0; l < 16; l++)
           if (j < to)
               the rest of the rounds likewise;
       lanes[l] = lanes[l] + lanes[l + 8], then + 4, + 2, + 1;
       s = s + lanes[0];
   All of that is ordinary code, made before a kernel is split and placed: so each leaf, witness and
   device has the order, whatever the tunables are. The loops over lanes are unrolled in every
   text; compilers of processors make vectors of them.
   Why it is right: the sum may be taken in any order, and each round is executed once. An element
   that no round came to need not exist. */
#include "optimizer/strategies/own_lanes.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/strategies.h"

static const struct expr *own_load(const struct own_making *o, int sum, const struct expr *lane)
{
    return expr_load(o->arena, o->lanes[sum], &lane, (struct loc){0});
}

static const struct stmt *own_store(const struct own_making *o, int sum, const struct expr *lane,
                                     const struct expr *value)
{
    return stmt_store(o->arena, o->lanes[sum], &lane, value, (struct loc){0});
}

static const struct expr *lane_number(const struct own_making *o, int64_t number)
{
    return expr_integer(o->arena, TYPE_I32, number);
}

const struct expr *own_join(const struct own_making *o, int sum, const struct expr *a,
                            const struct expr *b)
{
    return reduction_join(o->arena, o->sums.at[sum].reduction, a, b);
}

/* A loop over so many lanes, with `body` in terms of `var`, or the body for the only lane of a
   thread. */
static const struct stmt *lanes_loop(const struct own_making *o, const struct var *var, int count,
                                     const struct stmt *body)
{
    const struct substitution own = {1, &var, &o->thread_lane};
    if (o->thread_lane)
        return stmt_replace(o->arena, body, &own);
    struct stmt *loop = (struct stmt *)stmt_for(o->arena, var, lane_number(o, 0),
                                                lane_number(o, count), lane_number(o, 1), body);
    loop->unroll = true;
    return loop;
}

static const struct var *lane_var(struct own_making *o)
{
    return var_new(o->arena, names_fresh(&o->names, "lane"), TYPE_I32, VAR_ITERATOR);
}

struct array *own_array(struct own_making *o, int sum, const struct expr *const *dims, int n_dims)
{
    const struct stmt *first = o->sums.at[sum].first;
    const char *name = first->kind == STMT_SET ? first->var->name : first->array->name;
    struct array *array = ARENA_NEW(o->arena, struct array);
    *array = (struct array){
        .name = names_fresh(&o->names, arena_printf(o->arena, "%s_lanes", name)),
        .element = o->sums.at[sum].type,
        .space = SPACE_PRIVATE,
        .n_dims = n_dims,
        .dims = dims};
    vec_push(o->arena, &o->arrays, (const struct array *)array);
    return array;
}

/* The arrays of lanes, and their first values. */
static void lanes_begin(struct own_making *o, struct stmts *out)
{
    const struct var *var = lane_var(o);
    struct stmts clear = {0};
    for (int i = 0; i < o->sums.count; i++) {
        const struct expr **dims = ARENA_ARRAY(o->arena, const struct expr *, 1);
        dims[0] = lane_number(o, OWN_LANES);
        const struct array *array = o->lanes[i] = own_array(o, i, dims, 1);
        vec_push(o->arena, out, stmt_array(o->arena, array));
        vec_push(o->arena, &clear,
                 own_store(o, i, expr_var(o->arena, var),
                            reduction_neutral(o->arena, o->sums.at[i].reduction, array->element)));
    }
    vec_push(o->arena, out, lanes_loop(o, var, OWN_LANES,
                                       stmt_sequence(o->arena, clear.at, (int)clear.count)));
}

/* --- rounds ----------------------------------------------------------------------------------- */

static const struct stmt *addition_replace(void *state, const struct stmt *s)
{
    struct own_making *o = state;
    int sum = own_sum_of(&o->sums, s);
    if (sum < 0)
        return s;
    const struct expr *term = own_sum_term(o->arena, s);
    if (o->thread_lane) {
        const struct expr *before = expr_var(o->arena, o->own[sum]);
        return stmt_set(o->arena, o->own[sum], own_join(o, sum, before, term));
    }
    return own_store(o, sum, o->lane, own_join(o, sum, own_load(o, sum, o->lane), term));
}

/* The loop's body for a value of its variable, with fresh locals. */
static const struct stmt *round_make(struct own_making *o, const struct stmt *loop,
                                     const struct var *lane, const struct expr *value)
{
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    struct stmt_walk walk;
    vec_push(o->arena, &variables, loop->var);
    vec_push(o->arena, &values, value);
    o->lane = expr_var(o->arena, lane);
    const struct stmt *body = stmt_rewrite(o->arena, loop->children[0], addition_replace, o);
    for (const struct stmt *s = stmt_first(&walk, o->arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET) {
            const struct var *copy = var_new(o->arena, names_fresh(&o->names, s->var->name),
                                             s->var->type, s->var->kind);
            vec_push(o->arena, &variables, s->var);
            vec_push(o->arena, &values, expr_var(o->arena, copy));
        }
    struct substitution renaming = {(int)variables.count, variables.at, values.at};
    return stmt_replace(o->arena, body, &renaming);
}

static const struct expr *round_value(const struct own_making *o, const struct stmt *loop,
                                      const struct expr *first, const struct var *lane)
{
    enum type type = loop->var->type;
    const struct expr *value = expr_binary(o->arena, OP_ADD, first,
                                           expr_cast(o->arena, type, expr_var(o->arena, lane)));
    return loop_is_normal(loop) ? value : expr_binary(o->arena, OP_ADD, loop->from, value);
}

/* The rounds that fill all lanes, and the rest of them. */
void own_rounds_make(struct own_making *o, const struct stmt *loop, struct stmts *out)
{
    struct arena *arena = o->arena;
    enum type type = loop->var->type;
    const struct expr *width = expr_integer(arena, type, OWN_LANES);
    const struct expr *count = expr_binary(arena, OP_DIV,
                                           expr_cast(arena, type, loop_trip(arena, loop)), width);
    const struct var *row = var_new(arena,
                                    names_fresh(&o->names, arena_printf(arena, "%s_row",
                                                                        loop->var->name)),
                                    type, VAR_ITERATOR);
    const struct var *lane = lane_var(o), *last = lane_var(o);
    const struct expr *first = expr_binary(arena, OP_MUL, width, expr_var(arena, row));
    const struct stmt *whole = round_make(o, loop, lane, round_value(o, loop, first, lane));
    vec_push(arena, out,
             stmt_for(arena, row, expr_integer(arena, type, 0), count,
                      expr_integer(arena, type, 1), lanes_loop(o, lane, OWN_LANES, whole)));
    const struct var *at = var_new(arena, names_fresh(&o->names, loop->var->name), type, VAR_LOCAL);
    const struct expr *value = round_value(o, loop, expr_binary(arena, OP_MUL, width, count), last);
    const struct stmt *rest[] = {
        stmt_let(arena, at, value),
        stmt_if(arena, expr_binary(arena, OP_LT, expr_var(arena, at), loop->to),
                round_make(o, loop, last, expr_var(arena, at)), NULL)};
    vec_push(arena, out, lanes_loop(o, last, OWN_LANES, stmt_sequence(arena, rest, 2)));
}

/* --- the tree --------------------------------------------------------------------------------- */

static void lanes_join(struct own_making *o, struct stmts *out)
{
    struct arena *arena = o->arena;
    for (int far = OWN_LANES / 2; far > 0; far /= 2) {
        const struct var *var = lane_var(o);
        const struct expr *lane = expr_var(arena, var),
                          *other = expr_binary(arena, OP_ADD, lane, lane_number(o, far));
        struct stmts joins = {0};
        for (int i = 0; i < o->sums.count; i++) {
            const struct expr *both = own_join(o, i, own_load(o, i, lane), own_load(o, i, other));
            vec_push(arena, &joins, own_store(o, i, lane, both));
        }
        vec_push(arena, out,
                 lanes_loop(o, var, far, stmt_sequence(arena, joins.at, (int)joins.count)));
    }
}

const struct stmt *own_sum_join(const struct own_making *o, const struct stmt *loop, int sum,
                                const struct expr *joined)
{
    struct arena *arena = o->arena;
    const struct stmt *first = o->sums.at[sum].first;
    if (first->kind == STMT_SET) {
        const struct expr *old = expr_var(arena, first->var);
        return stmt_set(arena, first->var, own_join(o, sum, old, joined));
    }
    const struct expr *old = expr_load(arena, first->array, first->indices, first->loc);
    const struct stmt *store = stmt_store(arena, first->array, first->indices,
                                          own_join(o, sum, old, joined), first->loc);
    return stmt_if(arena, expr_binary(arena, OP_LT, loop->from, loop->to), store, NULL);
}

static const struct stmt *loop_in_lanes(void *state, const struct own_sums *sums)
{
    struct own_making *o = state;
    const struct stmt *loop = sums->loop;
    struct stmts out = {0};
    o->sums = *sums;
    lanes_begin(o, &out);
    own_rounds_make(o, loop, &out);
    lanes_join(o, &out);
    for (int i = 0; i < sums->count; i++)
        vec_push(o->arena, &out, own_sum_join(o, loop, i, own_load(o, i, lane_number(o, 0))));
    return stmt_sequence(o->arena, out.at, (int)out.count);
}

void own_arrays_list(const struct own_making *o, struct kernel *kernel)
{
    int n = kernel->n_arrays, more = (int)o->arrays.count;
    const struct array **arrays = ARENA_ARRAY(o->arena, const struct array *, n + more + 1);
    for (int i = 0; i < n; i++)
        arrays[i] = kernel->arrays[i];
    for (int i = 0; i < more; i++)
        arrays[n + i] = o->arrays.at[i];
    kernel->arrays = arrays;
    kernel->n_arrays = n + more;
}

const struct kernel *strategy_own_lanes(struct ctx *ctx, const struct kernel *kernel)
{
    struct own_making o = {.arena = ctx->arena};
    if (!kernel->own_lanes)
        return kernel;
    o.names = names_new(ctx->arena, kernel);
    struct kernel *made = kernel_copy(ctx->arena, kernel);
    made->body = own_loops_rewrite(ctx->arena, kernel, loop_in_lanes, &o);
    made->own_lanes = false;
    own_arrays_list(&o, made);
    return made;
}
