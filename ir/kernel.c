/* Small questions about kernels: look-ups by name, fresh names, thread count and shared words as
   polynomials, hash.

   In: a kernel; out: values in the given arena or in the arena of the kernel's ring. Nothing here
   changes a kernel; kernel_copy gives a shallow copy whose fields may be replaced before it
   is shared. */
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

static void axes_names(const struct axis *axes, int n, struct map *names)
{
    for (int i = 0; i < n; i++)
        map_put(names, axes[i].var->name, names);
}

static void expr_names(const struct expr *e, struct map *names)
{
    if (e->kind == EXPR_VAR)
        map_put(names, e->var->name, names);
    if (e->kind == EXPR_LOAD)
        map_put(names, e->array->name, names);
}

/* What s itself declares or uses, its children left out. */
static void stmt_names(struct arena *arena, const struct stmt *s, struct map *names)
{
    struct expr_walk walk;
    if (s->var)
        map_put(names, s->var->name, names);
    if (s->array)
        map_put(names, s->array->name, names);
    axes_names(s->axes, s->n_axes, names);
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        expr_names(e, names);
}

/* What stands in the map under a name says nothing but that it is taken. */
struct map *kernel_names(struct arena *arena, const struct kernel *kernel)
{
    struct map *names = map_new(arena);
    struct stmt_walk walk;
    for (int i = 0; i < kernel->n_params; i++)
        map_put(names, kernel->params[i]->var->name, names);
    for (int i = 0; i < kernel->n_arrays; i++)
        map_put(names, kernel->arrays[i]->name, names);
    axes_names(kernel->grid, kernel->n_grid, names);
    axes_names(kernel->block, kernel->n_block, names);
    int variables = kernel->ring ? ring_count(kernel->ring) : 0;
    for (int v = 0; v < variables; v++)
        map_put(names, ring_name(kernel->ring, v), names);
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        stmt_names(arena, s, names);
    return names;
}

const char *kernel_fresh(struct arena *arena, const struct kernel *kernel, const char *stem)
{
    const struct map *names = kernel_names(arena, kernel);
    const char *name = arena_strdup(arena, stem);
    for (unsigned i = 2; map_get(names, name); i++)
        name = arena_printf(arena, "%s_%u", stem, i);
    return name;
}

bool kernel_array_is_restrict(const struct kernel *kernel, const struct array *array)
{
    return !stmt_contains(kernel->body, STMT_BARRIER) || !stmt_stores_to(kernel->body, array);
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
