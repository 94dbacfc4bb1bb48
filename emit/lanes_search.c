/* Loops, differences and distances of points that become lanes.

   In: the band of a kernel. Out: which scalars and private arrays differ from point to point, which
   statements are executed once for all points, how far neighbours' elements are apart; loads that
   are the same in each round of a loop and would be gathered, before it.
   Invariant: a scalar or array that is not marked as varying is the same for all points that reach
   it. */
#include "emit/lanes_code.h"
#include "ir/walk.h"

enum {
    UNROLLED_MOST = 16,         /* rounds of a loop that the text asks to be written out */
    APART_BYTES = 128           /* from a point's element to its neighbour's */
};

bool lanes_loop_is_long(const struct stmt *s)
{
    int64_t from, to, step;
    if (s->kind != STMT_FOR)
        return s->kind == STMT_WHILE;
    bool is_literal = expr_get_integer(s->from, &from) && expr_get_integer(s->to, &to) &&
                      expr_get_integer(s->step, &step) && step > 0;
    return !is_literal || to - from > (s->unroll ? UNROLLED_MOST : LANES_SHORT_LOOP) * step;
}

bool lanes_has_long_loop(const struct stmt *s)
{
    if (lanes_loop_is_long(s))
        return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && lanes_has_long_loop(s->children[i]))
            return true;
    return false;
}

/* --- what differs from point to point --------------------------------------------------------- */

static bool node_varies(const struct lanes *l, const struct expr *e)
{
    if (e->kind == EXPR_VAR)
        return map_get_pointer(l->varying, e->var);
    return e->kind == EXPR_LOAD &&
           (map_get_pointer(l->varying, e->array) || map_get_pointer(l->written, e->array));
}

bool lanes_expr_varies(const struct lanes *l, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, l->arena, e); e; e = expr_next(&walk))
        if (node_varies(l, e))
            return true;
    return false;
}

/* Does an expression that stands directly in s differ from point to point? */
static bool exprs_vary(const struct lanes *l, const struct stmt *s)
{
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (lanes_expr_varies(l, stmt_expr(s, i)))
            return true;
    return false;
}

bool lanes_is_control(const struct stmt *s)
{
    return s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_IF;
}

bool lanes_is_outside(const struct lanes *l, const struct stmt *s)
{
    if (lanes_is_control(s))
        return lanes_has_long_loop(s) && !exprs_vary(l, s);
    if (s->kind == STMT_LET || s->kind == STMT_SET)
        return !map_get_pointer(l->varying, s->var);
    bool is_private = s->kind == STMT_ARRAY ||
                      (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE);
    return is_private && !map_get_pointer(l->varying, s->array);
}

static void mark_varying(struct lanes *l, const void *object)
{
    if (map_get_pointer(l->varying, object))
        return;
    map_put_pointer(l->varying, object, (void *)object);
    l->changed = true;
}

/* A variable that is assigned in a piece belongs to each point. */
static void spread(struct lanes *l, const struct stmt *s, bool in_piece)
{
    bool varies = in_piece || exprs_vary(l, s);
    if (lanes_is_control(s))
        varies = in_piece || !lanes_is_outside(l, s);
    if (varies && (s->kind == STMT_LET || s->kind == STMT_SET || s->kind == STMT_FOR))
        mark_varying(l, s->var);
    if (varies && s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE)
        mark_varying(l, s->array);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            spread(l, s->children[i], lanes_is_control(s) ? varies : in_piece);
}

/* The guard lets through all points that are dealt with. */
void lanes_find_varying(struct lanes *l)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, l->arena, l->kernel->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_STORE && s->array->space != SPACE_PRIVATE)
            map_put_pointer(l->written, s->array, (void *)s->array);
    mark_varying(l, l->column);
    do {
        l->changed = false;
        for (size_t i = 0; i < l->before.count; i++)
            spread(l, l->before.at[i], false);
        spread(l, l->body, false);
    } while (l->changed);
}

/* --- distances of neighbours ------------------------------------------------------------------ */

/* The steps of e from a point to its neighbour; false: they are not the same everywhere, or not
   known. */
static bool steps_of(const struct lanes *l, const struct expr *e, int64_t *steps)
{
    int64_t a = 0, b = 0, factor;
    *steps = 0;
    if (!lanes_expr_varies(l, e))
        return true;
    *steps = 1;
    if (e->kind == EXPR_VAR)
        return e->var == l->column;
    if (e->kind == EXPR_CAST)
        return steps_of(l, e->arguments[0], steps);
    if (e->kind != EXPR_BINARY || !steps_of(l, e->arguments[0], &a) ||
        !steps_of(l, e->arguments[1], &b))
        return false;
    if (e->op == OP_ADD || e->op == OP_SUB)
        *steps = e->op == OP_ADD ? a + b : a - b;
    else if (e->op == OP_MUL && expr_get_integer(e->arguments[a != 0], &factor))
        *steps = (a + b) * factor;
    else
        return false;
    return *steps > -APART_BYTES && *steps < APART_BYTES;
}

/* Does e come from data, or from a division, so that it may be anywhere? */
static bool is_anywhere(const struct lanes *l, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, l->arena, e); e; e = expr_next(&walk)) {
        bool divides = e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM);
        if (divides || (node_varies(l, e) && e->var != l->column))
            return true;
    }
    return false;
}

