/* The leaves in tree.json: cases, what they fit, resources. */
#include "claims/counter.h"
#include "claims/reader.h"
#include "base/vec.h"
#include <string.h>

/* {guard, value}, {guard, numerator, denominator} or, in the compact layout, the number of a row
   [guard, numerator, denominator]. */
static bool piece_read(struct document_reader *reader, const cJSON *item,
                       struct document_piece *piece)
{
    const cJSON *guard = cJSON_GetObjectItemCaseSensitive(item, "guard"),
                *numerator = cJSON_GetObjectItemCaseSensitive(item, "numerator"),
                *denominator = cJSON_GetObjectItemCaseSensitive(item, "denominator");
    if (reader->is_compact) {
        const cJSON *all = cJSON_GetObjectItemCaseSensitive(reader->json, "pieces");
        size_t number;
        if (!document_index(item, (size_t)cJSON_GetArraySize(all), &number)) {
            document_refuse(reader, "a number names no piece of the region");
            return false;
        }
        const cJSON *row = cJSON_GetArrayItem(all, (int)number);
        guard = cJSON_GetArrayItem(row, 0);
        numerator = cJSON_GetArrayItem(row, 1);
        denominator = cJSON_GetArrayItem(row, 2);
    }
    if (!numerator)
        numerator = cJSON_GetObjectItemCaseSensitive(item, "value");
    if (!cJSON_IsArray(guard))
        return document_refuse(reader, "a piece has no guard");
    if (!document_system_list(reader, guard, true, &piece->guard))
        return false;
    piece->numerator = document_poly(reader, numerator);
    if (!piece->numerator)
        return false;
    if (denominator && !cJSON_IsNull(denominator))
        piece->denominator = document_poly(reader, denominator);
    return !denominator || cJSON_IsNull(denominator) || piece->denominator;
}

static bool need_pieces(struct document_reader *reader, const cJSON *counter,
                        struct document_need *need)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(counter, "value"), *item;
    bool has_parts = cJSON_GetObjectItemCaseSensitive(counter, "numerator");
    bool has_pieces = cJSON_IsArray(value);
    size_t count = has_pieces ? (size_t)cJSON_GetArraySize(value) : 1;
    struct document_piece *pieces = ARENA_ARRAY(reader->ctx->arena, struct document_piece,
                                                count + 1);
    need->pieces = pieces;
    if (!has_parts && (!value || cJSON_IsNull(value)))
        return true;
    if (has_pieces) {
        cJSON_ArrayForEach(item, value)
            if (!piece_read(reader, item, &pieces[need->count++]))
                return false;
        return true;
    }
    need->count = 1;
    pieces->guard = sas_empty(reader->region->ring);
    pieces->numerator = document_poly(reader, has_parts ? cJSON_GetObjectItem(counter, "numerator")
                                                    : value);
    if (has_parts && pieces->numerator)
        pieces->denominator = document_poly(reader, cJSON_GetObjectItem(counter, "denominator"));
    return pieces->numerator && (!has_parts || pieces->denominator);
}

static bool need_parts(struct document_reader *reader, const cJSON *tests,
                       struct document_need *need)
{
    struct document_part *parts = ARENA_ARRAY(reader->ctx->arena, struct document_part,
                                              (size_t)cJSON_GetArraySize(tests) + 1);
    const cJSON *test;
    need->parts = parts;
    cJSON_ArrayForEach(test, tests)
        if (!document_part(reader, test, &parts[need->n_parts++]))
            return false;
    return true;
}

/* A target's value is needed only where forks compare it, and can be where it is of the letters of
   the tree. */
static bool need_read(struct document_reader *reader, const cJSON *value,
                      struct document_need *need)
{
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(value, "tests");
    const struct counter_row *row = counter_by_json(need->counter);
    if (cJSON_IsArray(tests))
        return need_parts(reader, tests, need);
    bool is_asked = need->is_resource || (row && document_asks(reader->region, row->name));
    need->is_foreign = !need->is_resource && is_asked &&
                       cJSON_GetObjectItemCaseSensitive(value, "auxiliary");
    return !is_asked || need->is_foreign || need_pieces(reader, value, need);
}

/* The resources and targets among a leaf's counters. */
static bool needs_read(struct document_reader *reader, const cJSON *counters,
                       struct document_leaf *leaf)
{
    const cJSON *item, *shared = cJSON_GetObjectItemCaseSensitive(reader->json, "counters"),
                       *values = cJSON_GetObjectItemCaseSensitive(reader->json, "values");
    VEC(struct document_need) needs = {0};
    cJSON_ArrayForEach(item, counters) {
        const cJSON *value = item, *properties = item;
        size_t number;
        if (reader->is_compact)
            properties = cJSON_GetObjectItemCaseSensitive(shared, item->string);
        if (cJSON_IsNumber(item)) {
            if (!document_index(item, (size_t)cJSON_GetArraySize(values), &number))
                return document_refuse(reader, "counter '%s' names no value", item->string);
            value = cJSON_GetArrayItem(values, (int)number);
        }
        const char *kind = document_text(reader, properties, "kind");
        if (!kind)
            return false;
        if (strcmp(kind, "report") == 0)
            continue;
        struct document_need need = {.counter = arena_strdup(reader->ctx->arena, item->string)};
        need.is_resource = strcmp(kind, "resource") == 0;
        need.limit = document_text(reader, properties, "limit");
        if (!need.limit || !need_read(reader, value, &need))
            return false;
        vec_push(reader->ctx->arena, &needs, need);
    }
    leaf->needs = needs.at;
    leaf->n_needs = needs.count;
    return true;
}

