/* Live registers of PTX code.

   In: basic blocks. Out: what is live at their ends, by the usual backward iteration to a fixed
   point, and the pressure of a block under a given order of its instructions. A guarded instruction
   does not end the life of what it may leave as it was. */
#include "ir/ptx/code.h"
#include <string.h>

static bool bit_get(const uint64_t *set, int i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static void bit_set(uint64_t *set, int i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static void bit_clear(uint64_t *set, int i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* live := what is live before the instruction, given what is live after it. */
static void step_back(const struct ptx_instruction *x, uint64_t *live)
{
    if (!x->guarded)
        for (int i = 0; i < x->n_defs; i++)
            bit_clear(live, x->defs[i]);
    for (int i = 0; i < x->n_uses; i++)
        bit_set(live, x->uses[i]);
}

static void block_out(const struct ptx_code *code, const struct liveness *live, size_t b)
{
    uint64_t *out = live->out + b * live->words;
    for (int k = 0; k < code->blocks[b].n_next; k++) {
        const uint64_t *in = live->in + (size_t)code->blocks[b].next[k] * live->words;
        for (size_t i = 0; i < live->words; i++)
            out[i] |= in[i];
    }
}

struct liveness code_liveness(const struct ptx_code *code)
{
    struct liveness live = {code->n_registers / 64 + 1, NULL, NULL};
    live.in = ARENA_ARRAY(code->arena, uint64_t, live.words * code->n_blocks + 1);
    live.out = ARENA_ARRAY(code->arena, uint64_t, live.words * code->n_blocks + 1);
    uint64_t *set = ARENA_ARRAY(code->arena, uint64_t, live.words);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t b = code->n_blocks; b-- > 0;) {
            const struct ptx_block *block = &code->blocks[b];
            block_out(code, &live, b);
            memcpy(set, live.out + b * live.words, live.words * sizeof *set);
            for (size_t i = block->count; i-- > 0;)
                step_back(&code->instructions[block->first + i], set);
            changed |= memcmp(set, live.in + b * live.words, live.words * sizeof *set) != 0;
            memcpy(live.in + b * live.words, set, live.words * sizeof *set);
        }
    }
    return live;
}

/* Whether operand i of x needs all its 64 bits, given that the results marked in `whole` do. */
static bool needs_whole(const struct ptx_instruction *x, int i, const bool *whole)
{
    if (x->space == 's' || x->space == 'l')
        return x->effect != EFFECT_READ && i > 0;
    if (!x->modular)
        return true;
    for (int k = 0; k < x->n_defs; k++)
        if (whole[x->defs[k]])
            return true;
    return false;
}

/* Addresses in shared and local memory have 32 bits: what only leads to them is computed in one
   register, whatever width the text gives it. A fixed point from the uses: all start narrow. */
void code_narrow(struct ptx_code *code)
{
    bool *whole = ARENA_ARRAY(code->arena, bool, code->n_registers + 1), changed = true;
    for (size_t i = 0; i < code->n_registers; i++)
        whole[i] = false;
    while (changed) {
        changed = false;
        for (size_t n = code->n_instructions; n-- > 0;) {
            const struct ptx_instruction *x = &code->instructions[n];
            for (int i = 0; i < x->n_uses; i++)
                if (!whole[x->uses[i]] && code->registers[x->uses[i]].words == 2 &&
                    needs_whole(x, i, whole))
                    whole[x->uses[i]] = changed = true;
        }
    }
    for (size_t i = 0; i < code->n_registers; i++)
        if (code->registers[i].words == 2 && !whole[i])
            code->registers[i].words = 1;
}

static int weight(const struct ptx_code *code, const uint64_t *set)
{
    int sum = 0;
    for (size_t first = 0; first < code->n_registers; first += 64)
        for (uint64_t left = set[first / 64]; left; left &= left - 1)
            sum += code->registers[first + (size_t)__builtin_ctzll(left)].words;
    return sum;
}

int block_pressure_most(const struct ptx_code *code, const struct liveness *live, size_t b)
{
    const struct ptx_block *block = &code->blocks[b];
    const struct ptx_instruction *x = code->instructions + block->first;
    uint64_t *set = ARENA_ARRAY(code->arena, uint64_t, live->words);
    int extra = 0;
    memcpy(set, live->out + b * live->words, live->words * sizeof *set);
    for (size_t i = 0; i < block->count; i++) {
        for (int k = 0; k < x[i].n_defs; k++)
            bit_set(set, x[i].defs[k]);
        for (int k = 0; k < x[i].n_uses; k++)
            bit_set(set, x[i].uses[k]);
        extra = x[i].extra > extra ? x[i].extra : extra;
    }
    return weight(code, set) + extra;
}

/* Pressure at an instruction: what is live after it and its own results. */
int block_pressure(const struct ptx_code *code, const struct liveness *live, size_t b,
                   const size_t *order)
{
    const struct ptx_block *block = &code->blocks[b];
    uint64_t *set = ARENA_ARRAY(code->arena, uint64_t, live->words);
    memcpy(set, live->out + b * live->words, live->words * sizeof *set);
    int now = weight(code, set), most = now;
    for (size_t i = block->count; i-- > 0;) {
        const struct ptx_instruction *x =
            &code->instructions[block->first + (order ? order[i] : i)];
        int with = now + x->extra;
        for (int k = 0; k < x->n_defs; k++)
            if (!bit_get(set, x->defs[k]))
                with += code->registers[x->defs[k]].words;
        most = with > most ? with : most;
        if (!x->guarded)
            for (int k = 0; k < x->n_defs; k++) {
                now -= bit_get(set, x->defs[k]) ? code->registers[x->defs[k]].words : 0;
                bit_clear(set, x->defs[k]);
            }
        for (int k = 0; k < x->n_uses; k++) {
            now += bit_get(set, x->uses[k]) ? 0 : code->registers[x->uses[k]].words;
            bit_set(set, x->uses[k]);
        }
        most = now > most ? now : most;
    }
    return most;
}
