/* The reader of tree.json. In: a text in either layout. Out: its regions over rings of their own,
   in which every name of every constraint is known. The first member that is missing or of another
   kind ends it with a message that says where. cJSON's objects live for the length of the call. */
#include "base/vec.h"
#include "claims/reader.h"
#include <string.h>

enum { WRITTEN_OUT = 1, COMPACT = 2 };

/* --- parameters and auxiliary integers ------------------------------------------------------- */

/* A new variable; -1 after a diagnostic. */
static int variable_add(struct document_reader *reader, const char *name)
{
    struct ring *ring = reader->region->ring;
    if (ring_find(ring, name) >= 0) {
        document_refuse(reader, "'%s' is declared twice", name);
        return -1;
    }
    int variable = ring_variable(ring, name);
    if (variable < 0)
        document_refuse(reader, "there are more than %d parameters", (int)RING_CAPACITY);
    return variable;
}

static bool parameters_read(struct document_reader *reader, const cJSON *list, bool are_machine)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        const cJSON *role = cJSON_GetObjectItemCaseSensitive(item, "role");
        const char *name = document_text(reader, item, "name");
        if (!name)
            return false;
        if (cJSON_IsString(role) && strcmp(role->valuestring, "value") == 0)
            continue;
        int variable = variable_add(reader, name);
        if (variable < 0)
            return false;
        if (are_machine)
            reader->region->machine |= (uint64_t)1 << variable;
    }
    return true;
}

static bool parameters_take(struct document_reader *reader)
{
    static const char *const classes[] = {"machine", "program", "data"};
    const cJSON *all = document_object(reader, reader->json, "parameters");
    if (!all)
        return false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        const cJSON *list = document_list(reader, all, classes[i]);
        if (!list || !parameters_read(reader, list, i == 0))
            return false;
    }
    return true;
}

typedef VEC(struct document_auxiliary) auxiliary_list;

/* One that a leaf defines; another leaf's must be the same. */
static bool auxiliary_declare(struct document_reader *reader, const cJSON *item,
                              auxiliary_list *list)
{
    const char *name = item->string;
    if (!cJSON_IsString(item)) {
        document_refuse(reader, "the definition of '%s' is no text", name);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->at[i].name, name) != 0)
            continue;
        if (strcmp(list->at[i].text, item->valuestring) == 0)
            return true;
        document_refuse(reader, "'%s' has two definitions, '%s' and '%s'", name, list->at[i].text,
               item->valuestring);
        return false;
    }
    struct document_auxiliary auxiliary = {arena_strdup(reader->ctx->arena, name),
                                           arena_strdup(reader->ctx->arena, item->valuestring),
                                           variable_add(reader, name), NULL, NULL};
    if (auxiliary.variable < 0)
        return false;
    vec_push(reader->ctx->arena, list, auxiliary);
    return true;
}

static bool is_defined_before(const auxiliary_list *list, size_t i)
{
    for (size_t k = i; k < list->count; k++)
        if (term_uses(list->at[i].term, list->at[k].variable))
            return false;
    return true;
}

/* Puts those first that the others use; false if they define one another in a circle. */
static bool auxiliaries_sort(auxiliary_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t next = i;
        while (next < list->count) {
            struct document_auxiliary held = list->at[next];
            list->at[next] = list->at[i];
            list->at[i] = held;
            if (is_defined_before(list, i))
                break;
            next++;
        }
        if (next == list->count)
            return false;
    }
    return true;
}

static bool auxiliaries_define(struct document_reader *reader, auxiliary_list *list)
{
    struct ring *ring = reader->region->ring;
    for (size_t i = 0; i < list->count; i++) {
        struct document_auxiliary *a = &list->at[i];
        const char *why = NULL;
        a->term = term_read(ring, a->text, &why);
        if (!a->term) {
            document_refuse(reader, "the definition of '%s': %s", a->name, why ? why : "too large");
            return false;
        }
        a->facts = term_facts(reader->ctx->arena, a->term, poly_variable(ring, a->variable));
    }
    if (auxiliaries_sort(list))
        return true;
    document_refuse(reader, "the auxiliary integers are defined in a circle");
    return false;
}

static bool auxiliaries_take(struct document_reader *reader)
{
    auxiliary_list list = {0};
    const cJSON *leaf, *definition;
    cJSON_ArrayForEach(leaf, cJSON_GetObjectItemCaseSensitive(reader->json, "variants")) {
        const cJSON *all = document_object(reader, leaf, "auxiliary");
        if (!all)
            return false;
        cJSON_ArrayForEach(definition, all)
            if (!auxiliary_declare(reader, definition, &list))
                return false;
    }
    if (!auxiliaries_define(reader, &list))
        return false;
    reader->region->auxiliaries = list.at;
    reader->region->n_auxiliaries = list.count;
    return true;
}

