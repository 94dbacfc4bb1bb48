/* NAME.tree.json. In: the trees. Out: one JSON text by docs/tree.schema.json (explained in
   docs/tree-json.md). Constraints, counters and auxiliary integers are written as the polynomials'
   text, the same that traces and kernels' comments show. cJSON's objects live for the length of
   the call. */
#include "emit/device.h"
#include "emit/emit.h"
#include "emit/json_moves.h"
#include "emit/json_parts.h"
#include "emit/json_share.h"
#include "emit/names.h"
#include <cjson/cJSON.h>

struct json {
    struct ctx *ctx;
    const struct program *program;
    const struct tree *tree;
    const struct leaf_moves *moves;     /* by variant; NULL: the region is no sequence */
};

static cJSON *constraint_json(struct json *json, struct constraint c)
{
    return cJSON_CreateString(constraint_text(json->ctx->arena, c, json->tree->machine));
}

static cJSON *sas_json(struct json *json, struct sas sas)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sas.count; i++)
        cJSON_AddItemToArray(list, constraint_json(json, sas.at[i]));
    return list;
}

static cJSON *witness_json(struct json *json, const struct leaf_system *system)
{
    const struct ring *ring = json->tree->ring;
    cJSON *witness = cJSON_CreateObject();
    for (int v = 0; v < ring_count(ring); v++) {
        int64_t value = system->witness[v];
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)value);
        cJSON_AddItemToObject(witness, ring_name(ring, v),
                              value == INT64_MAX ? cJSON_CreateNull() : cJSON_CreateRaw(text));
    }
    return witness;
}

/* The box of a dead leaf: [lo, hi] by parameter. */
static cJSON *box_json(struct json *json, const struct integer_box *box)
{
    const struct ring *ring = json->tree->ring;
    cJSON *object = cJSON_CreateObject();
    for (int v = 0; v < ring_count(ring); v++) {
        char text[64];
        snprintf(text, sizeof text, "[%lld, %lld]", (long long)box->lo[v], (long long)box->hi[v]);
        cJSON_AddItemToObject(object, ring_name(ring, v), cJSON_CreateRaw(text));
    }
    return object;
}

static cJSON *poly_json(struct json *json, const struct poly *p)
{
    return p ? cJSON_CreateString(poly_text(json->ctx->arena, p)) : cJSON_CreateNull();
}

/* An integer as it is; null where there is none. */
static cJSON *integer_json(bool known, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return known ? cJSON_CreateRaw(text) : cJSON_CreateNull();
}

static cJSON *endpoint_json(const struct endpoint *end)
{
    if (!end->value)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "polynomial", end->value->polynomial);
    cJSON_AddStringToObject(object, "lo", end->value->lo);
    cJSON_AddStringToObject(object, "hi", end->value->hi);
    cJSON_AddStringToObject(object, "decimal", end->decimal);
    cJSON_AddBoolToObject(object, "open", end->open);
    return object;
}

static cJSON *interval_json(const struct interval *interval)
{
    int64_t first = 0, last = 0;
    bool lo = interval_first(interval, &first), hi = interval_last(interval, &last);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "first", integer_json(lo, first));
    cJSON_AddItemToObject(object, "last", integer_json(hi, last));
    cJSON_AddItemToObject(object, "lo", endpoint_json(&interval->lo));
    cJSON_AddItemToObject(object, "hi", endpoint_json(&interval->hi));
    return object;
}

static cJSON *branch_json(struct json *json, const struct branch *branch)
{
    if (!branch->curve)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "curve", poly_json(json, branch->curve));
    cJSON_AddNumberToObject(object, "root", (double)branch->root);
    cJSON_AddBoolToObject(object, "open", branch->open);
    return object;
}

