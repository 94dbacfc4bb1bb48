/* Rules on statements: `declaration`, `kind`, `scope`, `type`, `array`, `store`, `nesting`, `plain
   band`, `uniform`, `loop`, `vector`, `reduction`, `async`, `last`.

   One walk in the order of execution. A declaration is visible from its statement to the end of the
   body it stands in (a sequence is no scope of its own); what is declared in a branch, loop or band
   goes out of scope at its end. */
#include "ir/async.h"
#include "ir/batch.h"
#include "ir/reduction.h"
#include "ir/verify.h"
#include "ir/walk.h"

/* The variables and arrays that one body declares. */
struct body_scope {
    const void **at;
    size_t count, capacity;
};

static void verify_stmt(struct verifier *v, const struct stmt *s, struct body_scope *names);

static void verify_scope(struct verifier *v, const struct stmt *s)
{
    struct body_scope names = {0};
    verify_stmt(v, s, &names);
    for (size_t i = 0; i < names.count; i++)
        verify_show(v, names.at[i], false);
}

static void enter(struct verifier *v, struct body_scope *names, const void *object)
{
    verify_show(v, object, true);
    vec_push(v->scratch, names, object);
}

static void verify_value(struct verifier *v, const struct stmt *s, enum type type)
{
    verify_expr(v, s->value, s->loc);
    if (s->value->type != type)
        verify_fail(v, s->loc, "type", "a value of type %s for a place of type %s",
                    type_name(s->value->type), type_name(type));
}

static void verify_let(struct verifier *v, const struct stmt *s, struct body_scope *names)
{
    if (s->var->kind != VAR_LOCAL)
        verify_fail(v, s->loc, "kind", "let declares '%s', which is no VAR_LOCAL", s->var->name);
    if (s->value)
        verify_value(v, s, s->var->type);
    verify_declare(v, s->var->name, s->var, s->loc);
    enter(v, names, s->var);
}

static void verify_set(struct verifier *v, const struct stmt *s)
{
    if (s->var->kind != VAR_LOCAL)
        verify_fail(v, s->loc, "kind", "'%s' is set but is no local variable", s->var->name);
    if (map_get_pointer(v->visible, s->var) != s->var)
        verify_fail(v, s->loc, "scope", "'%s' is set where it is not declared", s->var->name);
    verify_value(v, s, s->var->type);
}

static bool is_listed(const struct verifier *v, const struct array *array)
{
    for (int i = 0; i < v->kernel->n_arrays; i++)
        if (v->kernel->arrays[i] == array)
            return true;
    return false;
}

static void verify_array_stmt(struct verifier *v, const struct stmt *s, struct body_scope *names)
{
    if (s->array->space != SPACE_PRIVATE)
        verify_fail(v, s->loc, "array", "'%s' comes into being by a statement but is not private",
                    s->array->name);
    if (!is_listed(v, s->array))
        verify_fail(v, s->loc, "array", "'%s' is not listed in the kernel", s->array->name);
    if (map_get_pointer(v->visible, s->array))
        verify_fail(v, s->loc, "declaration", "'%s' comes into being twice", s->array->name);
    enter(v, names, s->array);
}

static void verify_vector(struct verifier *v, const struct stmt *s)
{
    const struct expr *condition, *source = async_load(s->value, &condition);
    if (!source || source->array->element != s->array->element || (condition && !s->async)) {
        verify_fail(v, s->loc, "vector", "'%s' is no load of elements of type %s",
                    expr_text(v->scratch, s->value), type_name(s->array->element));
        return;
    }
    if (s->width != type_vector_width(s->array->element))
        verify_fail(v, s->loc, "vector", "%d elements of type %s", s->width,
                    type_name(s->array->element));
    if (source->array == s->array)
        verify_fail(v, s->loc, "vector", "'%s' is copied to itself", s->array->name);
}