/* A text or null; `present` false after a diagnostic. */
static const char *text_or_null(struct document_reader *reader, const cJSON *object,
                                const char *name, bool *present)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    *present = item && (cJSON_IsNull(item) || cJSON_IsString(item));
    if (!*present)
        document_refuse(reader, "'%s' is neither a text nor null", name);
    return *present && item->valuestring ? arena_strdup(reader->ctx->arena, item->valuestring)
                                         : NULL;
}

/* --- the tree -------------------------------------------------------------------------------- */

static bool place_read(struct document_reader *reader, const cJSON *item,
                       struct document_node *node)
{
    const cJSON *leaf = document_member(reader, item, "variant", cJSON_IsNumber, "number");
    size_t system;
    if (!leaf)
        return false;
    if (!document_index(cJSON_GetObjectItemCaseSensitive(item, "system"), INT32_MAX, &system))
        return document_refuse(reader, "'system' of a place in the tree is no number from 0");
    node->leaf = leaf->valueint;
    node->system = system;
    return true;
}

static bool fork_read(struct document_reader *reader, const cJSON *item, struct document_node *node)
{
    bool present = true;
    const cJSON *condition = cJSON_GetObjectItemCaseSensitive(item, "condition");
    node->is_fork = true;
    node->counter = document_text(reader, item, "counter");
    if (!node->counter ||
        !document_constraint(reader, cJSON_GetObjectItemCaseSensitive(item, "constraint"),
                         &node->constraint))
        return false;
    node->strategy = text_or_null(reader, item, "strategy", &present);
    if (present && condition)
        node->condition = text_or_null(reader, item, "condition", &present);
    if (present && cJSON_GetObjectItemCaseSensitive(item, "proposed"))
        node->proposed = text_or_null(reader, item, "proposed", &present);
    if (!present || !cJSON_GetObjectItemCaseSensitive(item, "test"))
        return present;
    struct document_part *part = ARENA_NEW(reader->ctx->arena, struct document_part);
    node->part = part;
    return document_part(reader, item, part);
}

/* `slot` is what the node is hung into. */
struct document_step {
    const cJSON *item;
    const struct document_node **slot;
};

static bool tree_take(struct document_reader *reader)
{
    struct arena *arena = reader->ctx->arena;
    VEC(struct document_step) todo = {0};
    const char *where = reader->where;
    reader->where = arena_printf(arena, "%s, its tree", where);
    struct document_step step = {cJSON_GetObjectItemCaseSensitive(reader->json, "tree"),
                                 &reader->region->root};
    vec_push(arena, &todo, step);
    while (todo.count) {
        step = vec_pop(&todo);
        struct document_node *node = ARENA_NEW(arena, struct document_node);
        if (cJSON_IsNull(step.item))
            continue;
        if (!cJSON_IsObject(step.item))
            return document_refuse(reader,
                                   "a part of 'tree' is neither a fork nor a place nor null");
        *step.slot = node;
        if (!cJSON_GetObjectItemCaseSensitive(step.item, "constraint")) {
            if (!place_read(reader, step.item, node))
                return false;
            continue;
        }
        if (!fork_read(reader, step.item, node))
            return false;
        const cJSON *accept = cJSON_GetObjectItemCaseSensitive(step.item, "accept"),
                    *refused = cJSON_GetObjectItemCaseSensitive(step.item, "refuse");
        vec_push(arena, &todo, ((struct document_step){refused, &node->refuse}));
        vec_push(arena, &todo, ((struct document_step){accept, &node->accept}));
    }
    reader->where = where;
    return true;
}

/* --- the whole ------------------------------------------------------------------------------- */

/* The numbers of a machine, where the tree is one machine's, as equations of the initial system. */
static bool numbers_take(struct document_reader *reader)
{
    struct document_region *region = reader->region;
    const cJSON *numbers = cJSON_GetObjectItemCaseSensitive(reader->json, "numbers"), *item;
    cJSON_ArrayForEach(item, numbers) {
        int variable = ring_find(region->ring, item->string);
        int64_t value;
        if (variable < 0 || !(region->machine >> variable & 1))
            return document_refuse(reader, "'%s' in 'numbers' is no machine parameter",
                                   item->string);
        if (cJSON_IsNull(item)) {
            region->unlimited |= (uint64_t)1 << variable;
            continue;
        }
        if (!document_integer(item, &value))
            return document_refuse(reader, "'%s' in 'numbers' is no integer", item->string);
        region->initial = sas_add(reader->ctx->arena, region->initial,
                                  constraint_make(poly_variable(region->ring, variable),
                                                  RELATION_EQ, poly_integer(region->ring, value)));
    }
    return true;
}

