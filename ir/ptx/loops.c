/* Loops of a PTX entry and what stands in them.

   In: PTX text and an entry. Out: the counts of its hottest loop (contract in loops.h). A loop is
   what a branch back to a block that is still open in a depth-first walk closes: its head, and
   every block that the head reaches and from which the branch can be reached without passing the
   head. Loops of one head are one. A block belongs to the innermost loop around it, and only there
   it is counted. A loop that is entered in two places (over blocks, in a line or in a plane) has
   one of them as its head, and the same blocks whichever. */
#include "base/str.h"
#include "ir/ptx/loops.h"
#include "base/vec.h"
#include "ir/ptx/code.h"
#include <string.h>

enum mark { MARK_NEW, MARK_OPEN, MARK_DONE };

struct edge {
    size_t tail, head;
};

struct loops {
    const struct ptx_code *code;
    unsigned char *mark;       /* by block; in the end those that are reached are done */
    VEC(struct edge) back;     /* edges to a block that is still open */
    bool **body;               /* by block: the loop it heads, as a set of blocks; NULL if it
                                  heads none */
};

/* Depth first with a stack of its own: entries may have thousands of blocks. */
static void loops_walk(struct loops *l)
{
    const struct ptx_code *code = l->code;
    size_t *stack = ARENA_ARRAY(code->arena, size_t, code->n_blocks + 1), depth = 1;
    int *step = ARENA_ARRAY(code->arena, int, code->n_blocks);
    stack[0] = 0;
    l->mark[0] = MARK_OPEN;
    while (depth) {
        size_t b = stack[depth - 1];
        if (step[b] == code->blocks[b].n_next) {
            l->mark[b] = MARK_DONE;
            depth--;
            continue;
        }
        size_t next = (size_t)code->blocks[b].next[step[b]++];
        if (l->mark[next] == MARK_OPEN)
            vec_push(code->arena, &l->back, ((struct edge){b, next}));
        if (l->mark[next] != MARK_NEW)
            continue;
        l->mark[next] = MARK_OPEN;
        stack[depth++] = next;
    }
}

/* The blocks that b reaches. */
static bool *reached_from(const struct ptx_code *code, size_t b)
{
    bool *reached = ARENA_ARRAY(code->arena, bool, code->n_blocks);
    size_t *stack = ARENA_ARRAY(code->arena, size_t, code->n_blocks), depth = 1;
    stack[0] = b;
    reached[b] = true;
    while (depth) {
        const struct ptx_block *block = &code->blocks[stack[--depth]];
        for (int i = 0; i < block->n_next; i++)
            if (!reached[block->next[i]]) {
                reached[block->next[i]] = true;
                stack[depth++] = (size_t)block->next[i];
            }
    }
    return reached;
}

/* Every block that the head reaches from which the tail can be reached without passing it. */
static void body_add(struct loops *l, struct edge edge)
{
    const struct ptx_code *code = l->code;
    bool changed = true, *in = l->body[edge.head], *reached = reached_from(code, edge.head);
    if (!in)
        in = l->body[edge.head] = ARENA_ARRAY(code->arena, bool, code->n_blocks);
    in[edge.head] = in[edge.tail] = true;
    while (changed) {
        changed = false;
        for (size_t b = 0; b < code->n_blocks; b++)
            if (reached[b])
                for (int i = 0; i < code->blocks[b].n_next && !in[b]; i++) {
                    size_t next = (size_t)code->blocks[b].next[i];
                    changed |= in[b] = next != edge.head && in[next];
                }
    }
}

static struct loops loops_find(const struct ptx_code *code)
{
    struct loops l = {.code = code, .mark = ARENA_ARRAY(code->arena, unsigned char, code->n_blocks),
                      .body = ARENA_ARRAY(code->arena, bool *, code->n_blocks)};
    loops_walk(&l);
    for (size_t i = 0; i < l.back.count; i++)
        body_add(&l, l.back.at[i]);
    return l;
}

