/* Rows of tables as JSON (emit/tables_json.c), read into the memory that page/engine takes: lists
   of numbers of 16 bits, texts one after the other. */
#include "cli/own_choice.h"
#include "emit/code.h"
#include "emit/emit.h"
#include "page/engine/engine.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

struct own_choice {
    const struct tree *const *trees;
    struct engine_region **regions;
};

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static int64_t number_of(const cJSON *object, const char *name)
{
    const cJSON *number = member(object, name);
    return cJSON_IsNumber(number) ? (int64_t)number->valuedouble : 0;
}

/* The numbers of a list; *count becomes how many there are. */
static const uint16_t *numbers_read(struct arena *arena, const cJSON *list, uint32_t *count)
{
    *count = (uint32_t)cJSON_GetArraySize(list);
    uint16_t *numbers = ARENA_ARRAY(arena, uint16_t, *count + 1);
    const cJSON *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, list) {
        numbers[i++] = (uint16_t)item->valuedouble;
    }
    return numbers;
}

/* A text, or the texts of a list, each ended by a NUL. */
static const char *texts_read(struct arena *arena, const cJSON *texts)
{
    struct str all = str_new(arena);
    const cJSON *item;
    if (cJSON_IsString(texts))
        return arena_strndup(arena, texts->valuestring, strlen(texts->valuestring));
    cJSON_ArrayForEach(item, texts) {
        str_add(&all, item->valuestring);
        str_char(&all, 0);
    }
    str_char(&all, 0);
    return all.text;
}

static const int64_t *constants_read(struct arena *arena, const cJSON *list)
{
    int64_t *constants = ARENA_ARRAY(arena, int64_t, (size_t)cJSON_GetArraySize(list) + 1);
    const cJSON *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, list) {
        constants[i++] = (int64_t)strtoll(item->valuestring, NULL, 10);
    }
    return constants;
}

static struct engine_region *region_read(struct arena *arena, const cJSON *object)
{
    static const char *const lists[ROWS_COUNT] = {
        [ROWS_PARAMETERS] = "parameters", [ROWS_BYTES] = "bytes",
        [ROWS_OPERATIONS] = "operations", [ROWS_LISTS] = "lists",
        [ROWS_CONDITIONS] = "conditions", [ROWS_ASKED] = "asked",
        [ROWS_ACCESSES] = "accesses",     [ROWS_FIGURES] = "figures",
        [ROWS_LAUNCHES] = "launches",     [ROWS_LEAVES] = "leaves",
        [ROWS_STEPS] = "steps",           [ROWS_ENDS] = "ends",
        [ROWS_VARIES] = "varies",         [ROWS_TUNABLES] = "tunables",
        [ROWS_SIZES] = "sizes",       [ROWS_MOVES] = "moves",
        [ROWS_CUTS] = "cuts",         [ROWS_PARTS] = "parts"};
    static const char *const texts[TEXTS_COUNT] = {
        [TEXTS_NAME] = "name",         [TEXTS_FUNCTION] = "function",
        [TEXTS_NAMES] = "names",       [TEXTS_MACHINE] = "machine",
        [TEXTS_CONDITIONS] = "texts",  [TEXTS_WORDS] = "words",
        [TEXTS_DIVISIONS] = "divisions"};
    static const char *const counts[] = {"layout", "shape", "checks", "exact", "exact_varies"};
    const uint16_t **rows = ARENA_ARRAY(arena, const uint16_t *, ROWS_COUNT);
    uint32_t *sizes = ARENA_ARRAY(arena, uint32_t, ROWS_COUNT);
    const char **words = ARENA_ARRAY(arena, const char *, TEXTS_COUNT);
    uint16_t *own = ARENA_ARRAY(arena, uint16_t, sizeof counts / sizeof *counts);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        own[i] = (uint16_t)number_of(object, counts[i]);
    rows[ROWS_COUNTS] = own;
    for (size_t i = ROWS_COUNTS + 1; i < ROWS_COUNT; i++)
        rows[i] = numbers_read(arena, member(object, lists[i]), &sizes[i]);
    for (size_t i = 0; i < TEXTS_COUNT; i++)
        words[i] = texts_read(arena, member(object, texts[i]));
    const cJSON *constants = member(object, "constants");
    return engine_region(rows, sizes, words, constants_read(arena, constants),
                         (size_t)cJSON_GetArraySize(constants),
                         (size_t)cJSON_GetArraySize(member(object, "machine")),
                         (size_t)cJSON_GetArraySize(member(object, "words")));
}

