/* The trials of one region. In: a function whose programs are made; out: a line for each trial, the
   best choice, and a record of it in the store.

   Candidates are all (leaf, tunables) whose fits holds where the region runs (ranking.c), so that
   none is tried that cannot run. What the region takes by itself is tried first. Then they come in
   the order of the strategy (tune_order.c). By the model the search ends when so many trials in a
   row (--patience) were no better than the best so far beyond its noise. */
#include "base/progress.h"
#include "cli/tune.h"
#include "runtime/tuned.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double SLOW = 10, MILLISECOND = 1e6;

struct region_tuning {
    struct tuning *t;
    struct subject *s;
    const struct region *region;
    struct tune_place place;
    struct treefork_record record;       /* of the region's own choice */
    struct assignments parameters;       /* where it runs */
    struct ranking ranking;
    struct tune_log *log;
    struct tune_order order;
    size_t total, first;                 /* trials to be made; the first of t->done */
    double began;                        /* seconds */
    size_t measured;                     /* since then */
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- candidates ------------------------------------------------------------------------------ */

static bool list_has(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n == length && memcmp(list, name, n) == 0)
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

static bool parameters_read(struct region_tuning *x)
{
    struct ctx *ctx = x->t->v.ctx;
    static const struct option_row row = {"--set", "", ""};
    struct command_line only = {0};
    struct option_value value = {&row, x->place.parameters};
    if (!*x->place.parameters)
        return true;
    vec_push(ctx->arena, &only.options, value);
    return assignments_parse(ctx, &only, &x->parameters);
}

/* The parameters but for the tunables that are looked for. */
static struct assignments parameters_given(const struct region_tuning *x)
{
    struct assignments given = {0};
    for (size_t i = 0; i < x->parameters.list.count; i++) {
        const struct assignment *a = &x->parameters.list.at[i];
        if (!list_has(x->record.names, a->name) || assignment_find(&x->t->fixed, a->name))
            vec_push(x->t->v.ctx->arena, &given.list, *a);
    }
    return given;
}

/* A division that is not exact where the region runs has to be none that is chosen. */
static void divisions_drop(struct region_tuning *x)
{
    const struct kernel *k = x->region->kernel;
    union value values[PARAMS_MAX] = {{0}};
    for (int i = 0; i < k->n_params; i++) {
        const int64_t *value = assignment_find(&x->parameters, k->params[i]->var->name);
        values[i].integer = value ? *value : 0;
    }
    if (choice_inexact(x->region, x->ranking.divisions, values))
        x->ranking.divisions.count = 0;
}

static bool candidates_report(struct region_tuning *x)
{
    const struct ranking *r = &x->ranking;
    struct ctx *ctx = x->t->v.ctx;
    if (x->order.count)
        return true;
    if (r->refused)
        diag_error(ctx, loc_none(),
                   "region %s: the constraints admit none of the %zu candidates that fit",
                   x->region->name, r->refused);
    else
        diag_error(ctx, loc_none(), "region %s: none of %zu combinations of tunables fits%s",
                   x->region->name, r->candidates,
                   x->t->space ? ", of those that the constraints name" : "");
    return false;
}

static bool candidates_make(struct region_tuning *x, const struct tree *tree)
{
    struct assignments given = parameters_given(x);
    struct ranking *r = &x->ranking;
    int64_t *point;
    r->ctx = x->t->v.ctx;
    r->tree = tree;
    r->machine = &x->place.machine;
    if (!ranking_begin(r, &given, &point))
        return false;
    divisions_drop(x);
    if (x->t->space) {
        r->admits = tune_space_admits;
        r->state = (void *)x->t->space;
        for (int i = 0; i < r->n_tunables; i++)
            tune_space_values(x->t->space, &r->tunables[i]);
    }
    progress_begin(r->ctx, "%s: candidates", x->region->name);
    ranking_fill(r, point);
    progress_end(r->ctx);
    return true;
}

/* "s=4,B0=64", every tunable that the region chooses. */
static const char *choice_text(const struct region_tuning *x, const struct place *place)
{
    struct str text = str_new(x->t->v.ctx->arena);
    for (const char *at = x->record.names; *at;) {
        size_t n = strcspn(at, ",");
        const char *name = arena_strndup(x->t->v.ctx->arena, at, n);
        const struct param *param = kernel_param(x->region->kernel, name);
        const int64_t *value = assignment_find(&x->parameters, name);
        if (param && param->variable >= 0)
            value = &place->point[param->variable];
        str_addf(&text, "%s%s=%lld", text.length ? "," : "", name, value ? (long long)*value : 1);
        at += n + (at[n] == ',');
    }
    return text.text;
}

/* --- order ----------------------------------------------------------------------------------- */

/* Puts the region's own choice first. */
static void order_own_first(const struct region_tuning *x)
{
    for (size_t i = 0; i < x->order.count; i++) {
        struct tune_candidate own = x->order.at[i];
        if (own.place->variant != x->record.leaf || own.devices != x->record.devices ||
            strcmp(choice_text(x, own.place), x->record.choice) != 0)
            continue;
        memmove(x->order.at + 1, x->order.at, i * sizeof *x->order.at);
        x->order.at[0] = own;
        return;
    }
}

static bool order_make(struct region_tuning *x, size_t region)
{
    size_t most = (size_t)x->t->trials;
    if (!tune_order_make(x->t, &x->ranking, region, x->place.members, &x->order))
        return false;
    order_own_first(x);
    x->total = most && most < x->order.count ? most : x->order.count;
    return candidates_report(x);
}

/* --- what is printed ------------------------------------------------------------------------- */

static const char *words_of(struct ctx *ctx, const char *choice)
{
    char *text = arena_strdup(ctx->arena, choice);
    for (char *c = text; *c; c++)
        *c = *c == ',' ? ' ' : *c;
    return text;
}

static void trial_print(struct region_tuning *x, size_t number, const struct trial *trial,
                        bool is_earlier)
{
    struct ctx *ctx = x->t->v.ctx;
    progress_end(ctx);
    printf("[%zu/%zu] %s leaf %d ", number, x->total, words_of(ctx, trial_choice(ctx, trial)),
           trial->leaf);
    if (trial->state == TRIAL_CORRECT)
        printf("median=%.4f ms (%.4f to %.4f) ok%s\n", trial->median / MILLISECOND,
               trial->low / MILLISECOND, trial->high / MILLISECOND, is_earlier ? ", earlier" : "");
    else if (trial->state == TRIAL_WRONG)
        printf("WRONG: %s%s\n", trial->reason, is_earlier ? ", earlier" : "");
    else
        printf("failed (%s): %s%s\n", trial_state_name(trial->state), trial->reason,
               is_earlier ? ", earlier" : "");
    fflush(stdout);
}

/* "matmul [#####.....] 17/240, 2 min 10 s left" on a terminal. */
static void progress_show(const struct region_tuning *x, size_t number)
{
    enum { WIDTH = 20 };
    char bar[WIDTH + 1], left[64] = "";
    size_t full = WIDTH * (number - 1) / x->total;
    memset(bar, '#', full);
    memset(bar + full, '.', WIDTH - full);
    bar[WIDTH] = '\0';
    if (x->measured) {
        double each = (seconds_now() - x->began) / (double)x->measured;
        long rest = lround(each * (double)(x->total - number + 1));
        snprintf(left, sizeof left, rest < 60 ? ", %ld s left" : ", %ld min %ld s left",
                 rest < 60 ? rest : rest / 60, rest % 60);
    }
    progress_begin(x->t->v.ctx, "%s [%s] %zu/%zu%s", x->region->name, bar, number, x->total, left);
}

/* --- trials ---------------------------------------------------------------------------------- */

/* False if the tool was asked to stop. */
static bool trial_measure(struct region_tuning *x, const struct trial *best, struct trial *trial)
{
    double slow = best ? SLOW * best->median : INFINITY;
    if (!tune_measure(x->t, x->s, &x->place, slow, trial))
        return false;
    x->measured++;
    if (x->log)
        tune_log_add(x->t, x->log, trial);
    return true;
}

/* The next trial: as it was measured earlier, by this tool or another, or now. False if the tool
   was asked to stop. */
static bool trial_make(struct region_tuning *x, size_t number, const struct trial *best)
{
    struct tuning *t = x->t;
    const struct tune_candidate *candidate = &x->order.at[number - 1];
    struct trial trial = {.function = t->v.program->functions[x->s->function].name,
                          .region = x->region->name,
                          .set = t->set->text,
                          .leaf = candidate->place->variant,
                          .devices = candidate->devices,
                          .choice = choice_text(x, candidate->place),
                          .predicted = candidate->nanoseconds};
    bool is_earlier = x->log && tune_log_find(x->log, &trial);
    if (!is_earlier) {
        progress_show(x, number);
        enum log_turn turn = x->log ? tune_log_wait(t, x->log, &trial) : LOG_MEASURE;
        bool fine = turn == LOG_KNOWN || (turn == LOG_MEASURE && trial_measure(x, best, &trial));
        is_earlier = turn == LOG_KNOWN;
        if (x->log)
            tune_log_go(x->log);
        if (!fine)
            return false;
    }
    t->wrong += trial.state == TRIAL_WRONG;
    vec_push(t->v.ctx->arena, &t->done, trial);
    trial_print(x, number, &trial, is_earlier);
    return true;
}

static const struct trial *fastest(const struct region_tuning *x)
{
    const struct trial *best = NULL;
    for (size_t i = x->first; i < x->t->done.count; i++) {
        const struct trial *now = &x->t->done.at[i];
        if (now->state == TRIAL_CORRECT && (!best || now->median < best->median))
            best = now;
    }
    return best;
}

/* All trials. False if the tool was asked to stop. */
static bool trials_make(struct region_tuning *x)
{
    int64_t in_vain = 0;
    x->first = x->t->done.count;
    x->began = seconds_now();
    for (size_t number = 1; number <= x->total; number++) {
        const struct trial *best = fastest(x);
        double mark = best ? best->low : INFINITY;
        if (!trial_make(x, number, best)) {
            printf("stopped after %zu of %zu trials%s\n", number - 1, x->total,
                   x->log ? "; the same command goes on from there" : "");
            return false;
        }
        const struct trial *now = &x->t->done.at[x->t->done.count - 1];
        in_vain = now->state == TRIAL_CORRECT && now->median < mark ? 0 : in_vain + 1;
        if (x->t->strategy == TUNE_MODEL && in_vain >= x->t->patience && number < x->total) {
            printf("%lld trials in a row were no better: the search ends\n", (long long)in_vain);
            return true;
        }
    }
    return true;
}

/* Leaf, then tunables, then devices: the order in which the library prefers choices whose times are
   equal. */
static bool is_before(const struct trial *a, const struct trial *b)
{
    const char *x = a->choice, *y = b->choice;
    if (a->leaf != b->leaf)
        return a->leaf < b->leaf;
    while ((x = strchr(x, '=')) && (y = strchr(y, '='))) {
        long long p = strtoll(++x, NULL, 10), q = strtoll(++y, NULL, 10);
        if (p != q)
            return p < q;
    }
    return a->devices < b->devices;
}

/* Times no longer than this are those of the fastest, as far as was measured. */
static double noise_end(const struct trial *fastest)
{
    return fmin(fastest->high, fastest->median * (1 + TREEFORK_NOISE_MOST));
}

/* The fastest; of those within its noise the first in that order. */
static const struct trial *best_find(const struct region_tuning *x)
{
    const struct trial *best = fastest(x), *first = best;
    if (!best)
        return NULL;
    for (size_t i = x->first; i < x->t->done.count; i++) {
        const struct trial *now = &x->t->done.at[i];
        if (now->state == TRIAL_CORRECT && now->median <= noise_end(best) && is_before(now, first))
            first = now;
    }
    return first;
}

/* The trial of the choice that the region takes by itself; NULL if it was not right. */
static const struct trial *own_trial(const struct region_tuning *x)
{
    const struct trial *own = &x->t->done.at[x->first];
    bool has_own = own->state == TRIAL_CORRECT && own->leaf == x->record.leaf &&
                   own->devices == x->record.devices && strcmp(own->choice, x->record.choice) == 0;
    return has_own ? own : NULL;
}

static void contest_print(const struct contest *contest)
{
    if (!contest->turns)
        printf("; beside the model's choice it came to no right result");
    else if (contest->ratio.low <= 1)
        printf("; beside the model's choice %.2f times as fast (%.2f to %.2f in %d turns), which "
               "is noise: the model's choice stays",
               contest->ratio.median, contest->ratio.low, contest->ratio.high, contest->turns);
    else
        printf(", %.2f times as fast as the model's choice (%.2f to %.2f in %d turns)",
               contest->ratio.median, contest->ratio.low, contest->ratio.high, contest->turns);
}

/* Runs the best choice beside the region's own, which stays where the other is no faster beyond
   noise. False if the tool was asked to stop. */
static bool best_settle(struct region_tuning *x, const struct trial **best)
{
    struct ctx *ctx = x->t->v.ctx;
    const struct trial *own = own_trial(x), *found = *best;
    struct contest contest = {0};
    if (own && own != found && !tune_contest(x->t, x->s, &x->place, own, found, &contest))
        return false;
    printf("best: %s leaf %d, median=%.4f ms", words_of(ctx, trial_choice(ctx, found)),
           found->leaf, found->median / MILLISECOND);
    if (own && own != found)
        contest_print(&contest);
    else if (own)
        printf(", which the model takes too");
    printf("\n");
    if (own && !(contest.ratio.low > 1))
        *best = own;
    return true;
}

static bool best_keep(const struct region_tuning *x, const struct trial *best)
{
    struct tuning *t = x->t;
    if (!t->keeps)
        return true;
    if (treefork_tune_keep(best->record, best->median / best->runs, best->low / best->runs,
                           best->high / best->runs, t->is_generic) == TREEFORK_OK)
        return true;
    diag_error(t->v.ctx, loc_none(), "the choice is not kept: %s", treefork_message());
    return false;
}

static bool region_search(struct region_tuning *x)
{
    if (!trials_make(x))
        return false;
    const struct trial *best = best_find(x);
    if (!best) {
        diag_error(x->t->v.ctx, loc_none(), "region %s: no trial came to a right result",
                   x->region->name);
        return false;
    }
    if (!best_settle(x, &best))
        return false;
    bool is_kept = best_keep(x, best);
    x->t->tuned += is_kept;
    return is_kept;
}

static void region_head_print(const struct region_tuning *x)
{
    static const char *const names[] = {"exhaustive", "random", "model"};
    printf("%s on %s (%s) at %s: %zu candidates, strategy %s\n", x->region->name, x->record.device,
           x->record.kind, x->place.parameters, x->order.count, names[x->t->strategy]);
    fflush(stdout);
}

bool tune_region(struct tuning *t, struct subject *s, size_t region)
{
    struct region_tuning x = {.t = t, .s = s, .region = t->v.program->regions[region]};
    progress_begin(t->v.ctx, "%s: where it runs", x.region->name);
    bool is_there = tune_probe(t, s, x.region, &x.place);
    progress_end(t->v.ctx);
    if (!is_there)
        return false;
    if (!treefork_record_read(x.place.record, strlen(x.place.record), &x.record)) {
        printf("%s at %s: it chooses nothing there\n", x.region->name, x.place.parameters);
        return true;
    }
    if (!parameters_read(&x) || !candidates_make(&x, t->v.trees[region]) ||
        !order_make(&x, region))
        return false;
    region_head_print(&x);
    t->device = arena_strdup(t->v.ctx->arena, x.record.device);
    x.log = t->keeps ? tune_log_open(t, x.region->name, &x.place) : NULL;
    bool fine = region_search(&x);
    if (x.log)
        vec_push(t->v.ctx->arena, &t->logs, x.log);
    return fine;
}
