/* The candidates that a T1 document names and admits (the auto-tuning community's input schema, as
   Kernel Tuner has it). Of it counts: ConfigurationSpace.TuningParameters, whose Values replace a
   tunable's candidates; ConfigurationSpace.Conditions, over tunables, parameters of the region,
   `leaf` and `devices`; Budget of type ConfigurationCount. What a document says of kernels,
   arguments and search is the tool's own. What does not fit is no candidate even if the document
   names it. */
#include "cli/tune_space.h"
#include "cli/tune.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct space_parameter {
    const char *name;
    int n;
    int64_t values[CANDIDATES_MAX];
};

struct tune_space {
    struct ctx *ctx;
    const char *path;
    VEC(struct space_parameter) parameters;
    VEC(const char *) conditions;
    int64_t trials;
};

/* --- reading --------------------------------------------------------------------------------- */

/* "[1, 2, 4]", rising and each once. */
static bool values_read(const struct tune_space *space, const char *text, struct space_parameter *p)
{
    const char *at = text + strspn(text, " [(");
    while (*at && !strchr("])", *at)) {
        char *end;
        long long value = strtoll(at, &end, 10);
        if (end == at || value < 1 || p->n == CANDIDATES_MAX ||
            (p->n && value <= p->values[p->n - 1])) {
            diag_error(space->ctx, loc_none(),
                       "%s: Values of %s: '%s' is no rising list of at most %d whole numbers >= 1",
                       space->path, p->name, text, CANDIDATES_MAX);
            return false;
        }
        p->values[p->n++] = value;
        at = end + strspn(end, " ,");
    }
    if (p->n == 0)
        diag_error(space->ctx, loc_none(), "%s: %s has no Values", space->path, p->name);
    return p->n > 0;
}

static const char *text_of(struct tune_space *space, const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    if (cJSON_IsString(member))
        return arena_strdup(space->ctx->arena, member->valuestring);
    diag_error(space->ctx, loc_none(), "%s: an entry without %s", space->path, name);
    return NULL;
}

static bool parameters_take(struct tune_space *space, const cJSON *list)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        struct space_parameter p = {.name = text_of(space, item, "Name")};
        const char *values = p.name ? text_of(space, item, "Values") : NULL;
        if (!values || !values_read(space, values, &p))
            return false;
        vec_push(space->ctx->arena, &space->parameters, p);
    }
    return true;
}

static bool lookup_any(void *state, const char *name, double *value)
{
    (void)state, (void)name;
    *value = 1;
    return true;
}

static bool conditions_take(struct tune_space *space, const cJSON *list)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        const char *text = text_of(space, item, "Expression");
        if (!text)
            return false;
        struct expression_result result = expression_evaluate(text, lookup_any, NULL);
        if (result.end != EXPRESSION_DONE) {
            diag_error(space->ctx, loc_none(), "%s: condition '%s' cannot be read from '%s' on",
                       space->path, text, result.at);
            return false;
        }
        vec_push(space->ctx->arena, &space->conditions, text);
    }
    return true;
}

static bool document_take(struct tune_space *space, const cJSON *document)
{
    const cJSON *configuration = cJSON_GetObjectItemCaseSensitive(document, "ConfigurationSpace");
    const cJSON *budget = cJSON_GetObjectItemCaseSensitive(document, "Budget"), *item;
    if (!cJSON_IsObject(configuration)) {
        diag_error(space->ctx, loc_none(), "%s: this is no T1 document: no ConfigurationSpace",
                   space->path);
        return false;
    }
    cJSON_ArrayForEach(item, budget) {
        const cJSON *type = cJSON_GetObjectItemCaseSensitive(item, "Type"),
                    *value = cJSON_GetObjectItemCaseSensitive(item, "BudgetValue");
        if (cJSON_IsString(type) && strcmp(type->valuestring, "ConfigurationCount") == 0 &&
            cJSON_IsNumber(value) && value->valuedouble >= 1)
            space->trials = (int64_t)value->valuedouble;
    }
    return parameters_take(space, cJSON_GetObjectItemCaseSensitive(configuration,
                                                                   "TuningParameters")) &&
           conditions_take(space, cJSON_GetObjectItemCaseSensitive(configuration, "Conditions"));
}

