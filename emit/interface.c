/* NAME.interface.json: how a file's functions are called from other languages (docs/interface.md).

   In: the exported functions as the user wrote them (metafork/exported.h), and the program with its
   trees, if it has regions. Out: a JSON text: of each function its result, its parameters with the
   formats of numbers, declared extents, and how many elements of an array regions touch at least,
   and the name of the function that chooses its tunables. Sizes are expressions over parameters in
   prefix form: 4, "n", ["*", "n", "m"]; a size that is not known is null. */
#include "emit/emit.h"
#include "emit/host.h"
#include "ir/access/access.h"
#include <cjson/cJSON.h>
#include <string.h>

struct interface {
    struct ctx *ctx;
    const struct program *program;
    struct host host;
};

/* "f8": a letter and bytes. */
static cJSON *format_json(struct ctx *ctx, bool known, enum type type)
{
    const char *letter = type_is_signed(type) ? "i" : "u";
    if (type == TYPE_BOOL)
        letter = "b";
    else if (type_is_floating(type))
        letter = "f";
    return known ? cJSON_CreateString(arena_printf(ctx->arena, "%s%u", letter, type_bytes(type)))
                 : cJSON_CreateNull();
}

static const struct argument *argument_find(const struct function *function, const char *name,
                                            int *index)
{
    for (int i = 0; i < function->n_arguments; i++)
        if (!strcmp(function->arguments[i].name, name)) {
            *index = i;
            return &function->arguments[i];
        }
    return NULL;
}

/* Is the variable a tunable that the region itself chooses? Such a tunable does not change which
   elements the region touches. */
static bool is_own_tunable(const struct kernel *kernel, const struct var *var)
{
    const struct param *param = kernel ? kernel_param(kernel, var->name) : NULL;
    return param && param->role == ROLE_TUNABLE;
}

static cJSON *variable_json(const struct function *function, const struct kernel *kernel,
                            const struct var *var)
{
    int index;
    const struct argument *argument = argument_find(function, var->name, &index);
    if (argument)
        return argument->is_array ? NULL : cJSON_CreateString(var->name);
    return is_own_tunable(kernel, var) ? cJSON_CreateNumber(1) : NULL;
}

/* As the parameter is passed. */
static enum type passed_type(const struct exported *exported, const struct argument *argument)
{
    if (argument->is_array || !exported->is_unprototyped)
        return argument->type;
    return argument->type == TYPE_F32 ? TYPE_F64 : type_promote(argument->type);
}

/* NULL where the expression needs more than integers that are parameters of the function. `kernel`:
   of the region whose expression it is, NULL for one of the prototype. */
static cJSON *size_json(const struct function *function, const struct kernel *kernel,
                        const struct expr *e)
{
    e = expr_uncast(e);
    if (e->kind == EXPR_INTEGER)
        return cJSON_CreateNumber((double)e->integer);
    if (e->kind == EXPR_VAR)
        return variable_json(function, kernel, e->var);
    if (e->kind != EXPR_UNARY && e->kind != EXPR_BINARY && e->kind != EXPR_SELECT)
        return NULL;
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToArray(list, cJSON_CreateString(e->kind == EXPR_SELECT ? "?" : op_text(e->op)));
    for (int i = 0; i < e->n_arguments; i++) {
        cJSON *part = size_json(function, kernel, e->arguments[i]);
        if (!part) {
            cJSON_Delete(list);
            return NULL;
        }
        cJSON_AddItemToArray(list, part);
    }
    return list;
}

static cJSON *size_or_null(const struct function *function, const struct expr *e)
{
    cJSON *size = e ? size_json(function, NULL, e) : NULL;
    return size ? size : cJSON_CreateNull();
}

static cJSON *extents_json(const struct function *function, const struct argument *argument)
{
    cJSON *list = cJSON_CreateArray();
    for (int d = 0; d < argument->n_dims; d++)
        cJSON_AddItemToArray(list, size_or_null(function, argument->dims[d]));
    return list;
}

/* Does the size say the same at the region as at the call? */
static bool size_stands(const struct exported *exported, const struct kernel *kernel,
                        const struct expr *e)
{
    int index;
    if (e->kind == EXPR_VAR)
        return argument_find(&exported->function, e->var->name, &index)
                   ? !exported->is_set[index]
                   : is_own_tunable(kernel, e->var);
    for (int i = 0; i < e->n_arguments; i++)
        if (!size_stands(exported, kernel, e->arguments[i]))
            return false;
    return true;
}

static bool is_of(const struct interface *json, const struct region *region, const char *name)
{
    return !strcmp(json->program->functions[region->function].name, name);
}

/* Adds the number of elements of the parameter's array that the region touches at every call, if
   that is known. */
