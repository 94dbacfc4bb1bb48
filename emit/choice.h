#ifndef EMIT_CHOICE_H
#define EMIT_CHOICE_H
#include "emit/code.h"
#include "emit/host.h"
#include "ir/interpret.h"

/* What a region may choose for itself when it runs, as rows of its tables
   (runtime/treefork-tables.h, runtime/choice.c). Values are numbers of the region's code. */

struct choice_tunable {
    int parameter, choices;
    bool is_always; /* meta_tunable; else for NAME_auto */
    size_t n_dividends;
    const int *dividends;
};
struct choice_size {
    int value, integer;
    bool falls, varies;
};
struct choice_rows {
    size_t n_tunables, n_sizes, n_exact;
    const struct choice_tunable *tunables;
    const struct choice_size *sizes;
    const int *exact; /* remainders that must be 0 */
    const char *divisions; /* that they belong to */
    bool exact_varies;     /* loops of the host change a dividend */
};
struct choice_rows choice_collect(struct host *host, const struct tree *tree,
                                  struct host_code *code);

/* Warns of divisions that leave a region few choices. */
void choice_warn(struct host *host, const struct tree *tree);

/* May the region choose the parameter, where it is asked to? NULL, or why not. */
const char *choice_reason(struct arena *arena, const struct region *region, int parameter);
/* The divisions by tunables that the region chooses only where these are exact, each once. */
struct choice_divisions {
    size_t count;
    const struct expr *const *at;
};
struct choice_divisions choice_divisions(struct arena *arena, const struct region *region);
/* Those by one parameter. */
struct choice_divisions choice_divisions_by(struct arena *arena, const struct region *region,
                                            int parameter);
/* The first of the divisions that is not exact at these values of the parameters, or cannot be
   computed; NULL: all are exact. */
const struct expr *choice_inexact(const struct region *region, struct choice_divisions divisions,
                                  const union value *params);
/* The candidates for a tunable are 1, 2, 4 … 2^(choices - 1), or divisors below 2^choices. */
int choice_count(const struct region *region, const struct param *param);

#endif
