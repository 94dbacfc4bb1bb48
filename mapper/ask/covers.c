/* Covers in words: which loops that follow each other share a launch.

   In: the fragments that a person asks about. Out: for each its nests by number; its covers, the
   plan's marked, each with launches, elements moved and predicted time, and its regions; then the
   nests that no cover has in one region, with the array, both places and two iterations that
   meet. */
#include "mapper/ask/ask.h"
#include "mapper/ask/report.h"
#include "mapper/plan/change.h"
#include "mapper/plan/cost.h"
#include "mapper/plan/cover.h"
#include "mapper/plan/merge.h"
#include "mapper/plan/schedule.h"
#include "mapper/plan/words.h"
#include "mapper/scop/block.h"
#include <ctype.h>
#include <string.h>

enum { STATEMENT_SHOWN = 60, APART_SHOWN = 12 };

struct covers_print {
    struct ctx *ctx;
    struct str *out;
    struct scop *scop;
    const struct plan_covers *covers;
};

/* --- nests ------------------------------------------------------------------------------------ */

static const struct scop_stmt *step_stmt(struct scop *scop, const struct plan_step *step)
{
    unit_list units = {0};
    schedule_units(scop->arena, step, &units);
    return units.at[0]->stmts.at[0];
}

/* "z"; memory that the text allocates is called "copy of z" or "own z". */
static const char *array_text(const struct scop *scop, const struct scop_array *array)
{
    if (!array->memory)
        return array->name;
    return arena_printf(scop->arena, "%s %s", array->memory->n_loops ? "own" : "copy of",
                        array->memory->original->name);
}

/* The text of a statement in one line, of which a long end is left out. */
static const char *stmt_text(const struct scop *scop, const struct scop_stmt *stmt)
{
    const struct ast *ast = stmt->ast;
    struct str out = str_new(scop->arena);
    if (stmt->node->is_copy)
        return arena_printf(scop->arena, "%s = %s",
                            array_text(scop, stmt->accesses.at[0].array),
                            array_text(scop, stmt->accesses.at[1].array));
    for (size_t i = ast->begin; i < ast->end && out.length < STATEMENT_SHOWN; i++) {
        char c = scop->unit->source->text[i];
        if (!isspace((unsigned char)c))
            str_char(&out, c);
        else if (out.length && out.text[out.length - 1] != ' ')
            str_char(&out, ' ');
    }
    if (out.length == STATEMENT_SHOWN)
        str_add(&out, " …");
    return out.text;
}

static void nests_print(const struct covers_print *p)
{
    for (size_t i = 0; i < p->covers->steps.count; i++) {
        unit_list units = {0};
        schedule_units(p->scop->arena, p->covers->steps.at[i], &units);
        const struct scop_stmt *first = step_stmt(p->scop, p->covers->steps.at[i]);
        size_t more = 0;
        for (size_t k = 0; k < units.count; k++)
            more += units.at[k]->stmts.count;
        str_addf(p->out, "  %zu: line %u, %s", i, loc_line(first->ast->loc),
                 stmt_text(p->scop, first));
        if (more > 1)
            str_addf(p->out, " and %zu more", more - 1);
        str_char(p->out, '\n');
    }
}

/* --- covers ----------------------------------------------------------------------------------- */

/* "{0, 1}": the nests that a step of a cover runs. */
static void step_print(const struct covers_print *p, const struct plan_step *step)
{
    const char *before = "{";
    for (size_t i = 0; i < p->covers->steps.count; i++) {
        const struct scop_stmt *stmt = step_stmt(p->scop, p->covers->steps.at[i]);
        if (!step_runs(p->scop->arena, step, stmt->unit))
            continue;
        str_addf(p->out, "%s%zu", before, i);
        before = ", ";
    }
    str_char(p->out, '}');
}

/* "region (i, j)" */
static void region_print(const struct covers_print *p, const struct plan_step *step)
{
    struct schedule plan = {.scop = p->scop};
    struct plan_step one = *step;
    vec_push(p->scop->arena, &plan.steps, &one);
    str_add(p->out, step->kind == PLAN_HOST ? "the host"
                                            : nest_shape(p->scop->arena, &plan));
}

/* "; reads A m*n, p n": of arrays that stay in memory. */
static void rows_print(const struct covers_print *p, const words_list *words, bool writes)
{
    const char *before = writes ? "; writes " : "; reads ";
    for (size_t i = 0; i < words->count; i++) {
        const struct words_sum *sum = writes ? &words->at[i].writes : &words->at[i].reads;
        if (words->at[i].vanishes || (!sum->products.count && !sum->is_unknown))
            continue;
        str_addf(p->out, "%s%s %s", before, array_text(p->scop, words->at[i].array),
                 words_text(p->scop, sum));
        before = ", ";
    }
}

