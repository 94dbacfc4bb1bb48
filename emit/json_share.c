/* The compact layout of tree.json (docs/tree-json.md, "Compact"). In: the tree as JSON, everything
   written out. Out: the same with what the leaves of a region share written once: properties of
   counters, their constraints, pieces and whole values, long polynomials.

   The steps undo one another from the last to the first (tools/tree_json.py does), so that nothing
   is lost. */
#include "emit/json_share.h"
#include "base/map.h"
#include "base/str.h"
#include <string.h>

struct share {
    struct arena *arena;
    cJSON *region;
    struct map *known;              /* list and text of an entry -> its place in the list */
    struct map *occurrences;        /* polynomial -> how often it is written */
};

/* The place of an entry of a list, which is added if no equal one is there. Takes `entry`. */
static int shared_place(struct share *share, const char *list, cJSON *entry)
{
    cJSON *array = cJSON_GetObjectItem(share->region, list);
    char *text = cJSON_PrintUnformatted(entry);
    const char *key = arena_printf(share->arena, "%s %s", list, text);
    const int *known = map_get(share->known, key);
    cJSON_free(text);
    if (known) {
        cJSON_Delete(entry);
        return *known;
    }
    int *place = ARENA_NEW(share->arena, int);
    *place = cJSON_GetArraySize(array);
    map_put(share->known, key, place);
    cJSON_AddItemToArray(array, entry);
    return *place;
}

/* --- numbers for constraints, pieces and values --------------------------------------------- */

/* The constraints of `list` as numbers. */
static cJSON *numbered_constraints(struct share *share, const cJSON *list)
{
    cJSON *numbers = cJSON_CreateArray();
    const cJSON *constraint;
    cJSON_ArrayForEach(constraint, list) {
        int place = shared_place(share, "constraints", cJSON_Duplicate(constraint, true));
        cJSON_AddItemToArray(numbers, cJSON_CreateNumber(place));
    }
    return numbers;
}

/* {guard, numerator, denominator} to [guard, numerator, denominator], {guard, value} to
   [guard, value]; the exactness stands behind where it is not the whole value's. */
static cJSON *shared_piece(struct share *share, const cJSON *piece, const char *exactness)
{
    static const char *const fraction[] = {"numerator", "denominator"};
    cJSON *row = cJSON_CreateArray();
    const char *own = cJSON_GetStringValue(cJSON_GetObjectItem(piece, "exactness"));
    cJSON_AddItemToArray(row, numbered_constraints(share, cJSON_GetObjectItem(piece, "guard")));
    if (cJSON_GetObjectItem(piece, "numerator")) {
        for (size_t i = 0; i < 2; i++) {
            const cJSON *part = cJSON_GetObjectItem(piece, fraction[i]);
            cJSON_AddItemToArray(row, cJSON_Duplicate(part, true));
        }
    } else {
        cJSON_AddItemToArray(row, cJSON_Duplicate(cJSON_GetObjectItem(piece, "value"), true));
        cJSON_AddItemToArray(row, cJSON_CreateNull());
    }
    if (own && exactness && strcmp(own, exactness) != 0)
        cJSON_AddItemToArray(row, cJSON_CreateString(own));
    return row;
}

static void share_pieces(struct share *share, cJSON *counter)
{
    const char *exactness = cJSON_GetStringValue(cJSON_GetObjectItem(counter, "exactness"));
    const cJSON *value = cJSON_GetObjectItem(counter, "value"), *piece;
    cJSON *numbers;
    if (!cJSON_IsArray(value)) {
        if (cJSON_GetObjectItem(counter, "numerator"))
            cJSON_DeleteItemFromObject(counter, "value");
        return;
    }
    numbers = cJSON_CreateArray();
    cJSON_ArrayForEach(piece, value) {
        int place = shared_place(share, "pieces", shared_piece(share, piece, exactness));
        cJSON_AddItemToArray(numbers, cJSON_CreateNumber(place));
    }
    cJSON_ReplaceItemInObject(counter, "value", numbers);
}

/* What every leaf says of a counter goes to the region. */
static void share_properties(struct share *share, cJSON *counter)
{
    static const char *const members[] = {"kind", "unit", "limit"};
    cJSON *all = cJSON_GetObjectItem(share->region, "counters");
    cJSON *properties = cJSON_GetObjectItem(all, counter->string);
    bool is_new = !properties;
    if (is_new)
        properties = cJSON_AddObjectToObject(all, counter->string);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        cJSON *member = cJSON_DetachItemFromObject(counter, members[i]);
        if (member && is_new)
            cJSON_AddItemToObject(properties, members[i], member);
        else
            cJSON_Delete(member);
    }
}

static void share_variant(struct share *share, cJSON *variant)
{
    cJSON *counter, *system;
    cJSON_ArrayForEach(counter, cJSON_GetObjectItem(variant, "counters")) {
        share_properties(share, counter);
        share_pieces(share, counter);
    }
    cJSON_ArrayForEach(system, cJSON_GetObjectItem(variant, "systems")) {
        cJSON *path = numbered_constraints(share, cJSON_GetObjectItem(system, "path"));
        cJSON_ReplaceItemInObject(system, "path", path);
    }
}

/* --- polynomials ------------------------------------------------------------------------------ */

/* "2*s*B + 2 <= Z_B" to "2*s*B+2<=Z_B". */
static char *without_spaces(struct arena *arena, const char *text)
{
    struct str out = str_new(arena);
    for (; *text; text++)
        if (*text != ' ')
            str_char(&out, *text);
    return out.text;
}

