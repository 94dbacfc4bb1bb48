/* Small questions about kernels: look-ups by name, fresh names, thread count and shared words as polynomials, hash.

   In: a kernel; out: values in the given arena or in the arena of the kernel's ring. Nothing here changes a kernel;
   kernel_copy gives a shallow copy whose fields may be replaced before it is shared. */
#include "base/map.h"
#include "ir/kernel.h"
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

struct search {
    const char *name;
    bool found;
};

static void search_expr(void *state, const struct expr *e)
{
    struct search *search = state;
    search->found |= e->kind == EXPR_VAR && strcmp(e->var->name, search->name) == 0;
    search->found |= e->kind == EXPR_LOAD && strcmp(e->array->name, search->name) == 0;
}

static void search_root(void *state, const struct expr *e)
{
    expr_walk(e, search_expr, state);
}

static void search_stmt(void *state, const struct stmt *s)
{
    struct search *search = state;
    search->found |= s->var && strcmp(s->var->name, search->name) == 0;
    search->found |= s->array && strcmp(s->array->name, search->name) == 0;
    for (int i = 0; i < s->n_axes; i++)
        search->found |= strcmp(s->axes[i].var->name, search->name) == 0;
    stmt_exprs(s, search_root, search);
}

static bool axes_use(const struct axis *axes, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(axes[i].var->name, name) == 0)
            return true;
    return false;
}

static bool name_is_used(const struct kernel *kernel, const char *name)
{
    struct search search = {name, false};
    if (kernel_param(kernel, name) || kernel_array(kernel, name))
        return true;
    if (axes_use(kernel->grid, kernel->n_grid, name) || axes_use(kernel->block, kernel->n_block, name))
        return true;
    if (kernel->ring && ring_find(kernel->ring, name) >= 0)
        return true;
    if (kernel->body)
        stmt_walk(kernel->body, search_stmt, &search);
    return search.found;
}

const char *kernel_fresh(struct arena *arena, const struct kernel *kernel, const char *stem)
{
    if (!name_is_used(kernel, stem))
        return arena_strdup(arena, stem);
    for (unsigned i = 2;; i++) {
        const char *name = arena_printf(arena, "%s_%u", stem, i);
        if (!name_is_used(kernel, name))
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

static void find_plain(void *state, const struct stmt *s)
{
    bool *strided = state;
    *strided &= s->kind != STMT_BAND || s->strided;
}

bool kernel_all_strided(const struct kernel *kernel)
{
    bool strided = true;
    stmt_walk(kernel->body, find_plain, &strided);
    return strided;
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
