/* All choices of a region at a point, rated by the model.

   In: a tree, a machine, values of what is no tunable (a tunable that is given stays as it is).
   Out: all (leaf, tunables) whose fits holds. Candidates are those of a region's own choice
   (runtime/candidates.c): powers of two, and where a division by a tunable has to be exact
   divisors. */
#include "cli/ranking.h"
#include "base/progress.h"
#include "ir/interpret.h"
#include <string.h>

int place_compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (treefork_faster(&x->time.prediction, &y->time.prediction))
        return -1;
    if (treefork_faster(&y->time.prediction, &x->time.prediction))
        return 1;
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->variant - y->variant;
}

double ranking_handicap(const struct ranking *r, const struct place *place)
{
    struct treefork_prediction one = {.nanoseconds = 1};
    bool is_safe = false;
    for (size_t v = 0; v < r->tree->n_variants; v++)
        is_safe |= r->tree->variants[v].id == place->variant && r->tree->variants[v].safe;
    treefork_handicap(r->machine, place->time.threads, is_safe && r->tree->n_variants > 1, &one);
    return one.nanoseconds;
}

/* The values of the kernel's parameters at the point; 0 for those that are no variables of it. */
static void point_values(const struct kernel *k, const int64_t *point, union value *values)
{
    for (int i = 0; i < k->n_params; i++)
        values[i].integer = k->params[i]->variable >= 0 ? point[k->params[i]->variable] : 0;
}

/* Is every division by a tunable exact that would change the iteration set otherwise? */
static bool divisions_exact(const struct ranking *r, const int64_t *point)
{
    const struct region *region = r->tree->region;
    union value values[PARAMS_MAX] = {{0}};
    point_values(region->kernel, point, values);
    return choice_inexact(region, r->divisions, values) == NULL;
}

/* Every leaf that fits at the point. */
static void point_rank(struct ranking *r, const int64_t *point)
{
    int64_t *copy = ARENA_ARRAY(r->ctx->arena, int64_t, RING_CAPACITY);
    memcpy(copy, point, RING_CAPACITY * sizeof *copy);
    r->candidates++;
    progress_tick(r->ctx);
    if (!tree_point_complete(r->tree, copy) ||
        tree_system_holds(r->tree, r->tree->initial, copy) != 1 || !divisions_exact(r, copy))
        return;
    for (size_t i = 0; i < r->tree->n_variants; i++) {
        const struct variant *v = &r->tree->variants[i];
        struct place place = {.variant = v->id, .order = r->candidates, .point = copy};
        if (tree_system_holds(r->tree, v->fits, copy) != 1)
            continue;
        if (leaf_predict(r->ctx, r->tree, v, r->machine, copy, &place.time) != NULL)
            continue;
        r->ctx->counts.launches++;
        if (r->admits && !r->admits(r->state, r->tree, v->id, copy)) {
            r->refused++;
            continue;
        }
        treefork_handicap(r->machine, place.time.threads, v->safe && r->tree->n_variants > 1,
                          &place.time.prediction);
        vec_push(r->ctx->arena, &r->places, place);
    }
}

void ranking_fill(struct ranking *r, int64_t *point)
{
    for (size_t number = 0;; number++) {
        size_t rest = number;
        for (int i = 0; i < r->n_tunables; i++) {
            const struct tried_values *c = &r->tunables[i];
            point[c->param->variable] = c->at[rest % (size_t)c->n];
            rest /= (size_t)c->n;
        }
        if (rest > 0)
            return;
        point_rank(r, point);
    }
}

/* What the values of a tunable have to divide. */
struct kernel_dividends {
    const struct kernel *kernel;
    struct choice_divisions divisions;
    const union value *values;
};

static bool divides_all(void *state, int64_t number)
{
    const struct kernel_dividends *d = state;
    union value dividend;
    for (size_t i = 0; i < d->divisions.count; i++)
        if (!expr_evaluate(d->kernel, d->divisions.at[i]->arguments[0], d->values, &dividend) ||
            dividend.integer % number != 0)
            return false;
    return true;
}

/* The candidates at the point. */
static void candidates_fill(struct ranking *r, struct tried_values *c, int parameter,
                            const int64_t *point)
{
    const struct region *region = r->tree->region;
    union value values[PARAMS_MAX] = {{0}};
    struct kernel_dividends dividends = {region->kernel,
                                  choice_divisions_by(r->ctx->arena, region, parameter), values};
    point_values(region->kernel, point, values);
    c->n = treefork_candidates(choice_count(region, c->param),
                               dividends.divisions.count ? divides_all : NULL, &dividends, c->at);
    if (c->n == 0)
        c->at[c->n++] = 1;
}

/* The tunables that are not given get 1, so that a point can be made; then they are
   counted through. */
bool ranking_begin(struct ranking *r, const struct assignments *set, int64_t **point)
{
    struct assignments all = *set;
    int parameters[PARAMS_MAX] = {0};
    const struct kernel *k = r->tree->region->kernel;
    for (int i = 0; i < k->n_params; i++) {
        if (k->params[i]->role != ROLE_TUNABLE || k->params[i]->variable < 0 ||
            assignment_find(set, k->params[i]->var->name))
            continue;
        struct assignment one = {.name = k->params[i]->var->name, .is_whole = true, .value = 1};
        vec_push(r->ctx->arena, &all.list, one);
        if (r->n_tunables < PARAMS_MAX) {
            parameters[r->n_tunables] = i;
            r->tunables[r->n_tunables++].param = k->params[i];
        }
    }
    if (k->n_params > PARAMS_MAX || !point_make(r->ctx, r->tree, r->machine, &all, point))
        return false;
    r->divisions = choice_divisions(r->ctx->arena, r->tree->region);
    for (int i = 0; i < r->n_tunables; i++)
        candidates_fill(r, &r->tunables[i], parameters[i], *point);
    return true;
}

void place_print(struct str *out, const struct ranking *r, const struct place *place,
                 const char *between, const char *after)
{
    for (int k = 0; k < r->n_tunables; k++)
        str_addf(out, "%s%s%s%lld", k ? after : "", r->tunables[k].param->var->name, between,
                 (long long)place->point[r->tunables[k].param->variable]);
}
