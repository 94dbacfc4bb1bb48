/* What must stay before what in a block.

   In: a block's instructions. Out: for each its predecessors and successors, without most of those
   that follow from others: a definition before its uses, uses before the next definition, accesses
   to one memory space of which one writes, barriers and calls against all that touch memory, a last
   branch after everything. The time is linear in the operands. */
#include "ir/ptx/code.h"

enum { SPACES = 4 };   /* any, global, shared, local */

struct tracker {
    struct arena *arena;
    const struct ptx_instruction *x;
    struct ptx_dependence *made;
    int *definition;                  /* by register: the last instruction of the block that defines
                                         it, + 1; 0 = none */
    struct ptx_list *uses;            /* by register: its uses since */
    int write[SPACES];                /* the last instruction that writes the space, + 1 */
    struct ptx_list reads[SPACES];    /* since */
};

static void edge(struct tracker *t, int from, int to)
{
    struct ptx_dependence *a = &t->made[from], *b = &t->made[to];
    if (from == to || (b->before.count && b->before.at[b->before.count - 1] == from))
        return;
    vec_push(t->arena, &b->before, from);
    vec_push(t->arena, &a->after, to);
}

static void registers_order(struct tracker *t, int i)
{
    const struct ptx_instruction *x = &t->x[i];
    for (int k = 0; k < x->n_uses; k++) {
        if (t->definition[x->uses[k]])
            edge(t, t->definition[x->uses[k]] - 1, i);
        vec_push(t->arena, &t->uses[x->uses[k]], i);
    }
    for (int k = 0; k < x->n_defs; k++) {
        struct ptx_list *uses = &t->uses[x->defs[k]];
        for (size_t u = 0; u < uses->count; u++)
            edge(t, uses->at[u], i);
        if (t->definition[x->defs[k]])
            edge(t, t->definition[x->defs[k]] - 1, i);
        t->definition[x->defs[k]] = i + 1;
        uses->count = 0;
    }
}

static int space_index(int space)
{
    switch (space) {
    case 'g': return 1;
    case 's': return 2;
    case 'l': return 3;
    default: return 0;
    }
}

static void memory_order(struct tracker *t, int i)
{
    const struct ptx_instruction *x = &t->x[i];
    int space = x->effect == EFFECT_ORDER ? 0 : space_index(x->space);
    bool writes = x->effect != EFFECT_READ;
    if (x->effect == EFFECT_NONE)
        return;
    for (int s = 0; s < SPACES; s++) {
        if (s && space && s != space)
            continue;
        if (t->write[s])
            edge(t, t->write[s] - 1, i);
        if (writes)
            for (size_t k = 0; k < t->reads[s].count; k++)
                edge(t, t->reads[s].at[k], i);
        if (writes && (!space || s == space)) {
            t->write[s] = i + 1;
            t->reads[s].count = 0;
        }
    }
    if (!writes)
        vec_push(t->arena, &t->reads[space], i);
}

static struct ptx_dependence *dependences_make(const struct ptx_code *code, size_t b)
{
    const struct ptx_block *block = &code->blocks[b];
    struct tracker t = {.arena = code->arena, .x = code->instructions + block->first};
    int n = (int)block->count;
    t.made = ARENA_ARRAY(code->arena, struct ptx_dependence, block->count + 1);
    t.definition = ARENA_ARRAY(code->arena, int, code->n_registers + 1);
    t.uses = ARENA_ARRAY(code->arena, struct ptx_list, code->n_registers + 1);
    for (int i = 0; i < n; i++) {
        registers_order(&t, i);
        memory_order(&t, i);
        if (t.x[i].is_branch && i + 1 == n)
            for (int k = 0; k < i; k++)
                edge(&t, k, i);
    }
    return t.made;
}

const struct ptx_dependence *block_dependences(const struct ptx_code *code, size_t b)
{
    if (!code->dependences[b])
        code->dependences[b] = dependences_make(code, b);
    return code->dependences[b];
}