static bool region_read(struct document_reader *reader, const cJSON *item,
                        struct document_region *region)
{
    static const char *const shared[] = {"polynomials", "constraints", "pieces", "values"};
    reader->json = item;
    reader->region = region;
    region->name = document_text(reader, item, "name");
    if (!region->name)
        return false;
    reader->where = arena_printf(reader->ctx->arena, "region '%s'", region->name);
    for (size_t i = 0; reader->is_compact && i < sizeof shared / sizeof *shared; i++)
        if (!document_list(reader, item, shared[i]))
            return false;
    const char *mode = document_text(reader, item, "mode");
    if (!mode || !document_list(reader, item, "variants") ||
        (reader->is_compact && !document_object(reader, item, "counters")))
        return false;
    region->keeps = strcmp(mode, "keep") == 0;
    if (!region->keeps && strcmp(mode, "retract") != 0)
        return document_refuse(reader, "the mode '%s' is neither keep nor retract", mode);
    region->ring = ring_new(reader->ctx->arena);
    return parameters_take(reader) && auxiliaries_take(reader) &&
           document_system(reader, item, "initial", false, &region->initial) &&
           numbers_take(reader) && tree_take(reader) && document_leaves(reader);
}

static bool schema_take(struct document_reader *reader, const cJSON *root)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
    if (!cJSON_IsNumber(schema))
        return document_refuse(reader, "it is no tree.json: 'schema' is missing");
    reader->is_compact = schema->valueint == COMPACT;
    if (reader->is_compact || schema->valueint == WRITTEN_OUT)
        return true;
    return document_refuse(reader,
                  "it is a tree.json of schema %d, and this treefork reads %d and %d: write it "
                  "anew by `treefork build`",
                  schema->valueint, (int)WRITTEN_OUT, (int)COMPACT);
}

static const struct document *root_read(struct document_reader *reader, const cJSON *root)
{
    struct document *document = ARENA_NEW(reader->ctx->arena, struct document);
    if (!schema_take(reader, root))
        return NULL;
    document->path = reader->path;
    document->program = document_text(reader, root, "program");
    const cJSON *list = document->program ? document_list(reader, root, "regions") : NULL, *item;
    if (!list)
        return NULL;
    struct document_region *regions = ARENA_ARRAY(reader->ctx->arena, struct document_region,
                                                  (size_t)cJSON_GetArraySize(list) + 1);
    document->regions = regions;
    cJSON_ArrayForEach(item, list) {
        reader->where = arena_printf(reader->ctx->arena, "region %zu", document->n_regions + 1);
        if (!region_read(reader, item, &regions[document->n_regions++]))
            return NULL;
        reader->where = "";
    }
    return document;
}

/* Line and column of a place in a text. */
static void place_of(const char *text, const char *at, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (; text < at && *text; text++) {
        *column = *text == '\n' ? 1 : *column + 1;
        *line += *text == '\n';
    }
}

cJSON *document_json(struct ctx *ctx, const char *path, const char *text)
{
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithOpts(text, &end, true);
    if (root)
        return root;
    unsigned line, column;
    place_of(text, end ? end : text, &line, &column);
    diag_error(ctx, loc_none(), "%s:%u:%u: no JSON from here on", path, line, column);
    return NULL;
}

const struct document *document_read(struct ctx *ctx, const char *path, const char *text)
{
    struct document_reader reader = {.ctx = ctx, .path = path, .where = ""};
    cJSON *root = document_json(ctx, path, text);
    const struct document *document = root ? root_read(&reader, root) : NULL;
    cJSON_Delete(root);
    return document;
}

const struct document_leaf *document_leaf(const struct document_region *region, int id)
{
    for (size_t i = 0; i < region->n_leaves; i++)
        if (region->leaves[i].id == id)
            return &region->leaves[i];
    return NULL;
}

static bool node_asks(const struct document_node *node, const char *counter)
{
    if (!node || !node->is_fork)
        return false;
    return (!node->condition && strcmp(node->counter, counter) == 0) ||
           node_asks(node->accept, counter) || node_asks(node->refuse, counter);
}

bool document_asks(const struct document_region *region, const char *counter)
{
    return node_asks(region->root, counter);
}
