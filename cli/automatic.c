/* Arguments of functions as `tune` and `build --warm` call them. In: a function and the values of
   --set; out: which arguments NAME_auto leaves out, and the values of all of them for the data of a
   run. The serial program has the value 1 for each tunable, so that arrays have the sizes that
   NAME_auto finds. */
#include "cli/automatic.h"
#include <string.h>

struct host verify_host(const struct verification *v)
{
    return (struct host){
        .ctx = v->ctx, .arena = v->ctx->arena, .program = v->program, .trees = v->trees};
}

bool automatic_concerns(const struct verification *v, int function)
{
    for (size_t i = 0; i < v->program->n_regions; i++)
        if (v->program->regions[i]->function == function)
            return true;
    return false;
}

const bool *automatic_skip(const struct verification *v, int function)
{
    const struct function *f = &v->program->functions[function];
    struct host host = verify_host(v);
    bool *skip = ARENA_ARRAY(v->ctx->arena, bool, f->n_arguments + 1);
    for (int i = 0; i < f->n_arguments; i++)
        skip[i] = !f->arguments[i].is_array && auto_tunable(&host, function, f->arguments[i].name);
    return skip;
}

static bool is_skipped(const struct function *f, const bool *skip, const char *name)
{
    for (int i = 0; i < f->n_arguments; i++)
        if (skip[i] && strcmp(f->arguments[i].name, name) == 0)
            return true;
    return false;
}

struct assignments automatic_values(const struct verification *v, int function, const bool *skip,
                                    const struct assignments *given)
{
    const struct function *f = &v->program->functions[function];
    struct assignments values = {0};
    if (!skip)
        return *given;
    for (size_t i = 0; i < given->list.count; i++)
        if (!is_skipped(f, skip, given->list.at[i].name))
            vec_push(v->ctx->arena, &values.list, given->list.at[i]);
    for (int i = 0; i < f->n_arguments; i++)
        if (skip[i]) {
            struct assignment one = {.name = f->arguments[i].name, .is_whole = true, .value = 1};
            vec_push(v->ctx->arena, &values.list, one);
        }
    return values;
}
