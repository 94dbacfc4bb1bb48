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
    struct liveness live = {code->n_registers / 64 + 1, NULL, NULL, NULL};
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

/* By register: 1 + the position of its first use in the block, for those that are made there; NULL
   if none is. */
static int *first_uses(const struct ptx_code *code, const struct liveness *live, size_t b,
                       const size_t *order)
{
    const struct ptx_block *block = &code->blocks[b];
    const uint64_t *made = live->made ? live->made + b * live->words : NULL;
    bool any = false;
    if (made)
        for (size_t i = 0; i < live->words; i++)
            any |= made[i] != 0;
    if (!any)
        return NULL;
    int *first = ARENA_ARRAY(code->arena, int, code->n_registers + 1);
    for (size_t i = block->count; i-- > 0;) {
        const struct ptx_instruction *x =
            &code->instructions[block->first + (order ? order[i] : i)];
        for (int k = 0; k < x->n_uses; k++)
            if (bit_get(made, x->uses[k]))
                first[x->uses[k]] = (int)i + 1;
    }
    return first;
}

/* A block's live registers while its instructions are gone through from the last to the first. */
struct walk {
    const struct ptx_code *code;
    uint64_t *set;
    int now;                  /* words of the set */
};

static void walk_add(struct walk *walk, int r)
{
    walk->now += bit_get(walk->set, r) ? 0 : walk->code->registers[r].words;
    bit_set(walk->set, r);
}

static void walk_drop(struct walk *walk, int r)
{
    walk->now -= bit_get(walk->set, r) ? walk->code->registers[r].words : 0;
    bit_clear(walk->set, r);
}

static struct walk walk_begin(const struct ptx_code *code, const struct liveness *live, size_t b)
{
    struct walk walk = {.code = code, .set = ARENA_ARRAY(code->arena, uint64_t, live->words)};
    memcpy(walk.set, live->out + b * live->words, live->words * sizeof *walk.set);
    walk.now = weight(code, walk.set);
    return walk;
}

static void walk_back(struct walk *walk, const struct ptx_instruction *x)
{
    if (!x->guarded)
        for (int k = 0; k < x->n_defs; k++)
            walk_drop(walk, x->defs[k]);
    for (int k = 0; k < x->n_uses; k++)
        walk_add(walk, x->uses[k]);
}

/* The words of x's results that nobody uses: they need a place for a moment. */
static int unused_results(const struct walk *walk, const struct ptx_instruction *x)
{
    int sum = 0;
    for (int k = 0; k < x->n_defs; k++)
        if (!bit_get(walk->set, x->defs[k]))
            sum += walk->code->registers[x->defs[k]].words;
    return sum;
}

/* What is made at this place, its first use, lives no earlier. */
static void made_drop(struct walk *walk, const struct ptx_instruction *x, const int *first,
                      int place)
{
    for (int k = 0; k < x->n_uses; k++)
        if (first[x->uses[k]] == place)
            walk_drop(walk, x->uses[k]);
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

/* Pressure at an instruction: what is live after it and its own results. */
int block_pressure(const struct ptx_code *code, const struct liveness *live, size_t b,
                   const size_t *order)
{
    const struct ptx_block *block = &code->blocks[b];
    const int *first = first_uses(code, live, b, order);
    struct walk walk = walk_begin(code, live, b);
    int most = walk.now;
    for (size_t i = block->count; i-- > 0;) {
        const struct ptx_instruction *x =
            &code->instructions[block->first + (order ? order[i] : i)];
        most = largest(most, walk.now + x->extra + unused_results(&walk, x));
        walk_back(&walk, x);
        most = largest(most, walk.now);
        if (first)
            made_drop(&walk, x, first, (int)i + 1);
    }
    return most;
}

/* What lives in `set`. */
static struct ptx_peak peak_of(const struct ptx_code *code, const struct liveness *live, size_t b,
                               const uint64_t *set)
{
    const uint64_t *in = live->in + b * live->words, *out = live->out + b * live->words;
    struct ptx_peak peak = {0};
    for (size_t r = 0; r < code->n_registers; r++) {
        int words = bit_get(set, (int)r) ? code->registers[r].words : 0;
        peak.pairs += words == 2;
        peak.through += bit_get(in, (int)r) && bit_get(out, (int)r) ? words : 0;
    }
    for (size_t i = 0; i < code->blocks[b].count; i++)
        peak.loads += code->instructions[code->blocks[b].first + i].effect == EFFECT_READ;
    return peak;
}

struct ptx_peak block_peak(const struct ptx_code *code, const struct liveness *live, size_t b,
                           const size_t *order)
{
    const struct ptx_block *block = &code->blocks[b];
    struct walk walk = walk_begin(code, live, b);
    uint64_t *top = ARENA_ARRAY(code->arena, uint64_t, live->words);
    int most = walk.now;
    memcpy(top, walk.set, live->words * sizeof *top);
    for (size_t i = block->count; i-- > 0;) {
        walk_back(&walk, &code->instructions[block->first + (order ? order[i] : i)]);
        if (walk.now <= most)
            continue;
        most = walk.now;
        memcpy(top, walk.set, live->words * sizeof *top);
    }
    return peak_of(code, live, b, top);
}
