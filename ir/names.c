/* Names taken in a kernel, and new ones.

   In: a kernel; out: names in the given arena that differ from all of it and, of a struct names,
   from each other, as what is being added stands in no kernel yet. Nothing here changes a
   kernel. */
#include "ir/names.h"
#include "ir/walk.h"

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

/* The names of parameters, arrays, variables and of the ring; what stands in the map under a name
   says nothing but that it is taken. */
static struct map *kernel_names(struct arena *arena, const struct kernel *kernel)
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

struct names names_new(struct arena *arena, const struct kernel *kernel)
{
    return (struct names){.arena = arena, .kernel = kernel, .numbers = map_new(arena)};
}

const char *names_fresh(struct names *names, const char *stem)
{
    if (!names->taken)
        names->taken = kernel_names(names->arena, names->kernel);
    unsigned *number = map_get(names->numbers, stem);
    const char *name = stem;
    if (!number) {
        number = ARENA_NEW(names->arena, unsigned);
        *number = 1;
        map_put(names->numbers, stem, number);
    }
    if (*number > 1)
        name = arena_printf(names->arena, "%s_%u", stem, *number);
    while (map_get(names->taken, name))
        name = arena_printf(names->arena, "%s_%u", stem, ++*number);
    map_put(names->taken, name, names);
    return name;
}

const char *kernel_fresh(struct arena *arena, const struct kernel *kernel, const char *stem)
{
    struct names names = names_new(arena, kernel);
    return names_fresh(&names, stem);
}
