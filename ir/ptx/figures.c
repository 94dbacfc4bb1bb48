/* Figures of an entry: pressures of several models of what the assembler does, and counts.

   In: the code as written. Out: one number per row of figure.def. A pressure is the largest over
   all blocks; the order that needs few registers is the better one, block by block, of the text's
   and of schedule.c's. Values that are computed for addresses in shared memory have one word
   (code_narrow) throughout. Blocks that cannot need more than was found already are not scheduled;
   those that may need most are looked at first. */
#include "ir/ptx/code.h"
#include <string.h>

/* OCCUPANCY_REGISTERS: with so many, 2048 threads share 65536 registers, and the assembler likes to
   keep to them. STEADY_REGISTERS: a limit that matters for the largest blocks only.
   SEQUENCE_REGISTERS: of a division or a square root. DIVISIONS_MOST: beyond, divisions seldom add
   to what lives at once. */
enum {
    OCCUPANCY_REGISTERS = 32,
    STEADY_REGISTERS = 64,
    SEQUENCE_REGISTERS = 12,
    DIVISIONS_MOST = 4
};

/* The better of the text's order and the one that needs few registers. `enough`: what is below need
   not be told apart. */
static int block_least(const struct ptx_code *code, const struct liveness *live, size_t b,
                       int enough)
{
    int written = block_pressure(code, live, b, NULL);
    if (written <= enough)
        return written;
    int scheduled = block_pressure(code, live, b, block_schedule(code, live, b));
    return written < scheduled ? written : scheduled;
}

/* Where an order does not keep within its limit, the one that needs few registers may be
   better. */
static int block_hiding(const struct ptx_code *code, const struct liveness *live, size_t b,
                        struct issue_rule rule, int enough)
{
    int hiding = block_pressure(code, live, b, block_hide(code, live, b, rule));
    if (hiding <= rule.limit || hiding <= enough)
        return hiding;
    int least = block_least(code, live, b, enough);
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

static int largest_hiding(const struct ptx_code *code, const struct liveness *live,
                          struct issue_rule rule)
{
    int most = 0, *bounds = ARENA_ARRAY(code->arena, int, code->n_blocks + 1);
    for (size_t b = 0; b < code->n_blocks; b++)
        bounds[b] = code->blocks[b].count ? block_pressure_most(code, live, b) : 0;
    for (size_t b = block_largest(bounds, code->n_blocks); bounds[b] > most;
         b = block_largest(bounds, code->n_blocks)) {
        int now = block_hiding(code, live, b, rule, most);
        most = now > most ? now : most;
        bounds[b] = 0;
    }
    return most;
}

static int largest_least(const struct ptx_code *code, const struct liveness *live)
{
    int most = 0;
    for (size_t b = 0; b < code->n_blocks; b++) {
        int least = block_least(code, live, b, most);
        most = least > most ? least : most;
    }
    return most;
}

static int most_loads(const struct ptx_code *code)
{
    int most = 0;
    for (size_t b = 0; b < code->n_blocks; b++) {
        int loads = 0;
        for (size_t i = 0; i < code->blocks[b].count; i++)
            loads += code->instructions[code->blocks[b].first + i].effect == EFFECT_READ;
        most = loads > most ? loads : most;
    }
    return most;
}

static int barriers(const struct ptx_code *code)
{
    int count = 0;
    for (size_t i = 0; i < code->n_instructions; i++)
        count += code->instructions[i].effect == EFFECT_ORDER;
    return count;
}

/* Is there an operation that the assembler makes a long sequence of? */
static bool has_sequence(const struct ptx_code *code)
{
    for (size_t i = 0; i < code->n_instructions; i++)
        if (code->instructions[i].extra >= SEQUENCE_REGISTERS)
            return true;
    return false;
}

/* Integer divisions and remainders, as far as they count. */
static int divisions(const struct ptx_code *code)
{
    static const char *const kinds[] = {"div.s", "div.u", "rem.s", "rem.u"};
    int count = 0;
    for (size_t i = 0; i < code->n_instructions; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            count += strncmp(code->instructions[i].op, kinds[k], strlen(kinds[k])) == 0;
    return count < DIVISIONS_MOST ? count : DIVISIONS_MOST;
}

static struct ptx_code *without_uniform(const struct ptx_code *code, const bool *uniform)
{
    struct ptx_code *vector = code_copy(code);
    for (size_t i = 0; i < code->n_registers; i++)
        if (uniform[i])
            vector->registers[i].words = 0;
    return vector;
}

static int with_remaking(const struct ptx_code *code)
{
    struct ptx_code *remade = code_copy(code);
    code_rematerialise(remade);
    struct liveness live = code_liveness(remade);
    return largest_least(remade, &live);
}

static int above(int figure, int level)
{
    return figure > level ? figure - level : 0;
}

void code_figures(struct ptx_code *code, double *figures)
{
    const struct issue_rule any = {PRESSURE_ANY, true}, within = {OCCUPANCY_REGISTERS, true},
                            steady = {STEADY_REGISTERS, false};
    const bool *uniform = code_uniform(code);
    struct ptx_code *converted = code_copy(code);
    code_convert(converted);
    code_narrow(code);
    const struct ptx_code *vector = without_uniform(code, uniform);
    const struct liveness live = code_liveness(code);       /* which registers live does not hang on
                                                               their widths */
    int hiding = largest_hiding(code, &live, any), alone = largest_hiding(vector, &live, any);
    figures[FIGURE_CONSTANT] = 1;
    figures[FIGURE_HIDING] = hiding;
    figures[FIGURE_HIDING_24] = above(hiding, 24);
    figures[FIGURE_HIDING_32] = above(hiding, 32);
    figures[FIGURE_WITHIN] = hiding <= within.limit ? hiding : largest_hiding(code, &live, within);
    figures[FIGURE_WITHIN_VECTOR] = alone <= within.limit ? alone
                                                          : largest_hiding(vector, &live, within);
    figures[FIGURE_STEADY_32] = above(largest_hiding(vector, &live, steady), 32);
    figures[FIGURE_LOADS] = most_loads(converted);
    figures[FIGURE_BARRIERS] = barriers(code);
    figures[FIGURE_SEQUENCE] = has_sequence(code);
    figures[FIGURE_LEAST] = largest_least(code, &live);
    figures[FIGURE_VECTOR] = largest_least(vector, &live);
    figures[FIGURE_REMADE] = with_remaking(code);
    figures[FIGURE_DIVISIONS] = divisions(code);
}
