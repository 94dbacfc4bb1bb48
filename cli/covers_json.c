/* Covers as JSON: the values that covers_text.c has in words.

   In: the answer to `map --covers`. Out: an array with an object for each list of nests, or each
   fragment without. Words are a polynomial (text) and its value at the sizes, null where no form
   says all of it; times are nanoseconds, null where none is known. */
#include "cli/covers.h"
#include <cjson/cJSON.h>

static void number_or_null(cJSON *object, const char *name, bool is_known, double value)
{
    if (is_known)
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void words_object(cJSON *object, const char *name, const struct cover_words *words)
{
    cJSON *made = cJSON_AddObjectToObject(object, name);
    cJSON_AddStringToObject(made, "text", words->text);
    number_or_null(made, "value", words->is_known, words->value);
}

/* --- nests and covers ------------------------------------------------------------------------- */

static cJSON *nest_object(const struct cover_nest *nest, size_t number)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "nest", (double)number);
    cJSON_AddNumberToObject(object, "line", nest->line);
    cJSON_AddStringToObject(object, "text", nest->text);
    cJSON_AddNumberToObject(object, "statements", (double)nest->n_statements);
    return object;
}

static cJSON *array_object(const struct cover_array *array)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "array", array->name);
    words_object(object, "reads", &array->reads);
    words_object(object, "writes", &array->writes);
    cJSON_AddBoolToObject(object, "vanishes", array->vanishes);
    cJSON_AddBoolToObject(object, "has_parts", array->has_parts);
    if (array->has_parts)
        words_object(object, "parts", &array->parts);
    return object;
}

static void time_add(cJSON *object, const struct cover_time *time)
{
    number_or_null(object, "nanoseconds", time->is_known, time->nanoseconds);
    if (!time->is_known || !time->leaf)
        return;
    cJSON_AddNumberToObject(object, "leaf", time->leaf);
    cJSON_AddStringToObject(object, "tunables", time->choice);
    cJSON *parts = cJSON_AddArrayToObject(object, "parts");
    for (size_t i = 0; i < time->n_parts; i++) {
        cJSON *part = cJSON_CreateObject();
        cJSON_AddStringToObject(part, "array", time->parts[i].array);
        cJSON_AddNumberToObject(part, "elements", time->parts[i].elements);
        cJSON_AddItemToArray(parts, part);
    }
}

static cJSON *step_object(const struct cover_step *step, bool is_timed)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *nests = cJSON_AddArrayToObject(object, "nests");
    for (size_t i = 0; i < step->nests.count; i++)
        cJSON_AddItemToArray(nests, cJSON_CreateNumber((double)step->nests.at[i]));
    cJSON_AddStringToObject(object, "shape", step->shape);
    cJSON_AddNumberToObject(object, "launches", step->launches);
    cJSON *arrays = cJSON_AddArrayToObject(object, "arrays");
    for (size_t i = 0; i < step->arrays.count; i++)
        cJSON_AddItemToArray(arrays, array_object(&step->arrays.at[i]));
    if (is_timed)
        time_add(object, &step->time);
    return object;
}

static cJSON *cover_object(const struct cover_answer *cover, bool is_timed)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "chosen", cover->is_chosen);
    cJSON_AddNumberToObject(object, "launches", cover->launches);
    cJSON_AddBoolToObject(object, "host_loops", cover->has_loops);
    cJSON_AddBoolToObject(object, "host_statements", cover->has_host);
    words_object(object, "words", &cover->words);
    cJSON_AddNumberToObject(object, "mapper_nanoseconds", cover->mapper_nanoseconds);
    if (is_timed)
        number_or_null(object, "nanoseconds", cover->is_timed, cover->nanoseconds);
    cJSON *steps = cJSON_AddArrayToObject(object, "steps");
    for (size_t i = 0; i < cover->steps.count; i++)
        cJSON_AddItemToArray(steps, step_object(&cover->steps.at[i], is_timed));
    return object;
}

/* --- nests apart ------------------------------------------------------------------------------ */

