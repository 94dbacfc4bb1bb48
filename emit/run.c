/* tf_run_NAME, which the user's function calls in place of a region: it puts the arguments into a
   list and calls the runtime. tf_select_NAME, by which the runtime calls NAME_select: the integer
   parameters as an array. */
#include "emit/code.h"
#include "emit/device.h"
#include "emit/host.h"

static bool variant_binds(const struct variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        const struct param *param = kernel_param(kernel, name);
        if (param && device_binds(kernel, param))
            return true;
    }
    return false;
}

bool host_binds(const struct tree *tree, const char *name)
{
    for (size_t v = 0; v < tree->n_variants; v++)
        if (variant_binds(&tree->variants[v], name))
            return true;
    return false;
}

/* The parameters in the order of the region's kernel, then the arrays that it is given; with or
 * without names. */
static void write_head(struct host *host, const struct tree *tree, bool named)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    const char *comma = "";
    str_addf(out, "static int tf_run_%s(", tree->region->name);
    for (int i = 0; i < k->n_params; i++, comma = ", ")
        str_addf(out, "%s%s%s%s", comma, type_name(k->params[i]->var->type), named ? " " : "",
                 named ? k->params[i]->var->name : "");
    for (int i = 0; i < k->n_arrays; i++)
        if (array_is_given(k->arrays[i])) {
            str_addf(out, "%s%svoid *%s", comma, k->arrays[i]->is_const ? "const " : "",
                     named ? k->arrays[i]->name : "");
            comma = ", ";
        }
    str_add(out, *comma ? ")" : "void)");
}

void run_declare(struct host *host, const struct tree *tree)
{
    write_head(host, tree, false);
    str_add(host->out, ";\n");
}

static const char *argument_type(enum type type)
{
    static const char *const names[TYPE_COUNT] = {
        [TYPE_BOOL] = "U8", [TYPE_I8] = "I8",   [TYPE_U8] = "U8",   [TYPE_I16] = "I16",
        [TYPE_U16] = "U16", [TYPE_I32] = "I32", [TYPE_U32] = "U32", [TYPE_I64] = "I64",
        [TYPE_U64] = "U64", [TYPE_F32] = "F32", [TYPE_F64] = "F64"};
    return names[type];
}

/* The member of struct treefork_argument's value. */
static const char *value_member(enum type type)
{
    if (type_is_floating(type))
        return "f";
    return type_is_signed(type) ? "i" : "u";
}

void run_write_select(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    const char *name = tree->region->name;
    bool any = false;
    str_addf(
        out,
        "static int tf_select_%s(const struct treefork_machine *tf_machine, const treefork_int "
        "*tf_values, "
        "struct treefork_trace *tf_trace)\n{\n",
        name);
    for (int i = 0; i < k->n_params; i++)
        any |= host_selects(tree, k->params[i]);
    if (!any)
        str_add(out, "    (void)tf_values;\n");
    str_addf(out, "    return %s_select(tf_machine, ", name);
    for (int i = 0; i < k->n_params; i++)
        if (host_selects(tree, k->params[i]))
            str_addf(out, "tf_values[%d], ", code_integer_parameter(k, k->params[i]->var->name));
    str_add(out, "tf_trace);\n}\n\n");
}

static void add_item(struct str *list, const char *item)
{
    str_addf(list, "%s%s", list->length ? ", " : "", item);
}

/* The arguments by name, as the function's head has them. */
static const char *names_text(struct host *host, const struct kernel *k)
{
    struct str names = str_new(host->arena);
    for (int i = 0; i < k->n_params; i++)
        add_item(&names, k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++)
        if (array_is_given(k->arrays[i]))
            add_item(&names, k->arrays[i]->name);
    return names.text;
}

/* A small region need not be looked at each time. */
static void write_stay(struct host *host, const struct tree *tree)
{
    const char *points = points_text(host, tree), *sums = small_points(host, tree);
    const char *name = tree->region->name;
    if (sums)
        str_addf(host->out,
                 "    if (treefork_stays(&tf_region_%s, (double)(%s) + 1) && tf_small_%s(%s))\n"
                 "        return TREEFORK_OK;\n",
                 name, sums, name, names_text(host, tree->region->kernel));
    if (points)
        str_addf(host->out,
                 "    if (treefork_stays(&tf_region_%s, %s))\n        return TREEFORK_IN_PLACE;\n",
                 name, points);
}

void run_write(struct host *host, const struct tree *tree)
{
    struct str *out = host->out, arguments = str_new(host->arena), arrays = str_new(host->arena);
    const struct kernel *k = tree->region->kernel;
    str_addf(
        out,
        "/* Runs region %s on the device; not TREEFORK_OK: its data is on the host and nothing "
        "was computed. */\n",
        tree->region->name);
    write_head(host, tree, true);
    for (int i = 0; i < k->n_params; i++) {
        const struct var *var = k->params[i]->var;
        add_item(&arguments,
                 arena_printf(host->arena, "{TREEFORK_%s, {.%s = %s}}", argument_type(var->type),
                              value_member(var->type), var->name));
    }
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL) {
            add_item(&arguments, "{TREEFORK_BUFFER, {0}}");
            add_item(&arrays, k->arrays[i]->is_partial ? "0" : k->arrays[i]->name);
        }
    if (arguments.length == 0)
        add_item(&arguments, "{TREEFORK_BUFFER, {0}}");
    str_add(out, "\n{\n");
    write_stay(host, tree);
    str_addf(out, "    struct treefork_argument tf_arguments[] = {%s", arguments.text);
    str_addf(out, "};\n    const void *const tf_arrays[] = {%s};\n",
             arrays.length ? arrays.text : "0");
    str_addf(out, "    return treefork_region_run(&tf_region_%s, tf_arguments, tf_arrays, ",
             tree->region->name);
    if (auto_chooses(host, tree))
        str_addf(out, "tf_auto_%s);\n}\n\n",
                 host->program->functions[tree->region->function].name);
    else
        str_add(out, "0);\n}\n\n");
}