/* A copy from global to shared memory whose source stays as it is. */
static void verify_async(struct verifier *v, const struct stmt *s)
{
    const struct expr *condition, *load = async_load(s->value, &condition);
    unsigned bytes = type_bytes(s->array->element);
    if (!load || load->array->element != s->array->element) {
        verify_fail(v, s->loc, "async", "'%s' is no load of elements of type %s, nor one or 0",
                    expr_text(v->scratch, s->value), type_name(s->array->element));
        return;
    }
    if (load->array->space != SPACE_GLOBAL || s->array->space != SPACE_SHARED)
        verify_fail(v, s->loc, "async", "'%s' is no shared array, or '%s' no global one",
                    s->array->name, load->array->name);
    if (map_get_pointer(v->written, load->array))
        verify_fail(v, s->loc, "async", "the kernel writes '%s'", load->array->name);
    if ((bytes != 4 && bytes != 8) || s->reduction || s->end)
        verify_fail(v, s->loc, "async", "a copy of %u bytes, or no plain one", bytes);
    v->has_async = true;
}

static void verify_barrier(struct verifier *v, const struct stmt *s)
{
    if (v->in_band)
        verify_fail(v, s->loc, "nesting", "a barrier in a band");
    if (s->pending < 0 || s->pending > PENDING_MOST)
        verify_fail(v, s->loc, "async", "a barrier leaves %d groups pending", s->pending);
    v->has_wait |= s->waits;
}

/* Is it an accumulation in another array, which may read sums of this one behind a barrier? */
static bool reads_sums(const struct stmt *s, const struct array *array)
{
    return s->kind == STMT_STORE && s->reduction && s->array != array;
}

/* Nothing else touches what is accumulated, but what begins, ends or uses the sums. (What a block
   has for itself is cleared and read behind barriers.) */
static void verify_accumulated(struct verifier *v, const struct stmt *accumulation)
{
    struct stmt_walk walk;
    const struct stmt *body = v->kernel->body;
    for (const struct stmt *s = stmt_first(&walk, v->scratch, body); s; s = stmt_next(&walk)) {
        bool is_store = s->kind == STMT_STORE && s->array == accumulation->array;
        if (s->kind == STMT_STORE && s->end)
            continue;
        if (is_store && s->reduction != accumulation->reduction)
            verify_fail(v, s->loc, "reduction", "'%s' is accumulated by '%s' and stored otherwise",
                        s->array->name, reduction_text(accumulation->reduction));
        for (int i = 0; i < stmt_n_exprs(s); i++)
            if (!reads_sums(s, accumulation->array) &&
                expr_uses_array(stmt_expr(s, i), accumulation->array))
                verify_fail(v, s->loc, "reduction", "'%s' is accumulated and read",
                            accumulation->array->name);
    }
}

static void verify_reduction(struct verifier *v, const struct stmt *s)
{
    if (s->array->space == SPACE_PRIVATE || s->width)
        verify_fail(v, s->loc, "reduction", "'%s' is no element of a global or shared array",
                    s->array->name);
    if (!reduction_applies(s->reduction, s->array->element))
        verify_fail(v, s->loc, "reduction", "'%s' on elements of type %s",
                    reduction_text(s->reduction), type_name(s->array->element));
    if (s->array->space == SPACE_GLOBAL)
        verify_accumulated(v, s);
}

static bool verify_is_summed(const struct verifier *v, const struct array *array)
{
    return array->space == SPACE_GLOBAL && stmt_accumulates_in(v->kernel->body, array);
}

/* A store that begins or ends sums: a start reads of what is accumulated only its own element. */
static void verify_end(struct verifier *v, const struct stmt *s)
{
    struct expr_walk walk;
    bool belongs = verify_is_summed(v, s->array), is_start = s->end == SUM_END_START;
    if (s->reduction || s->width || (is_start && !belongs))
        verify_fail(v, s->loc, "reduction", "this store to '%s' begins no sum", s->array->name);
    for (const struct expr *e = stmt_first_expr(&walk, v->scratch, s); e; e = expr_next(&walk)) {
        if (e->kind != EXPR_LOAD || !verify_is_summed(v, e->array))
            continue;
        belongs = true;
        if (is_start &&
            (e->array != s->array || !exprs_equal(e->arguments, s->indices, s->array->n_dims)))
            verify_fail(v, s->loc, "reduction",
                        "the start of '%s' reads '%s', which is accumulated", s->array->name,
                        e->array->name);
    }
    if (!belongs)
        verify_fail(v, s->loc, "reduction", "this store to '%s' ends no sum", s->array->name);
}

