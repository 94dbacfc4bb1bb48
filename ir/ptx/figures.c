/* Figures of an entry: pressures of several models of what the assembler does, and counts.

   In: the code as written. Out: one number per row of figure.def. A pressure is the largest over
   all blocks; the order that needs few registers is the better one, block by block, of the text's
   and of schedule.c's. Values that are computed for addresses in shared memory have one word
   (code_narrow) throughout. Blocks that cannot need more than was found already are not scheduled;
   those that may need most are looked at first. */
#include "ir/ptx/code.h"
#include <string.h>

/* OCCUPANCY_REGISTERS: with so many, 2048 threads share 65536 registers, and the assembler likes to
   keep to them. CALLS_MOST: beyond, calls seldom add to what lives at once. */
enum { OCCUPANCY_REGISTERS = 32, CALLS_MOST = 5 };

/* A block's pressure and the order that has it; NULL = as written. */
struct block_order {
    int pressure;
    const size_t *order;
};

/* The better of the text's order and the one that needs few registers. `enough`: what is below need
   not be told apart. */
static struct block_order block_least(const struct ptx_code *code, const struct liveness *live,
                                  size_t b, int enough)
{
    struct block_order written = {block_pressure(code, live, b, NULL), NULL};
    if (written.pressure <= enough)
        return written;
    struct block_order scheduled = {.order = block_schedule(code, live, b)};
    scheduled.pressure = block_pressure(code, live, b, scheduled.order);
    return written.pressure <= scheduled.pressure ? written : scheduled;
}

/* Where an order does not keep within the limit, the one that needs few registers may be better.
   `most`: what the block needs in any order. */
static int block_within(const struct ptx_code *code, const struct liveness *live, size_t b,
                        int most, int enough)
{
    int limit = most <= OCCUPANCY_REGISTERS ? PRESSURE_ANY : OCCUPANCY_REGISTERS,
        hiding = block_pressure(code, live, b, block_hide(code, live, b, limit));
    if (hiding <= OCCUPANCY_REGISTERS || hiding <= enough)
        return hiding;
    int least = block_least(code, live, b, enough).pressure;
    return least < hiding ? least : hiding;
}

/* The block with the largest of the bounds. */
static size_t block_largest(const int *bounds, size_t n_blocks)
{
    size_t largest = 0;
    for (size_t b = 1; b < n_blocks; b++)
        if (bounds[b] > bounds[largest])
            largest = b;
    return largest;
}

static int largest_within(const struct ptx_code *code, const struct liveness *live)
{
    int most = 0, *bounds = ARENA_ARRAY(code->arena, int, code->n_blocks + 1);
    for (size_t b = 0; b < code->n_blocks; b++)
        bounds[b] = code->blocks[b].count ? block_pressure_most(code, live, b) : 0;
    for (size_t b = block_largest(bounds, code->n_blocks); bounds[b] > most;
         b = block_largest(bounds, code->n_blocks)) {
        int now = block_within(code, live, b, bounds[b], most);
        most = now > most ? now : most;
        bounds[b] = 0;
    }
    return most;
}

/* `peak`: of the first block that needs so many; NULL = it is not asked for. */
static int largest_least(const struct ptx_code *code, const struct liveness *live,
                         struct ptx_peak *peak)
{
    struct block_order most = {0};
    size_t where = 0;
    for (size_t b = 0; b < code->n_blocks; b++) {
        struct block_order least = block_least(code, live, b, most.pressure);
        if (least.pressure <= most.pressure)
            continue;
        most = least;
        where = b;
    }
    if (peak && code->n_blocks)
        *peak = block_peak(code, live, where, most.order);
    return most.pressure;
}

/* Calls on operands of 64 bits or of fewer, as far as they count. */
static int calls(const struct ptx_code *code, bool wide)
{
    int count = 0;
    for (size_t i = 0; i < code->n_instructions; i++) {
        const struct ptx_instruction *x = &code->instructions[i];
        count += x->calls && (strstr(x->op, "64") != NULL) == wide;
    }
    return count < CALLS_MOST ? count : CALLS_MOST;
}

static struct ptx_code *without(const struct ptx_code *code, const bool *uniform)
{
    struct ptx_code *vector = code_copy(code);
    for (size_t i = 0; i < code->n_registers; i++)
        if (uniform[i])
            vector->registers[i].words = 0;
    return vector;
}

void code_figures(struct ptx_code *code, double *figures)
{
    struct ptx_peak peak = {0};
    code_narrow(code);
    const struct liveness live = code_liveness(code);   /* which registers live does not hang on
                                                           their widths */
    const struct ptx_code *vector = without(code, code_uniform(code, &live));
    const struct liveness remade = code_remade(vector, &live);
    figures[FIGURE_CONSTANT] = 1;
    figures[FIGURE_WITHIN] = largest_within(code, &live);
    figures[FIGURE_LEAST] = largest_least(code, &live, &peak);
    figures[FIGURE_VECTOR] = largest_least(vector, &live, NULL);
    figures[FIGURE_REMADE] = largest_least(vector, &remade, NULL);
    figures[FIGURE_PAIRS] = peak.pairs;
    figures[FIGURE_THROUGH] = peak.through;
    figures[FIGURE_LOADS] = peak.loads;
    figures[FIGURE_CALLS] = calls(code, false);
    figures[FIGURE_CALLS_64] = calls(code, true);
}