static bool is_operation(const char *op)
{
    static const char *const not[] = {"ld", "st.", "mov", "cvt", "setp", "selp"};
    for (size_t i = 0; i < sizeof not / sizeof *not; i++)
        if (str_begins(op, not[i]))
            return false;
    return strstr(op, ".f32") || strstr(op, ".f64");
}

static void count_instruction(struct ptx_loop *n, int *in_flight,
                              const struct ptx_instruction *instruction)
{
    const char *op = instruction->op;
    bool access = (str_begins(op, "ld") || str_begins(op, "st.")) && !strstr(op, ".param");
    bool stores = access && str_begins(op, "st");
    *in_flight += access && instruction->space == 'g' && !stores;
    if (*in_flight > n->in_flight)
        n->in_flight = *in_flight;
    if (stores && instruction->space == 's') {
        n->shared_stores++;
        *in_flight = 0;
    }
    n->instructions++;
    n->fmas += str_begins(op, "fma");
    n->flops += is_operation(op);
    n->barriers += str_begins(op, "bar");
    n->shared += access && instruction->space == 's';
    n->global += access && instruction->space == 'g';
    n->stores += stores && instruction->space == 'g';
    n->vectors += access && (strstr(op, ".v2") || strstr(op, ".v4"));
}

/* Is block b in a loop within the one that `head` heads? */
static bool is_deeper(const struct loops *l, size_t head, size_t b)
{
    for (size_t other = 0; other < l->code->n_blocks; other++)
        if (other != head && l->body[head][other] && l->body[other] && l->body[other][b])
            return true;
    return false;
}

static struct ptx_loop count_loop(const struct loops *l, size_t head)
{
    const struct ptx_code *code = l->code;
    struct ptx_loop n = {0};
    int in_flight = 0;         /* global loads since the last shared store */
    for (size_t b = 0; b < code->n_blocks; b++)
        if (l->body[head][b] && !is_deeper(l, head, b))
            for (size_t i = 0; i < code->blocks[b].count; i++)
                count_instruction(&n, &in_flight, &code->instructions[code->blocks[b].first + i]);
    return n;
}

static bool is_hotter(const struct ptx_loop *a, const struct ptx_loop *b)
{
    if (b->instructions == 0)
        return true;
    if (a->fmas != b->fmas)
        return a->fmas > b->fmas;
    if (a->flops != b->flops)
        return a->flops > b->flops;
    return a->shared + a->global > b->shared + b->global;
}

/* Does loop a copy more at once into shared memory than b? */
static bool copies_more(const struct ptx_loop *a, const struct ptx_loop *b)
{
    return a->global > a->stores && a->shared_stores && a->in_flight > b->in_flight;
}

typedef bool loop_order(const struct ptx_loop *a, const struct ptx_loop *b);

/* The first loop in this order; what an order never puts before an empty one is not taken. */
static struct ptx_loop loops_first(const struct loops *l, loop_order *is_before)
{
    struct ptx_loop best = {0};
    int count = 0, local = 0;
    for (size_t b = 0; b < l->code->n_blocks; b++) {
        if (!l->body[b])
            continue;
        struct ptx_loop n = count_loop(l, b);
        if (is_before(&n, &best))
            best = n;
        count++;
    }
    for (size_t i = 0; i < l->code->n_instructions; i++)
        local += l->code->instructions[i].space == 'l';
    best.loops = count;
    best.local = local;
    return best;
}

static bool loop_find(const char *ptx, const char *entry, loop_order *is_before,
                      struct ptx_loop *loop)
{
    struct arena *arena = arena_new();
    const struct ptx_code *code = code_read(arena, ptx, entry);
    *loop = (struct ptx_loop){0};
    if (code) {
        struct loops loops = loops_find(code);
        *loop = loops_first(&loops, is_before);
    }
    arena_free(arena);
    return code != NULL;
}

bool ptx_hot_loop(const char *ptx, const char *entry, struct ptx_loop *loop)
{
    return loop_find(ptx, entry, is_hotter, loop);
}

bool ptx_copy_loop(const char *ptx, const char *entry, struct ptx_loop *loop)
{
    return loop_find(ptx, entry, copies_more, loop);
}
