#ifndef TESTS_UNIT_RUNTIME_FIGURES_H
#define TESTS_UNIT_RUNTIME_FIGURES_H
#include "runtime/internal.h"
#include "tests/unit/runtime_test.h"

/* What the tests of predicted time share: a machine, a prediction, and an access of 4 bytes by a
   row of threads. */
static inline struct treefork_machine machine_of(const char *path)
{
    struct treefork_machine machine;
    if (treefork_machine_read(path, &machine))
        treefork_machine_unknown(&machine);
    return machine;
}

static inline struct treefork_prediction predict(struct test *test,
                                                 const struct treefork_machine *machine,
                                                 const struct treefork_figures *figures)
{
    struct treefork_prediction p = { 0 };
    CHECK(test, treefork_predict(machine, figures, &p) == TREEFORK_OK);
    return p;
}

static inline struct treefork_access walk(int64_t points, int64_t stride, int shared, int leader)
{
    return (struct treefork_access){.bytes = 4,
                                    .shared = shared,
                                    .affine = 1,
                                    .leader = leader,
                                    .phase = leader,
                                    .rounds = 1,
                                    .waits = 1,
                                    .n_axes = 1,
                                    .extent = {points},
                                    .stride = {stride}};
}

#endif
