/* What the serial code of a region takes on the host, from a leaf's figures. In: a machine that is
   a CPU, the figures of a launch, its prediction. Out: nanoseconds of one core: a cycle count for
   each instruction of each thread, or the bytes of arrays that no cache holds. It is a bound from
   above rather than an estimate: the threads' own addresses and guards, which serial code computes
   once for many points, count at each, and compilers' vectors do not count. A launch is left out
   only where its own cost, without its work, is more than all of that: how long threads take is
   predicted, and a bound beside a prediction that errs upwards would keep large regions from the
   device. Formula: docs/counters.md. */
#include "runtime/serial.h"
#include "runtime/sectors.h"

double treefork_serial_time(const struct treefork_machine *machine,
                            const struct treefork_figures *figures,
                            const struct treefork_prediction *launch)
{
    const int64_t *m = machine->value;
    double cycle = 1e6 / (double)m[TREEFORK_K_D];
    double instructions = launch->instructions * (double)figures->threads;
    double compute = instructions * (double)figures->blocks * SERIAL_PERCENT / 100 * cycle;
    double memory = (double)launch->memory_bytes * 1e3 / (double)m[TREEFORK_V_D];
    return has_vectors(m) ? greater(compute, memory) : 0;
}

bool treefork_serial_pays(double serial, const struct treefork_prediction *launch)
{
    return serial > 0 && serial * SERIAL_MARGIN <= launch->launch;
}

static double launch_serial(struct treefork_evaluation *e, const struct treefork_launch_row *row,
                            int leaf)
{
    struct treefork_launch plan = {0};
    struct treefork_figures figures = {0};
    struct treefork_prediction launch;
    if (row->figures == TREEFORK_NONE || treefork_evaluation_plan(e, row, leaf, &plan) ||
        treefork_evaluation_figures(e, row, leaf, &plan, &figures) ||
        treefork_predict(e->machine, &figures, &launch))
        return 0;
    return treefork_serial_time(e->machine, &figures, &launch);
}

double treefork_evaluation_serial(struct treefork_evaluation *e,
                                  const struct treefork_leaf_row *leaf)
{
    double sum = 0;
    for (size_t i = 0; i < leaf->count; i++)
        sum += launch_serial(e, &e->region->launches[leaf->first + i], leaf->id);
    return sum;
}
