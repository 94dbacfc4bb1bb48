/* The choice of a program beside a search: what the model picks without a trial, the best of GUIDED
   trials that the model guides, the best of all that time allows.

   Each region is searched with the others at the best found so far. A trial runs a candidate once,
   which compiles it, compares the result, then measures it a few times; one that is three times as
   slow as the best is measured once. Then the three choices of all regions are measured again, by
   turns, so that neither drift nor the luck of a minimum decides. */
#include "parts.h"
#include "space.h"
#include "spread.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIAL_RUNS = 3, FINAL_RUNS = 21, FINAL_LEAST = 3, CHOICES = 3 };

/* Of one region. */
struct search {
    struct space space;
    int tried, wrong, failed;
    bool is_complete;
    int best;                   /* number of the candidate; the choice is number 0 */
    double time;                /* of it */
    struct pick picked, guided, found;
    struct pick refused;        /* the last that was wrong or failed */
};

struct choice_bench {
    struct bench *b;
    struct search searches[REGIONS_MAX];
    struct pick picks[REGIONS_MAX];     /* the best so far of each region */
};

/* The region's time of one call with the picks, `with` in place of its own; NAN if it did not run,
   or computed something else. */
static double trial_call(struct choice_bench *c, int i, const struct pick *with, bool compare,
                         bool *is_wrong)
{
    struct bench *b = c->b;
    struct pick picks[REGIONS_MAX];
    memcpy(picks, c->picks, sizeof picks);
    picks[i] = *with;
    struct way way = {.n = b->n_regions, .picks = picks, .watched = b->regions[i]};
    struct call call;
    if (!bench_call(b, &way, &call) || call.runs == 0)
        return NAN;
    struct difference d = {0};
    if (compare)
        d = bench_compare(b);
    *is_wrong = d.is_wrong;
    return d.is_wrong ? NAN : call.region;
}

static double trial_time(struct choice_bench *c, int i, const struct pick *with)
{
    struct search *s = &c->searches[i];
    struct samples samples = {0};
    bool is_wrong = false, ignored;
    double first = trial_call(c, i, with, true, &is_wrong);
    s->wrong += is_wrong;
    s->failed += isnan(first) && !is_wrong;
    if (isnan(first))
        s->refused = *with;
    for (int run = 0; run < TRIAL_RUNS && !isnan(first); run++) {
        double time = trial_call(c, i, with, false, &ignored);
        samples_add(&samples, time);
        if (time > 3 * s->time)
            break;
    }
    return samples_spread(&samples).median;
}

static void candidate_try(struct choice_bench *c, int i, int number)
{
    struct search *s = &c->searches[i];
    struct candidate *candidate = &s->space.at[number];
    double time = trial_time(c, i, &candidate->pick);
    candidate->is_tried = true;
    s->tried++;
    if (!(time < s->time))
        return;
    s->best = number;
    s->time = time;
    s->found = candidate->pick;
}

/* The next that nobody has tried, from the `at`th on. */
static int candidate_next(const struct space *space, int at)
{
    while (at < space->n && space->at[at].is_tried)
        at++;
    return at;
}

/* How many candidates of a region are tried at most. */
static int candidates_most(void)
{
    const char *given = getenv("BUNDLE_CANDIDATES");
    int most = given ? atoi(given) : 0;
    return most > 0 ? most : INT_MAX;
}

static void region_search(struct choice_bench *c, int i, double end)
{
    struct search *s = &c->searches[i];
    struct space *space = &s->space;
    int at = 0, most = candidates_most();
    for (int turn = 0; at < space->n && (at < 1 || seconds_now() < end); turn++) {
        if (s->tried >= most)
            break;
        int neighbour = turn % 2 && at >= space->first ? space_neighbour(space, s->best) : -1;
        candidate_try(c, i, neighbour >= 0 ? neighbour : at);
        at = candidate_next(space, at);
        if (at <= space->first)
            s->guided = s->found;
    }
    s->is_complete = at == space->n;
}

/* --- the three choices ----------------------------------------------------------------------- */

static void picks_fill(struct choice_bench *c, int choice, struct pick *picks)
{
    for (int i = 0; i < c->b->n_regions; i++) {
        const struct search *s = &c->searches[i];
        picks[i] = choice == 0 ? s->picked : choice == 1 ? s->guided : s->found;
    }
}

/* Where loops of the host change an extent a region picks more than once in a call: what it picks
   is then what the program does when it chooses for itself. */
static bool picks_vary(const struct choice_bench *c)
{
    for (int i = 0; i < c->b->n_regions; i++)
        for (size_t k = 0; k < c->b->regions[i]->n_sizes; k++)
            if (c->b->regions[i]->sizes[k].varies)
                return true;
    return false;
}

/* Seconds of all regions; where the clock is that of the whole call once for all. */
static double choice_time(struct choice_bench *c, int choice)
{
    struct bench *b = c->b;
    struct pick picks[REGIONS_MAX];
    double sum = 0;
    picks_fill(c, choice, picks);
    for (int i = 0; i < (b->is_host ? 1 : b->n_regions); i++) {
        struct way way = {.n = b->n_regions, .picks = picks, .watched = b->regions[i]};
        struct call call;
        if (choice == 0 && picks_vary(c))
            way.n = 0;
        bench_call(b, &way, &call);
        sum += call.region;
    }
    return sum;
}

