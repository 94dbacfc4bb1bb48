#ifndef MAPPER_WORDS_H
#define MAPPER_WORDS_H
#include "mapper/plan/plan.h"

/* The elements that regions move between memory and threads. */

/* A sum of products of parameters and iterators of host loops, by degree. */
enum { WORDS_FACTORS = SUBSCRIPTS_MAX };
struct words_product {
    int64_t factor;
    int n, symbols[WORDS_FACTORS];
};
struct words_sum {
    bool is_unknown;                 /* there is more, which no form says */
    VEC(struct words_product) products;
};

/* An array or a summed scalar that a region touches. */
struct words_row {
    const struct scop_array *array;
    struct words_sum reads, writes;
    bool vanishes;                   /* nobody but the threads of this region needs it */
    const struct plan_sum *partial;  /* the sum that is finished from parts in memory; else NULL */
    struct words_sum parts;          /* of `partial`: elements of the array of its parts, where the
                                        region has one axis */
};
typedef VEC(struct words_row) words_list;

/* A row for each array that the region touches, below `depth` loops of the host: a box of elements
   counts once, and what a thread has written before it reads does not count as read. */
void region_words(struct scop *scop, int depth, const struct plan_region *region,
                  words_list *list);
void words_add(struct arena *arena, struct words_sum *sum, const struct words_sum *other);
/* "m*n + 2*n"; "0" of nothing. */
const char *words_text(const struct scop *scop, const struct words_sum *sum);
/* The value of the sum; false if there is more than forms say. `values`: by symbol. */
bool words_value(const struct words_sum *sum, const double *values, double *value);
/* Launches of the region: a second one finishes sums whose parts lie in memory. */
int region_launches(const struct plan_region *region, const words_list *words);

#endif
