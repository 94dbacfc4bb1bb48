/* Small questions about kernels: look-ups by name, fresh names, thread count and shared words as
   polynomials, hash.

   In: a kernel; out: values in the given arena or in the arena of the kernel's ring. Nothing here
   changes a kernel; kernel_copy gives a shallow copy whose fields may be replaced before it
   is shared. */
#include "base/map.h"
#include "ir/walk.h"
#include <string.h>

struct var *var_new(struct arena *arena, const char *name, enum type type, enum var_kind kind)
{
    struct var *var = ARENA_NEW(arena, struct var);
    var->name = arena_strdup(arena, name);
    var->type = type;
    var->kind = kind;
    return var;
}

struct kernel *kernel_copy(struct arena *arena, const struct kernel *kernel)
{
    struct kernel *copy = ARENA_NEW(arena, struct kernel);
    *copy = *kernel;
    return copy;
}

const struct param *kernel_param(const struct kernel *kernel, const char *name)
{
    for (int i = 0; i < kernel->n_params; i++)
        if (strcmp(kernel->params[i]->var->name, name) == 0)
            return kernel->params[i];
    return NULL;
}

const struct array *kernel_array(const struct kernel *kernel, const char *name)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (strcmp(kernel->arrays[i]->name, name) == 0)
            return kernel->arrays[i];
    return NULL;
}

static bool axes_use(const struct axis *axes, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(axes[i].var->name, name) == 0)
            return true;
    return false;
}

static bool expr_names(const struct expr *e, const char *name)
{
    if (e->kind == EXPR_VAR)
        return strcmp(e->var->name, name) == 0;
    return e->kind == EXPR_LOAD && strcmp(e->array->name, name) == 0;
}

/* Is `name` declared or used by s itself, its children left out? */
static bool stmt_names(struct arena *arena, const struct stmt *s, const char *name)
{
    struct expr_walk walk;
    if (s->var && strcmp(s->var->name, name) == 0)
        return true;
    if (s->array && strcmp(s->array->name, name) == 0)
        return true;
    if (axes_use(s->axes, s->n_axes, name))
        return true;
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        if (expr_names(e, name))
            return true;
    return false;
}

static bool name_is_used(struct arena *arena, const struct kernel *kernel, const char *name)
{
    struct stmt_walk walk;
    if (kernel_param(kernel, name) || kernel_array(kernel, name))
        return true;
    if (axes_use(kernel->grid, kernel->n_grid, name) ||
        axes_use(kernel->block, kernel->n_block, name))
        return true;
    if (kernel->ring && ring_find(kernel->ring, name) >= 0)
        return true;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (stmt_names(arena, s, name))
            return true;
    return false;
}

const char *kernel_fresh(struct arena *arena, const struct kernel *kernel, const char *stem)
{
    if (!name_is_used(arena, kernel, stem))
        return arena_strdup(arena, stem);
    for (unsigned i = 2;; i++) {
        const char *name = arena_printf(arena, "%s_%u", stem, i);
        if (!name_is_used(arena, kernel, name))
            return name;
    }
}

const struct poly *kernel_poly(const struct kernel *kernel, const struct expr *e)
{
    return expr_poly_exact(kernel->ring, e, kernel->n_divisible, kernel->divisible);
}

const struct poly *kernel_threads(const struct kernel *kernel)
{
    const struct poly *product = poly_integer(kernel->ring, 1);
    for (int i = 0; i < kernel->n_block; i++) {
        const struct poly *extent = kernel_poly(kernel, kernel->block[i].extent);
        if (!extent)
            return NULL;
        product = poly_mul(product, extent);
    }
    return product;
}

const struct poly *kernel_shared_words(const struct kernel *kernel)
{
    if (!kernel->shared_bytes)
        return poly_integer(kernel->ring, 0);
    const struct poly *bytes = expr_poly(kernel->ring, kernel->shared_bytes);
    return bytes ? poly_scale(bytes, 1, 4) : NULL;
}

static bool all_strided(const struct stmt *s)
{
    if (s->kind == STMT_BAND && !s->strided)
        return false;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && !all_strided(s->children[i]))
            return false;
    return true;
}

bool kernel_all_strided(const struct kernel *kernel)
{
    return all_strided(kernel->body);
}

uint64_t kernel_hash(const struct kernel *kernel)
{
    struct arena *scratch = arena_new();
    struct str text = str_new(scratch);
    struct kernel plain = *kernel;
    plain.ring = NULL;
    kernel_print(&text, &plain);
    uint64_t hash = hash_bytes(HASH_START, text.text, text.length);
    arena_free(scratch);
    return hash;
}