static cJSON *cells_json(struct json *json, const struct leaf_view *view)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < view->n_cells; i++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToObject(object, "lo", endpoint_json(&view->cells[i].x.lo));
        cJSON_AddItemToObject(object, "hi", endpoint_json(&view->cells[i].x.hi));
        cJSON *strips = cJSON_AddArrayToObject(object, "strips");
        for (size_t k = 0; k < view->cells[i].count; k++) {
            cJSON *strip = cJSON_CreateObject();
            cJSON_AddItemToObject(strip, "lo", branch_json(json, &view->cells[i].strips[k].lo));
            cJSON_AddItemToObject(strip, "hi", branch_json(json, &view->cells[i].strips[k].hi));
            cJSON_AddItemToArray(strips, strip);
        }
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static void view_json(struct json *json, cJSON *object, const struct leaf_view *view)
{
    const struct ring *ring = json->tree->ring;
    cJSON *ranges = cJSON_CreateObject();
    for (size_t i = 0; i < view->n_ranges; i++) {
        cJSON *list = cJSON_AddArrayToObject(ranges, ring_name(ring, view->ranges[i].variable));
        for (size_t k = 0; k < view->ranges[i].count; k++)
            cJSON_AddItemToArray(list, interval_json(view->ranges[i].at + k));
    }
    if (view->options->ranges)
        cJSON_AddItemToObject(object, "ranges", ranges);
    else
        cJSON_Delete(ranges);
    if (view->projection) {
        struct str text = str_new(json->ctx->arena);
        cJSON *projection = cJSON_AddObjectToObject(object, "projection"),
              *onto = cJSON_AddArrayToObject(projection, "onto");
        for (size_t i = 0; i < view->options->n_onto; i++)
            cJSON_AddItemToArray(onto, cJSON_CreateString(ring_name(ring, view->options->onto[i])));
        formula_print(&text, view->projection, json->tree->machine);
        cJSON_AddStringToObject(projection, "formula", text.text);
        if (view->cells)
            cJSON_AddItemToObject(projection, "cells", cells_json(json, view));
    }
    if (view->reason)
        cJSON_AddStringToObject(object, "undecided", view->reason);
}

static cJSON *system_json(struct json *json, const struct leaf_system *system)
{
    cJSON *object = cJSON_CreateObject(), *codes = cJSON_AddArrayToObject(object, "codes");
    cJSON_AddItemToObject(object, "constraints", sas_json(json, system->minimal));
    cJSON_AddItemToObject(object, "path", sas_json(json, system->constraints));
    for (size_t i = 0; i < system->n_codes; i++)
        cJSON_AddItemToArray(codes, cJSON_CreateString(system->codes[i]));
    cJSON_AddItemToObject(object, "witness",
                          system->has_witness ? witness_json(json, system) : cJSON_CreateNull());
    if (!system->has_witness)
        cJSON_AddStringToObject(object, "reason",
                                system->reason ? system->reason : "no integer point was found");
    if (system->dead)
        cJSON_AddItemToObject(object, "dead", box_json(json, system->dead));
    cJSON_AddBoolToObject(object, "unknown", system->unknown);
    if (system->view)
        view_json(json, object, system->view);
    return object;
}

/* value, and of a fraction its parts. */
static void piece_json(struct json *json, cJSON *object, const struct counter_piece *piece)
{
    struct arena *arena = json->ctx->arena;
    const char *numerator = poly_text(arena, piece->numerator);
    if (!piece->denominator) {
        cJSON_AddStringToObject(object, "value", numerator);
        return;
    }
    const char *denominator = poly_text(arena, piece->denominator);
    cJSON_AddStringToObject(object, "value",
                            arena_printf(arena, "(%s) / (%s)", numerator, denominator));
    cJSON_AddStringToObject(object, "numerator", numerator);
    cJSON_AddStringToObject(object, "denominator", denominator);
}

static void pieces_json(struct json *json, cJSON *object, const struct counter_value *value)
{
    cJSON *pieces = cJSON_AddArrayToObject(object, "value");
    for (size_t i = 0; i < value->count; i++) {
        cJSON *piece = cJSON_CreateObject();
        cJSON_AddItemToObject(piece, "guard", sas_json(json, value->pieces[i].guard));
        piece_json(json, piece, &value->pieces[i]);
        cJSON_AddStringToObject(piece, "exactness", exactness_name(value->pieces[i].exactness));
        cJSON_AddItemToArray(pieces, piece);
    }
}

