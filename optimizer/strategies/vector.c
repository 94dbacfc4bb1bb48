/* Vector copies: tiles are filled and written back by accesses of 16 bytes.

   In:  a placed kernel. Out: each strided band that copies between a tile and its array,
       strided band (r < R, c < C) { if (inside) tile[r][c] = array[f(r, c)]; }
   becomes, under a condition on the parameters (addresses that are multiples of 16 bytes whatever
   block and thread),
       strided band (r < R, q < C / 4) { vector 4 tile[r][4*q] = array[f(r, 4*q)]; } and, unless 4
       divides C, strided band (r < R, q < C % 4) { … the rest, element by element }
   and is left as it is where the condition is false. With `inside` a vector is moved if its first
   and its last element are inside (comparisons of affine forms: then all between are), else its
   elements one by one; where a cell outside gets a number, it still does.
   Invariant: either form copies exactly the same cells; which thread copies a cell does not matter,
   since barriers part the copies from all other bands. Elements have 4 or 8 bytes. */
#include "optimizer/strategies/alignment.h"
#include "optimizer/strategies/strategies.h"

struct vectoring {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct names names;
    struct alignment alignment;
};

/* A band that copies. */
struct copying {
    const struct stmt *band, *store;
    const struct expr *inside;               /* NULL = always */
    const struct expr *outside;              /* what other cells get; NULL = nothing */
    int width;
    const struct axis *last;
    bool rest;                               /* the extent of the last axis need not be divisible */
    const struct expr *condition;            /* NULL = always */
};

static bool is_copy(const struct stmt *s)
{
    if (s->kind != STMT_STORE || s->width || s->reduction || s->value->kind != EXPR_LOAD)
        return false;
    const struct array *to = s->array, *from = s->value->array;
    return to->element == from->element && to->space != from->space && to->space != SPACE_PRIVATE &&
           from->space != SPACE_PRIVATE;
}

/* Comparisons of forms that are affine in the last axis, joined by &&. */
static bool is_convex(struct vectoring *v, const struct expr *e, int variable)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND)
        return is_convex(v, e->arguments[0], variable) && is_convex(v, e->arguments[1], variable);
    if (e->kind != EXPR_BINARY || e->op < OP_LT || e->op > OP_GE || !expr_is_total(e))
        return false;
    const struct poly *a = alignment_poly(&v->alignment, e->arguments[0]),
                      *b = alignment_poly(&v->alignment, e->arguments[1]);
    return a && b && poly_degree(poly_sub(a, b), variable) <= 1;
}

static bool copying_match(struct vectoring *v, const struct stmt *band, struct copying *c)
{
    if (band->kind != STMT_BAND || !band->strided)
        return false;
    const struct stmt *body = stmt_sole(band->children[0]);
    *c = (struct copying){.band = band, .last = &band->axes[band->n_axes - 1], .store = body};
    if (body->kind == STMT_IF && !body->children[1]) {
        c->inside = body->value;
        c->store = stmt_sole(body->children[0]);
    } else if (body->kind == STMT_STORE && !body->reduction && body->value->kind == EXPR_SELECT &&
               body->value->arguments[2]->kind == EXPR_REAL) {
        c->inside = body->value->arguments[0];
        c->outside = body->value->arguments[2];
        c->store = stmt_store(v->arena, body->array, body->indices, body->value->arguments[1],
                              body->loc);
    }
    if (!is_copy(c->store))
        return false;
    c->width = type_vector_width(c->store->array->element);
    int variable = ring_variable(v->alignment.ring, c->last->var->name);
    return c->width > 0 && variable >= 0 && (!c->inside || is_convex(v, c->inside, variable));
}

/* The condition under which both sides are aligned; false if there is none. */
static bool copying_align(struct vectoring *v, struct copying *c)
{
    struct divisibility d = {.alignment = &v->alignment, .modulus = c->width};
    const struct expr *load = c->store->value;
    const struct array *arrays[2] = {c->store->array, load->array};
    const struct expr *const *indices[2] = {c->store->indices, load->arguments};
    for (int i = 0; i < 2; i++) {
        const struct poly *flat = alignment_flat(&v->alignment, arrays[i], indices[i]);
        const struct poly *rest = alignment_unit(&v->alignment, flat, c->last->var);
        if (!rest || !divisions_add_offset(&d, arrays[i]))
            return false;
        divisions_add(&d, rest);
    }
    if (!divisions_reduce(&d))
        return false;
    const struct poly *extent = alignment_poly(&v->alignment, c->last->extent);
    c->rest = !extent || !divisions_imply(&d, extent);
    c->condition = divisions_condition(&d);
    return true;
}

/* `e` with the last axis replaced. */
static const struct expr *at(struct vectoring *v, const struct copying *c, const struct expr *e,
                             const struct expr *value)
{
    const struct var *var = c->last->var;
    return expr_replace(v->arena, e, &(struct substitution){1, &var, &value});
}

static const struct expr *const *indices_at(struct vectoring *v, const struct copying *c,
                                            const struct expr *value)
{
    int n = c->store->array->n_dims;
    const struct expr **indices = ARENA_ARRAY(v->arena, const struct expr *, n);
    for (int i = 0; i < n; i++)
        indices[i] = at(v, c, c->store->indices[i], value);
    return indices;
}

