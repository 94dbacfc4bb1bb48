/* Small questions about kernels: look-ups by name, thread count and shared words as
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

bool kernel_array_is_restrict(const struct kernel *kernel, const struct array *array)
{
    bool waits = stmt_contains(kernel->body, STMT_BARRIER) || body_last(kernel->body);
    return !waits || !stmt_stores_to(kernel->body, array);
}

const struct poly *kernel_poly(const struct kernel *kernel, const struct expr *e)
{
    return expr_poly_exact(kernel->ring, e, kernel->n_divisible, kernel->divisible);
}

static const struct var *param_lookup(void *state, const char *name)
{
    const struct param *param = kernel_param(state, name);
    return param ? param->var : NULL;
}

const struct expr *kernel_poly_expr(struct arena *arena, const struct kernel *kernel,
                                    const struct poly *p, enum type type)
{
    return poly_expr(arena, p, type, param_lookup, (void *)kernel);
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

static bool has_accumulation(const struct stmt *s)
{
    bool found = s->kind == STMT_STORE && s->reduction;
    for (int i = 0; i < s->n_children && !found; i++)
        found = s->children[i] && has_accumulation(s->children[i]);
    return found;
}

bool kernel_accumulates(const struct kernel *kernel)
{
    return has_accumulation(kernel->body);
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
