/* treefork explain: at one point (machine and parameters) the path through the tree, each
   inequality with its numbers, the leaf with its codes, the runner-up with what excluded it, and
   predicted times; on many machines a table of the leaves (--machines), at many points an
   explanation each (--points, cli/points.c). */
#include "cli/explanation.h"
#include "cli/own_choice.h"
#include "cli/points.h"
#include "cli/question.h"
#include "cli/sequence.h"
#include "ir/access/rows.h"
#include <string.h>

const struct option_row explain_rows[] = {
    MACHINE_ROW("the machine asked about; given several times: these devices may share "
                "launches"),
    {"--machines", "PATTERN",
     "a table of what all these machine files take: 'machines/*.json', here or installed"},
    {"--points", "FILE",
     "many points, a line each: {\"machine\": \"FILE.json\" or {…}, \"parameters\": {\"N\": 8}}; "
     "the answers are lines of JSON"},
    {"--set", "NAME=VALUE,…", "values of program and data parameters"},
    {"--auto", NULL,
     "what each region would choose for itself there, for NAME_auto; with --points besides"},
    {"--devices", NULL,
     "also along which axis each launch of the leaf would be cut for several devices, and what "
     "parts touch, or why it runs on one"},
    {"--json", NULL, "as JSON"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t explain_row_count = sizeof explain_rows / sizeof explain_rows[0];

/* --- one machine ----------------------------------------------------------------------------- */

static void json_item(struct str *out, const char *json)
{
    str_add(out, out->length ? ",\n" : "[\n");
    str_add(out, json);
}

/* How each launch of the leaf would be shared among several devices. */
static void several_print(struct ctx *ctx, struct str *out, const struct tree *tree,
                          const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        struct part_cut cut = access_cut(ctx, kernel, tree->region->kernel);
        str_addf(out, "several devices: launch %zu of leaf %d %s\n", i + 1, variant->id,
                 cut.is_cut ? "is cut in parts" : "runs on one of them");
        access_cut_print(out, kernel, &cut);
    }
}

/* The explanation with a member more: what the launches of each leaf share and move. */
static const char *with_moves(struct arena *arena, const char *json, const char *moves)
{
    int length = (int)strlen(json);
    return moves ? arena_printf(arena, "%.*s, \"moves\": %s}", length - 1, json, moves) : json;
}

/* On several machines: how their devices share the launches. */
static bool devices_make(struct ctx *ctx, const struct question *q, struct own_choice *own,
                         size_t region, const int64_t *point, struct treefork_explanation *e)
{
    if (q->machines.count < 2)
        return true;
    own_choice_machines(own, region, q->machines.at, q->machines.count);
    e->is_in_place = false;
    e->devices = own_choice_devices(ctx, own, region, &q->machine, point, e->leaf);
    return e->devices != NULL;
}

static enum exit_code explain_point(struct ctx *ctx, const struct question *q, bool as_json)
{
    struct str text = str_new(ctx->arena);
    struct own_choice *own = NULL;
    if (q->machines.count > 1 && !(own = own_choice_new(ctx, q->program, q->trees)))
        return EXIT_INPUT;
    for (size_t i = 0; i < q->program->n_regions; i++) {
        const struct tree *tree = q->trees[i];
        struct treefork_explanation e;
        int64_t *point;
        if (!explanation_make(ctx, q->store, tree, &q->machine, &q->set, &e) ||
            !point_make(ctx, tree, &q->machine, &q->set, &point) ||
            !devices_make(ctx, q, own, i, point, &e))
            return EXIT_USAGE;
        if (as_json) {
            json_item(&text, with_moves(ctx->arena, explanation_json(ctx, &e),
                                        sequences_json(ctx, tree, point)));
            continue;
        }
        str_add(&text, explanation_text(ctx, &e));
        sequences_print(ctx, &text, tree, point, NULL);
        if (ctx->tells_parts && e.leaf > 0)
            several_print(ctx, &text, tree, &tree->variants[e.leaf - 1]);
    }
    if (as_json)
        printf("%s\n]\n", text.length ? text.text : "[");
    else
        fputs(text.text, stdout);
    return EXIT_DONE;
}

/* What regions would choose for themselves; --set needs no value of that. */
static enum exit_code explain_choice(struct ctx *ctx, const struct question *q, bool as_json)
{
    struct str text = str_new(ctx->arena);
    struct own_choice *own = own_choice_new(ctx, q->program, q->trees);
    if (!own)
        return EXIT_INPUT;
    for (size_t i = 0; i < q->program->n_regions; i++) {
        if (q->machines.count > 1)
            own_choice_machines(own, i, q->machines.at, q->machines.count);
        const char *told = own_choice_told(ctx, own, i, &q->machine, &q->set,
                                           as_json ? TREEFORK_JSON : TREEFORK_TEXT);
        if (!told)
            return EXIT_USAGE;
        if (as_json)
            json_item(&text, arena_strndup(ctx->arena, told, strcspn(told, "\n")));
        else
            str_add(&text, told);
    }
    fputs(text.text, stdout);
    if (as_json)
        puts("\n]");
    return EXIT_DONE;
}

/* --- many machines --------------------------------------------------------------------------- */

static bool machines_read(struct ctx *ctx, const char *pattern, struct machine_list *list)
{
    struct machine_files files = machine_files_find(ctx, pattern);
    bool done = true;
    if (!files.list.count) {
        diag_error(ctx, loc_none(), "--machines: no file matches '%s'", pattern);
        return false;
    }
    list->at = ARENA_ARRAY(ctx->arena, struct treefork_machine, files.list.count);
    for (size_t i = 0; i < files.list.count && done; i++) {
        done = treefork_machine_read(files.list.at[i], &list->at[list->count]) == TREEFORK_OK;
        list->count += done;
    }
    if (!done)
        diag_error(ctx, loc_none(), "%s", treefork_message());
    return done;
}

static const struct treefork_explained_leaf *leaf_find(const struct treefork_explanation *e, int id)
{
    for (size_t i = 0; i < e->n_leaves; i++)
        if (e->leaves[i].id == id)
            return &e->leaves[i];
    return NULL;
}

/* Of the leaves that fit, as a choice by time compares them; NULL if no time is known. */
static const struct treefork_explained_leaf *fastest(const struct treefork_explanation *e)
{
    const struct treefork_explained_leaf *best = NULL;
    for (size_t i = 0; i < e->n_leaves; i++) {
        const struct treefork_explained_leaf *leaf = &e->leaves[i];
        if (leaf->fits && leaf->is_timed &&
            (!best || treefork_faster(&leaf->compared, &best->compared)))
            best = leaf;
    }
    return best;
}

static void time_cell(struct str *out, const struct treefork_explained_leaf *leaf)
{
    if (leaf && leaf->is_timed)
        str_addf(out, "  %12.3f", leaf->prediction.nanoseconds / 1e3);
    else
        str_addf(out, "  %12s", "none");
}

static void machine_row(struct str *out, const struct treefork_explanation *e, int width)
{
    const struct treefork_explained_leaf *best = fastest(e);
    str_addf(out, "  %s", e->machine);
    str_indent(out, width - str_width(e->machine));
    str_addf(out, "  %4d", e->leaf);
    time_cell(out, leaf_find(e, e->leaf));
    if (best)
        str_addf(out, "  %7d", best->id);
    else
        str_addf(out, "  %7s", "none");
    time_cell(out, best);
    str_addf(out, "  %s\n", e->codes ? e->codes : "");
}

/* The table of one region, and its explanations as items of a JSON array. */
static bool machines_explain(struct ctx *ctx, const struct tree *tree, const struct question *q,
                             const struct machine_list *machines, struct str *text,
                             struct str *json)
{
    int width = (int)strlen("machine");
    for (size_t i = 0; i < machines->count; i++)
        if (str_width(machines->at[i].name) > width)
            width = str_width(machines->at[i].name);
    str_addf(text, "%s\n  %-*s  %4s  %12s  %7s  %12s  %s\n", tree->region->name, width, "machine",
             "leaf", "us predicted", "fastest", "us predicted", "codes");
    for (size_t i = 0; i < machines->count; i++) {
        struct treefork_explanation e;
        if (!explanation_make(ctx, q->store, tree, &machines->at[i], &q->set, &e))
            return false;
        machine_row(text, &e, width);
        json_item(json, explanation_json(ctx, &e));
    }
    return true;
}

static enum exit_code explain_machines(struct ctx *ctx, const struct question *q,
                                       const char *pattern, bool as_json)
{
    struct str text = str_new(ctx->arena), json = str_new(ctx->arena);
    struct machine_list machines = {0};
    if (!machines_read(ctx, pattern, &machines))
        return EXIT_INPUT;
    for (size_t i = 0; i < q->program->n_regions; i++)
        if (!machines_explain(ctx, q->trees[i], q, &machines, &text, &json))
            return EXIT_USAGE;
    if (as_json)
        printf("%s\n]\n", json.length ? json.text : "[");
    else
        printf("%s(times are a model's numbers, not measured; fastest: of the leaves that fit)\n",
               text.text);
    return EXIT_DONE;
}

enum exit_code command_explain(struct ctx *ctx, const struct command_line *line)
{
    const char *machines = option_text(line, "--machines"), *points = option_text(line, "--points");
    struct question question;
    if (machines && (points || option_text(line, "--machine"))) {
        diag_error(ctx, loc_none(), "--machines is for one point on many machines, without %s",
                   points ? "--points" : "--machine");
        return EXIT_USAGE;
    }
    if (machines && option_flag(line, "--auto")) {
        diag_error(ctx, loc_none(), "--auto is for --machine and --points");
        return EXIT_USAGE;
    }
    if (option_flag(line, "--devices") &&
        (machines || points || option_flag(line, "--auto") || option_flag(line, "--json"))) {
        diag_error(ctx, loc_none(), "--devices is for one point on one machine, as text; "
                                    "`treefork tree --json --devices` has all leaves");
        return EXIT_USAGE;
    }
    enum exit_code code = question_read(ctx, line, !machines && !points, &question);
    if (code != EXIT_DONE)
        return code;
    if (machines)
        return explain_machines(ctx, &question, machines, option_flag(line, "--json"));
    if (points)
        return explain_points(ctx, &question, points, option_flag(line, "--auto"));
    if (option_flag(line, "--auto"))
        return explain_choice(ctx, &question, option_flag(line, "--json"));
    return explain_point(ctx, &question, option_flag(line, "--json"));
}