static void verify_store(struct verifier *v, const struct stmt *s)
{
    const struct array *a = s->array;
    if (map_get_pointer(v->visible, a) != a)
        verify_fail(v, s->loc, "array", "'%s' is not listed in the kernel or does not exist here",
                    a->name);
    if (a->is_const)
        verify_fail(v, s->loc, "store", "'%s' is const", a->name);
    if (!v->in_band && a->space != SPACE_PRIVATE)
        verify_fail(v, s->loc, "store", "'%s' is stored to outside a band", a->name);
    for (int i = 0; i < a->n_dims; i++) {
        verify_expr(v, s->indices[i], s->loc);
        if (type_is_floating(s->indices[i]->type))
            verify_fail(v, s->loc, "subscript", "subscript %d of '%s' is no integer", i + 1,
                        a->name);
    }
    verify_value(v, s, a->element);
    if (s->width)
        verify_vector(v, s);
    if (s->reduction)
        verify_reduction(v, s);
    if (s->end)
        verify_end(v, s);
    if (s->async)
        verify_async(v, s);
}

/* At block level all threads must take the same way. */
static void verify_uniform(struct verifier *v, const struct stmt *s, const struct expr *e)
{
    if (!v->in_band && !verify_is_uniform(v, e))
        verify_fail(v, s->loc, "uniform", "'%s' may differ between the threads of a block",
                    expr_text(v->scratch, e));
}

static void verify_if(struct verifier *v, const struct stmt *s)
{
    verify_expr(v, s->value, s->loc);
    verify_uniform(v, s, s->value);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            verify_scope(v, s->children[i]);
}

static void verify_iterator(struct verifier *v, const struct var *var, struct loc loc)
{
    if (var->kind != VAR_ITERATOR)
        verify_fail(v, loc, "kind", "'%s' is no VAR_ITERATOR", var->name);
    if (type_is_floating(var->type))
        verify_fail(v, loc, "type", "the iterator '%s' is no integer", var->name);
}

static void verify_for(struct verifier *v, const struct stmt *s)
{
    const struct expr *const bounds[] = {s->from, s->to, s->step};
    int64_t step;
    verify_iterator(v, s->var, s->loc);
    verify_expr(v, s->from, s->loc);
    verify_declare(v, s->var->name, s->var, s->loc);
    verify_show(v, s->var, true);
    for (int i = 0; i < 3; i++) {
        if (i)
            verify_expr(v, bounds[i], s->loc);
        verify_uniform(v, s, bounds[i]);
        if (type_is_floating(bounds[i]->type) || (i != 1 && bounds[i]->type != s->var->type))
            verify_fail(v, s->loc, "type", "the bound '%s' of '%s' has type %s",
                        expr_text(v->scratch, bounds[i]), s->var->name, type_name(bounds[i]->type));
    }
    if (expr_get_integer(s->step, &step) && step <= 0)
        verify_fail(v, s->loc, "loop", "the step of '%s' is %lld", s->var->name, (long long)step);
    verify_scope(v, s->children[0]);
    verify_show(v, s->var, false);
}

static void verify_while(struct verifier *v, const struct stmt *s)
{
    if (!v->in_band)
        verify_fail(v, s->loc, "nesting", "a while outside of bands");
    verify_expr(v, s->value, s->loc);
    verify_scope(v, s->children[0]);
}

static bool same_extent(const struct verifier *v, const struct expr *a, const struct expr *b)
{
    const struct poly *p = kernel_poly(v->kernel, a), *q = kernel_poly(v->kernel, b);
    return p && q ? poly_equal(p, q) : expr_equal(a, b);
}