/* The sides of a constraint, or the one polynomial that the text is. */
struct sides_of_text {
    int count;
    char *text[2];
    char *relation;
};

static struct sides_of_text sides_of(struct arena *arena, const char *text)
{
    size_t left = strcspn(text, "<>=!"), relation = strspn(text + left, "<>=!");
    struct sides_of_text parts = {.count = 1, .relation = ""};
    parts.text[0] = arena_strndup(arena, text, left);
    if (relation == 0)
        return parts;
    parts.count = 2;
    parts.relation = arena_strndup(arena, text + left, relation);
    parts.text[1] = arena_strdup(arena, text + left + relation);
    return parts;
}

typedef const char *rewrite(struct share *share, const char *text);

static const char *count_text(struct share *share, const char *text)
{
    const char *plain = without_spaces(share->arena, text);
    struct sides_of_text parts = sides_of(share->arena, plain);
    for (int i = 0; i < parts.count; i++) {
        int *count = map_get(share->occurrences, parts.text[i]);
        if (!count) {
            count = ARENA_NEW(share->arena, int);
            *count = 0;
            map_put(share->occurrences, parts.text[i], count);
        }
        *count += 1;
    }
    return plain;
}

/* A polynomial that is written often enough as "#n". */
static const char *part_text(struct share *share, const char *text)
{
    enum { REFERENCE = 5, LEAST = 9 };
    const int *count = map_get(share->occurrences, text);
    size_t length = strlen(text), times = count ? (size_t)*count : 0;
    if (length < LEAST || times * length <= length + 4 + REFERENCE * times)
        return text;
    return arena_printf(share->arena, "#%d",
                        shared_place(share, "polynomials", cJSON_CreateString(text)));
}

static const char *replace_text(struct share *share, const char *text)
{
    struct sides_of_text parts = sides_of(share->arena, text);
    const char *left = part_text(share, parts.text[0]);
    const char *right = parts.count > 1 ? part_text(share, parts.text[1]) : "";
    return arena_printf(share->arena, "%s%s%s", left, parts.relation, right);
}

/* Texts that are no polynomials keep their words. */
static bool is_prose(const cJSON *item)
{
    return item->string && (!strcmp(item->string, "exactness") || !strcmp(item->string, "reason"));
}

static void rewrite_texts(struct share *share, cJSON *item, rewrite *function)
{
    cJSON *child;
    if (is_prose(item))
        return;
    if (cJSON_IsString(item))
        cJSON_SetValuestring(item, function(share, item->valuestring));
    cJSON_ArrayForEach(child, item)
        rewrite_texts(share, child, function);
}

/* The exactness of a piece stands last in its row and is no polynomial. */
static void rewrite_piece(struct share *share, cJSON *piece, rewrite *function)
{
    for (int i = 1; i <= 2; i++)
        rewrite_texts(share, cJSON_GetArrayItem(piece, i), function);
}

static void rewrite_region(struct share *share, rewrite *function)
{
    cJSON *variant, *piece;
    cJSON_ArrayForEach(variant, cJSON_GetObjectItem(share->region, "variants"))
        rewrite_texts(share, cJSON_GetObjectItem(variant, "counters"), function);
    cJSON_ArrayForEach(piece, cJSON_GetObjectItem(share->region, "pieces"))
        rewrite_piece(share, piece, function);
    rewrite_texts(share, cJSON_GetObjectItem(share->region, "constraints"), function);
}

/* --- whole values ----------------------------------------------------------------------------- */

static bool is_repeated(const cJSON *counter, const struct map *times)
{
    char *text = cJSON_PrintUnformatted(counter);
    const int *count = map_get(times, text);
    cJSON_free(text);
    return count && *count > 1;
}

static struct map *value_times(struct share *share)
{
    struct map *times = map_new(share->arena);
    cJSON *variant, *counter;
    cJSON_ArrayForEach(variant, cJSON_GetObjectItem(share->region, "variants"))
        cJSON_ArrayForEach(counter, cJSON_GetObjectItem(variant, "counters")) {
            char *text = cJSON_PrintUnformatted(counter);
            int *count = map_get(times, text);
            if (!count) {
                count = ARENA_NEW(share->arena, int);
                *count = 0;
                map_put(times, text, count);
            }
            *count += 1;
            cJSON_free(text);
        }
    return times;
}

static void share_values(struct share *share)
{
    struct map *times = value_times(share);
    cJSON *variant, *counter;
    cJSON_ArrayForEach(variant, cJSON_GetObjectItem(share->region, "variants")) {
        cJSON *counters = cJSON_GetObjectItem(variant, "counters"), *values = cJSON_CreateObject();
        cJSON_ArrayForEach(counter, counters) {
            bool repeated = is_repeated(counter, times);
            cJSON *value = cJSON_Duplicate(counter, true);
            if (repeated)
                value = cJSON_CreateNumber(shared_place(share, "values", value));
            cJSON_AddItemToObject(values, counter->string, value);
        }
        cJSON_ReplaceItemInObject(variant, "counters", values);
    }
}

void json_share(struct arena *arena, cJSON *region)
{
    static const char *const lists[] = {"polynomials", "constraints", "pieces", "values"};
    struct share share = {.arena = arena, .region = region, .known = map_new(arena),
                          .occurrences = map_new(arena)};
    cJSON *variant;
    cJSON_AddObjectToObject(region, "counters");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cJSON_AddArrayToObject(region, lists[i]);
    cJSON_ArrayForEach(variant, cJSON_GetObjectItem(region, "variants"))
        share_variant(&share, variant);
    rewrite_region(&share, count_text);
    rewrite_region(&share, replace_text);
    share_values(&share);
}