/* The definitions of the letters in a figure that is only reported; those of the other figures
   stand with the leaf. */
static void told_json(const struct json *json, cJSON *object, const struct counter_result *result)
{
    const struct counter_value *value = &result->value;
    bool own_ring = value->count && poly_ring(value->pieces[0].numerator) != json->tree->ring;
    for (size_t i = 0; i < value->n_auxiliary && own_ring; i++) {
        cJSON *all = cJSON_GetObjectItem(object, "auxiliary");
        if (counter_value_uses(value, value->auxiliaries[i]->variable))
            cJSON_AddStringToObject(all ? all : cJSON_AddObjectToObject(object, "auxiliary"),
                                    value->auxiliaries[i]->name, value->auxiliaries[i]->text);
    }
}

static cJSON *part_json(struct json *json, cJSON *object, const struct counter_test *part)
{
    cJSON_AddNumberToObject(object, "test", part->id);
    cJSON *keys = cJSON_AddArrayToObject(object, "keys");
    for (size_t i = 0; i < part->n_keys; i++)
        cJSON_AddItemToArray(keys, poly_json(json, part->keys[i]));
    return object;
}

/* What a tree that forks on parts of a target's goal compares; of one machine none is left. */
static void parts_json(struct json *json, cJSON *object, const struct counter_result *result)
{
    if (result->n_parts == 0 || json->tree->numbers)
        return;
    cJSON *tests = cJSON_AddArrayToObject(object, "tests");
    for (size_t i = 0; i < result->n_parts; i++)
        cJSON_AddItemToArray(tests, part_json(json, cJSON_CreateObject(), &result->parts[i]));
}

static cJSON *counter_json(struct json *json, const struct counter_result *result)
{
    const struct counter_value *value = &result->value;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", counter_kind_name(result->counter->kind));
    if (value->count == 0)
        cJSON_AddNullToObject(object, "value");
    else if (value->count == 1 && value->pieces[0].guard.count == 0)
        piece_json(json, object, &value->pieces[0]);
    else
        pieces_json(json, object, value);
    cJSON_AddStringToObject(object, "unit", result->counter->unit);
    cJSON_AddItemToObject(object, "exactness",
                          value->count
                              ? cJSON_CreateString(exactness_name(counter_exactness(value)))
                              : cJSON_CreateNull());
    if (value->n_samples) {
        cJSON_AddNumberToObject(object, "samples", (double)value->n_samples);
        cJSON_AddNumberToObject(object, "residual", (double)value->residual);
    }
    told_json(json, object, result);
    parts_json(json, object, result);
    if (value->count == 0)
        cJSON_AddStringToObject(object, "reason", value->reason ? value->reason : "not evaluated");
    if (result->counter->limit)
        cJSON_AddStringToObject(object, "limit", result->counter->limit);
    return object;
}

static bool parts_use(const struct counter_test *parts, size_t count, int variable)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < parts[i].n_keys; k++)
            if (poly_uses(parts[i].keys[k], variable))
                return true;
    return false;
}

/* Do the keys of a fork use it? Which leaves are concerned is not asked. */
static bool auxiliary_compared(const struct node *node, int variable)
{
    if (!node || node->kind != NODE_FORK)
        return false;
    return (node->part && parts_use(node->part, 1, variable)) ||
           auxiliary_compared(node->accept, variable) || auxiliary_compared(node->refuse, variable);
}

/* Does a counter over the tree's ring use it? */
static bool auxiliary_counted(const struct tree *tree, const struct variant *variant, int variable)
{
    for (size_t i = 0; i < variant->n_counters; i++) {
        const struct counter_result *result = &variant->counters[i];
        const struct counter_value *value = &result->value;
        if (!tree->numbers && parts_use(result->parts, result->n_parts, variable))
            return true;
        if (value->count && poly_ring(value->pieces[0].numerator) == tree->ring &&
            counter_value_uses(value, variable))
            return true;
    }
    return false;
}

