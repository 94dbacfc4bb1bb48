/* Where the ways of a branch come together again: its immediate postdominator. Threads of a warp
   that part at a branch run one side after the other up to there. Instructions are the nodes, their
   number (n) is the end.

   Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph. */
#include "tests/cycles/code.h"

struct flow {
    const struct code *code;
    int n;                      /* of instructions; the end's number */
    int (*next)[2];             /* by instruction; -1 = none */
    int *first, *list;          /* predecessors: list[first[i] .. first[i + 1]) */
    int *order, *place;         /* reversed graph: nodes in postorder, and where each stands */
    int *over;                  /* immediate postdominator */
};

static void next_set(struct flow *f)
{
    for (int i = 0; i < f->n; i++) {
        const struct instruction *at = &f->code->instructions[i];
        bool leaves = at->op == OP_RET || at->op == OP_EXIT;
        bool falls = at->guard >= 0 || !(at->op == OP_BRA || leaves);
        f->next[i][0] = falls ? i + 1 : -1;
        f->next[i][1] = -1;
        if (at->op == OP_BRA || leaves)
            f->next[i][1] = leaves ? f->n : at->target;
    }
}

static void predecessors_set(struct flow *f, int *filled)
{
    for (int i = 0; i < 2 * f->n; i++)
        if (f->next[i / 2][i % 2] >= 0)
            f->first[f->next[i / 2][i % 2] + 1]++;
    for (int i = 0; i <= f->n; i++) {
        f->first[i + 1] += f->first[i];
        filled[i] = f->first[i];
    }
    for (int i = 0; i < 2 * f->n; i++)
        if (f->next[i / 2][i % 2] >= 0)
            f->list[filled[f->next[i / 2][i % 2]]++] = i / 2;
}

/* A search from the end, with a stack of its own; unreachable nodes keep place -1. How many nodes
   it reached. */
static int order_set(struct flow *f, int *stack, int *child)
{
    int depth = 0, count = 0;
    for (int i = 0; i <= f->n; i++) {
        f->place[i] = -1;
        child[i] = -1;
    }
    stack[depth++] = f->n;
    child[f->n] = f->first[f->n];
    while (depth > 0) {
        int at = stack[depth - 1];
        if (child[at] == f->first[at + 1]) {
            f->place[at] = count;
            f->order[count++] = at;
            depth--;
            continue;
        }
        int before = f->list[child[at]++];
        if (child[before] < 0) {
            child[before] = f->first[before];
            stack[depth++] = before;
        }
    }
    return count;
}

static int meet(const struct flow *f, int a, int b)
{
    while (a != b) {
        while (f->place[a] < f->place[b])
            a = f->over[a];
        while (f->place[b] < f->place[a])
            b = f->over[b];
    }
    return a;
}

static bool node_settle(struct flow *f, int i)
{
    int over = -1;
    for (int k = 0; k < 2; k++) {
        int next = f->next[i][k];
        bool is_known = next >= 0 && f->place[next] >= 0 && f->over[next] >= 0;
        if (is_known)
            over = over < 0 ? next : meet(f, over, next);
    }
    bool changed = over != f->over[i];
    f->over[i] = over;
    return changed;
}

void cycles_meetings(struct arena *arena, struct code *code)
{
    int n = code->n_instructions;
    size_t room = (size_t)n + 3;
    struct flow f = {.code = code, .n = n, .next = arena_alloc(arena, room * sizeof *f.next),
                     .first = ARENA_ARRAY(arena, int, room),
                     .list = ARENA_ARRAY(arena, int, 2 * room),
                     .order = ARENA_ARRAY(arena, int, room),
                     .place = ARENA_ARRAY(arena, int, room),
                     .over = ARENA_ARRAY(arena, int, room)};
    next_set(&f);
    predecessors_set(&f, ARENA_ARRAY(arena, int, room));
    int count = order_set(&f, ARENA_ARRAY(arena, int, room), ARENA_ARRAY(arena, int, room));
    for (int i = 0; i <= n; i++)
        f.over[i] = -1;
    f.over[n] = n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = count - 2; k >= 0; k--)
            changed |= node_settle(&f, f.order[k]);
    }
    for (int i = 0; i < n; i++)
        code->instructions[i].meets = f.over[i] >= 0 ? f.over[i] : n;
}
