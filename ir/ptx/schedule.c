/* An order of a block's instructions that needs few registers.

   Greedy, from the last instruction to the first: among the instructions all of whose successors are placed, the one
   that lowers the pressure most (its results die, going backwards, its operands come to life) goes next; ties keep the
   order of the text. Order is kept between a definition and its uses and redefinitions, between accesses to one memory
   space of which one writes, and around barriers and calls. */
#include "ir/ptx/code.h"
#include "base/vec.h"
#include <string.h>

struct edges {
    VEC(size_t) before;       /* instructions that must stay before this one */
    size_t waiting;           /* instructions after this one that are not placed yet */
};

static void edge_add(const struct ptx_code *code, struct edges *edges, size_t from, size_t to)
{
    vec_push(code->arena, &edges[to].before, from);
    edges[from].waiting++;
}

static bool share(const int *a, int n, const int *b, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

static bool memory_ordered(const struct ptx_instruction *a, const struct ptx_instruction *b)
{
    if (a->effect == EFFECT_ORDER || b->effect == EFFECT_ORDER)
        return a->effect != EFFECT_NONE && b->effect != EFFECT_NONE;
    if (a->effect == EFFECT_NONE || b->effect == EFFECT_NONE || (a->effect == EFFECT_READ && b->effect == EFFECT_READ))
        return false;
    return a->space == b->space || !a->space || !b->space;
}

static bool ordered(const struct ptx_instruction *a, const struct ptx_instruction *b)
{
    return share(a->defs, a->n_defs, b->uses, b->n_uses) || share(a->uses, a->n_uses, b->defs, b->n_defs) ||
           share(a->defs, a->n_defs, b->defs, b->n_defs) || memory_ordered(a, b);
}

/* How much the pressure before x exceeds that after it. */
static int cost(const struct ptx_code *code, const struct ptx_instruction *x, const uint64_t *live)
{
    int sum = 0;
    for (int i = 0; i < x->n_uses; i++)
        if (!(live[x->uses[i] / 64] >> (x->uses[i] % 64) & 1))
            sum += code->registers[x->uses[i]].words;
    for (int i = 0; i < x->n_defs && !x->guarded; i++)
        if (live[x->defs[i] / 64] >> (x->defs[i] % 64) & 1)
            sum -= code->registers[x->defs[i]].words;
    return sum;
}

static void place(const struct ptx_instruction *x, uint64_t *live)
{
    for (int i = 0; i < x->n_defs && !x->guarded; i++)
        live[x->defs[i] / 64] &= ~((uint64_t)1 << (x->defs[i] % 64));
    for (int i = 0; i < x->n_uses; i++)
        live[x->uses[i] / 64] |= (uint64_t)1 << (x->uses[i] % 64);
}

/* The last instruction of a block stays last if it branches; a block is at most a few thousand instructions. */
static struct edges *block_edges(const struct ptx_code *code, const struct ptx_block *block)
{
    struct edges *edges = ARENA_ARRAY(code->arena, struct edges, block->count + 1);
    const struct ptx_instruction *x = code->instructions + block->first;
    for (size_t j = 1; j < block->count; j++)
        for (size_t i = 0; i < j; i++)
            if (ordered(&x[i], &x[j]) || (j + 1 == block->count && block->n_next))
                edge_add(code, edges, i, j);
    return edges;
}

const size_t *block_schedule(const struct ptx_code *code, const struct liveness *live, size_t b)
{
    const struct ptx_block *block = &code->blocks[b];
    const struct ptx_instruction *x = code->instructions + block->first;
    struct edges *edges = block_edges(code, block);
    size_t *order = ARENA_ARRAY(code->arena, size_t, block->count + 1);
    bool *placed = ARENA_ARRAY(code->arena, bool, block->count + 1);
    uint64_t *set = ARENA_ARRAY(code->arena, uint64_t, live->words);
    memcpy(set, live->out + b * live->words, live->words * sizeof *set);
    for (size_t n = block->count; n-- > 0;) {
        size_t best = block->count;
        for (size_t i = block->count; i-- > 0;)
            if (!placed[i] && !edges[i].waiting && (best == block->count || cost(code, &x[i], set) < cost(code, &x[best], set)))
                best = i;
        placed[best] = true;
        order[n] = best;
        place(&x[best], set);
        for (size_t k = 0; k < edges[best].before.count; k++)
            edges[edges[best].before.at[k]].waiting--;
    }
    return order;
}
