/* Occupancy: how many blocks of a kernel fit on a multiprocessor at once.

   In: a machine, a block's threads, registers per thread, bytes of shared memory. Out: the blocks,
   what limits them, the share of the warps they make active. Rules: threads come in whole warps;
   registers are handed out to a warp in units of U_F, and a partition (Q_B of them) keeps whole
   warps, while the check at launch takes a block's warps rounded up to the partitions; shared
   memory comes in units of U_Z words after Z_R reserved ones. All floors and ceilings are exact; a
   need that leaves 64 bits is more than any limit.
   Invariant: equal to the vendor's header wherever that has an answer
   (tests/unit/runtime_occupancy.c); what a machine does not tell limits nothing. Source: the rules
   as the header states them, values by capability in capability.def. */
#include "runtime/internal.h"
#include <inttypes.h>

static int64_t times(int64_t a, int64_t b)
{
    int error = 0;
    int64_t product = treefork_mul(a, b, &error);
    return error ? TREEFORK_UNLIMITED : product;
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return times(value / unit + (value % unit > 0), unit);
}

/* The number of times that `need` fits into `limit`. */
static int64_t share(int64_t limit, int64_t need)
{
    return limit == TREEFORK_UNLIMITED || need == 0 ? TREEFORK_UNLIMITED : limit / need;
}

static int64_t blocks_by_warps(const int64_t *machine, int64_t threads, int64_t warps)
{
    if (threads > machine[TREEFORK_T_B])
        return 0;
    return share(share(machine[TREEFORK_T_M], machine[TREEFORK_W_B]), warps);
}

static int64_t blocks_by_registers(const int64_t *machine, int64_t registers, int64_t warps)
{
    int64_t partitions = machine[TREEFORK_Q_B];
    int64_t warp = round_up(times(registers, machine[TREEFORK_W_B]), machine[TREEFORK_U_F]);
    if (registers > machine[TREEFORK_R_B] ||
        times(warp, round_up(warps, partitions)) > machine[TREEFORK_F_B])
        return 0;
    int64_t held = share(share(machine[TREEFORK_F_M], partitions), warp);
    return share(held == TREEFORK_UNLIMITED ? held : times(held, partitions), warps);
}

static int64_t blocks_by_shared(const int64_t *machine, int64_t shared_bytes)
{
    int64_t words = shared_bytes / 4 + (shared_bytes % 4 > 0);
    if (words > machine[TREEFORK_Z_B])
        return 0;
    int error = 0;
    int64_t all = treefork_add(words, machine[TREEFORK_Z_R], &error);
    return share(machine[TREEFORK_Z_M],
                 error ? TREEFORK_UNLIMITED : round_up(all, machine[TREEFORK_U_Z]));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static unsigned factor(int64_t blocks, int64_t by, unsigned name)
{
    return blocks == by && blocks != TREEFORK_UNLIMITED ? name : 0;
}

int treefork_occupancy(const struct treefork_machine *machine, int64_t threads, int64_t registers,
                       int64_t shared_bytes, struct treefork_occupancy *occupancy)
{
    const int64_t *value = machine->value;
    if (threads < 1 || registers < 0 || shared_bytes < 0)
        return treefork_fail(TREEFORK_ARGUMENT,
                             "no block has %" PRId64 " threads, %" PRId64
                             " registers per thread and %" PRId64 " bytes of shared memory",
                             threads, registers, shared_bytes);
    int64_t warps = threads / value[TREEFORK_W_B] + (threads % value[TREEFORK_W_B] > 0);
    struct treefork_occupancy o = {
        .by_warps = blocks_by_warps(value, threads, warps),
        .by_blocks = value[TREEFORK_N_M],
        .by_registers = blocks_by_registers(value, registers, warps),
        .by_shared = blocks_by_shared(value, shared_bytes),
        .warps_most = share(value[TREEFORK_T_M], value[TREEFORK_W_B]),
        .percent = -1,
    };
    o.blocks = least(least(o.by_warps, o.by_blocks), least(o.by_registers, o.by_shared));
    o.limits = factor(o.blocks, o.by_warps, TREEFORK_BY_WARPS) |
               factor(o.blocks, o.by_blocks, TREEFORK_BY_BLOCKS) |
               factor(o.blocks, o.by_registers, TREEFORK_BY_REGISTERS) |
               factor(o.blocks, o.by_shared, TREEFORK_BY_SHARED);
    o.warps = o.blocks == TREEFORK_UNLIMITED ? o.blocks : times(o.blocks, warps);
    if (o.warps_most != TREEFORK_UNLIMITED && o.warps_most > 0)
        o.percent = (int)(times(100, o.warps) / o.warps_most);
    *occupancy = o;
    return TREEFORK_OK;
}