struct own_choice *own_choice_new(struct ctx *ctx, const struct program *program,
                                  const struct tree *const *trees)
{
    struct str text = str_new(ctx->arena);
    struct own_choice *own = ARENA_NEW(ctx->arena, struct own_choice);
    if (!emit_tables_json(ctx, &text, program, trees))
        return NULL;
    cJSON *document = cJSON_Parse(text.text);
    own->trees = trees;
    own->regions = ARENA_ARRAY(ctx->arena, struct engine_region *, program->n_regions + 1);
    for (size_t i = 0; i < program->n_regions; i++) {
        own->regions[i] = region_read(ctx->arena, cJSON_GetArrayItem(document, (int)i));
        if (!own->regions[i]) {
            diag_error(ctx, loc_none(), "%s", engine_message());
            own = NULL;
            break;
        }
    }
    cJSON_Delete(document);
    return own;
}

/* The values of a region's integer parameters at a point. */
static const int64_t *values_at(struct ctx *ctx, const struct tree *tree, const int64_t *point)
{
    const struct kernel *k = tree->region->kernel;
    int64_t *values = ARENA_ARRAY(ctx->arena, int64_t, (size_t)k->n_params + 1);
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        int number = code_integer_parameter(k, name), v = ring_find(tree->ring, name);
        if (number >= 0 && v >= 0)
            values[number] = point[v];
    }
    return values;
}

/* The values of a region's integer parameters; what NAME_auto chooses is 1 there. */
static const int64_t *values_make(struct ctx *ctx, const struct tree *tree,
                                  const struct treefork_machine *machine,
                                  const struct assignments *given)
{
    const struct kernel *k = tree->region->kernel;
    struct assignments set = {0};
    int64_t *point;
    for (size_t i = 0; i < given->list.count; i++)
        vec_push(ctx->arena, &set.list, given->list.at[i]);
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        struct assignment one = {.name = name, .value = 1, .is_whole = true};
        if (k->params[i]->role == ROLE_TUNABLE && !region_default(tree->region, name))
            vec_push(ctx->arena, &set.list, one);
    }
    return point_make(ctx, tree, machine, &set, &point) ? values_at(ctx, tree, point) : NULL;
}

void own_choice_machines(struct own_choice *own, size_t region,
                         const struct treefork_machine *machines, size_t count)
{
    engine_machines(own->regions[region], machines, count);
}

const struct treefork_explained_devices *
own_choice_devices(struct ctx *ctx, struct own_choice *own, size_t region,
                   const struct treefork_machine *machine, const int64_t *point, int leaf)
{
    const int64_t *values = values_at(ctx, own->trees[region], point);
    const struct treefork_explained_devices *told =
        engine_devices_told(own->regions[region], machine, values, leaf);
    if (!told)
        diag_error(ctx, loc_none(), "%s", engine_message());
    return told;
}

bool own_choice_time(struct ctx *ctx, struct own_choice *own, size_t region,
                     const struct treefork_machine *machine, const int64_t *point, int leaf,
                     size_t members, struct treefork_several_time *time, double *bytes)
{
    const int64_t *values = values_at(ctx, own->trees[region], point);
    return engine_devices_time(own->regions[region], machine, values, leaf, members, time, bytes);
}

const char *own_choice_told(struct ctx *ctx, struct own_choice *own, size_t region,
                            const struct treefork_machine *machine, const struct assignments *set,
                            int format)
{
    const int64_t *values = values_make(ctx, own->trees[region], machine, set);
    if (!values)
        return NULL;
    const char *told = engine_choice_told(own->regions[region], machine, values, format);
    if (!told) {
        diag_error(ctx, loc_none(), "%s", engine_message());
        return NULL;
    }
    return arena_strdup(ctx->arena, told);
}