const struct tune_space *tune_space_read(struct ctx *ctx, const char *path)
{
    struct tune_space *space = ARENA_NEW(ctx->arena, struct tune_space);
    size_t length;
    const char *text = file_read(ctx, path, &length), *fault = NULL;
    if (!text)
        return NULL;
    space->ctx = ctx;
    space->path = path;
    cJSON *document = cJSON_ParseWithOpts(text, &fault, true);
    if (!document)
        diag_error(ctx, loc_none(), "%s: this is no JSON from '%.20s' on", path,
                   fault ? fault : "");
    bool fine = document && document_take(space, document);
    cJSON_Delete(document);
    return fine ? space : NULL;
}

/* --- use ------------------------------------------------------------------------------------- */

struct known_lookup {
    const struct tuning *t;
    const struct tree *tree;
    int leaf, devices;             /* devices: 0: not known yet */
    const int64_t *point;
};

static bool lookup_program(void *state, const char *name, double *value)
{
    const struct program *program = ((struct known_lookup *)state)->t->v.program;
    *value = 1;
    for (size_t i = 0; i < program->n_regions; i++)
        if (kernel_param(program->regions[i]->kernel, name))
            return true;
    return strcmp(name, "leaf") == 0 || strcmp(name, "devices") == 0;
}

bool tune_space_known(const struct tuning *t, const struct tune_space *space)
{
    struct known_lookup known = {.t = t};
    double value;
    for (size_t i = 0; i < space->parameters.count; i++)
        if (!lookup_program(&known, space->parameters.at[i].name, &value)) {
            diag_error(space->ctx, loc_none(), "%s: no region has a parameter '%s'", space->path,
                       space->parameters.at[i].name);
            return false;
        }
    for (size_t i = 0; i < space->conditions.count; i++) {
        const char *text = space->conditions.at[i];
        struct expression_result result = expression_evaluate(text, lookup_program, &known);
        if (result.end == EXPRESSION_NAME) {
            diag_error(space->ctx, loc_none(),
                       "%s: condition '%s': no region has a parameter '%s'", space->path, text,
                       result.at);
            return false;
        }
    }
    return true;
}

static bool lookup_point(void *state, const char *name, double *value)
{
    const struct known_lookup *known = state;
    int v = ring_find(known->tree->ring, name);
    if (strcmp(name, "leaf") == 0) {
        *value = known->leaf;
        return true;
    }
    if (strcmp(name, "devices") == 0) {
        *value = known->devices;
        return known->devices > 0;
    }
    if (v >= 0)
        *value = (double)known->point[v];
    return v >= 0;
}

/* Is the number among the values that the document has for the name? Without a list each is. */
static bool value_is_listed(const struct tune_space *space, const char *name, int64_t number)
{
    for (size_t i = 0; i < space->parameters.count; i++) {
        const struct space_parameter *p = &space->parameters.at[i];
        bool found = strcmp(p->name, name) != 0;
        for (int k = 0; k < p->n; k++)
            found |= p->values[k] == number;
        if (!found)
            return false;
    }
    return true;
}

/* A condition that names what another region has is none for this one. */
bool tune_space_takes(const struct tune_space *space, const struct tree *tree, int leaf,
                      const int64_t *point, int devices)
{
    struct known_lookup known = {
        .tree = tree, .leaf = leaf, .devices = devices, .point = point};
    for (size_t i = 0; i < space->conditions.count; i++) {
        struct expression_result result =
            expression_evaluate(space->conditions.at[i], lookup_point, &known);
        if (result.end == EXPRESSION_DONE && (result.value == 0 || isnan(result.value)))
            return false;
    }
    return value_is_listed(space, "leaf", leaf) &&
           (!devices || value_is_listed(space, "devices", devices));
}

bool tune_space_admits(void *state, const struct tree *tree, int leaf, const int64_t *point)
{
    return tune_space_takes(state, tree, leaf, point, 0);
}

void tune_space_values(const struct tune_space *space, struct tried_values *values)
{
    for (size_t i = 0; i < space->parameters.count; i++) {
        const struct space_parameter *p = &space->parameters.at[i];
        if (strcmp(p->name, values->param->var->name) != 0)
            continue;
        values->n = p->n;
        memcpy(values->at, p->values, sizeof values->at);
    }
}

int64_t tune_space_trials(const struct tune_space *space)
{
    return space->trials;
}
