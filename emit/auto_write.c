/* The text of NAME_auto (contract in auto.c). tf_auto_NAME counts its calls that this thread is
   in. */
#include "emit/host.h"
#include <string.h>

void auto_prototype(struct host *host, struct str *out, int index, bool cplusplus)
{
    const struct function *function = &host->program->functions[index];
    bool *keep = ARENA_ARRAY(host->arena, bool, function->n_arguments + 1);
    for (int i = 0; i < function->n_arguments; i++)
        keep[i] = function->arguments[i].is_array ||
                  !auto_tunable(host, index, function->arguments[i].name);
    struct str list = str_new(host->arena);
    prototype_arguments(&list, function, keep, cplusplus);
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
