/* Members, constraints and polynomials of tree.json. In: cJSON's objects. Out: values over the ring
   of the region, in which every name must be known. */
#include "claims/reader.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *document_refuse(struct document_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_vprintf(reader->ctx->arena, format, arguments);
    va_end(arguments);
    diag_error(reader->ctx, loc_none(), "%s: %s%s%s", reader->path, reader->where,
               *reader->where ? ": " : "", what);
    return NULL;
}

/* --- members --------------------------------------------------------------------------------- */

const cJSON *document_member(struct document_reader *reader, const cJSON *object, const char *name,
                           kind_test *is_kind, const char *kind)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item)
        return document_refuse(reader, "'%s' is missing", name);
    return is_kind(item) ? item : document_refuse(reader, "'%s' is no %s", name, kind);
}

const cJSON *document_list(struct document_reader *reader, const cJSON *object, const char *name)
{
    return document_member(reader, object, name, cJSON_IsArray, "list");
}

const cJSON *document_object(struct document_reader *reader, const cJSON *object, const char *name)
{
    return document_member(reader, object, name, cJSON_IsObject, "object");
}

const char *document_text(struct document_reader *reader, const cJSON *object,
                                  const char *name)
{
    const cJSON *item = document_member(reader, object, name, cJSON_IsString, "text");
    return item ? arena_strdup(reader->ctx->arena, item->valuestring) : NULL;
}

/* An integer that a double holds exactly. */
bool document_integer(const cJSON *item, int64_t *value)
{
    enum { BITS = 53 };
    const double most = (double)((int64_t)1 << BITS);
    if (!cJSON_IsNumber(item) || item->valuedouble > most || item->valuedouble < -most)
        return false;
    *value = (int64_t)item->valuedouble;
    return (double)*value == item->valuedouble;
}

bool document_index(const cJSON *item, size_t limit, size_t *index)
{
    int64_t value;
    if (!document_integer(item, &value) || value < 0 || (uint64_t)value >= limit)
        return false;
    *index = (size_t)value;
    return true;
}

/* --- constraints and polynomials ------------------------------------------------------------- */

/* The text with "#n" replaced by polynomial n of the region; NULL after a diagnostic. */
static const char *text_expand(struct document_reader *reader, const char *text)
{
    struct str out = str_new(reader->ctx->arena);
    const cJSON *polynomials = cJSON_GetObjectItemCaseSensitive(reader->json, "polynomials");
    while (*text) {
        size_t plain = strcspn(text, "#");
        str_add_n(&out, text, plain);
        text += plain;
        if (!*text)
            break;
        char *end;
        long number = strtol(text + 1, &end, 10);
        const cJSON *entry = number < 0 || number > INT32_MAX || end == text + 1
                                 ? NULL
                                 : cJSON_GetArrayItem(polynomials, (int)number);
        if (!entry || !cJSON_IsString(entry))
            return document_refuse(reader, "'%.*s' names no polynomial of the region",
                                   (int)(end - text), text);
        str_add(&out, entry->valuestring);
        text = end;
    }
    return out.text;
}

/* Reading adds unknown names to the ring: they are refused. */
static bool names_are_known(struct document_reader *reader, int known, const char *text)
{
    if (ring_count(reader->region->ring) <= known)
        return true;
    document_refuse(reader, "'%s' has the unknown name '%s'", text,
           ring_name(reader->region->ring, known));
    return false;
}

bool document_constraint(struct document_reader *reader, const cJSON *item, struct constraint *c)
{
    int known = ring_count(reader->region->ring);
    const char *error = NULL;
    if (!cJSON_IsString(item)) {
        document_refuse(reader, "a constraint is no text");
        return false;
    }
    const char *text = text_expand(reader, item->valuestring);
    if (!text)
        return false;
    if (!constraint_read(reader->region->ring, text, c, &error) || !c->poly) {
        document_refuse(reader, "'%s' is no constraint: %s", text,
                        error ? error : "it is too large");
        return false;
    }
    return names_are_known(reader, known, text);
}

/* A list of texts, or, of compact paths and guards, of numbers. */
bool document_system_list(struct document_reader *reader, const cJSON *list, bool numbered,
                        struct sas *sas)
{
    const cJSON *entry, *all = cJSON_GetObjectItemCaseSensitive(reader->json, "constraints");
    size_t count = (size_t)cJSON_GetArraySize(list), number;
    struct constraint *at = ARENA_ARRAY(reader->ctx->arena, struct constraint, count + 1);
    size_t n = 0;
    cJSON_ArrayForEach(entry, list) {
        const cJSON *text = entry;
        if (numbered && reader->is_compact) {
            if (!document_index(entry, (size_t)cJSON_GetArraySize(all), &number)) {
                document_refuse(reader, "a number names no constraint of the region");
                return false;
            }
            text = cJSON_GetArrayItem(all, (int)number);
        }
        if (!document_constraint(reader, text, &at[n++]))
            return false;
    }
    *sas = (struct sas){reader->region->ring, at, n};
    return true;
}

bool document_system(struct document_reader *reader, const cJSON *object, const char *name,
                      bool numbered, struct sas *sas)
{
    const cJSON *list = document_list(reader, object, name);
    return list && document_system_list(reader, list, numbered, sas);
}

const struct poly *document_poly(struct document_reader *reader, const cJSON *item)
{
    const char *error = NULL;
    int known = ring_count(reader->region->ring);
    if (!cJSON_IsString(item))
        return document_refuse(reader, "a value is no text");
    const char *text = text_expand(reader, item->valuestring);
    const struct poly *p = text ? poly_read(reader->region->ring, text, &error) : NULL;
    if (text && !p)
        return document_refuse(reader, "'%s' is no polynomial: %s", text,
                               error ? error : "it is too large");
    return p && names_are_known(reader, known, text) ? p : NULL;
}

bool document_part(struct document_reader *reader, const cJSON *object, struct document_part *part)
{
    const cJSON *keys = document_list(reader, object, "keys"), *key;
    size_t test;
    if (!keys)
        return false;
    if (!document_index(cJSON_GetObjectItemCaseSensitive(object, "test"), INT32_MAX, &test))
        return document_refuse(reader, "'test' is no number from 0");
    const struct poly **at = ARENA_ARRAY(reader->ctx->arena, const struct poly *,
                                         (size_t)cJSON_GetArraySize(keys) + 1);
    *part = (struct document_part){.test = (int)test, .keys = at};
    cJSON_ArrayForEach(key, keys) {
        at[part->n_keys] = document_poly(reader, key);
        if (!at[part->n_keys++])
            return false;
    }
    return true;
}