/* "; beside parts of s; stays in threads: t" */
static void notes_print(const struct covers_print *p, const words_list *words)
{
    const char *before = "; beside parts of ";
    for (size_t i = 0; i < words->count; i++)
        if (words->at[i].partial) {
            str_addf(p->out, "%s%s", before, array_text(p->scop, words->at[i].array));
            before = ", ";
        }
    before = "; stays in threads: ";
    for (size_t i = 0; i < words->count; i++)
        if (words->at[i].vanishes) {
            str_addf(p->out, "%s%s", before, array_text(p->scop, words->at[i].array));
            before = ", ";
        }
}

/* The words of all rows, but those of arrays that vanish. */
static void words_total(struct arena *arena, const words_list *words, struct words_sum *total)
{
    for (size_t i = 0; i < words->count; i++) {
        if (words->at[i].vanishes)
            continue;
        words_add(arena, total, &words->at[i].reads);
        words_add(arena, total, &words->at[i].writes);
    }
}

static words_list step_words(const struct covers_print *p, const struct plan_step *step)
{
    words_list words = {0};
    if (step->kind == PLAN_REGION && !step->region.is_serial)
        region_words(p->scop, step->depth, &step->region, &words);
    return words;
}

static void cover_print(const struct covers_print *p, const struct plan_cover *cover, bool chosen)
{
    struct words_sum total = {0};
    int launches = 0, loops = 0;
    str_add(p->out, chosen ? "* " : "  ");
    for (size_t i = 0; i < cover->steps.count; i++) {
        const struct plan_step *step = cover->steps.at[i];
        words_list words = step_words(p, step);
        words_total(p->scop->arena, &words, &total);
        launches += step->kind == PLAN_REGION ? region_launches(&step->region, &words) : 0;
        loops += step->kind != PLAN_REGION && step->kind != PLAN_HOST;
        str_add(p->out, i ? " " : "");
        step_print(p, step);
    }
    str_addf(p->out, ": %d launch%s%s, %s words, %.0f us\n", launches, launches == 1 ? "" : "es",
             loops ? " beside loops of the host" : "", words_text(p->scop, &total),
             cover->cost * COST_NANOSECONDS / 1000);
    for (size_t i = 0; i < cover->steps.count; i++) {
        const struct plan_step *step = cover->steps.at[i];
        words_list words = step_words(p, step);
        str_add(p->out, "      ");
        step_print(p, step);
        str_char(p->out, ' ');
        region_print(p, step);
        rows_print(p, &words, false);
        rows_print(p, &words, true);
        notes_print(p, &words);
        str_char(p->out, '\n');
    }
}

/* --- nests apart ------------------------------------------------------------------------------ */

static bool cover_joins(const struct covers_print *p, const struct plan_cover *cover,
                        const struct scop_unit *a, const struct scop_unit *b)
{
    for (size_t i = 0; i < cover->steps.count; i++)
        if (step_runs(p->scop->arena, cover->steps.at[i], a) &&
            step_runs(p->scop->arena, cover->steps.at[i], b))
            return true;
    return false;
}

/* Are both regions, which no cover joins? */
static bool are_apart(const struct covers_print *p, const struct plan_step *a,
                      const struct plan_step *b)
{
    bool apart = a->kind == PLAN_REGION && b->kind == PLAN_REGION;
    const struct scop_unit *first = step_stmt(p->scop, a)->unit;
    const struct scop_unit *second = step_stmt(p->scop, b)->unit;
    for (size_t i = 0; i < p->covers->covers.count && apart; i++)
        apart = !cover_joins(p, &p->covers->covers.at[i], first, second);
    return apart;
}

/* "loops.c:24:13 writes t[i]" */
static void access_print(const struct covers_print *p, const struct scop_access *access)
{
    struct loc loc = loc_origin(access->ast->loc);
    str_addf(p->out, "%s:%u:%u %s %s", loc.source ? loc.source->path : "", loc.line, loc.column,
             access->is_write ? "writes" : "reads", access_text(p->scop, access));
}