static void verify_band_shape(struct verifier *v, const struct stmt *s)
{
    const struct kernel *k = v->kernel;
    if (s->n_axes < 1 || s->n_axes > AXES_MAX)
        verify_fail(v, s->loc, "axes", "a band of %d axes", s->n_axes);
    if (!s->strided && s->n_axes != k->n_block)
        verify_fail(v, s->loc, "plain band", "%d axes in a block of %d", s->n_axes, k->n_block);
    if (!s->strided)
        for (int i = 0; i < s->n_axes && i < k->n_block; i++)
            if (!same_extent(v, s->axes[i].extent, k->block[i].extent))
                verify_fail(v, s->loc, "plain band", "extent '%s' of '%s', but the block has '%s'",
                            expr_text(v->scratch, s->axes[i].extent), s->axes[i].var->name,
                            expr_text(v->scratch, k->block[i].extent));
}

static void verify_band(struct verifier *v, const struct stmt *s)
{
    const struct kernel *k = v->kernel;
    if (v->in_band)
        verify_fail(v, s->loc, "nesting", "a band in a band");
    verify_band_shape(v, s);
    for (int i = 0; i < s->n_axes; i++) {
        verify_expr(v, s->axes[i].extent, s->loc);
        verify_uniform(v, s, s->axes[i].extent);
        if (type_is_floating(s->axes[i].extent->type))
            verify_fail(v, s->loc, "type", "the extent of '%s' is no integer",
                        s->axes[i].var->name);
    }
    for (int i = 0; i < s->n_axes; i++) {
        const struct var *var = s->axes[i].var;
        verify_iterator(v, var, s->loc);
        if (s->strided || i >= k->n_block || k->block[i].var != var)
            verify_declare(v, var->name, var, s->loc);
        verify_show(v, var, true);
    }
    if (s->batch && (s->batch > BATCH_MOST || !batch_allowed(v->scratch, s)))
        verify_fail(v, s->loc, "batch", "the band is no copy that can be done in batches of %d",
                    s->batch);
    bool outer = v->in_band;
    v->in_band = true;
    verify_scope(v, s->children[0]);
    v->in_band = outer;
    for (int i = 0; i < s->n_axes; i++)
        verify_show(v, s->axes[i].var, false);
}

static void verify_stmt(struct verifier *v, const struct stmt *s, struct body_scope *names)
{
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            verify_stmt(v, s->children[i], names);
        break;
    case STMT_LET: verify_let(v, s, names); break;
    case STMT_SET: verify_set(v, s); break;
    case STMT_ARRAY: verify_array_stmt(v, s, names); break;
    case STMT_STORE: verify_store(v, s); break;
    case STMT_IF: verify_if(v, s); break;
    case STMT_FOR: verify_for(v, s); break;
    case STMT_WHILE: verify_while(v, s); break;
    case STMT_BAND: verify_band(v, s); break;
    case STMT_BARRIER: verify_barrier(v, s); break;
    case STMT_LAST:
        verify_fail(v, s->loc, "last", "something stands behind it or around it");
        break;
    }
}

/* Statements of the last block. Neither the axes of the grid nor what the body declared are in
   scope. */
static void verify_last(struct verifier *v, const struct stmt *last)
{
    for (int i = 0; i < v->kernel->n_grid; i++)
        verify_show(v, v->kernel->grid[i].var, false);
    verify_scope(v, last->children[0]);
    if (!v->kernel->shared_bytes)
        verify_fail(v, last->loc, "last", "the kernel has no shared memory");
}

void verify_body(struct verifier *v)
{
    const struct stmt *last = body_last(v->kernel->body);
    verify_scope(v, body_without_last(v->scratch, v->kernel->body));
    if (last)
        verify_last(v, last);
    if (v->has_async && !v->has_wait)
        verify_fail(v, loc_none(), "async", "no barrier waits for asynchronous copies");
}