static void touched_add(const struct interface *json, const struct exported *exported,
                        const struct region *region, const char *name, cJSON *list)
{
    const struct array *array = kernel_array(region->kernel, name);
    const struct expr *extent =
        array && array_is_given(array) ? access_extent(json->ctx, region->kernel, array) : NULL;
    cJSON *size = extent && size_stands(exported, region->kernel, extent)
                      ? size_json(&exported->function, region->kernel, extent)
                      : NULL;
    if (size)
        cJSON_AddItemToArray(list, size);
}

static cJSON *touched_json(const struct interface *json, const struct exported *exported,
                           const struct argument *argument)
{
    cJSON *list = cJSON_CreateArray();
    size_t n_regions = exported->chooses_loops ? 0 : json->program->n_regions;
    for (size_t r = 0; r < n_regions; r++)
        if (is_of(json, json->program->regions[r], exported->function.name))
            touched_add(json, exported, json->program->regions[r], argument->name, list);
    return list;
}

static cJSON *parameter_json(const struct interface *json, const struct exported *exported,
                             const struct argument *argument)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", argument->name);
    cJSON_AddStringToObject(object, "text", argument->text);
    cJSON_AddItemToObject(object, "format",
                          format_json(json->ctx, argument->is_supported,
                                      passed_type(exported, argument)));
    cJSON_AddBoolToObject(object, "array", argument->is_array);
    if (!argument->is_array)
        return object;
    cJSON_AddBoolToObject(object, "const", argument->is_const);
    cJSON_AddItemToObject(object, "extents", extents_json(&exported->function, argument));
    cJSON_AddItemToObject(object, "touched", touched_json(json, exported, argument));
    return object;
}

static int function_index(const struct interface *json, const char *name)
{
    for (size_t f = 0; f < json->program->n_functions; f++)
        if (!strcmp(json->program->functions[f].name, name))
            return (int)f;
    return -1;
}

/* Adds the name of NAME_auto, or null, and the parameters that NAME_auto lacks. */
static void automatic_add(struct interface *json, cJSON *object, const struct function *function)
{
    int index = function_index(json, function->name);
    const char *reason = index < 0 ? "it has no region" : auto_reason(&json->host, index);
    cJSON *without = cJSON_CreateArray();
    int n_arguments = reason ? 0 : function->n_arguments;
    for (int i = 0; i < n_arguments; i++)
        if (!function->arguments[i].is_array &&
            auto_tunable(&json->host, index, function->arguments[i].name))
            cJSON_AddItemToArray(without, cJSON_CreateString(function->arguments[i].name));
    if (reason)
        cJSON_AddNullToObject(object, "auto");
    else
        cJSON_AddStringToObject(object, "auto",
                                arena_printf(json->ctx->arena, "%s_auto", function->name));
    cJSON_AddItemToObject(object, "tunables", without);
}

static cJSON *regions_json(const struct interface *json, const char *function)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t r = 0; r < json->program->n_regions; r++)
        if (is_of(json, json->program->regions[r], function))
            cJSON_AddItemToArray(list, cJSON_CreateString(json->program->regions[r]->name));
    return list;
}

static cJSON *function_json(struct interface *json, const struct exported *exported)
{
    const struct function *function = &exported->function;
    cJSON *object = cJSON_CreateObject(), *parameters = cJSON_CreateArray();
    cJSON_AddStringToObject(object, "name", function->name);
    cJSON_AddStringToObject(object, "returns", function->return_text);
    cJSON_AddBoolToObject(object, "void", !exported->has_result);
    cJSON_AddItemToObject(object, "format",
                          format_json(json->ctx, exported->has_number, exported->result));
    for (int i = 0; i < function->n_arguments; i++)
        cJSON_AddItemToArray(parameters,
                             parameter_json(json, exported, &function->arguments[i]));
    cJSON_AddItemToObject(object, "parameters", parameters);
    cJSON_AddItemToObject(object, "regions", regions_json(json, function->name));
    automatic_add(json, object, function);
    return object;
}

void emit_interface(struct ctx *ctx, struct str *out, const struct program *program,
                    const struct tree *const *trees, const struct exported *exported, size_t count)
{
    struct interface json = {.ctx = ctx, .program = program};
    json.host = (struct host){.ctx = ctx,
                              .arena = ctx->arena,
                              .program = program,
                              .trees = trees,
                              .arrays = map_new(ctx->arena)};
    cJSON *root = cJSON_CreateObject(), *functions = cJSON_CreateArray();
    cJSON_AddNumberToObject(root, "schema", 1);
    cJSON_AddStringToObject(root, "program", program->stem);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(functions, function_json(&json, &exported[i]));
    cJSON_AddItemToObject(root, "functions", functions);
    char *text = cJSON_Print(root);
    str_add(out, text ? text : "");
    str_char(out, '\n');
    cJSON_free(text);
    cJSON_Delete(root);
}
