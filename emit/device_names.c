/* Names in device text. In: a kernel. Out: two maps, from the kernel's names to the text's names
   and of what is taken.
   Invariant: the map is injective, no target is a word that OpenCL C or CUDA C reserves, and a name
   that may stay does stay, so that the text reads like the source. The printer's own variables come
   last and give way. */
#include "emit/device.h"
#include "emit/vectors.h"
#include "ir/walk.h"
#include <string.h>

static const char *const reserved_words[] = {
#define X(word) #word,
#include "emit/reserved.def"
#undef X
};

static bool name_is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof reserved_words / sizeof *reserved_words; i++)
        if (!strcmp(reserved_words[i], name))
            return true;
    return !strncmp(name, "__", 2) || !strncmp(name, "TREEFORK_", 9);
}

/* A name that is free: `stem`, else stem_, stem__, … */
static const char *name_take(struct device *device, const char *stem)
{
    const char *name = !strncmp(stem, "__", 2) ? arena_printf(device->arena, "x%s", stem) : stem;
    while (name_is_reserved(name) || map_get(device->taken, name))
        name = arena_printf(device->arena, "%s_", name);
    map_put(device->taken, name, (void *)name);
    return name;
}

static void name_add(struct device *device, const char *name)
{
    if (!map_get(device->names, name))
        map_put(device->names, name, (void *)name_take(device, name));
}

static void add_statement(struct device *device, const struct stmt *s)
{
    if (s->var)
        name_add(device, s->var->name);
    if (s->kind == STMT_ARRAY)
        name_add(device, s->array->name);
    for (int i = 0; i < s->n_axes; i++)
        name_add(device, s->axes[i].var->name);
}

static void add_vectors(struct device *device)
{
    for (const struct vectors *v = device->rows.vectors; v; v = v->next) {
        name_add(device, v->vector);
        name_add(device, v->count);
        for (int i = 0; i < v->n_kept; i++)
            name_add(device, v->kept[i].name);
    }
}

void device_names(struct device *device)
{
    const struct kernel *k = device->kernel;
    device->names = map_new(device->arena);
    device->taken = map_new(device->arena);
    for (int i = 0; i < k->n_params; i++)
        name_add(device, k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++)
        name_add(device, k->arrays[i]->name);
    for (int i = 0; i < k->n_grid; i++)
        name_add(device, k->grid[i].var->name);
    struct stmt_walk walk;
    const struct stmt *const parts[] = {device->batches.begin, device->batches.kernel->body,
                                        device->rows.lanes, device->rows.block};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const struct stmt *s = stmt_first(&walk, device->arena, parts[i]); s;
             s = stmt_next(&walk))
            add_statement(device, s);
    add_vectors(device);
    for (int i = 0; i < k->n_params; i++)
        if (device_binds(k, k->params[i])) {
            const char *stem = arena_printf(device->arena, "any_%s", k->params[i]->var->name);
            map_put_pointer(device->names, k->params[i], (void *)name_take(device, stem));
        }
    device->block = name_take(device, "block");
    device->blocks = name_take(device, "blocks");
    device->thread = name_take(device, "thread");
    device->threads = name_take(device, "threads");
    if (device->batches.begin) {
        map_put(device->names, device->batches.thread->name, (void *)device->thread);
        map_put(device->names, device->batches.threads->name, (void *)device->threads);
    }
    device->column = name_take(device, "column");
    device->row = name_take(device, "row");
    device->from = name_take(device, "from");
    device->to = name_take(device, "to");
    device->outer_from = name_take(device, "outer_from");
    device->outer_to = name_take(device, "outer_to");
    device->joint = name_take(device, "joint");
    device->begin = name_take(device, "begin");
    device->end = name_take(device, "end");
    device->item = name_take(device, "item");
    device->items = name_take(device, "items");
    device->rest = name_take(device, "rest");
    device->shared = name_take(device, "treefork_shared");
    device->counter = name_take(device, "treefork_counter");
}

const char *device_name(const struct device *device, const char *name)
{
    const char *text = map_get(device->names, name);
    return text ? text : name;
}

const char *device_argument(const struct device *device, const struct param *param)
{
    const char *text = map_get_pointer(device->names, param);
    return text ? text : device_name(device, param->var->name);
}

static bool sizes_private_array(const struct kernel *kernel, const struct var *var)
{
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space == SPACE_PRIVATE)
            for (int d = 0; d < array->n_dims; d++)
                if (array->dims[d] && expr_uses_var(array->dims[d], var))
                    return true;
    }
    return false;
}

bool device_must_bind(const struct kernel *kernel, const struct param *param)
{
    return sizes_private_array(kernel, param->var);
}

bool device_binds(const struct kernel *kernel, const struct param *param)
{
    if (type_is_floating(param->var->type))
        return false;
    return param->role == ROLE_TUNABLE || sizes_private_array(kernel, param->var);
}
