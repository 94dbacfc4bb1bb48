/* Covers: which loops that follow each other share a launch.

   In: the fragments that a person asks about. Out: for each list of nests its covers, the plan's
   first, each with the elements that its regions move and the launches; the pairs of nests that no
   cover has in one region, with the array, both places and two iterations that meet; a text with
   the regions of one cover, of which case trees can be made. */
#include "mapper/ask/covers.h"
#include "mapper/ask/report.h"
#include "mapper/plan/change.h"
#include "mapper/plan/cost.h"
#include "mapper/plan/cover.h"
#include "mapper/plan/merge.h"
#include "mapper/plan/schedule.h"
#include "mapper/plan/words.h"
#include "mapper/print/mapping.h"
#include "mapper/scop/block.h"
#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { STATEMENT_SHOWN = 60 };

/* A list of nests whose answer is being made. */
struct covers_search {
    struct scop *scop;
    const struct plan_covers *covers;
    const double *values;            /* by symbol */
};

/* --- nests ------------------------------------------------------------------------------------ */

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
        return arena_printf(scop->arena, "%s = %s", array_text(scop, stmt->accesses.at[0].array),
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

static struct cover_nest nest_answer(struct scop *scop, const struct plan_step *step)
{
    unit_list units = {0};
    size_t count = 0;
    schedule_units(scop->arena, step, &units);
    for (size_t i = 0; i < units.count; i++)
        count += units.at[i]->stmts.count;
    const struct scop_stmt *first = units.at[0]->stmts.at[0];
    return (struct cover_nest){loc_line(first->ast->loc), stmt_text(scop, first), count};
}

/* Does the step run the nest? */
static bool runs_nest(const struct covers_search *s, const struct plan_step *step, size_t nest)
{
    unit_list units = {0};
    schedule_units(s->scop->arena, s->covers->steps.at[nest], &units);
    return step_runs(s->scop->arena, step, units.at[0]);
}

/* --- covers ----------------------------------------------------------------------------------- */

static struct cover_words words_answer(const struct covers_search *s, const struct words_sum *sum)
{
    struct cover_words words = {.text = words_text(s->scop, sum)};
    words.is_known = words_value(sum, s->values, &words.value);
    return words;
}

static bool words_are_none(const struct words_sum *sum)
{
    return !sum->products.count && !sum->is_unknown;
}

static struct cover_array array_answer(const struct covers_search *s, const struct words_row *row)
{
    return (struct cover_array){.name = array_text(s->scop, row->array),
                                .is_read = !words_are_none(&row->reads),
                                .is_written = !words_are_none(&row->writes),
                                .reads = words_answer(s, &row->reads),
                                .writes = words_answer(s, &row->writes),
                                .vanishes = row->vanishes,
                                .has_parts = row->partial != NULL,
                                .parts = words_answer(s, &row->parts)};
}

/* "region (i, j)" */
static const char *step_shape(const struct covers_search *s, const struct plan_step *step)
{
    struct schedule plan = {.scop = s->scop};
    struct plan_step one = *step;
    vec_push(s->scop->arena, &plan.steps, &one);
    return step->kind == PLAN_HOST ? "the host" : nest_shape(s->scop->arena, &plan);
}

/* Adds the step's words to the sum of the cover's. */
static struct cover_step step_answer(const struct covers_search *s, const struct plan_step *step,
                                     struct words_sum *total)
{
    struct cover_step answer = {.shape = step_shape(s, step),
                                .is_region = step->kind == PLAN_REGION};
    words_list words = {0};
    for (size_t i = 0; i < s->covers->steps.count; i++)
        if (runs_nest(s, step, i))
            vec_push(s->scop->arena, &answer.nests, i);
    if (step->kind == PLAN_REGION && !step->region.is_serial)
        region_words(s->scop, step->depth, &step->region, &words);
    for (size_t i = 0; i < words.count; i++) {
        vec_push(s->scop->arena, &answer.arrays, array_answer(s, &words.at[i]));
        if (words.at[i].vanishes)
            continue;
        words_add(s->scop->arena, total, &words.at[i].reads);
        words_add(s->scop->arena, total, &words.at[i].writes);
    }
    answer.launches = answer.is_region ? region_launches(&step->region, &words) : 0;
    return answer;
}

static struct cover_answer cover_find(const struct covers_search *s, const struct plan_cover *cover)
{
    struct cover_answer answer = {.cover = cover,
                                  .mapper_nanoseconds = cover->cost * COST_NANOSECONDS};
    struct words_sum total = {0};
    for (size_t i = 0; i < cover->steps.count; i++) {
        const struct plan_step *step = cover->steps.at[i];
        struct cover_step one = step_answer(s, step, &total);
        answer.launches += one.launches;
        answer.has_loops |= !one.is_region && step->kind != PLAN_HOST;
        answer.has_host |= step->kind == PLAN_HOST || step->region.is_serial;
        vec_push(s->scop->arena, &answer.steps, one);
    }
    answer.words = words_answer(s, &total);
    return answer;
}

/* Is the first one later in the list? Covers without a time come last. */
static bool is_slower(const struct cover_answer *a, const struct cover_answer *b)
{
    return a->is_timed && b->is_timed ? a->nanoseconds > b->nanoseconds : b->is_timed;
}

void covers_sort(struct covers_answer *answer)
{
    for (size_t i = 2; i < answer->found.count; i++) {
        struct cover_answer one = answer->found.at[i];
        size_t at = i;
        for (; at > 1 && is_slower(&answer->found.at[at - 1], &one); at--)
            answer->found.at[at] = answer->found.at[at - 1];
        answer->found.at[at] = one;
    }
}

/* --- nests apart ------------------------------------------------------------------------------ */

static bool cover_joins(const struct covers_search *s, const struct plan_cover *cover, size_t a,
                        size_t b)
{
    for (size_t i = 0; i < cover->steps.count; i++)
        if (runs_nest(s, cover->steps.at[i], a) && runs_nest(s, cover->steps.at[i], b))
            return true;
    return false;
}

/* Are both regions, which no cover joins? */
static bool are_apart(const struct covers_search *s, size_t a, size_t b)
{
    const plan_list *steps = &s->covers->steps;
    bool apart = steps->at[a]->kind == PLAN_REGION && steps->at[b]->kind == PLAN_REGION;
    for (size_t i = 0; i < s->covers->covers.count && apart; i++)
        apart = !cover_joins(s, &s->covers->covers.at[i], a, b);
    return apart;
}

static struct cover_place place_answer(const struct scop *scop, const struct scop_access *access)
{
    return (struct cover_place){loc_origin(access->ast->loc), access->is_write,
                                access_text(scop, access)};
}

static struct cover_pair pair_answer(const struct covers_search *s, size_t a, size_t b)
{
    const plan_list *steps = &s->covers->steps;
    struct merge_obstacle o = regions_obstacle(s->scop, &s->covers->place, &steps->at[a]->region,
                                               &steps->at[b]->region);
    struct cover_pair pair = {.first = a, .second = b, .reason = o.text};
    if (!o.edge)
        return pair;
    struct block block = {block_kind_of(o.edge->first, o.edge->second), o.edge->from, o.edge->to,
                          o.edge->first, o.edge->second, o.pairs};
    struct str example = str_new(s->scop->arena);
    block_example_print(&example, s->scop, &block);
    const char *text = example.text + strspn(example.text, " ");
    pair.array = array_text(s->scop, o.edge->first->array);
    pair.places[0] = place_answer(s->scop, o.edge->first);
    pair.places[1] = place_answer(s->scop, o.edge->second);
    pair.witness = arena_strndup(s->scop->arena, text, strcspn(text, "\n"));
    return pair;
}

/* --- the answer ------------------------------------------------------------------------------- */

static void sizes_fill(const struct covers_search *s, struct covers_answer *answer)
{
    for (size_t i = 0; i < s->scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &s->scop->symbols.at[i];
        struct map_size size = {symbol->loop ? symbol->loop->name : symbol->text, s->values[i]};
        vec_push(s->scop->arena, &answer->values, size);
        if (symbol->param >= 0)
            vec_push(s->scop->arena, &answer->sizes, size);
    }
}

static void answer_fill(const struct covers_search *s, struct covers_answer *answer)
{
    const struct plan_covers *covers = s->covers;
    if (covers->loop) {
        answer->loop = covers->loop->name;
        answer->loop_line = loc_line(covers->loop->ast->loc);
    }
    sizes_fill(s, answer);
    for (size_t i = 0; i < covers->steps.count; i++)
        vec_push(s->scop->arena, &answer->nests, nest_answer(s->scop, covers->steps.at[i]));
    for (size_t i = 0; i < covers->covers.count; i++) {
        struct cover_answer one = cover_find(s, &covers->covers.at[i]);
        one.is_chosen = i == 0;
        vec_push(s->scop->arena, &answer->found, one);
    }
    answer->is_cut = covers->is_cut;
    for (size_t a = 0; a < covers->steps.count && !covers->is_cut; a++)
        for (size_t b = a + 1; b < covers->steps.count; b++)
            if (are_apart(s, a, b))
                vec_push(s->scop->arena, &answer->apart, pair_answer(s, a, b));
}

static void nest_covers(struct ctx *ctx, const struct nest *nest, const struct map_choice *choice,
                        covers_answers *list)
{
    covers_list *covers = ARENA_NEW(ctx->arena, covers_list);
    struct covers_answer plain = {.file = nest->fragment.loc.source->path,
                                  .function = nest->fragment.function->name,
                                  .line = loc_line(nest->fragment.loc), .nest = nest,
                                  .end = nest->end.text,
                                  .end_line = nest->end.text ? loc_line(nest->end.loc) : 0,
                                  .choice = choice};
    if (nest->plan)
        plan_covers_find(nest->plan, choice, covers);
    for (size_t i = 0; i < covers->count; i++) {
        struct covers_answer answer = plain;
        assert(nest->plan);
        struct covers_search search = {nest->plan->scop, &covers->at[i],
                                       cost_values(nest->plan->scop, choice)};
        answer.covers = &covers->at[i];
        answer_fill(&search, &answer);
        vec_push(ctx->arena, list, answer);
    }
    if (covers->count)
        return;
    plain.refusal = nest->plan ? "no two nests one behind the other" : "no loop is independent";
    if (!nest->scop) {
        plain.refusal = nest->refusal.text;
        plain.refusal_line = loc_line(nest->refusal.loc);
    }
    vec_push(ctx->arena, list, plain);
}

bool covers_ask(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                covers_answers *list)
{
    nest_list nests = {0};
    if (!nests_ask(ctx, unit, choice, &nests))
        return false;
    for (size_t i = 0; i < nests.count; i++)
        nest_covers(ctx, nests.at[i], choice, list);
    return true;
}

/* --- a text ----------------------------------------------------------------------------------- */

static void printed_add(const struct covers_answer *answer, const struct plan_cover *cover,
                        const struct plan_region *region, printed_regions *printed)
{
    const struct cost_sizes sizes = choice_sizes(answer->choice);
    struct scop *scop = answer->nest->plan->scop;
    struct printed_region one = {0, 0};
    for (size_t i = 0; i < cover->steps.count && one.rounds <= 0; i++) {
        plan_list step = {0};
        vec_push(scop->arena, &step, cover->steps.at[i]);
        one = (struct printed_region){i, region_rounds(scop, &sizes, &step, region)};
    }
    vec_push(scop->arena, printed, one);
}

void cover_text(struct ctx *ctx, const struct covers_answer *answer, const struct cover_answer *one,
                struct str *out, printed_regions *printed)
{
    struct scop *scop = answer->nest->plan->scop;
    struct map_choice choice = *answer->choice;
    struct nest nest = *answer->nest;
    const char **names = ARENA_ARRAY(ctx->arena, const char *, scop->symbols.count + 1);
    nest_list nests = {0};
    nest.plan = plan_with_cover(answer->nest->plan, answer->covers, one->cover);
    choice.with_loops = false;
    vec_push(ctx->arena, &nests, &nest);
    for (size_t i = 0; i < scop->symbols.count; i++)
        names[i] = scop->symbols.at[i].text;
    mapping_print(out, file_make(ctx, scop->unit, &nests, &nests, &choice));
    for (size_t i = 0; i < scop->symbols.count; i++)
        scop->symbols.at[i].text = names[i];
    for (size_t i = 0; i < nest.plan->printed.count; i++)
        printed_add(answer, one->cover, nest.plan->printed.at[i], printed);
}
