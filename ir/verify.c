/* Says whether a kernel is well formed, and which rule it breaks: the rules are listed
   in docs/kernel.md.

   In: any kernel built from non-NULL parts; out: true, or false after one internal-error diagnostic
   per broken rule (every stage's result is verified, so a failure is our own bug). Here:
   parameters, arrays and shapes; statements are in ir/verify_body.c, uniformity in
   ir/verify_uniform.c, expressions in ir/verify_expr.c. */
#include "ir/verify.h"

void verify_fail(struct verifier *v, struct loc loc, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_error(v->ctx, loc, "internal error: kernel '%s' breaks the rule '%s': %s", v->kernel->name,
               rule, arena_vprintf(v->ctx->arena, format, arguments));
    va_end(arguments);
    v->failed = true;
}

void verify_declare(struct verifier *v, const char *name, const void *object, struct loc loc)
{
    if (map_get(v->declared, name))
        verify_fail(v, loc, "declaration", "the name '%s' is declared twice", name);
    map_put(v->declared, name, (void *)object);
}

void verify_show(struct verifier *v, const void *object, bool visible)
{
    map_put_pointer(v->visible, object, visible ? (void *)object : (void *)"");
}

static void verify_param(struct verifier *v, const struct param *p)
{
    const struct var *var = p->var;
    verify_declare(v, var->name, var, var->loc);
    verify_show(v, var, true);
    if (var->kind != VAR_PARAM)
        verify_fail(v, var->loc, "kind", "the parameter '%s' is no VAR_PARAM", var->name);
    if (p->role == ROLE_VALUE
            ? p->variable != -1
            : p->variable != ring_find(v->kernel->ring, var->name) || p->variable < 0)
        verify_fail(v, var->loc, "parameter", "'%s' has ring variable %d", var->name, p->variable);
    if (p->role != ROLE_VALUE && type_is_floating(var->type))
        verify_fail(v, var->loc, "parameter", "'%s' is no integer", var->name);
}

/* Every coefficient of the offset is a multiple of the element's size. */
static bool is_aligned(const struct verifier *v, const struct array *a)
{
    const struct poly *offset = expr_poly(v->kernel->ring, a->offset);
    unsigned exponents[RING_CAPACITY];
    if (offset)
        for (size_t i = 0; i < poly_terms(offset); i++) {
            int64_t numerator, denominator;
            if (!poly_term(offset, i, &numerator, &denominator, exponents) || denominator != 1 ||
                numerator % (int64_t)type_bytes(a->element))
                return false;
        }
    return offset;
}

static void verify_shared(struct verifier *v, const struct array *a)
{
    if (!a->offset || !v->kernel->shared_bytes) {
        verify_fail(v, a->loc, "shared", "'%s' needs an offset, and the kernel shared_bytes",
                    a->name);
        return;
    }
    verify_extent(v, a->offset, a->loc, "shared");
    if (!is_aligned(v, a))
        verify_fail(v, a->loc, "shared",
                    "the offset '%s' of '%s' is no polynomial of multiples of %u bytes",
                    expr_text(v->scratch, a->offset), a->name, type_bytes(a->element));
}

static void verify_array(struct verifier *v, const struct array *a, enum space *last)
{
    verify_declare(v, a->name, a, a->loc);
    if (a->space < *last)
        verify_fail(v, a->loc, "array",
                    "'%s' is out of order: global arrays, then shared, then private", a->name);
    *last = a->space;
    if (a->n_dims < 1)
        verify_fail(v, a->loc, "array", "'%s' has no dimension", a->name);
    for (int i = 0; i < a->n_dims; i++)
        if (a->dims[i])
            verify_extent(v, a->dims[i], a->loc, "array");
        else if (i || a->space != SPACE_GLOBAL)
            verify_fail(v, a->loc, "array", "dimension %d of '%s' is open", i + 1, a->name);
    if (a->space == SPACE_SHARED)
        verify_shared(v, a);
    if (a->space != SPACE_GLOBAL &&
        (a->cache || a->is_const || a->is_restrict || a->is_partial))
        verify_fail(v, a->loc, "array", "'%s' is not global but has attributes of a global array",
                    a->name);
    if (a->space != SPACE_PRIVATE)
        verify_show(v, a, true);
}

static void verify_grid(struct verifier *v)
{
    const struct kernel *k = v->kernel;
    if (k->n_grid < 1 || k->n_grid > AXES_MAX || k->n_block < 1 || k->n_block > AXES_MAX)
        verify_fail(v, loc_none(), "axes", "%d grid and %d block axes", k->n_grid, k->n_block);
    for (int i = 0; i < k->n_grid; i++)
        verify_extent(v, k->grid[i].extent, k->grid[i].var->loc, "grid");
    for (int i = 0; i < k->n_block; i++) {
        const struct axis *axis = &k->block[i];
        verify_extent(v, axis->extent, axis->var->loc, "block");
        if (!kernel_poly(k, axis->extent))
            verify_fail(v, axis->var->loc, "block", "the extent '%s' is no polynomial",
                        expr_text(v->scratch, axis->extent));
    }
    for (int i = 0; i < k->n_grid + k->n_block; i++) {
        const struct var *var = i < k->n_grid ? k->grid[i].var : k->block[i - k->n_grid].var;
        if (var->kind != VAR_ITERATOR || type_is_floating(var->type))
            verify_fail(v, var->loc, "kind", "the axis '%s' is no integer VAR_ITERATOR", var->name);
        verify_declare(v, var->name, var, var->loc);
        if (i < k->n_grid)
            verify_show(v, var, true);
    }
}

static void verify_divisible(struct verifier *v)
{
    const struct kernel *k = v->kernel;
    for (int i = 0; i < k->n_divisible; i++) {
        const struct divisible *d = &k->divisible[i];
        if (poly_ring(d->value) != k->ring || d->divisor < 2)
            verify_fail(v, loc_none(), "divisible", "'%s' by %lld", poly_text(v->scratch, d->value),
                        (long long)d->divisor);
    }
}

static void verify_header(struct verifier *v)
{
    const struct kernel *k = v->kernel;
    enum space last = SPACE_GLOBAL;
    for (int i = 0; i < k->n_params; i++)
        verify_param(v, k->params[i]);
    for (int i = 0; i < k->n_arrays; i++)
        verify_array(v, k->arrays[i], &last);
    if (k->shared_bytes)
        verify_extent(v, k->shared_bytes, loc_none(), "shared");
    if (k->facts.ring && k->facts.ring != k->ring)
        verify_fail(v, loc_none(), "facts", "the facts are of another ring");
    verify_divisible(v);
    if (k->pressure < 0 || k->pressure > 3)
        verify_fail(v, loc_none(), "pressure", "the level is %d", k->pressure);
    verify_grid(v);
}

bool kernel_verify(struct ctx *ctx, const struct kernel *kernel)
{
    struct arena *scratch = arena_new();
    struct verifier v = {.ctx = ctx,
                         .kernel = kernel,
                         .scratch = scratch,
                         .declared = map_new(scratch),
                         .visible = map_new(scratch),
                         .varying = map_new(scratch),
                         .written = map_new(scratch)};
    verify_header(&v);
    verify_flow(&v);
    verify_body(&v);
    arena_free(scratch);
    return !v.failed;
}
