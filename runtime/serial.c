/* What the serial code of a region takes on the host, from a leaf's figures. In: a machine that is
   a CPU, the figures of a launch, its prediction. Out: nanoseconds of one core: the longest of what
   arithmetic, loads and stores, other instructions of all threads, and arrays that no cache holds
   take by themselves. Addresses and guards of threads are most of the other instructions; serial
   code computes those once for many points, so that they count a part of a cycle each. A processor
   begins several instructions in a cycle, and compilers make vectors; sums that wait for each other
   take longer than that. A launch is left out where that is little beside its own cost without its
   work: how long threads take is predicted, and an estimate beside a prediction that errs upwards
   would keep large regions from the device. Formula and what was measured: docs/counters.md. */
#include "runtime/serial.h"
#include "runtime/sectors.h"

/* Loads and stores of memory, of all threads of a block. */
static double block_accesses(const struct treefork_figures *f)
{
    double rounds = 0;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (a->rounds >= 1 && !a->shared)
            rounds += (double)a->rounds;
    }
    return rounds * (double)f->threads;
}

/* Bytes that come from memory: each array once at least, and blocks of few threads fetch whole
   sectors for each. */
static double serial_bytes(const struct treefork_figures *f,
                           const struct treefork_prediction *launch)
{
    double bytes = (double)launch->memory_bytes;
    return f->footprint > 0 ? least(bytes, (double)f->footprint) : bytes;
}

/* Lanes of a vector that compilers make of neighbours of the fastest axis: where all of these stand
   side by side in what each access touches, or at one place, and whatever loops a point has are
   short enough to be written out. Where the last axis itself is short (two axes are one row there),
   and where a function is called, it stays as it is. */
static double serial_lanes(const int64_t *machine, const struct treefork_figures *f)
{
    double lanes = (double)machine[TREEFORK_V_L];
    if (f->loops >= TREEFORK_LOOPS_BARE)
        return 1;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        int64_t stride = a->n_axes > 0 ? a->stride[a->n_axes - 1] : 0;
        if (!a->affine || (stride != 0 && stride != a->bytes))
            return 1;
        for (int k = 0; k < a->n_loops; k++)
            if (a->trip[k] > WRITTEN_OUT)
                return 1;
        lanes = least(lanes, (double)machine[TREEFORK_V_L] * 4 / a->bytes);
    }
    return greater(1, lanes);
}

double treefork_serial_time(const struct treefork_machine *machine,
                            const struct treefork_figures *figures,
                            const struct treefork_prediction *launch)
{
    const int64_t *m = machine->value;
    double cycle = 1e6 / (double)m[TREEFORK_K_D];
    double arithmetic = (double)figures->floats + (double)figures->doubles;
    double other = (double)figures->instructions * SERIAL_PERCENT / 100;
    double lanes = serial_lanes(m, figures),
           vectors = greater(arithmetic, block_accesses(figures) / HOST_PORTS) / lanes;
    double block = greater(vectors, other);
    double memory = serial_bytes(figures, launch) * 1e3 / (double)m[TREEFORK_V_D];
    return has_vectors(m) ? greater(block * (double)figures->blocks * cycle, memory) : 0;
}

bool treefork_serial_pays(double serial, const struct treefork_prediction *launch)
{
    return serial > 0 && serial <= SERIAL_MARGIN * launch->launch;
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