/* Choices that are the same are measured once. */
static int choice_same(struct choice_bench *c, int choice)
{
    struct pick a[REGIONS_MAX], other[REGIONS_MAX];
    picks_fill(c, choice, a);
    for (int k = picks_vary(c); k < choice; k++) {
        bool is_same = true;
        picks_fill(c, k, other);
        for (int i = 0; i < c->b->n_regions; i++)
            is_same &= pick_equals(&a[i], &other[i]);
        if (is_same)
            return k;
    }
    return choice;
}

static void choices_measure(struct choice_bench *c, struct spread *spreads)
{
    struct samples samples[CHOICES] = {{0}};
    int same[CHOICES];
    for (int k = 0; k < CHOICES; k++) {
        same[k] = choice_same(c, k);
        if (same[k] == k)
            choice_time(c, k);
    }
    for (int run = 0; run < FINAL_RUNS; run++) {
        if (run >= FINAL_LEAST && bench_is_late(c->b))
            break;
        for (int turn = 0; turn < CHOICES; turn++) {
            int k = (run + turn) % CHOICES;
            if (same[k] == k)
                samples_add(&samples[k], choice_time(c, k));
        }
    }
    for (int k = 0; k < CHOICES; k++)
        spreads[k] = samples_spread(&samples[same[k]]);
}

/* --- rows ------------------------------------------------------------------------------------ */

static void search_print(struct row *row, const struct search *s)
{
    const struct pick *picks[] = {&s->picked, &s->guided, &s->found};
    static const char *const names[] = {"picked", "guided", "best"};
    row_object(row, NULL);
    row_text(row, "region", s->space.region->name);
    row_integer(row, "candidates", s->space.n);
    row_integer(row, "tried", s->tried);
    row_integer(row, "wrong", s->wrong);
    row_integer(row, "failed", s->failed);
    row_bool(row, "complete", s->is_complete);
    for (int k = 0; k < CHOICES; k++) {
        row_object(row, names[k]);
        row_pick(row, picks[k]);
        row_close(row);
    }
    if (s->wrong || s->failed) {
        row_object(row, "refused");
        row_pick(row, &s->refused);
        row_close(row);
    }
    row_close(row);
}

/* Ratios to the least of the three medians: the optimum is the best that was measured. */
static void result_print(struct choice_bench *c, const struct spread *spreads)
{
    double least = fmin(spreads[0].median, fmin(spreads[1].median, spreads[2].median));
    double guided = fmin(spreads[0].median, spreads[1].median);
    struct row row = row_begin();
    row_subject(&row, c->b);
    row_list(&row, "regions");
    for (int i = 0; i < c->b->n_regions; i++)
        if (c->searches[i].space.n)
            search_print(&row, &c->searches[i]);
    row_close(&row);
    row_spread(&row, "picked_us", spreads[0], 1e6);
    row_spread(&row, "guided_us", spreads[1], 1e6);
    row_spread(&row, "best_us", spreads[2], 1e6);
    row_number(&row, "zero", least / spreads[0].median);
    row_number(&row, "sixteen", least / guided);
    row_end(&row);
}

/* The candidates of each region that runs, and what it picks. */
static int searches_begin(struct choice_bench *c)
{
    struct bench *b = c->b;
    int searched = 0;
    for (int i = 0; i < b->n_regions; i++) {
        struct search *s = &c->searches[i];
        struct way way = {.watched = b->regions[i]};
        struct call call;
        *s = (struct search){.time = INFINITY};
        bench_call(b, &way, &call);
        s->space.region = b->regions[i];
        c->picks[i] = (struct pick){.region = b->regions[i]};
        if (call.runs == 0)
            continue;
        s->space = space_make(b, b->regions[i], &call);
        s->picked = s->guided = s->found = c->picks[i] = pick_read(b->regions[i], &call);
        searched++;
    }
    return searched;
}

static void searches_end(struct choice_bench *c)
{
    for (int i = 0; i < c->b->n_regions; i++)
        space_free(&c->searches[i].space);
}

static void program_search(struct choice_bench *c, int searched)
{
    struct bench *b = c->b;
    struct spread spreads[CHOICES];
    double share = (b->end - seconds_now()) * 0.8 / searched;
    double end = seconds_now();
    for (int i = 0; i < b->n_regions; i++) {
        if (c->searches[i].space.n == 0)
            continue;
        end += share;
        region_search(c, i, end);
        c->picks[i] = c->searches[i].found;
    }
    choices_measure(c, spreads);
    result_print(c, spreads);
}

/* Every N-th candidate once, for the cache of kernels on disk. */
static void program_warm(struct choice_bench *c, int k, int n)
{
    bool ignored;
    int largest = 0, most = candidates_most();
    for (int i = 0; i < c->b->n_regions; i++)
        largest = c->searches[i].space.n > largest ? c->searches[i].space.n : largest;
    largest = largest < most ? largest : most;
    for (int at = k; at < largest && !bench_is_late(c->b); at += n)
        for (int i = 0; i < c->b->n_regions && !bench_is_late(c->b); i++)
            if (at < c->searches[i].space.n)
                trial_call(c, i, &c->searches[i].space.at[at].pick, false, &ignored);
}

int part_choice(struct bench *b, const struct program *program, struct part_words words)
{
    int k = 0, n = 0;
    if (words.n == 0 || sscanf(words.at[0], "%d/%d", &k, &n) != 2)
        return 2;
    for (int s = 1; s < words.n && (s == 1 || !bench_is_late(b)); s++) {
        struct choice_bench c = {.b = b};
        bench_set(b, program, words.at[s], n == 0);
        int searched = searches_begin(&c);
        if (searched && n == 0)
            program_search(&c, searched);
        else if (searched)
            program_warm(&c, k, n);
        searches_end(&c);
        bench_unset(b);
    }
    return 0;
}