bool lanes_elements_apart(struct lanes *l, const struct array *array,
                          const struct expr *const *indices)
{
    int64_t bytes = type_bytes(array->element), extent, sum = 0;
    for (int d = array->n_dims - 1; d >= 0; d--) {
        const struct expr *e = definitions_replace(&l->scope, indices[d]);
        int64_t steps = 0;
        bool is_known = steps_of(l, e, &steps) && (steps == 0 || bytes > 0);
        if (!is_known && !is_anywhere(l, e))
            return true;
        sum += is_known ? steps * bytes : 0;
        bool is_literal = d > 0 && expr_get_integer(array->dims[d], &extent) && extent < 1 << 20;
        bytes = is_literal ? bytes * extent : 0;
    }
    return sum > APART_BYTES || sum < -APART_BYTES;
}

/* --- loads before loops ----------------------------------------------------------------------- */

/* Loads of a loop that stands outside: the same in each round, neighbours' elements apart. */
struct ahead {
    struct lanes *lanes;
    const struct stmt *loop;
    VEC(const struct expr *) loads;
    VEC(const struct var *) vars;
};

/* Is e the same in each round of the loop, and known before it? */
static bool is_same_in_rounds(const struct ahead *ahead, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, ahead->lanes->arena, e); e; e = expr_next(&walk)) {
        if (e->kind == EXPR_VAR && stmt_gives_value(ahead->loop, e->var))
            return false;
        if (e->kind == EXPR_LOAD && (e->array->space != SPACE_GLOBAL ||
                                     stmt_stores_to(ahead->loop, e->array)))
            return false;
    }
    return true;
}

/* Do the points of a vector load elements that do not lie side by side? */
static bool is_gathered(struct lanes *l, const struct expr *load)
{
    int last = load->array->n_dims - 1;
    for (int d = 0; d <= last; d++) {
        int64_t steps = 0;
        const struct expr *e = definitions_replace(&l->scope, load->arguments[d]);
        if (!steps_of(l, e, &steps) || (steps != 0 && (d != last || steps != 1)))
            return true;
    }
    return false;
}

bool lanes_are_side_by_side(struct lanes *l, const struct expr *load)
{
    int last = load->array->n_dims - 1;
    int64_t steps = 0;
    const struct expr *e = definitions_replace(&l->scope, load->arguments[last]);
    return steps_of(l, e, &steps) && steps == 1 && !is_gathered(l, load);
}

static void note_ahead(struct ahead *ahead, const struct expr *load)
{
    struct lanes *l = ahead->lanes;
    for (size_t i = 0; i < ahead->loads.count; i++)
        if (expr_equal(ahead->loads.at[i], load))
            return;
    const char *name = names_fresh(&l->names, arena_printf(l->arena, "%s_own", load->array->name));
    vec_push(l->arena, &ahead->loads, load);
    vec_push(l->arena, &ahead->vars, var_new(l->arena, name, load->type, VAR_LOCAL));
}

/* The loads of a statement that is executed in each round. */
static void find_ahead(struct ahead *ahead, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, ahead->lanes->arena, s); e;
         e = expr_next(&walk)) {
        bool may_skip = e->kind == EXPR_SELECT || (e->kind == EXPR_BINARY &&
                                                   (e->op == OP_LAND || e->op == OP_LOR));
        if (may_skip) {
            expr_skip(&walk);
        } else if (e->kind == EXPR_LOAD && is_same_in_rounds(ahead, e) &&
                   is_gathered(ahead->lanes, e)) {
            note_ahead(ahead, e);
            expr_skip(&walk);
        }
    }
}

static const struct expr *replace_ahead(void *state, const struct expr *e)
{
    const struct ahead *ahead = state;
    if (e->kind != EXPR_LOAD)
        return e;
    for (size_t i = 0; i < ahead->loads.count; i++)
        if (expr_equal(ahead->loads.at[i], e))
            return expr_var(ahead->lanes->arena, ahead->vars.at[i]);
    return e;
}

struct stmts lanes_children(const struct lanes *l, const struct stmt *s)
{
    struct stmts stmts = {0};
    int n = s->kind == STMT_SEQUENCE ? s->n_children : 1;
    const struct stmt *const *children = s->kind == STMT_SEQUENCE ? s->children : &s;
    for (int i = 0; i < n; i++)
        vec_push(l->arena, &stmts, children[i]);
    return stmts;
}

/* Such loads stand before the loop that is returned, under the condition that it has a round. */
static const struct stmt *load_ahead(void *state, const struct stmt *s)
{
    struct lanes *l = state;
    struct ahead ahead = {.lanes = l, .loop = s};
    struct stmts parts = {0}, loads = {0};
    if (s->kind != STMT_FOR || !lanes_loop_is_long(s) || !lanes_is_outside(l, s))
        return s;
    struct stmts body = lanes_children(l, s->children[0]);
    for (size_t i = 0; i < body.count; i++)
        if (!lanes_is_control(body.at[i]))
            find_ahead(&ahead, body.at[i]);
    if (ahead.loads.count == 0)
        return s;
    for (size_t i = 0; i < ahead.loads.count; i++) {
        vec_push(l->arena, &parts, stmt_let(l->arena, ahead.vars.at[i],
                                              expr_zero(l->arena, ahead.vars.at[i]->type)));
        vec_push(l->arena, &loads, stmt_set(l->arena, ahead.vars.at[i], ahead.loads.at[i]));
    }
    vec_push(l->arena, &parts,
             stmt_if(l->arena, expr_binary(l->arena, OP_LT, s->from, s->to),
                     stmt_sequence(l->arena, loads.at, (int)loads.count), NULL));
    vec_push(l->arena, &parts, stmt_rewrite_exprs(l->arena, s, replace_ahead, &ahead));
    return stmt_sequence(l->arena, parts.at, (int)parts.count);
}

void lanes_load_ahead(struct lanes *l)
{
    l->body = stmt_rewrite(l->arena, l->body, load_ahead, l);
}
