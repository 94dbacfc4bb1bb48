/* NAME_auto and its table (contract in auto.c). The integer arguments of the function are its
   values, in order; the runtime fills in the tunables among them. */
#include "emit/auto.h"
#include "emit/code.h"
#include <string.h>

enum { TUNABLES_MAX = 16 };

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

/* Powers of two that an argument's type holds. */
static int type_choices(const struct function *function, const char *name)
{
    for (int i = 0; i < function->n_arguments; i++) {
        enum type type = function->arguments[i].type;
        if (strcmp(function->arguments[i].name, name) != 0)
            continue;
        return type == TYPE_BOOL ? 1 : 8 * (int)type_bytes(type) - type_is_signed(type);
    }
    return 1;
}

/* Of the function's regions the largest number, as far as the argument's type goes. */
static int function_choices(struct host *host, int index, const char *name)
{
    int most = 1, possible = type_choices(&host->program->functions[index], name);
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const struct region *region = host->program->regions[r];
        const struct param *param =
            region->function == index ? kernel_param(region->kernel, name) : NULL;
        int choices = param ? tunable_choices(region, param) : 1;
        most = choices > most ? choices : most;
    }
    return most < possible ? most : possible;
}

struct tunables {
    int count;
    const char *names[TUNABLES_MAX];
};

static struct tunables function_tunables(struct host *host, int index)
{
    struct tunables t = {0};
    const struct function *function = &host->program->functions[index];
    for (int i = 0; i < function->n_arguments && t.count < TUNABLES_MAX; i++)
        if (!function->arguments[i].is_array &&
            auto_tunable(host, index, function->arguments[i].name))
            t.names[t.count++] = function->arguments[i].name;
    return t;
}

/* Is argument i an integer that the search is told or chooses? */
static bool is_value(struct host *host, int index, int i)
{
    const struct argument *a = &host->program->functions[index].arguments[i];
    return !a->is_array &&
           ((a->is_supported && !type_is_floating(a->type)) || auto_tunable(host, index, a->name));
}

/* The number of an argument among the values; -1 if it is none. */
static int value_number(struct host *host, int index, const char *name)
{
    const struct function *function = &host->program->functions[index];
    int number = 0;
    for (int i = 0; i < function->n_arguments; i++) {
        if (!is_value(host, index, i))
            continue;
        if (!strcmp(function->arguments[i].name, name))
            return number;
        number++;
    }
    return -1;
}

/* The values of each region's integer parameters. */
static void write_region_values(struct host *host, int index, const struct tree *tree)
{
    const struct kernel *k = tree->region->kernel;
    const char *comma = "";
    str_addf(host->out, "static const uint16_t tf_values_%s[] = {", tree->region->name);
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        int number = value_number(host, index, name);
        if (code_integer_parameter(k, name) < 0)
            continue;
        str_addf(host->out, "%s%d", comma, number < 0 ? TREEFORK_NONE : number);
        comma = ", ";
    }
    str_add(host->out, *comma ? "};\n" : "0};\n");
}

/* The divisions of all regions of the function, for the message that nothing fits. */
static char *exact_text(struct host *host, int index)
{
    struct str text = str_new(host->arena);
    for (size_t r = 0; r < host->program->n_regions; r++) {
        if (host->program->regions[r]->function != index)
            continue;
        struct exact_divisions divisions = auto_exact_divisions(host, host->trees[r]);
        for (size_t i = 0; i < divisions.count; i++)
            str_addf(&text, "%s%s", text.length ? ", " : "",
                     expr_text(host->arena, divisions.at[i]));
    }
    return text.text;
}

void auto_write_table(struct host *host, int index)
{
    struct str *out = host->out;
    const struct function *function = &host->program->functions[index];
    struct tunables t = function_tunables(host, index);
    int values = 0, regions = 0;
    for (int i = 0; i < function->n_arguments; i++)
        values += is_value(host, index, i);
    for (size_t r = 0; r < host->program->n_regions; r++)
        if (host->program->regions[r]->function == index)
            write_region_values(host, index, host->trees[r]);
    str_addf(out, "static const struct treefork_tunable_row tf_tunables_%s[] = {", function->name);
    for (int i = 0; i < t.count; i++)
        str_addf(out, "%s{%d, %d}", i ? ", " : "", value_number(host, index, t.names[i]),
                 function_choices(host, index, t.names[i]));
    str_addf(out, "};\nstatic const struct treefork_auto_region tf_regions_%s[] = {",
             function->name);
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const char *name = host->program->regions[r]->name;
        if (host->program->regions[r]->function == index)
            str_addf(out, "%s{&tf_region_%s, tf_values_%s}", regions++ ? ", " : "", name, name);
    }
    str_addf(out,
             "};\nstatic const struct treefork_auto tf_auto_%s = {\n    TREEFORK_TABLES, \"%s\", ",
             function->name, function->name);
    str_quote(out, exact_text(host, index));
    str_addf(out, ", %d, %d, %d, tf_tunables_%s, tf_regions_%s\n};\n\n", values, t.count, regions,
             function->name, function->name);
}

/* Nothing here but our own names and the arguments: the user's macros are in force. */
void auto_write(struct host *host, int index)
{
    struct str *out = host->out;
    const struct function *function = &host->program->functions[index];
    const char *comma = "";
    auto_prototype(host, out, index, false);
    str_add(out, ";\n");
    auto_prototype(host, out, index, false);
    str_add(out, "\n{\n    treefork_int tf_values[] = {");
    for (int i = 0; i < function->n_arguments; i++) {
        if (!is_value(host, index, i))
            continue;
        bool tunable = auto_tunable(host, index, function->arguments[i].name);
        str_addf(out, "%s%s%s", comma, tunable ? "" : "(treefork_int)",
                 tunable ? "1" : function->arguments[i].name);
        comma = ", ";
    }
    str_addf(
        out,
        "};\n    int tf_status = treefork_auto_begin(&tf_auto_%s, tf_values);\n    if (tf_status "
        "!= TREEFORK_OK)\n"
        "        return tf_status;\n    %s%s(",
        function->name, strcmp(function->return_canonical, "void") ? "*tf_result = " : "",
        function->name);
    for (int i = 0; i < function->n_arguments; i++) {
        const struct argument *a = &function->arguments[i];
        if (!a->is_array && auto_tunable(host, index, a->name))
            str_addf(out, "%s(%s)tf_values[%d]", i ? ", " : "", a->type_text,
                     value_number(host, index, a->name));
        else
            str_addf(out, "%s%s", i ? ", " : "", a->name);
    }
    str_addf(out, ");\n    treefork_auto_end(&tf_auto_%s);\n    return TREEFORK_OK;\n}\n\n",
             function->name);
}