static cJSON *place_object(const struct cover_place *place)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", place->loc.source ? place->loc.source->path : "");
    cJSON_AddNumberToObject(object, "line", place->loc.line);
    cJSON_AddNumberToObject(object, "column", place->loc.column);
    cJSON_AddBoolToObject(object, "writes", place->writes);
    cJSON_AddStringToObject(object, "text", place->text);
    return object;
}

static cJSON *apart_object(const struct cover_pair *pair)
{
    cJSON *object = cJSON_CreateObject();
    const double nests[] = {(double)pair->first, (double)pair->second};
    cJSON_AddItemToObject(object, "nests", cJSON_CreateDoubleArray(nests, 2));
    if (pair->reason)
        cJSON_AddStringToObject(object, "reason", pair->reason);
    else
        cJSON_AddNullToObject(object, "reason");
    if (!pair->array) {
        cJSON_AddNullToObject(object, "dependence");
        return object;
    }
    cJSON *dependence = cJSON_AddObjectToObject(object, "dependence");
    cJSON_AddStringToObject(dependence, "array", pair->array);
    cJSON *places = cJSON_AddArrayToObject(dependence, "places");
    cJSON_AddItemToArray(places, place_object(&pair->places[0]));
    cJSON_AddItemToArray(places, place_object(&pair->places[1]));
    cJSON_AddStringToObject(dependence, "witness", pair->witness);
    return object;
}

/* --- a list ----------------------------------------------------------------------------------- */

static void covers_object(cJSON *object, const struct covers_answer *answer, bool is_timed)
{
    if (answer->loop) {
        cJSON *loop = cJSON_AddObjectToObject(object, "rounds_of");
        cJSON_AddStringToObject(loop, "loop", answer->loop);
        cJSON_AddNumberToObject(loop, "line", answer->loop_line);
    }
    cJSON *sizes = cJSON_AddObjectToObject(object, "sizes");
    for (size_t i = 0; i < answer->sizes.count; i++)
        cJSON_AddNumberToObject(sizes, answer->sizes.at[i].name, answer->sizes.at[i].value);
    cJSON *nests = cJSON_AddArrayToObject(object, "nests");
    for (size_t i = 0; i < answer->nests.count; i++)
        cJSON_AddItemToArray(nests, nest_object(&answer->nests.at[i], i));
    cJSON *covers = cJSON_AddArrayToObject(object, "covers");
    for (size_t i = 0; i < answer->found.count; i++)
        cJSON_AddItemToArray(covers, cover_object(&answer->found.at[i], is_timed));
    cJSON_AddBoolToObject(object, "more_covers", answer->is_cut);
    cJSON *apart = cJSON_AddArrayToObject(object, "apart");
    for (size_t i = 0; i < answer->apart.count; i++)
        cJSON_AddItemToArray(apart, apart_object(&answer->apart.at[i]));
}

static cJSON *answer_object(const struct covers_answer *answer, const char *machine)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", answer->file);
    cJSON_AddNumberToObject(object, "line", answer->line);
    cJSON_AddStringToObject(object, "function", answer->function);
    if (machine)
        cJSON_AddStringToObject(object, "machine", machine);
    if (answer->end) {
        cJSON *end = cJSON_AddObjectToObject(object, "ends");
        cJSON_AddNumberToObject(end, "line", answer->end_line);
        cJSON_AddStringToObject(end, "reason", answer->end);
    }
    if (!answer->refusal) {
        covers_object(object, answer, machine != NULL);
        return object;
    }
    cJSON *refused = cJSON_AddObjectToObject(object, "refused");
    number_or_null(refused, "line", answer->refusal_line > 0, answer->refusal_line);
    cJSON_AddStringToObject(refused, "reason", answer->refusal);
    return object;
}

void covers_json(struct str *out, const covers_answers *list, const char *machine)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < list->count; i++)
        cJSON_AddItemToArray(array, answer_object(&list->at[i], machine));
    char *text = cJSON_Print(array);
    str_addf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(array);
}
