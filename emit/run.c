/* The function that runs a region: tf_run_NAME (contract in plan.c). */
#include "emit/device.h"
#include "emit/host.h"
#include "emit/checked.h"
#include "ir/access/access.h"

static int count_global(const struct kernel *k)
{
    int n = 0;
    for (int i = 0; i < k->n_arrays; i++)
        n += k->arrays[i]->space == SPACE_GLOBAL;
    return n;
}

static bool binds_in_some_variant(const struct tree *tree, const char *name)
{
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct param *param = kernel_param(tree->variants[v].kernel, name);
        if (param && device_binds(tree->variants[v].kernel, param))
            return true;
    }
    return false;
}

static void write_signature(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    const char *comma = "";
    str_addf(out, "/* Runs region %s on the device; not TREEFORK_OK: its data is on the host and nothing was computed. */\n"
             "static int tf_run_%s(", tree->region->name, tree->region->name);
    for (int i = 0; i < k->n_params; i++, comma = ", ")
        str_addf(out, "%s%s %s", comma, type_name(k->params[i]->var->type), k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL) {
            str_addf(out, "%s%svoid *%s", comma, k->arrays[i]->is_const ? "const " : "", k->arrays[i]->name);
            comma = ", ";
        }
    str_add(out, *comma ? ")\n{\n" : "void)\n{\n");
}

static const char *argument_type(enum type type)
{
    static const char *const names[TYPE_COUNT] = {
        [TYPE_BOOL] = "U8", [TYPE_I8] = "I8", [TYPE_U8] = "U8", [TYPE_I16] = "I16", [TYPE_U16] = "U16", [TYPE_I32] = "I32",
        [TYPE_U32] = "U32", [TYPE_I64] = "I64", [TYPE_U64] = "U64", [TYPE_F32] = "F32", [TYPE_F64] = "F64"};
    return names[type];
}

static void write_arguments(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    int n = k->n_params + count_global(k);
    if (n)
        str_addf(out, "    struct treefork_argument tf_arguments[%d];\n", n);
    str_add(out, "    struct treefork_binding tf_bindings[] = {");
    for (int i = 0; i < k->n_params; i++)
        if (binds_in_some_variant(tree, k->params[i]->var->name))
            str_addf(out, "{\"%s\", (int64_t)%s}, ", k->params[i]->var->name, k->params[i]->var->name);
    str_add(out, "{NULL, 0}};\n");
    if (count_global(k))
        str_addf(out, "    int64_t tf_bytes[%d] = {0};\n", count_global(k));
}

static void write_size(struct host *host, const struct tree *tree, const struct array *array, int index)
{
    struct str *out = host->out;
    const struct expr *extent = access_extent(host->ctx, tree->region->kernel, array);
    struct str count = str_new(host->arena);
    if (!extent || !checked_expr(&count, extent, "&tf_error")) {
        diag_error(host->ctx, array->loc.source ? array->loc : tree->region->loc,
                   "the number of elements of %s that region %s touches is not known; declare it with its extent, as in "
                   "%s %s[n]", array->name, tree->region->name, type_name(array->element), array->name);
        host->failed = true;
        return;
    }
    str_addf(out, "    /* %s: %s elements */\n    tf_bytes[%d] = treefork_mul(%s, %u, &tf_error);\n"
             "    if (tf_error || tf_bytes[%d] < 0)\n        return treefork_fail(TREEFORK_OVERFLOW, \"the extent of %s leaves 64 "
             "bits\");\n", array->name, expr_text(host->arena, extent), index, count.text, type_bytes(array->element), index,
             array->name);
}

/* tf_sizes_NAME: bytes of every array that the region may touch. */
static void write_sizes(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    int index = 0;
    if (count_global(k) == 0)
        return;
    str_addf(out, "/* Bytes of the arrays of %s. */\nstatic int tf_sizes_%s(", tree->region->name, tree->region->name);
    host_parameters(out, tree, true);
    str_add(out, "int64_t *tf_bytes)\n{\n    int tf_error = 0;\n");
    host_unused(out, tree, true);
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL)
            write_size(host, tree, k->arrays[i], index++);
    str_add(out, "    return TREEFORK_OK;\n}\n\n");
}

static void write_buffer(struct host *host, const struct tree *tree, const struct array *array, int argument, int index)
{
    struct str *out = host->out;
    bool is_read = false, is_written = false;
    access_flags(tree->region->kernel, array, &is_read, &is_written);
    str_addf(out, "    tf_arguments[%d].type = TREEFORK_BUFFER;\n", argument);
    str_addf(out, "    tf_status = treefork_use(tf_device, %s, (size_t)tf_bytes[%d], %s,\n"
             "                             &tf_arguments[%d].value.buffer);\n", array->name, index,
             is_written ? "TREEFORK_READ | TREEFORK_WRITE" : "TREEFORK_READ", argument);
    str_add(out, "    if (tf_status != TREEFORK_OK)\n        goto tf_fail;\n");
}