static const char *codes_read(struct document_reader *reader, const cJSON *codes)
{
    struct str text = str_new(reader->ctx->arena);
    const cJSON *code;
    cJSON_ArrayForEach(code, codes)
        str_addf(&text, "(%s)", cJSON_IsString(code) ? code->valuestring : "?");
    return text.text;
}

/* By name; what the point leaves out is 0. NULL after a diagnostic. */
static const int64_t *point_read(struct document_reader *reader, const cJSON *object)
{
    int64_t *point = ARENA_ARRAY(reader->ctx->arena, int64_t, RING_CAPACITY);
    const cJSON *item;
    cJSON_ArrayForEach(item, object) {
        int variable = ring_find(reader->region->ring, item->string);
        if (variable < 0)
            continue;
        if (cJSON_IsNull(item))
            point[variable] = INT64_MAX;
        else if (!document_integer(item, &point[variable]))
            return document_refuse(
                reader, "the value of '%s' in the witness is no integer below 2^53", item->string);
    }
    return point;
}

static bool box_read(struct document_reader *reader, const cJSON *object,
                     struct document_case *found)
{
    int64_t *lo = ARENA_ARRAY(reader->ctx->arena, int64_t, RING_CAPACITY),
            *hi = ARENA_ARRAY(reader->ctx->arena, int64_t, RING_CAPACITY);
    const cJSON *item;
    cJSON_ArrayForEach(item, object) {
        int variable = ring_find(reader->region->ring, item->string);
        if (variable < 0)
            continue;
        if (!document_integer(cJSON_GetArrayItem(item, 0), &lo[variable]) ||
            !document_integer(cJSON_GetArrayItem(item, 1), &hi[variable]))
            return document_refuse(reader, "the box of '%s' is no [lo, hi]", item->string);
    }
    found->lo = lo;
    found->hi = hi;
    return true;
}

static bool case_read(struct document_reader *reader, const cJSON *item,
                      struct document_case *found)
{
    const cJSON *witness = cJSON_GetObjectItemCaseSensitive(item, "witness"),
                *dead = cJSON_GetObjectItemCaseSensitive(item, "dead"),
                *reason = cJSON_GetObjectItemCaseSensitive(item, "reason"),
                *codes = document_list(reader, item, "codes");
    if (!codes || !document_system(reader, item, "path", true, &found->path) ||
        !document_system(reader, item, "constraints", false, &found->shown))
        return false;
    if (!witness || (!cJSON_IsNull(witness) && !cJSON_IsObject(witness)))
        return document_refuse(reader, "'witness' is neither a point nor null");
    found->codes = codes_read(reader, codes);
    found->reason = cJSON_IsString(reason)
                        ? arena_strdup(reader->ctx->arena, reason->valuestring)
                        : "";
    found->has_point = cJSON_IsObject(witness);
    found->point = point_read(reader, witness);
    return found->point && (!dead || box_read(reader, dead, found));
}

static bool cases_read(struct document_reader *reader, const cJSON *list,
                       struct document_leaf *leaf)
{
    const char *where = reader->where;
    struct document_case *cases = ARENA_ARRAY(reader->ctx->arena, struct document_case,
                                              (size_t)cJSON_GetArraySize(list) + 1);
    const cJSON *item;
    leaf->cases = cases;
    cJSON_ArrayForEach(item, list) {
        reader->where = arena_printf(reader->ctx->arena, "%s, case %zu", where, leaf->n_cases + 1);
        if (!case_read(reader, item, &cases[leaf->n_cases++]))
            return false;
    }
    reader->where = where;
    return true;
}

static const char *strategies_read(struct document_reader *reader, const cJSON *list)
{
    struct str text = str_new(reader->ctx->arena);
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
        str_addf(&text, "%s%s", text.length ? ", " : "",
                 cJSON_IsString(item) ? item->valuestring : "?");
    return text.text;
}

static bool leaf_read(struct document_reader *reader, const cJSON *item, struct document_leaf *leaf)
{
    const cJSON *id = document_member(reader, item, "id", cJSON_IsNumber, "number"),
                *safe =
                    id ? document_member(reader, item, "safe", cJSON_IsBool, "truth value") : NULL;
    if (!safe)
        return false;
    leaf->id = id->valueint;
    leaf->safe = cJSON_IsTrue(safe);
    reader->where = arena_printf(reader->ctx->arena, "region '%s', leaf %d", reader->region->name,
                                 leaf->id);
    const cJSON *systems = document_list(reader, item, "systems"),
                *counters = systems ? document_object(reader, item, "counters") : NULL,
                *strategies = counters ? document_list(reader, item, "strategies") : NULL;
    if (!strategies)
        return false;
    leaf->strategies = strategies_read(reader, strategies);
    return cases_read(reader, systems, leaf) &&
           document_system(reader, item, "fits", false, &leaf->fits) &&
           needs_read(reader, counters, leaf);
}

bool document_leaves(struct document_reader *reader)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(reader->json, "variants"), *item;
    const char *where = reader->where;
    size_t count = (size_t)cJSON_GetArraySize(list);
    struct document_leaf *leaves = ARENA_ARRAY(reader->ctx->arena, struct document_leaf, count + 1);
    reader->region->leaves = leaves;
    cJSON_ArrayForEach(item, list) {
        struct document_leaf *leaf = &leaves[reader->region->n_leaves];
        if (!leaf_read(reader, item, leaf))
            return false;
        if (document_leaf(reader->region, leaf->id))
            return document_refuse(reader, "there are two of this number");
        reader->region->n_leaves++;
        reader->where = where;
    }
    return true;
}