static bool auxiliary_used(const struct tree *tree, const struct variant *variant, int variable)
{
    if (auxiliary_counted(tree, variant, variable) || auxiliary_compared(tree->root, variable))
        return true;
    for (size_t i = 0; i < variant->fits.count; i++)
        if (poly_uses(variant->fits.at[i].poly, variable))
            return true;
    for (size_t s = 0; s < variant->n_systems; s++)
        for (size_t i = 0; i < variant->systems[s].constraints.count; i++)
            if (poly_uses(variant->systems[s].constraints.at[i].poly, variable))
                return true;
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (tree->auxiliaries[i]->variable != variable &&
            auxiliary_uses(tree->auxiliaries[i], variable) &&
            auxiliary_used(tree, variant, tree->auxiliaries[i]->variable))
            return true;
    return false;
}

static cJSON *auxiliary_json(struct json *json, const struct variant *variant)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < json->tree->n_auxiliaries; i++) {
        const struct auxiliary *a = json->tree->auxiliaries[i];
        if (auxiliary_used(json->tree, variant, a->variable))
            cJSON_AddStringToObject(object, a->name, a->text);
    }
    return object;
}

static cJSON *kernel_json(struct json *json, const struct kernel *k, const char *entry)
{
    struct arena *arena = json->ctx->arena;
    const char *stem = json->program->stem;
    cJSON *kernel = cJSON_CreateObject(), *files = cJSON_CreateObject();
    cJSON *bindings = cJSON_CreateArray();
    cJSON_AddStringToObject(kernel, "entry", entry);
    cJSON_AddStringToObject(files, "cuda", arena_printf(arena, "%s.cu", stem));
    cJSON_AddStringToObject(files, "opencl", arena_printf(arena, "%s.cl", stem));
    cJSON_AddStringToObject(files, "ptx", arena_printf(arena, "%s.ptx", stem));
    cJSON_AddItemToObject(kernel, "files", files);
    for (int i = 0; i < k->n_params; i++)
        if (device_binds(k, k->params[i]))
            cJSON_AddItemToArray(bindings, cJSON_CreateString(k->params[i]->var->name));
    cJSON_AddItemToObject(kernel, "bindings", bindings);
    return kernel;
}

/* The kernel of every launch, in order. `moves`: NULL as in struct json. */
static cJSON *kernels_json(struct json *json, const struct variant *variant,
                           const struct leaf_moves *moves)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        const char *entry = launch_entry(json->ctx->arena, json->tree, variant, launch);
        cJSON *kernel = kernel_json(json, launch->kernel, entry);
        if (launch->joined) {
            const struct launch joined = launch_joined(launch);
            cJSON_AddStringToObject(
                kernel, "joined",
                launch_entry(json->ctx->arena, json->tree, variant, &joined));
        }
        if (moves)
            cJSON_AddItemToObject(kernel, "moves",
                                  launch_moves_json(json->ctx->arena, &moves->launches[i]));
        if (json->ctx->tells_parts) {
            struct part_cut cut =
                access_cut(json->ctx, launch->kernel, json->tree->region->kernel);
            cJSON_AddItemToObject(kernel, "parts", launch_parts_json(json->ctx->arena, &cut));
        }
        cJSON_AddItemToArray(list, kernel);
    }
    return list;
}

