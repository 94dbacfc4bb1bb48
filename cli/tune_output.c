/* The results as one document of the auto-tuning community's T4 schema (version 1.0.0; Kernel Tuner
   has it): one object for each trial, with its configuration, times in milliseconds, `invalidity`
   and the measured objective. What the schema has no member for stands in "metadata". */
#include "cli/tune.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MILLISECOND = 1e6;

/* "s=4,B0=64" as members. */
static void pairs_add(struct ctx *ctx, cJSON *object, const char *text)
{
    while (*text) {
        size_t name = strcspn(text, "="), length = strcspn(text, ",");
        if (name < length)
            cJSON_AddNumberToObject(object, arena_strndup(ctx->arena, text, name),
                                    strtod(text + name + 1, NULL));
        text += length + (text[length] == ',');
    }
}

static cJSON *configuration_make(struct ctx *ctx, const struct trial *trial)
{
    cJSON *configuration = cJSON_CreateObject();
    cJSON_AddStringToObject(configuration, "function", trial->function);
    cJSON_AddStringToObject(configuration, "region", trial->region);
    cJSON_AddNumberToObject(configuration, "leaf", trial->leaf);
    pairs_add(ctx, configuration, trial_choice(ctx, trial));
    pairs_add(ctx, configuration, trial->set);
    return configuration;
}

static cJSON *times_make(const struct trial *trial)
{
    cJSON *times = cJSON_CreateObject(), *runs = cJSON_AddArrayToObject(times, "runtimes");
    for (size_t i = 0; i < trial->n_samples; i++)
        cJSON_AddItemToArray(runs, cJSON_CreateNumber(trial->samples[i] / MILLISECOND));
    cJSON_AddNumberToObject(times, "framework", fmax(0, trial->framework) / MILLISECOND);
    cJSON_AddNumberToObject(times, "validation", trial->validation / MILLISECOND);
    return times;
}

static void measurement_add(cJSON *list, const char *name, double nanoseconds)
{
    cJSON *measurement = cJSON_CreateObject();
    cJSON_AddStringToObject(measurement, "name", name);
    cJSON_AddNumberToObject(measurement, "value", nanoseconds / MILLISECOND);
    cJSON_AddStringToObject(measurement, "unit", "ms");
    cJSON_AddItemToArray(list, measurement);
}

static cJSON *result_make(struct ctx *ctx, const struct trial *trial)
{
    cJSON *result = cJSON_CreateObject();
    bool is_right = trial->state == TRIAL_CORRECT;
    cJSON_AddStringToObject(result, "timestamp", trial->time);
    cJSON_AddItemToObject(result, "configuration", configuration_make(ctx, trial));
    cJSON *objectives = cJSON_AddArrayToObject(result, "objectives");
    cJSON_AddItemToArray(objectives, cJSON_CreateString("time"));
    cJSON_AddItemToObject(result, "times", times_make(trial));
    cJSON_AddStringToObject(result, "invalidity", trial_state_name(trial->state));
    cJSON_AddNumberToObject(result, "correctness", is_right);
    cJSON *measurements = cJSON_AddArrayToObject(result, "measurements");
    if (is_right) {
        measurement_add(measurements, "time", trial->median);
        measurement_add(measurements, "time_low", trial->low);
        measurement_add(measurements, "time_high", trial->high);
    }
    if (trial->predicted > 0 && trial->predicted < 1e15)
        measurement_add(measurements, "predicted", trial->predicted);
    if (*trial->reason)
        cJSON_AddStringToObject(result, "reason", trial->reason);
    return result;
}

static cJSON *metadata_make(struct tuning *t)
{
    static const char *const names[] = {"exhaustive", "random", "model"};
    cJSON *metadata = cJSON_CreateObject();
    cJSON_AddStringToObject(metadata, "tool", "treefork " TREEFORK_VERSION);
    cJSON_AddStringToObject(metadata, "source", t->v.source_path);
    cJSON_AddStringToObject(metadata, "device", t->device ? t->device : "");
    cJSON_AddStringToObject(metadata, "strategy", names[t->strategy]);
    cJSON_AddNumberToObject(metadata, "data_seed", (double)t->v.seed);
    cJSON_AddNumberToObject(metadata, "runs", (double)t->runs);
    return metadata;
}

bool tune_output_write(struct tuning *t, const char *path)
{
    struct ctx *ctx = t->v.ctx;
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "schema_version", "1.0.0");
    cJSON_AddItemToObject(document, "metadata", metadata_make(t));
    cJSON *results = cJSON_AddArrayToObject(document, "results");
    for (size_t i = 0; i < t->done.count; i++)
        cJSON_AddItemToArray(results, result_make(ctx, &t->done.at[i]));
    char *text = cJSON_Print(document);
    cJSON_Delete(document);
    if (!text) {
        diag_error(ctx, loc_none(), "no memory for the results");
        return false;
    }
    const char *line = arena_printf(ctx->arena, "%s\n", text);
    cJSON_free(text);
    return file_write(ctx, path, line, strlen(line));
}