static void apart_print(const struct covers_print *p, size_t a, size_t b)
{
    const struct plan_step *first = p->covers->steps.at[a], *second = p->covers->steps.at[b];
    str_addf(p->out, "  %zu and %zu do not share a launch: ", a, b);
    struct merge_obstacle o =
        regions_obstacle(p->scop, &p->covers->place, &first->region, &second->region);
    str_addf(p->out, o.text && o.edge ? "%s, and one waits for the other " : "%s",
             o.text ? o.text : "");
    if (!o.edge) {
        str_char(p->out, '\n');
        return;
    }
    struct block block = {block_kind_of(o.edge->first, o.edge->second), o.edge->from, o.edge->to,
                          o.edge->first, o.edge->second, o.pairs};
    str_addf(p->out, "by %s: ", array_text(p->scop, o.edge->first->array));
    access_print(p, o.edge->first);
    str_add(p->out, ", ");
    access_print(p, o.edge->second);
    str_char(p->out, '\n');
    block_example_print(p->out, p->scop, &block);
}

/* The pairs of nests that no cover joins; if covers are left out, nobody knows. */
static void apart_list(const struct covers_print *p)
{
    int shown = 0, more = 0;
    if (p->covers->is_cut)
        return;
    for (size_t a = 0; a < p->covers->steps.count; a++)
        for (size_t b = a + 1; b < p->covers->steps.count; b++) {
            if (!are_apart(p, p->covers->steps.at[a], p->covers->steps.at[b]))
                continue;
            if (shown++ < APART_SHOWN)
                apart_print(p, a, b);
            else
                more++;
        }
    if (more)
        str_addf(p->out, "  and %d more pairs\n", more);
}

/* --- the list --------------------------------------------------------------------------------- */

static void covers_print(const struct covers_print *p)
{
    nests_print(p);
    for (size_t i = 0; i < p->covers->covers.count; i++)
        cover_print(p, &p->covers->covers.at[i], i == 0);
    if (p->covers->is_cut)
        str_addf(p->out, "  and more covers than these %zu\n", p->covers->covers.count);
    apart_list(p);
}

/* "m, n" of the fragment as they are taken: "m = 1000, n = 50". */
static void sizes_print(const struct covers_print *p, const struct map_choice *choice)
{
    const char *before = " (times at ";
    for (size_t i = 0; i < p->scop->symbols.count; i++) {
        if (p->scop->symbols.at[i].param < 0)
            continue;
        double value = SIZE_ASSUMED;
        for (size_t k = 0; k < choice->n_sizes; k++)
            if (strcmp(choice->sizes[k].name, p->scop->symbols.at[i].text) == 0)
                value = choice->sizes[k].value;
        str_addf(p->out, "%s%s = %.15g", before, p->scop->symbols.at[i].text, value);
        before = ", ";
    }
    str_add(p->out, before[0] == ',' ? ")" : "");
}

static void nest_covers(struct covers_print *p, const struct nest *nest,
                        const struct map_choice *choice)
{
    covers_list list = {0};
    p->scop = nest->plan->scop;
    plan_covers_find(nest->plan, choice, &list);
    if (!list.count)
        str_addf(p->out, "%s:%u: %s: no two nests one behind the other\n",
                 p->scop->unit->source->path,
                 loc_line(nest->fragment.loc), nest->fragment.function->name);
    for (size_t i = 0; i < list.count; i++) {
        p->covers = &list.at[i];
        str_addf(p->out, "%s:%u: %s", p->scop->unit->source->path,
                 loc_line(nest->fragment.loc), nest->fragment.function->name);
        if (p->covers->loop)
            str_addf(p->out, ", in each round of %s of line %u", p->covers->loop->name,
                     loc_line(p->covers->loop->ast->loc));
        sizes_print(p, choice);
        str_char(p->out, '\n');
        covers_print(p);
    }
}

bool mapping_list_covers(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                         struct map_choice *choice)
{
    nest_list nests = {0};
    struct covers_print p = {.ctx = ctx, .out = out};
    if (!nests_ask(ctx, unit, choice, &nests))
        return false;
    for (size_t i = 0; i < nests.count; i++) {
        const struct nest *nest = nests.at[i];
        if (nest->plan) {
            nest_covers(&p, nest, choice);
            continue;
        }
        str_addf(out, "%s:%u: %s: ", unit->source->path, loc_line(nest->fragment.loc),
                 nest->fragment.function->name);
        if (!nest->scop)
            str_addf(out, "refused at line %u: %s\n", loc_line(nest->refusal.loc),
                     nest->refusal.text);
        else
            str_add(out, "no loop is independent\n");
    }
    return true;
}
