/* NAME_auto: the drop-in function without its tunables. In: a function and the trees of its
   regions. Out: C text that calls NAME with 1 for each tunable while its regions choose for
   themselves (runtime/choice.c). So NAME_auto computes what NAME computes with tunables of 1.

   There is none where a tunable changes what a region computes, other than by divisions that a
   choice may be asked to make exact; the header says why. tf_auto_NAME counts the calls that this
   thread is in. */
#include "emit/choice.h"
#include <string.h>

bool auto_tunable(struct host *host, int function, const char *name)
{
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const struct region *region = host->program->regions[r];
        const struct param *param =
            region->function == function ? kernel_param(region->kernel, name) : NULL;
        if (param && param->role == ROLE_TUNABLE)
            return true;
    }
    return false;
}

static bool is_argument(const struct function *function, const char *name)
{
    for (int i = 0; i < function->n_arguments; i++)
        if (!function->arguments[i].is_array && !strcmp(function->arguments[i].name, name))
            return true;
    return false;
}

static const char *region_reason(struct host *host, const struct tree *tree,
                                 const struct function *function)
{
    const struct kernel *k = tree->region->kernel;
    for (int i = 0; i < k->n_params; i++) {
        const char *reason = is_argument(function, k->params[i]->var->name)
                                 ? choice_reason(host->arena, tree->region, i)
                                 : NULL;
        if (reason)
            return arena_printf(host->arena, "%s: %s", k->params[i]->var->name, reason);
    }
    return NULL;
}

static bool expr_mentions(const struct expr *e, const char *name)
{
    if (e->kind == EXPR_VAR)
        return !strcmp(e->var->name, name);
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_mentions(e->arguments[i], name))
            return true;
    return false;
}

static bool extent_mentions(const struct argument *argument, const char *name)
{
    for (int d = 0; d < argument->n_dims; d++)
        if (argument->dims[d] && expr_mentions(argument->dims[d], name))
            return true;
    return false;
}

const char *auto_reason(struct host *host, int index)
{
    const struct function *function = &host->program->functions[index];
    int tunables = 0;
    if (function->is_static || function->is_main)
        return "it is not exported";
    if (strpbrk(function->is_plain ? function->return_canonical : function->return_text, "(["))
        return "its result is a pointer to a function or array";
    if (function->has_own_auto)
        return "the file has a function of that name";
    for (int i = 0; i < function->n_arguments; i++) {
        if (!*function->arguments[i].name)
            return "an argument has no name";
        if (function->arguments[i].is_array ||
            !auto_tunable(host, index, function->arguments[i].name))
            continue;
        tunables++;
        for (int j = 0; j < function->n_arguments; j++)
            if (extent_mentions(&function->arguments[j], function->arguments[i].name))
                return arena_printf(host->arena, "%s gives the extent of %s",
                                    function->arguments[i].name, function->arguments[j].name);
    }
    if (tunables == 0)
        return "it has no tunable argument";
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const char *reason = host->program->regions[r]->function == index
                                 ? region_reason(host, host->trees[r], function)
                                 : NULL;
        if (reason)
            return reason;
    }
    return NULL;
}

bool auto_chooses(struct host *host, const struct tree *tree)
{
    return auto_reason(host, tree->region->function) == NULL;
}

/* --- text ------------------------------------------------------------------------------------ */

void auto_prototype(struct host *host, struct str *out, int index, bool cplusplus)
{
    const struct function *function = &host->program->functions[index];
    bool *keep = ARENA_ARRAY(host->arena, bool, function->n_arguments + 1);
    for (int i = 0; i < function->n_arguments; i++)
        keep[i] = function->arguments[i].is_array ||
                  !auto_tunable(host, index, function->arguments[i].name);
    struct str list = str_new(host->arena);
    prototype_arguments(&list, function, keep, false, cplusplus);
    bool empty = !strcmp(list.text, "void"),
         result = strcmp(function->return_canonical, "void") != 0;
    str_addf(out, "int %s_auto(%s", function->name, empty && result ? "" : list.text);
    if (result)
        str_addf(out, "%s%s *tf_result", empty ? "" : ", ",
                 function->is_plain ? function->return_canonical : function->return_text);
    str_char(out, ')');
}

/* Nothing here but our own names and the arguments: the user's macros are in force. */
void auto_write(struct host *host, int index)
{
    struct str *out = host->out;
    const struct function *function = &host->program->functions[index];
    auto_prototype(host, out, index, false);
    str_add(out, ";\n");
    auto_prototype(host, out, index, false);
    str_addf(out, "\n{\n    tf_auto_%s++;\n    %s%s(", function->name,
             strcmp(function->return_canonical, "void") ? "*tf_result = " : "", function->name);
    for (int i = 0; i < function->n_arguments; i++) {
        const struct argument *a = &function->arguments[i];
        bool is_tunable = !a->is_array && auto_tunable(host, index, a->name);
        str_addf(out, "%s%s", i ? ", " : "", is_tunable ? "1" : a->name);
    }
    str_addf(out, ");\n    tf_auto_%s--;\n    return TREEFORK_OK;\n}\n\n", function->name);
}