static void write_values(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    int index = 0, buffer = 0;
    if (count_global(k)) {
        str_addf(out, "    tf_status = tf_sizes_%s(", tree->region->name);
        host_values(out, tree, true);
        str_add(out, "tf_bytes);\n    if (tf_status != TREEFORK_OK)\n        goto tf_fail;\n");
    }
    for (; index < k->n_params; index++) {
        const struct var *var = k->params[index]->var;
        const char *field = type_is_floating(var->type) ? "f" : type_is_signed(var->type) ? "i" : "u";
        str_addf(out, "    tf_arguments[%d].type = TREEFORK_%s;\n    tf_arguments[%d].value.%s = %s;\n", index,
                 argument_type(var->type), index, field, var->name);
    }
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL)
            write_buffer(host, tree, k->arrays[i], index++, buffer++);
}

static void write_choice(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const char *name = tree->region->name;
    bool prefers = auto_prefers(host, tree);
    str_addf(out, "    tf_variant = %s_select(treefork_device_machine(tf_device), ", name);
    host_values(out, tree, false);
    str_add(out, "&tf_trace);\n    if (tf_variant < 0) {\n        tf_status = -tf_variant;\n        goto tf_fail;\n    }\n");
    if (prefers)
        str_addf(out, "    if (tf_preferred_%s > 0)\n        tf_variant = tf_preferred_%s;\n", name, name);
    str_addf(out, "    if (treefork_forced(\"%s\") > 0) {\n        struct treefork_machine tf_any;\n"
             "        struct treefork_trace tf_needs = {0};\n        size_t tf_i;\n"
             "        for (tf_i = 0; tf_i < TREEFORK_PARAMETERS; tf_i++)\n            tf_any.value[tf_i] = TREEFORK_UNLIMITED;\n"
             "        tf_variant = treefork_forced(\"%s\");\n        if (!tf_fits_%s(&tf_any, ", name, name, name);
    host_values(out, tree, false);
    str_add(out, "tf_variant, &tf_needs)) {\n            tf_status = tf_unfit(tf_variant, &tf_needs);\n            goto tf_fail;\n"
                 "        }\n    }\n");
    str_add(out, "    tf_trace.variant = tf_variant;\n");
    str_addf(out, "    tf_status = tf_plan_%s(treefork_device_machine(tf_device), ", name);
    host_values(out, tree, true);
    str_add(out, "tf_variant, &tf_launch);\n    if (tf_status != TREEFORK_OK)\n        goto tf_fail;\n"
                 "    if (tf_launch.blocks == 0)\n        return TREEFORK_OK;\n");
}

void run_write(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const struct kernel *k = tree->region->kernel;
    int n = k->n_params + count_global(k);
    write_sizes(host, tree);
    predict_write(host, tree);
    write_signature(host, tree);
    str_add(out, "    struct treefork_device *tf_device = treefork_default();\n    struct treefork_trace tf_trace = {0};\n"
                 "    struct treefork_launch tf_launch = {0};\n");
    write_arguments(host, tree);
    str_add(out, "    int tf_variant, tf_status = TREEFORK_NO_DEVICE;\n    if (!tf_device)\n        goto tf_fail;\n    tf_used = 1;\n");
    write_choice(host, tree);
    write_values(host, tree);
    str_addf(out, "    tf_launch.n_arguments = %d;\n    tf_launch.arguments = %s;\n", n, n ? "tf_arguments" : "NULL");
    str_add(out, "    tf_launch.n_bindings = sizeof tf_bindings / sizeof *tf_bindings - 1;\n    tf_launch.bindings = tf_bindings;\n");
    str_addf(out, "    treefork_chosen(\"%s\", tf_device, &tf_trace);\n    if (treefork_tracing()) {\n"
             "        struct treefork_prediction tf_prediction = {0};\n        if (tf_predict_%s(treefork_device_machine(tf_device), ",
             tree->region->name, tree->region->name);
    host_values(out, tree, true);
    str_addf(out, "tf_variant, &tf_launch, &tf_prediction) == TREEFORK_OK)\n"
             "            treefork_predicted(\"%s\", &tf_prediction);\n    }\n    tf_status = treefork_run(tf_device, &tf_launch);\n"
             "    if (tf_status == TREEFORK_OK)\n        return TREEFORK_OK;\ntf_fail:\n"
             "    return tf_failed(tf_device, \"%s\", tf_status);\n}\n\n", tree->region->name, tree->region->name);
}
