/* Orders of a block's instructions.

   In: a block, what is live around it, what must stay before what (dependence.c). Out: an order
   that needs few registers, or one that hides latencies as the assembler does where registers
   allow. Few registers: greedy, from the last instruction to the first; among the instructions all
   of whose successors are placed, the one that lowers the pressure most (its results die, going
   backwards, its operands come to life) goes next; ties keep the order of the text. Latencies:
   greedy, from the first to the last, one instruction a cycle; among those whose operands are
   there, the one from which the longest path leads to the end of the block; if none is, the one
   whose operands come first. Under a limit an instruction that keeps within it goes before one that
   does not, and beyond it the one that adds least. */
#include "ir/ptx/code.h"
#include <assert.h>
#include <string.h>

/* The words by which the pressure before x exceeds that after it. */
static int cost(const struct ptx_code *code, const struct ptx_instruction *x, const uint64_t *live)
{
    int sum = 0;
    for (int i = 0; i < x->n_uses; i++)
        if (!(live[x->uses[i] / 64] >> (x->uses[i] % 64) & 1))
            sum += code->registers[x->uses[i]].words;
    if (!x->guarded)
        for (int i = 0; i < x->n_defs; i++)
            if (live[x->defs[i] / 64] >> (x->defs[i] % 64) & 1)
                sum -= code->registers[x->defs[i]].words;
    return sum;
}

static void place(const struct ptx_instruction *x, uint64_t *live)
{
    if (!x->guarded)
        for (int i = 0; i < x->n_defs; i++)
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
    const struct ptx_dependence *order = block_dependences(code, b);
    size_t *placed = ARENA_ARRAY(code->arena, size_t, block->count + 1),
           *waiting = ARENA_ARRAY(code->arena, size_t, block->count + 1);
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
static int *heights(const struct ptx_code *code, const struct ptx_block *block,
                    const struct ptx_dependence *order)
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

/* A block while it is filled from its first instruction on. */
struct issuing {
    const struct ptx_code *code;
    const struct ptx_instruction *x;   /* the block's */
    const uint64_t *out;               /* live after it */
    int limit;
    const int *height;
    int *start;                        /* by instruction: the cycle in which its operands
                                          are there */
    int cycle, pressure;               /* words live now */
    int *left;                         /* by register: uses to come */
    bool *live;                        /* by register */
    struct ptx_list ready;
};

static bool lives_on(const struct issuing *s, int r)
{
    return s->out[r / 64] >> (r % 64) & 1;
}

/* Words that x adds to what is live: its results, less the operands that it is the last to use. */
static int growth(const struct issuing *s, const struct ptx_instruction *x)
{
    int sum = 0;
    for (int i = 0; i < x->n_uses; i++) {
        int r = x->uses[i], same = 0, before = 0;
        for (int k = 0; k < x->n_uses; k++) {
            same += x->uses[k] == r;
            before += k < i && x->uses[k] == r;
        }
        if (!before && s->left[r] == same && !lives_on(s, r))
            sum -= s->code->registers[r].words;
    }
    for (int i = 0; i < x->n_defs; i++)
        if (!s->live[x->defs[i]])
            sum += s->code->registers[x->defs[i]].words;
    return sum;
}

/* Does `a`, which adds `more`, go before `b`, which adds `other`? */
static bool goes_before(const struct issuing *s, int a, int more, int b, int other)
{
    bool over = s->pressure + more > s->limit;
    if (over != (s->pressure + other > s->limit))
        return !over;
    if (over && more != other)
        return more < other;
    int late_a = s->start[a] > s->cycle ? s->start[a] : s->cycle,
        late_b = s->start[b] > s->cycle ? s->start[b] : s->cycle;
    if (late_a != late_b)
        return late_a < late_b;
    return s->height[a] != s->height[b] ? s->height[a] > s->height[b] : a < b;
}

static int issue_take(struct issuing *s)
{
    size_t best = 0;
    int least = 0;
    for (size_t k = 0; k < s->ready.count; k++) {
        int more = s->limit == PRESSURE_ANY ? 0 : growth(s, &s->x[s->ready.at[k]]);
        if (k == 0 || goes_before(s, s->ready.at[k], more, s->ready.at[best], least)) {
            best = k;
            least = more;
        }
    }
    s->pressure += least;
    return list_take(&s->ready, best);
}

/* Notes that x has been issued. */
static void issue_note(struct issuing *s, const struct ptx_instruction *x)
{
    for (int i = 0; i < x->n_uses; i++)
        if (--s->left[x->uses[i]] == 0 && !lives_on(s, x->uses[i]))
            s->live[x->uses[i]] = false;
    for (int i = 0; i < x->n_defs; i++)
        s->live[x->defs[i]] = true;
}

static struct issuing issue_begin(const struct ptx_code *code, const struct liveness *live,
                                  size_t b, int limit)
{
    const struct ptx_block *block = &code->blocks[b];
    const uint64_t *in = live->in + b * live->words;
    struct issuing s = {.code = code,
                        .x = code->instructions + block->first,
                        .out = live->out + b * live->words,
                        .limit = limit};
    s.start = ARENA_ARRAY(code->arena, int, block->count + 1);
    s.left = ARENA_ARRAY(code->arena, int, code->n_registers + 1);
    s.live = ARENA_ARRAY(code->arena, bool, code->n_registers + 1);
    for (size_t r = 0; r < code->n_registers; r++)
        if (in[r / 64] >> (r % 64) & 1) {
            s.live[r] = true;
            s.pressure += code->registers[r].words;
        }
    for (size_t i = 0; i < block->count; i++)
        for (int k = 0; k < s.x[i].n_uses; k++)
            s.left[s.x[i].uses[k]]++;
    return s;
}

const size_t *block_hide(const struct ptx_code *code, const struct liveness *live, size_t b,
                         int limit)
{
    size_t count = code->blocks[b].count;
    const struct ptx_dependence *order = block_dependences(code, b);
    size_t *placed = ARENA_ARRAY(code->arena, size_t, count + 1),
           *waiting = ARENA_ARRAY(code->arena, size_t, count + 1);
    struct issuing s = issue_begin(code, live, b, limit);
    s.height = heights(code, &code->blocks[b], order);
    for (size_t i = 0; i < count; i++)
        if (!(waiting[i] = order[i].before.count))
            vec_push(code->arena, &s.ready, (int)i);
    for (size_t n = 0; n < count; n++) {
        int taken = issue_take(&s);
        placed[n] = (size_t)taken;
        issue_note(&s, &s.x[taken]);
        s.cycle = (s.start[taken] > s.cycle ? s.start[taken] : s.cycle) + 1;
        for (size_t k = 0; k < order[taken].after.count; k++) {
            int next = order[taken].after.at[k], there = s.cycle - 1 + s.x[taken].latency;
            s.start[next] = there > s.start[next] ? there : s.start[next];
            if (!--waiting[next])
                vec_push(code->arena, &s.ready, next);
        }
    }
    return placed;
}
