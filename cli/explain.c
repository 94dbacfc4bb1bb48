/* treefork explain: at one point (machine and parameters) the path through the tree, each
   inequality with its numbers, the leaf with its codes, and the runner-up with what excluded it.
   The runner-up is the variant preferred most among those before the chosen one (accept-first
   order), or the next one if the first was taken. */
#include "cli/predict.h"
#include "cli/question.h"
#include <cjson/cJSON.h>
#include <string.h>

const struct option_row explain_rows[] = {
    {"--machine", "FILE.json", "the machine asked about"},
    {"--set", "NAME=VALUE,…", "values of program and data parameters"},
    {"--json", NULL, "as JSON"},
    INPUT_ROWS,
#include "cli/transformation_rows.h"
    TREE_ROWS,
};
const size_t explain_row_count = sizeof explain_rows / sizeof explain_rows[0];

struct explanation {
    struct ctx *ctx;
    const struct tree *tree;
    const struct treefork_machine *machine;
    const int64_t *point;
    int chosen;                      /* index of the variant */
    size_t system;
};

static const struct variant *chosen(const struct explanation *e)
{
    return &e->tree->variants[e->chosen];
}

/* The sign query "does every constraint hold", and the first one that does not. */
static bool excluded_by(const struct explanation *e, struct sas sas, struct constraint *first)
{
    for (size_t i = 0; i < sas.count; i++)
        if (constraint_truth(e->tree, sas.at[i], e->point) <= 0) {
            *first = sas.at[i];
            return true;
        }
    return false;
}

static int runner_up(const struct explanation *e)
{
    return e->chosen > 0 ? e->chosen - 1 : e->tree->n_variants > 1 ? 1 : -1;
}

/* Why the runner-up was not taken: the first false condition of what it needs, else of its case. */
static const char *runner_up_reason(const struct explanation *e, const struct variant *other)
{
    struct constraint c;
    struct str text = str_new(e->ctx->arena);
    if (excluded_by(e, other->fits, &c)) {
        str_add(&text, "does not fit: ");
        constraint_explain(&text, e->tree, c, e->point);
    } else if (other->safe) {
        str_add(&text, "the safe leaf is taken only where no other accepts");
    } else if (other->n_systems && excluded_by(e, other->systems[0].minimal, &c)) {
        str_add(&text, "fits, but its case is another: ");
        constraint_explain(&text, e->tree, c, e->point);
    } else {
        str_add(&text, "fits, but has no case of its own here");
    }
    return text.text;
}

static void print_codes(struct str *out, const struct leaf_system *system)
{
    for (size_t i = 0; i < system->n_codes; i++)
        str_addf(out, "(%s)", system->codes[i]);
}

/* Does the leaf fit at the point? Then the model's time for it, or why there is none. */
static bool leaf_timed(const struct explanation *e, const struct variant *v, struct leaf_time *time,
                       const char **reason)
{
    struct constraint c;
    if (excluded_by(e, v->fits, &c))
        return false;
    *reason = leaf_predict(e->ctx, e->tree, v, e->machine, e->point, time);
    return true;
}

static void predictions_text(struct str *out, const struct explanation *e)
{
    str_add(out, "  predicted times (a model's numbers, not measured):\n");
    for (size_t i = 0; i < e->tree->n_variants; i++) {
        struct leaf_time time;
        const char *reason;
        if (!leaf_timed(e, &e->tree->variants[i], &time, &reason))
            continue;
        str_addf(out, "    leaf %d: ", e->tree->variants[i].id);
        if (reason)
            str_addf(out, "none: %s\n", reason);
        else
            str_addf(out,
                     "%.3f us = launch %.3f + root of squares (most: %s) of memory %.3f, "
                     "compute %.3f, latency %.3f\n",
                     time.prediction.nanoseconds / 1e3, time.prediction.launch / 1e3,
                     time.prediction.bound, time.prediction.memory / 1e3,
                     time.prediction.compute / 1e3, time.prediction.latency / 1e3);
    }
}

static void explain_text(struct str *out, const struct explanation *e)
{
    const struct variant *v = chosen(e);
    str_addf(out, "%s\n", e->tree->region->name);
    const struct node *n = e->tree->root;
    while (n && n->kind == NODE_FORK) {
        str_addf(out, "  %-20s ", n->counter ? n->counter : "");
        int truth = constraint_explain(out, e->tree, n->constraint, e->point);
        str_add(out, truth > 0 ? ": accept" : ": refuse");
        const char *strategy = truth > 0 ? n->condition : n->strategy;
        if (strategy)
            str_addf(out, ", apply %s", strategy);
        str_char(out, '\n');
        n = truth > 0 ? n->accept : n->refuse;
    }
    str_addf(out, "  leaf %d%s", v->id, v->safe ? " (safe)" : "");
    if (v->n_systems) {
        str_add(out, "  codes ");
        print_codes(out, &v->systems[e->system]);
    }
    str_char(out, '\n');
    for (size_t i = 0; v->n_systems && i < v->systems[e->system].minimal.count; i++) {
        str_add(out, "    ");
        constraint_explain(out, e->tree, v->systems[e->system].minimal.at[i], e->point);
        str_char(out, '\n');
    }
    int other = runner_up(e);
    if (other >= 0)
        str_addf(out, "  runner-up: leaf %d: %s\n", e->tree->variants[other].id,
                 runner_up_reason(e, &e->tree->variants[other]));
    predictions_text(out, e);
}

