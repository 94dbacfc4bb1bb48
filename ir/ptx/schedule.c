/* Orders of a block's instructions.

   In: a block, what is live after it, what must stay before what (dependence.c). Out: an order that needs few registers,
   or one that hides latencies as the assembler does where registers allow.
   Few registers: greedy, from the last instruction to the first; among the instructions all of whose successors are
   placed, the one that lowers the pressure most (its results die, going backwards, its operands come to life) goes next;
   ties keep the order of the text. Latencies: greedy, from the first to the last, one instruction a cycle; among those
   whose operands are there, the one from which the longest path leads to the end of the block; if none is, the one whose
   operands come first. */
#include "ir/ptx/code.h"
#include <assert.h>
#include <string.h>

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

/* Takes item i out of the list, order not kept. */
static int list_take(struct ptx_list *list, size_t i)
{
    assert(list->at && i < list->count);
    int item = list->at[i];
    list->at[i] = list->at[--list->count];
    return item;
}

const size_t *block_schedule(const struct ptx_code *code, const struct liveness *live, size_t b)
{
    const struct ptx_block *block = &code->blocks[b];
    const struct ptx_instruction *x = code->instructions + block->first;
    struct ptx_dependence *order = block_dependences(code, b);
    size_t *placed = ARENA_ARRAY(code->arena, size_t, block->count + 1), *waiting = ARENA_ARRAY(code->arena, size_t, block->count + 1);
    uint64_t *set = ARENA_ARRAY(code->arena, uint64_t, live->words);
    struct ptx_list ready = {0};
    memcpy(set, live->out + b * live->words, live->words * sizeof *set);
    for (size_t i = 0; i < block->count; i++)
        if (!(waiting[i] = order[i].after.count))
            vec_push(code->arena, &ready, (int)i);
    for (size_t n = block->count; n-- > 0;) {
        size_t best = 0;
        int least = 0;
        for (size_t k = 0; k < ready.count; k++) {
            int now = cost(code, &x[ready.at[k]], set);
            if (k == 0 || now < least || (now == least && ready.at[k] > ready.at[best])) {
                best = k;
                least = now;
            }
        }
        int taken = list_take(&ready, best);
        placed[n] = (size_t)taken;
        place(&x[taken], set);
        for (size_t k = 0; k < order[taken].before.count; k++)
            if (!--waiting[order[taken].before.at[k]])
                vec_push(code->arena, &ready, order[taken].before.at[k]);
    }
    return placed;
}

/* Cycles from the start of each instruction to the end of the block. */
static int *heights(const struct ptx_code *code, const struct ptx_block *block, const struct ptx_dependence *order)
{
    int *height = ARENA_ARRAY(code->arena, int, block->count + 1);
    for (size_t i = block->count; i-- > 0;) {
        int most = 0;
        for (size_t k = 0; k < order[i].after.count; k++)
            if (height[order[i].after.at[k]] > most)
                most = height[order[i].after.at[k]];
        height[i] = most + code->instructions[block->first + i].latency;
    }
    return height;
}

/* The position in `ready` of the instruction to issue at `cycle`. */
static size_t issue(const struct ptx_list *ready, const int *height, const int *start, int cycle)
{
    size_t best = 0;
    for (size_t k = 1; k < ready->count; k++) {
        int a = ready->at[k], b = ready->at[best];
        int late_a = start[a] > cycle ? start[a] : cycle, late_b = start[b] > cycle ? start[b] : cycle;
        if (late_a < late_b || (late_a == late_b && (height[a] > height[b] || (height[a] == height[b] && a < b))))
            best = k;
    }
    return best;
}

const size_t *block_hide(const struct ptx_code *code, size_t b)
{
    const struct ptx_block *block = &code->blocks[b];
    struct ptx_dependence *order = block_dependences(code, b);
    size_t *placed = ARENA_ARRAY(code->arena, size_t, block->count + 1), *waiting = ARENA_ARRAY(code->arena, size_t, block->count + 1);
    int *height = heights(code, block, order), *start = ARENA_ARRAY(code->arena, int, block->count + 1), cycle = 0;
    struct ptx_list ready = {0};
    for (size_t i = 0; i < block->count; i++)
        if (!(waiting[i] = order[i].before.count))
            vec_push(code->arena, &ready, (int)i);
    for (size_t n = 0; n < block->count; n++) {
        int taken = list_take(&ready, issue(&ready, height, start, cycle));
        placed[n] = (size_t)taken;
        cycle = (start[taken] > cycle ? start[taken] : cycle) + 1;
        for (size_t k = 0; k < order[taken].after.count; k++) {
            int next = order[taken].after.at[k], there = cycle - 1 + code->instructions[block->first + (size_t)taken].latency;
            start[next] = there > start[next] ? there : start[next];
            if (!--waiting[next])
                vec_push(code->arena, &ready, next);
        }
    }
    return placed;
}