static cJSON *variant_json(struct json *json, const struct variant *variant)
{
    cJSON *object = cJSON_CreateObject(), *counters, *strategies;
    cJSON_AddNumberToObject(object, "id", variant->id);
    cJSON_AddBoolToObject(object, "safe", variant->safe);
    cJSON *systems = cJSON_AddArrayToObject(object, "systems");
    for (size_t i = 0; i < variant->n_systems; i++)
        cJSON_AddItemToArray(systems, system_json(json, &variant->systems[i]));
    cJSON_AddItemToObject(object, "fits", sas_json(json, variant->fits));
    cJSON_AddItemToObject(object, "auxiliary", auxiliary_json(json, variant));
    counters = cJSON_AddObjectToObject(object, "counters");
    for (size_t i = 0; i < variant->n_counters; i++)
        cJSON_AddItemToObject(counters, variant->counters[i].counter->json,
                              counter_json(json, &variant->counters[i]));
    strategies = cJSON_AddArrayToObject(object, "strategies");
    for (size_t i = 0; i < variant->n_strategies; i++)
        cJSON_AddItemToArray(strategies, cJSON_CreateString(variant->strategies[i]->name));
    const struct leaf_moves *moves = json->moves ? &json->moves[variant - json->tree->variants]
                                                 : NULL;
    cJSON_AddItemToObject(object, "kernels", kernels_json(json, variant, moves));
    if (moves)
        cJSON_AddItemToObject(object, "moves", leaf_moves_json(json->ctx->arena, moves));
    return object;
}

static cJSON *node_json(struct json *json, const struct node *node);

static cJSON *branch_node_json(struct json *json, const struct node *node)
{
    return node ? node_json(json, node) : cJSON_CreateNull();
}

static cJSON *node_json(struct json *json, const struct node *node)
{
    cJSON *object = cJSON_CreateObject();
    if (node->kind == NODE_LEAF) {
        cJSON_AddNumberToObject(object, "variant", node->variant);
        cJSON_AddNumberToObject(object, "system", (double)node->system);
        return object;
    }
    cJSON_AddItemToObject(object, "constraint", constraint_json(json, node->constraint));
    cJSON_AddStringToObject(object, "counter", node->counter ? node->counter : "");
    if (node->condition)
        cJSON_AddStringToObject(object, "condition", node->condition);
    if (node->proposed)
        cJSON_AddStringToObject(object, "proposed", node->proposed);
    if (node->part)
        part_json(json, object, node->part);
    cJSON_AddItemToObject(object, "strategy",
                          node->strategy ? cJSON_CreateString(node->strategy) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "accept", branch_node_json(json, node->accept));
    cJSON_AddItemToObject(object, "refuse", branch_node_json(json, node->refuse));
    return object;
}

static void counts_json(cJSON *object, const char *name, const char *first, size_t a,
                        const char *second, size_t b)
{
    cJSON *pair = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(pair, first, (double)a);
    cJSON_AddNumberToObject(pair, second, (double)b);
}

static cJSON *stats_json(const struct tree *tree)
{
    const struct tree_stats *stats = tree->stats;
    cJSON *object = cJSON_CreateObject(), *pruned, *seconds;
    cJSON_AddNumberToObject(object, "nodes", (double)tree->n_nodes);
    cJSON_AddNumberToObject(object, "leaves", (double)tree->n_variants);
    cJSON_AddNumberToObject(object, "undecided", (double)tree->n_unknown);
    cJSON_AddNumberToObject(object, "paths", (double)stats->paths);
    cJSON_AddNumberToObject(object, "kernels", (double)stats->kernels);
    counts_json(object, "merged", "equal_code", stats->leaves_alike, "alike_branches",
                stats->cases_merged);
    pruned = cJSON_AddObjectToObject(object, "pruned");
    counts_json(pruned, "dominated", "leaves", stats->leaves_dominated, "cases",
                stats->cases_dominated);
    counts_json(pruned, "budget", "leaves", stats->leaves_cut, "cases", stats->cases_cut);
    counts_json(object, "questions", "search", (size_t)stats->questions_search, "prune",
                (size_t)stats->questions_prune);
    seconds = cJSON_AddObjectToObject(object, "cpu_seconds");
    for (int i = 0; i < COST_COUNT; i++)
        cJSON_AddNumberToObject(seconds, cost_name(i), stats->seconds[i]);
    return object;
}

static const struct {
    const char *symbol, *key, *unit;
} machine_rows[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) {#symbol, #key, unit},
#include "runtime/machine.def"
#undef X
};