static cJSON *constraint_json(const struct explanation *e, struct constraint c)
{
    cJSON *object = cJSON_CreateObject();
    struct str text = str_new(e->ctx->arena), numbers = str_new(e->ctx->arena);
    constraint_print(&text, c, e->tree->machine);
    int truth = constraint_explain(&numbers, e->tree, c, e->point);
    cJSON_AddStringToObject(object, "constraint", text.text);
    cJSON_AddStringToObject(object, "numbers", numbers.text);
    cJSON_AddBoolToObject(object, "holds", truth > 0);
    return object;
}

static cJSON *path_json(const struct explanation *e)
{
    cJSON *path = cJSON_CreateArray();
    const struct node *n = e->tree->root;
    while (n && n->kind == NODE_FORK) {
        bool accept = constraint_truth(e->tree, n->constraint, e->point) > 0;
        cJSON *step = constraint_json(e, n->constraint);
        cJSON_AddStringToObject(step, "counter", n->counter ? n->counter : "");
        const char *strategy = accept ? n->condition : n->strategy;
        if (strategy)
            cJSON_AddStringToObject(step, "strategy", strategy);
        cJSON_AddItemToArray(path, step);
        n = accept ? n->accept : n->refuse;
    }
    return path;
}

/* The terms of the model in nanoseconds; instructions and cycles of waiting of one thread; the
   extents of the first launch. */
static void prediction_json(cJSON *leaf, const struct leaf_time *time)
{
    const struct treefork_prediction *p = &time->prediction;
    cJSON_AddNumberToObject(leaf, "memory", p->memory);
    cJSON_AddNumberToObject(leaf, "compute", p->compute);
    cJSON_AddNumberToObject(leaf, "latency", p->latency);
    cJSON_AddNumberToObject(leaf, "instructions", p->instructions);
    cJSON_AddNumberToObject(leaf, "waits", p->waits);
    const struct launch_time *launch = &time->launches[0];
    cJSON_AddNumberToObject(leaf, "threads", (double)launch->figures.threads);
    cJSON_AddNumberToObject(leaf, "block_width", (double)launch->figures.width);
    cJSON_AddNumberToObject(leaf, "blocks", (double)launch->figures.blocks);
    cJSON_AddNumberToObject(leaf, "grid_width", (double)launch->grid_width);
}

static cJSON *predictions_json(const struct explanation *e)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < e->tree->n_variants; i++) {
        struct leaf_time time;
        const char *reason;
        if (!leaf_timed(e, &e->tree->variants[i], &time, &reason))
            continue;
        cJSON *leaf = cJSON_CreateObject();
        cJSON_AddNumberToObject(leaf, "leaf", e->tree->variants[i].id);
        cJSON_AddItemToObject(leaf, "nanoseconds",
                              reason ? cJSON_CreateNull()
                                     : cJSON_CreateNumber(time.prediction.nanoseconds));
        cJSON_AddStringToObject(leaf, reason ? "reason" : "bound",
                                reason ? reason : time.prediction.bound);
        if (!reason)
            prediction_json(leaf, &time);
        cJSON_AddItemToArray(array, leaf);
    }
    return array;
}

static cJSON *explain_json(const struct explanation *e)
{
    const struct variant *v = chosen(e);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "region", e->tree->region->name);
    cJSON_AddNumberToObject(object, "leaf", v->id);
    cJSON_AddBoolToObject(object, "safe", v->safe);
    cJSON_AddItemToObject(object, "path", path_json(e));
    cJSON *codes = cJSON_AddArrayToObject(object, "codes"),
          *system = cJSON_AddArrayToObject(object, "constraints");
    for (size_t i = 0; v->n_systems && i < v->systems[e->system].n_codes; i++)
        cJSON_AddItemToArray(codes, cJSON_CreateString(v->systems[e->system].codes[i]));
    for (size_t i = 0; v->n_systems && i < v->systems[e->system].minimal.count; i++)
        cJSON_AddItemToArray(system, constraint_json(e, v->systems[e->system].minimal.at[i]));
    int other = runner_up(e);
    if (other >= 0) {
        cJSON *second = cJSON_AddObjectToObject(object, "runner_up");
        cJSON_AddNumberToObject(second, "leaf", e->tree->variants[other].id);
        cJSON_AddStringToObject(second, "excluded_by",
                                runner_up_reason(e, &e->tree->variants[other]));
    }
    cJSON_AddItemToObject(object, "predicted", predictions_json(e));
    return object;
}

static enum exit_code explain_tree(struct explanation *e, const struct assignments *set)
{
    int64_t *point;
    if (!point_make(e->ctx, e->tree, e->machine, set, &point))
        return EXIT_USAGE;
    e->point = point;
    e->chosen = tree_select(e->tree, point, &e->system);
    if (e->chosen >= 0)
        return EXIT_DONE;
    diag_error(e->ctx, loc_none(), "region %s: a condition leaves 64 bits at these values",
               e->tree->region->name);
    return EXIT_INPUT;
}

enum exit_code command_explain(struct ctx *ctx, const struct command_line *line)
{
    struct question question;
    enum exit_code code = question_read(ctx, line, &question);
    if (code != EXIT_DONE)
        return code;
    struct str out = str_new(ctx->arena);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < question.program->n_regions && code == EXIT_DONE; i++) {
        struct explanation e = {.ctx = ctx,
                                .tree = question.trees[i],
                                .machine = &question.machine};
        code = explain_tree(&e, &question.set);
        if (code == EXIT_DONE)
            explain_text(&out, &e);
        if (code == EXIT_DONE)
            cJSON_AddItemToArray(array, explain_json(&e));
    }
    char *json = cJSON_Print(array);
    if (code == EXIT_DONE)
        printf("%s%s", option_flag(line, "--json") ? json : out.text,
               option_flag(line, "--json") ? "\n" : "");
    cJSON_free(json);
    cJSON_Delete(array);
    return code;
}
