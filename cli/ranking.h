#ifndef CLI_RANKING_H
#define CLI_RANKING_H
#include "cli/predict.h"
#include "emit/choice.h"
#include "runtime/candidates.h"

/* All choices of a region at a point: every leaf with every combination of tunables that fits, with
   its predicted time. */

enum { PARAMS_MAX = 64 };

/* The values that are tried for a tunable. */
struct tried_values {
    const struct param *param;
    int n;
    int64_t at[CANDIDATES_MAX];
};

/* One choice. */
struct place {
    int variant;
    size_t order;                        /* number of the combination of tunables */
    const int64_t *point;
    struct leaf_time time;
};

/* What a condition of the user's says of a choice. */
typedef bool ranking_admits(void *state, const struct tree *tree, int leaf, const int64_t *point);

struct ranking {
    struct ctx *ctx;
    const struct tree *tree;
    const struct treefork_machine *machine;
    struct tried_values tunables[PARAMS_MAX];
    int n_tunables;
    struct choice_divisions divisions;   /* that must be exact */
    size_t candidates;                   /* combinations of tunables that were looked at */
    ranking_admits *admits;              /* NULL: every choice that fits is taken */
    void *state;
    size_t refused;                      /* choices that fit and are not admitted */
    VEC(struct place) places;            /* in the order of the combinations, then of leaves */
};

/* The tunables that `set` does not give, with their candidates, and a point with 1 for each of
   them. ctx, tree and machine are filled in. False after a usage error. */
bool ranking_begin(struct ranking *r, const struct assignments *set, int64_t **point);
/* Goes through all combinations; `point` is changed. */
void ranking_fill(struct ranking *r, int64_t *point);
/* A choice counts a time so many times (treefork_handicap). */
double ranking_handicap(const struct ranking *r, const struct place *place);
/* For qsort: by predicted time; ties in the order of the combinations. */
int place_compare(const void *a, const void *b);
/* "s = 4, B0 = 64" with `between` behind the name and `after` behind each value but the last. */
void place_print(struct str *out, const struct ranking *r, const struct place *place,
                 const char *between, const char *after);

#endif
