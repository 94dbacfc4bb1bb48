/* Blocks that a multiprocessor is expected to run at once, for the model of predicted time.

   In: a machine, the figures of a kernel. Out: blocks by the rules of occupancy.c, of threads with
   as many registers as kernels take in the mean. The budget is a bound within which a kernel spills
   nothing on any GPU, and what is assembled takes less. Invariant: a block fits only with its whole
   budget, which a launch may be given; more registers never mean more blocks. */
#include "runtime/predict.h"

static int64_t registers_expected(int64_t budget)
{
    return (int64_t)round_up((double)budget * REGISTERS_PERCENT / 100);
}

int treefork_resident(const struct treefork_machine *machine,
                      const struct treefork_figures *figures, int64_t *resident)
{
    struct treefork_occupancy o;
    int64_t threads = figures->threads, registers = figures->registers;
    int status = treefork_occupancy(machine, threads, registers, figures->shared_bytes, &o);
    if (!status && o.blocks > 0)
        status = treefork_occupancy(machine, threads, registers_expected(registers),
                                    figures->shared_bytes, &o);
    if (!status)
        *resident = o.blocks == TREEFORK_UNLIMITED ? 1 : o.blocks;
    return status;
}