/* The vector that begins at a cell. */
static const struct stmt *vector_at(struct vectoring *v, const struct copying *c,
                                    const struct expr *value)
{
    const struct stmt *s = c->store;
    return stmt_vector(v->arena, s->array, indices_at(v, c, value), at(v, c, s->value, value),
                       s->loc);
}

/* One cell. */
static const struct stmt *cell_at(struct vectoring *v, const struct copying *c,
                                  const struct expr *value)
{
    const struct stmt *s = c->store;
    const struct expr *const *indices = indices_at(v, c, value);
    const struct expr *load = at(v, c, s->value, value), *inside = at(v, c, c->inside, value);
    if (c->outside)
        return stmt_store(v->arena, s->array, indices,
                          expr_select(v->arena, inside, load, c->outside), s->loc);
    const struct stmt *copy = stmt_store(v->arena, s->array, indices, load, s->loc);
    return inside ? stmt_if(v->arena, inside, copy, NULL) : copy;
}

/* The cells from `first` on, one vector or element by element. */
static const struct stmt *group_copy(struct vectoring *v, const struct copying *c,
                                     const struct expr *first)
{
    const struct stmt *whole = vector_at(v, c, first);
    if (!c->inside)
        return whole;
    enum type type = c->last->var->type;
    const struct expr *last = expr_binary(v->arena, OP_ADD, first,
                                          expr_integer(v->arena, type, c->width - 1));
    const struct expr *ends[2] = {at(v, c, c->inside, first), at(v, c, c->inside, last)};
    struct var *e = var_new(v->arena, names_fresh(&v->names, "e"), type, VAR_ITERATOR);
    const struct expr *cell = expr_binary(v->arena, OP_ADD, first, expr_var(v->arena, e));
    const struct stmt *each = stmt_for(v->arena, e, expr_integer(v->arena, type, 0),
                                       expr_integer(v->arena, type, c->width),
                                       expr_integer(v->arena, type, 1), cell_at(v, c, cell));
    return stmt_if(v->arena, expr_binary(v->arena, OP_LAND, ends[0], ends[1]), whole, each);
}

/* A strided band like the copy's, its last axis with another extent; the body is made for its
   renamed axes. */
static const struct stmt *band_like(
    struct vectoring *v, const struct copying *c, const struct expr *extent,
    const struct stmt *(*body)(struct vectoring *v, const struct copying *c, const struct expr *q))
{
    int n = c->band->n_axes;
    struct axis *axes = ARENA_ARRAY(v->arena, struct axis, n),
                *fresh = ARENA_ARRAY(v->arena, struct axis, n);
    for (int i = 0; i < n; i++)
        axes[i] = c->band->axes[i];
    axes[n - 1].extent = extent;
    struct substitution renaming = axes_rename(&v->names, NULL, axes, n, fresh);
    struct stmt *store = ARENA_NEW(v->arena, struct stmt);
    struct copying renamed = *c;
    *store = *c->store;
    const struct expr **indices = ARENA_ARRAY(v->arena, const struct expr *, store->array->n_dims);
    for (int i = 0; i < store->array->n_dims; i++)
        indices[i] = expr_replace(v->arena, store->indices[i], &renaming);
    store->indices = indices;
    store->value = expr_replace(v->arena, store->value, &renaming);
    renamed.store = store;
    renamed.inside = expr_replace(v->arena, c->inside, &renaming);
    renamed.last = &fresh[n - 1];
    return stmt_band(v->arena, fresh, n, true, body(v, &renamed, renaming.values[n - 1]));
}

static const struct stmt *vector_body(struct vectoring *v, const struct copying *c,
                                      const struct expr *q)
{
    return group_copy(v, c,
                      expr_binary(v->arena, OP_MUL, expr_integer(v->arena, q->type, c->width), q));
}

static const struct stmt *rest_body(struct vectoring *v, const struct copying *c,
                                    const struct expr *q)
{
    const struct expr *extent = c->band->axes[c->band->n_axes - 1].extent,
                      *width = expr_integer(v->arena, extent->type, c->width);
    const struct expr *begin = expr_binary(v->arena, OP_SUB, extent,
                                           expr_binary(v->arena, OP_REM, extent, width));
    return cell_at(v, c, expr_binary(v->arena, OP_ADD, begin, q));
}

static const struct stmt *copy_vector(void *state, const struct stmt *s)
{
    struct vectoring *v = state;
    struct copying c;
    if (!copying_match(v, s, &c) || !copying_align(v, &c))
        return s;
    const struct expr *extent = c.last->extent,
                      *width = expr_integer(v->arena, extent->type, c.width);
    const struct stmt *parts[2] = {band_like(v, &c, expr_binary(v->arena, OP_DIV, extent, width),
                                             vector_body),
                                   NULL};
    if (c.rest)
        parts[1] = band_like(v, &c, expr_binary(v->arena, OP_REM, extent, width), rest_body);
    const struct stmt *copies = stmt_sequence(v->arena, parts, 2);
    return c.condition ? stmt_if(v->arena, c.condition, copies, s) : copies;
}

const struct kernel *strategy_vector(struct ctx *ctx, const struct kernel *kernel)
{
    struct vectoring v = {ctx, ctx->arena, kernel, names_new(ctx->arena, kernel),
                          alignment_new(ctx->arena, kernel)};
    if (alignment_has_vectors(kernel, false))
        return kernel;
    struct kernel *copy = kernel_copy(ctx->arena, kernel);
    copy->body = stmt_rewrite(ctx->arena, kernel->body, copy_vector, &v);
    return copy;
}
