/* Arrays whose elements serve as subscripts or bound loops. In: the regions of a function. Out: the
   range in which random data of such an array stay inside what it indexes, and their names, for a
   program that random data do not suit.

   An integer variable carries the arrays of which its value is made: the expressions that are
   assigned to it read elements of them, or the bounds of its loop do. The sets only grow, so that
   passes over the statements come to an end. Arrays are bits, by kernel->arrays
   index; those behind the 64th are left out. */
#include "cli/verify.h"
#include "ir/walk.h"
#include <string.h>

struct index_search {
    struct verification *v;
    const struct kernel *kernel;
    struct map *carried;          /* of variables, shared and private arrays: bits of arrays */
    bool has_grown;
    uint64_t used;                /* arrays whose elements are subscripts or bounds */
    struct datum *data;           /* gets ranges; NULL: only `used` is wanted */
    int n_data;
};

static uint64_t carried_of(const struct index_search *search, const void *key)
{
    const uint64_t *bits = map_get_pointer(search->carried, key);
    return bits ? *bits : 0;
}

static void carried_add(struct index_search *search, const void *key, uint64_t bits)
{
    uint64_t *place = map_get_pointer(search->carried, key);
    if (!place) {
        place = ARENA_NEW(search->v->ctx->arena, uint64_t);
        map_put_pointer(search->carried, key, place);
    }
    search->has_grown |= (*place | bits) != *place;
    *place |= bits;
}

static uint64_t array_bit(const struct index_search *search, const struct array *array)
{
    if (array->space != SPACE_GLOBAL || type_is_floating(array->element))
        return 0;
    for (int i = 0; i < search->kernel->n_arrays && i < 64; i++)
        if (search->kernel->arrays[i] == array)
            return (uint64_t)1 << i;
    return 0;
}

/* The arrays of which the value of e is made. */
static uint64_t expr_carries(const struct index_search *search, const struct expr *root)
{
    struct expr_walk walk;
    uint64_t bits = 0;
    for (const struct expr *e = expr_first(&walk, search->v->ctx->arena, root); e;
         e = expr_next(&walk)) {
        if (e->kind == EXPR_VAR)
            bits |= carried_of(search, e->var);
        if (e->kind == EXPR_LOAD)
            bits |= array_bit(search, e->array) | carried_of(search, e->array);
    }
    return bits;
}

static void stmt_carry(struct index_search *search, const struct stmt *s)
{
    if ((s->kind == STMT_LET || s->kind == STMT_SET) && s->value &&
        !type_is_floating(s->var->type))
        carried_add(search, s->var, expr_carries(search, s->value));
    if (s->kind == STMT_FOR)
        carried_add(search, s->var,
                    expr_carries(search, s->from) | expr_carries(search, s->to));
    if (s->kind == STMT_STORE && s->array->space != SPACE_GLOBAL &&
        !type_is_floating(s->array->element))
        carried_add(search, s->array, expr_carries(search, s->value));
}

/* Values of these arrays are subscripts of an axis of so many elements. */
static void ranges_narrow(struct index_search *search, uint64_t bits, int64_t extent)
{
    int64_t hi = extent > 0 ? extent - 1 : 0;
    for (int i = 0; i < search->n_data; i++) {
        struct datum *datum = &search->data[i];
        const struct array *array = kernel_array(search->kernel, datum->name);
        if (!array || !(array_bit(search, array) & bits))
            continue;
        datum->hi = datum->has_range && datum->hi < hi ? datum->hi : hi;
        datum->has_range = true;
    }
}

static void subscripts_look(struct index_search *search, const struct array *array,
                            const struct expr *const *indices)
{
    for (int i = 0; i < array->n_dims; i++) {
        uint64_t bits = expr_carries(search, indices[i]);
        int64_t extent = 0;
        search->used |= bits;
        if (!bits || !search->data)
            continue;
        if (!array->dims[i] || !integer_value(search->v, array->dims[i], NULL, &extent))
            for (int k = 0; k < search->n_data; k++)
                if (strcmp(search->data[k].name, array->name) == 0)
                    extent = search->data[k].count;
        ranges_narrow(search, bits, extent);
    }
}

static void stmt_look(struct index_search *search, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, search->v->ctx->arena, s); e;
         e = expr_next(&walk))
        if (e->kind == EXPR_LOAD)
            subscripts_look(search, e->array, e->arguments);
    if (s->kind == STMT_STORE)
        subscripts_look(search, s->array, s->indices);
    if (s->kind == STMT_FOR)
        search->used |= carried_of(search, s->var);
    if (s->kind == STMT_WHILE)
        search->used |= expr_carries(search, s->value);
}

static void stmts_do(struct index_search *search,
                     void (*work)(struct index_search *search, const struct stmt *s))
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, search->v->ctx->arena, search->kernel->body); s;
         s = stmt_next(&walk))
        work(search, s);
}

static void kernel_search(struct index_search *search, const struct kernel *kernel)
{
    search->kernel = kernel;
    search->carried = map_new(search->v->ctx->arena);
    search->used = 0;
    do {
        search->has_grown = false;
        stmts_do(search, stmt_carry);
    } while (search->has_grown);
    stmts_do(search, stmt_look);
}

void index_ranges(struct verification *v, int function, struct datum *data, int n_data)
{
    struct index_search search = {.v = v, .data = data, .n_data = n_data};
    for (size_t i = 0; i < v->program->n_regions; i++)
        if (v->program->regions[i]->function == function)
            kernel_search(&search, v->program->regions[i]->kernel);
}

const char *index_arrays(struct verification *v, int function)
{
    struct index_search search = {.v = v};
    struct str text = str_new(v->ctx->arena);
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct kernel *kernel = v->program->regions[i]->kernel;
        if (v->program->regions[i]->function != function)
            continue;
        kernel_search(&search, kernel);
        for (int k = 0; k < kernel->n_arrays && k < 64; k++) {
            const char *name = arena_printf(v->ctx->arena, "`%s`", kernel->arrays[k]->name);
            if (search.used >> k & 1 && !strstr(text.text, name))
                str_addf(&text, "%s%s", text.length ? ", " : "", name);
        }
    }
    return text.length ? text.text : NULL;
}
