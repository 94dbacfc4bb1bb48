/* Short branches as the assembler sees them: executed under a guard instead of jumped over.

   In: basic blocks in the order of the text. Out: the same with every `branch over a few
   instructions` merged into the block around it; what was jumped over is guarded (it may leave its
   results as they were), jumps are removed. Only blocks that lie one behind another are merged, so
   that a block stays a range of instructions. Barriers and calls keep their blocks. */
#include "ir/ptx/code.h"
#include <assert.h>

enum { SHORT = 7 };   /* instructions that the assembler would rather guard than jump over */

static int predecessors(const struct ptx_code *code, size_t b)
{
    int count = 0;
    for (size_t p = 0; p < code->n_blocks; p++)
        for (int k = 0; k < code->blocks[p].n_next; k++)
            count += code->blocks[p].next[k] == (int)b;
    return count;
}

static bool leads_to(const struct ptx_block *block, size_t b)
{
    for (int k = 0; k < block->n_next; k++)
        if (block->next[k] == (int)b)
            return true;
    return false;
}

static bool is_short(const struct ptx_code *code, const struct ptx_block *block)
{
    if (block->count > SHORT)
        return false;
    for (size_t i = 0; i < block->count; i++)
        if (code->instructions[block->first + i].effect == EFFECT_ORDER)
            return false;
    return true;
}

/* Appends the next block in the text to block b, under a guard or not; the last jump of b goes. */
static void append(struct ptx_code *code, size_t b, size_t next, bool guarded)
{
    struct ptx_block *block = &code->blocks[b], *other = &code->blocks[next];
    struct ptx_instruction *last = block->count
                                       ? &code->instructions[block->first + block->count - 1]
                                       : NULL;
    if (last && last->is_branch)
        *last = (struct ptx_instruction){.latency = 1};
    assert(code->instructions || other->count == 0);
    for (size_t i = 0; i < other->count; i++)
        code->instructions[other->first + i].guarded |= guarded;
    block->count += other->count;
    other->n_next = 0;
    other->count = 0;
}

/* The first block after b that still is one. */
static size_t following(const struct ptx_code *code, const bool *merged, size_t b)
{
    for (b++; b < code->n_blocks && merged[b]; b++)
        ;
    return b;
}

/* One merge at block b; false if none is possible. */
static bool merge(struct ptx_code *code, bool *merged, size_t b)
{
    struct ptx_block *block = &code->blocks[b];
    size_t next = following(code, merged, b);
    if (next >= code->n_blocks || block->first + block->count != code->blocks[next].first)
        return false;
    struct ptx_block *other = &code->blocks[next];
    bool only = predecessors(code, next) == 1 && leads_to(block, next);
    if (only && block->n_next == 1) {
        int n = other->n_next, to[2] = {other->next[0], other->next[1]};
        append(code, b, next, false);
        block->n_next = n;
        block->next[0] = to[0];
        block->next[1] = to[1];
        return merged[next] = true;
    }
    if (!only || block->n_next != 2 || other->n_next > 1 || !is_short(code, other))
        return false;
    int target = block->next[0] == (int)next ? block->next[1] : block->next[0];
    if (other->n_next == 1 && other->next[0] != target)
        return false;
    append(code, b, next, true);
    block->n_next = 1;
    block->next[0] = target;
    return merged[next] = true;
}

void code_convert(struct ptx_code *code)
{
    bool *merged = ARENA_ARRAY(code->arena, bool, code->n_blocks + 1), changed = true;
    while (changed) {
        changed = false;
        for (size_t b = 0; b < code->n_blocks; b++)
            while (!merged[b] && merge(code, merged, b))
                changed = true;
    }
}