static cJSON *machine_json(const struct tree *tree)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sizeof machine_rows / sizeof *machine_rows; i++) {
        int variable = ring_find(tree->ring, machine_rows[i].symbol);
        if (variable < 0 || !(tree->machine >> variable & 1))
            continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", machine_rows[i].symbol);
        cJSON_AddStringToObject(object, "key", machine_rows[i].key);
        cJSON_AddStringToObject(object, "unit", machine_rows[i].unit);
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static cJSON *parameters_json(const struct tree *tree, enum param_class class)
{
    static const char *const roles[] = {[ROLE_MACHINE] = "machine",
                                        [ROLE_SIZE] = "size",
                                        [ROLE_TUNABLE] = "tunable",
                                        [ROLE_UNIFORM] = "uniform",
                                        [ROLE_VALUE] = "value"};
    const struct kernel *k = tree->region->kernel;
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < k->n_params; i++) {
        const struct param *param = k->params[i];
        if (param->class != class)
            continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", param->var->name);
        cJSON_AddStringToObject(object, "role", roles[param->role]);
        cJSON_AddStringToObject(object, "type", type_name(param->var->type));
        if (param->has_lo)
            cJSON_AddNumberToObject(object, "least", (double)param->lo);
        if (tree->region->defaults[i])
            cJSON_AddNumberToObject(object, "default", (double)tree->region->defaults[i]);
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

/* What a machine's parameters are; null: unlimited. */
static cJSON *numbers_json(const struct tree *tree)
{
    cJSON *object = cJSON_CreateObject();
    for (int v = 0; v < ring_count(tree->ring); v++)
        if (tree->machine >> v & 1)
            cJSON_AddItemToObject(object, ring_name(tree->ring, v),
                                  integer_json(tree->numbers[v] != INT64_MAX, tree->numbers[v]));
    return object;
}

static cJSON *region_json(struct json *json)
{
    const struct tree *tree = json->tree;
    cJSON *object = cJSON_CreateObject(), *parameters = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", tree->region->name);
    cJSON_AddStringToObject(object, "function",
                            json->program->functions[tree->region->function].name);
    cJSON_AddStringToObject(object, "mode", tree->mode == TREE_KEEP ? "keep" : "retract");
    cJSON_AddItemToObject(parameters, "machine", machine_json(tree));
    cJSON_AddItemToObject(parameters, "program", parameters_json(tree, PARAM_PROGRAM));
    cJSON_AddItemToObject(parameters, "data", parameters_json(tree, PARAM_DATA));
    cJSON_AddItemToObject(object, "parameters", parameters);
    if (tree->numbers)
        cJSON_AddItemToObject(object, "numbers", numbers_json(tree));
    cJSON_AddItemToObject(object, "initial", sas_json(json, tree->initial));
    cJSON_AddItemToObject(object, "legality", sas_json(json, tree->region->conditions));
    cJSON_AddItemToObject(object, "tree",
                          tree->root ? node_json(json, tree->root) : cJSON_CreateNull());
    if (tree->stats)
        cJSON_AddItemToObject(object, "stats", stats_json(tree));
    cJSON *variants = cJSON_AddArrayToObject(object, "variants");
    for (size_t i = 0; i < tree->n_variants; i++)
        cJSON_AddItemToArray(variants, variant_json(json, &tree->variants[i]));
    return object;
}

void emit_json(struct ctx *ctx, struct str *out, const struct program *program,
               const struct tree *const *trees, bool compact)
{
    enum { WRITTEN_OUT = 1, COMPACT = 2 };
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", compact ? COMPACT : WRITTEN_OUT);
    cJSON_AddStringToObject(root, "program", program->stem);
    if (ctx->contract)
        cJSON_AddTrueToObject(root, "contract");
    cJSON *regions = cJSON_AddArrayToObject(root, "regions");
    for (size_t r = 0; r < program->n_regions; r++) {
        struct json json = {ctx, program, trees[r], tree_moves(ctx, trees[r])};
        cJSON *region = region_json(&json);
        if (compact)
            json_share(ctx->arena, region);
        cJSON_AddItemToArray(regions, region);
    }
    char *text = compact ? cJSON_PrintUnformatted(root) : cJSON_Print(root);
    if (text)
        str_addf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}
