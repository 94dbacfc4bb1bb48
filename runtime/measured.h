#ifndef TREEFORK_MEASURED_H
#define TREEFORK_MEASURED_H
/* What was measured of a region's leaves at a point, for explanations: the library asks for a run,
   `treefork explain` for a point of the case tree. */
#include "runtime/explain.h"
#include "runtime/explanation.h"
#include "runtime/tuned.h"

#pragma GCC visibility push(hidden)

/* A point, as whoever asks knows it. */
struct treefork_measured_point {
    const char *region, *machine;
    const void *state;             /* for the two functions */
    /* The region's source (treefork_source_end); asked only where a record has the rest. */
    void (*source)(const void *state, char digest[DIGEST_ROOM]);
    /* The value of the integer parameter whose name has these characters; false if there is none.
       *varies: loops of the host change it. */
    bool (*value)(const void *state, const char *name, size_t length, treefork_int *value,
                  bool *varies);
    struct treefork_explained_leaf *leaves;
    size_t n_leaves;
    char digest[DIGEST_ROOM];      /* once it was asked; "" at first */
};
/* Fills in the times of the record's leaf if it was measured on a device of the machine's name at
   this point, with these texts of kernels; the last record of a leaf counts. */
void treefork_measured_take(struct treefork_measured_point *point,
                            const struct treefork_record *record);

/* `measure` of a run: from the store. */
void treefork_run_measure(const struct treefork_run *run, struct treefork_explained_leaf *leaves);

#pragma GCC visibility pop
#endif
