/* Values that need no vector register of their own.

   Uniform values: integers that are the same in all threads of a block, as they follow from
   parameters, the block's number and constants alone; the machine has registers for them that do
   not count. A subroutine does not keep these, so that what lives across a call is in a vector
   register all the same. Values made again: integer arithmetic on what lives in a block anyway (an
   address made of an index, an index and a constant) may as well be done again where the block uses
   the result first; where it uses it not at all, the result does not live there. Both are
   optimistic: uniform values are the greatest set that agrees with itself, and of values that
   follow from each other each may be made again. */
#include "ir/ptx/code.h"
#include <string.h>

static bool bit_get(const uint64_t *set, int i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static void bit_put(uint64_t *set, int i, bool value)
{
    set[i / 64] = (set[i / 64] & ~((uint64_t)1 << (i % 64))) | (uint64_t)value << (i % 64);
}

/* Those that follow from what is uniform. */
static bool *uniform_values(const struct ptx_code *code)
{
    bool *uniform = ARENA_ARRAY(code->arena, bool, code->n_registers + 1), changed = true;
    for (size_t i = 0; i < code->n_registers; i++)
        uniform[i] = true;
    while (changed) {
        changed = false;
        for (size_t n = 0; n < code->n_instructions; n++) {
            const struct ptx_instruction *x = &code->instructions[n];
            bool varies = x->varies;
            for (int i = 0; i < x->n_uses; i++)
                varies |= !uniform[x->uses[i]];
            if (varies)
                for (int i = 0; i < x->n_defs; i++) {
                    changed |= uniform[x->defs[i]];
                    uniform[x->defs[i]] = false;
                }
        }
    }
    return uniform;
}

/* Takes out what lives across the calls of a block. */
static void calls_take(const struct ptx_code *code, const struct liveness *live, size_t b,
                       bool *uniform)
{
    const struct ptx_block *block = &code->blocks[b];
    uint64_t *set = ARENA_ARRAY(code->arena, uint64_t, live->words);
    memcpy(set, live->out + b * live->words, live->words * sizeof *set);
    for (size_t i = block->count; i-- > 0;) {
        const struct ptx_instruction *x = &code->instructions[block->first + i];
        if (!x->guarded)
            for (int k = 0; k < x->n_defs; k++)
                bit_put(set, x->defs[k], false);
        if (x->calls)
            for (size_t r = 0; r < code->n_registers; r++)
                uniform[r] &= !bit_get(set, (int)r);
        for (int k = 0; k < x->n_uses; k++)
            bit_put(set, x->uses[k], true);
    }
}

static bool has_call(const struct ptx_code *code, const struct ptx_block *block)
{
    for (size_t i = 0; i < block->count; i++)
        if (code->instructions[block->first + i].calls)
            return true;
    return false;
}

bool *code_uniform(const struct ptx_code *code, const struct liveness *live)
{
    bool *uniform = uniform_values(code);
    for (size_t b = 0; b < code->n_blocks; b++)
        if (has_call(code, &code->blocks[b]))
            calls_take(code, live, b, uniform);
    return uniform;
}

/* By register: its last definition in the text; NULL = it has none. */
static const struct ptx_instruction **definitions(const struct ptx_code *code)
{
    const struct ptx_instruction **definition =
        ARENA_ARRAY(code->arena, const struct ptx_instruction *, code->n_registers + 1);
    for (size_t n = 0; n < code->n_instructions; n++)
        for (int k = 0; k < code->instructions[n].n_defs; k++)
            definition[code->instructions[n].defs[k]] = &code->instructions[n];
    return definition;
}

struct remaking {
    const struct ptx_code *code;
    const struct ptx_instruction *const *definition;
    const struct ptx_block *block;
    const uint64_t *in;       /* lives before the block */
};

/* Free, from nothing but the text; or alive before the block. */
static bool is_there(const struct remaking *m, int r)
{
    const struct ptx_register *about = &m->code->registers[r];
    bool constant = about->words == 0 && about->definitions == 1 && m->definition[r]->n_uses == 0;
    return constant || bit_get(m->in, r);
}

/* May r, which lives before the block, be made again in it? */
static bool can_remake(const struct remaking *m, int r)
{
    const struct ptx_instruction *x = m->definition[r],
                                 *first = m->code->instructions + m->block->first;
    if (m->code->registers[r].definitions != 1 || !m->code->registers[r].words || !x->cheap ||
        x->guarded || x->varies || (x >= first && x < first + m->block->count))
        return false;
    for (int k = 0; k < x->n_uses; k++)
        if (!is_there(m, x->uses[k]))
            return false;
    return true;
}

struct liveness code_remade(const struct ptx_code *code, const struct liveness *live)
{
    size_t words = live->words, size = words * code->n_blocks;
    struct liveness thin = {.words = words};
    struct remaking m = {.code = code, .definition = definitions(code)};
    thin.in = ARENA_ARRAY(code->arena, uint64_t, size + 1);
    thin.out = ARENA_ARRAY(code->arena, uint64_t, size + 1);
    thin.made = ARENA_ARRAY(code->arena, uint64_t, size + 1);
    for (size_t b = 0; b < code->n_blocks; b++) {
        m.block = &code->blocks[b];
        m.in = live->in + b * words;
        for (size_t first = 0; first < code->n_registers; first += 64)
            for (uint64_t left = m.in[first / 64]; left; left &= left - 1) {
                int r = (int)first + __builtin_ctzll(left);
                if (can_remake(&m, r))
                    bit_put(thin.made + b * words, r, true);
            }
    }
    for (size_t i = 0; i < size; i++) {
        thin.in[i] = live->in[i] & ~thin.made[i];
        thin.out[i] = live->out[i] & ~thin.made[i];
    }
    return thin;
}
