/* Figures of an entry: pressures of several models of what the assembler does, and counts.

   In: the code as written. Out: one number per row of figure.def. A pressure is the largest over all blocks; the order that
   needs few registers is the better one, block by block, of the text's and of schedule.c's. Values that are computed for
   addresses in shared memory have one word (code_narrow) throughout. Blocks in which a model cannot need more than was
   found already are not scheduled. */
#include "ir/ptx/code.h"

static int largest_hiding(const struct ptx_code *code)
{
    struct liveness live = code_liveness(code);
    int most = 0;
    for (size_t b = 0; b < code->n_blocks; b++) {
        int now = code->blocks[b].count ? block_pressure(code, &live, b, block_hide(code, b)) : 0;
        most = now > most ? now : most;
    }
    return most;
}

static int largest_least(const struct ptx_code *code)
{
    struct liveness live = code_liveness(code);
    int most = 0;
    for (size_t b = 0; b < code->n_blocks; b++) {
        int written = block_pressure(code, &live, b, NULL);
        if (written <= most)
            continue;
        int scheduled = block_pressure(code, &live, b, block_schedule(code, &live, b));
        int least = written < scheduled ? written : scheduled;
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

static int without_uniform(const struct ptx_code *code, const bool *uniform)
{
    struct ptx_code *vector = code_copy(code);
    for (size_t i = 0; i < code->n_registers; i++)
        if (uniform[i])
            vector->registers[i].words = 0;
    return largest_least(vector);
}

static int with_remaking(const struct ptx_code *code)
{
    struct ptx_code *remade = code_copy(code);
    code_rematerialise(remade);
    return largest_least(remade);
}

void code_figures(struct ptx_code *code, double *figures)
{
    const bool *uniform = code_uniform(code);
    struct ptx_code *converted = code_copy(code);
    code_convert(converted);
    code_narrow(code);
    int hiding = largest_hiding(code);
    figures[FIGURE_CONSTANT] = 1;
    figures[FIGURE_HIDING] = hiding;
    figures[FIGURE_HIDING_24] = hiding > 24 ? hiding - 24 : 0;
    figures[FIGURE_HIDING_32] = hiding > 32 ? hiding - 32 : 0;
    figures[FIGURE_LOADS] = most_loads(converted);
    figures[FIGURE_BARRIERS] = barriers(code);
    figures[FIGURE_LEAST] = largest_least(code);
    figures[FIGURE_VECTOR] = without_uniform(code, uniform);
    figures[FIGURE_REMADE] = with_remaking(code);
}
