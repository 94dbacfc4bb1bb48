/* Latency that other work covers: while a block waits for the copies of a round, the r - 1 others
   of its multiprocessor compute, and the S - 1 rounds for which its own S buffers are filled.

   In: a kernel with tiles in a loop at block level. Out: 100 * (S * r - 1) * c / Y_G percent: c the
   cycles that one block computes in a round, the longest of its terms (time.c), r the least of what
   registers, shared memory, warps and slots allow (occupancy.c); a piece for each pair of them.
   With 100 or more nobody has to wait. A report: lanes that idle, bank conflicts and waiting for
   arithmetic would make c longer, so that more is hidden.
   Source: notes on pipelining; spec X-13. */
#include "ir/walk.h"
#include "optimizer/counters/blocks.h"
#include "optimizer/space.h"

/* A loop of the block that fills tiles, and how many of each it has. */
struct filled_loop {
    const struct stmt *loop;
    int buffers;
};

/* Does the statement fill tiles of global arrays by strided bands? */
static bool fills_tiles(struct arena *arena, const struct stmt *root, int *buffers)
{
    struct stmt_walk walk;
    int64_t slots = 0;
    bool found = false;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_STORE || s->array->space != SPACE_SHARED || !s->array->origin)
            continue;
        found = true;
        if (s->async && expr_get_integer(s->array->dims[0], &slots))
            *buffers = (int)slots;
    }
    return found;
}

/* The last loop at block level that fills tiles; NULL if there is none. */
static struct filled_loop loop_find(struct arena *arena, const struct kernel *kernel)
{
    struct filled_loop found = {NULL, 1};
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk)) {
        int buffers = 1;
        if (s->kind == STMT_BAND)
            stmt_skip(&walk);
        else if (s->kind == STMT_FOR && stmt_contains(s, STMT_BAND) &&
                 fills_tiles(arena, s->children[0], &buffers))
            found = (struct filled_loop){s, buffers};
    }
    return found;
}

/* The kernel with one round of the loop as its body. */
static const struct kernel *round_kernel(struct arena *arena, const struct kernel *kernel,
                                         const struct stmt *loop)
{
    struct kernel *round = kernel_copy(arena, kernel);
    const struct expr *zero = expr_integer(arena, loop->var->type, 0),
                      *one = expr_integer(arena, loop->var->type, 1);
    round->body = stmt_for(arena, loop->var, zero, one, one, loop->children[0]);
    return round;
}

/* Limit `limit` is the least, term `term` the longest. */
static struct sas piece_guard(struct scope *scope, const struct poly *const *blocks, int n_blocks,
                              int limit, struct sas longest)
{
    for (int k = 0; k < n_blocks; k++)
        if (k != limit)
            longest = sas_add(scope->store->ctx->arena, longest,
                              constraint_make(blocks[limit], k < limit ? RELATION_LT : RELATION_LE,
                                              blocks[k]));
    return longest;
}

struct counter_value counter_hidden(struct store *store, const struct kernel *kernel)
{
    struct arena *arena = store->ctx->arena;
    struct filled_loop filled = loop_find(arena, kernel);
    struct scope *scope = ARENA_NEW(arena, struct scope);
    const struct poly *blocks[BLOCK_LIMITS];
    struct cycle_term terms[CYCLE_TERMS];
    *scope = scope_new(store, kernel, COUNTER_HIDDEN);
    if (!filled.loop)
        return scope_none("no loop of a block fills tiles");
    int n_blocks = blocks_allowed(scope, blocks);
    scope->kernel = round_kernel(arena, kernel, filled.loop);
    const struct figures *figures = figures_fill(scope);
    int n_terms = n_blocks && !figures->reason ? cycle_terms(scope, figures, terms) : 0;
    const struct poly *latency = scope_machine(scope, "Y_G");
    if (n_terms == 0 || scope->reason || !latency)
        return scope_none(scope->reason ? scope->reason : "a round has no figures");
    struct counter_piece *pieces = ARENA_ARRAY(arena, struct counter_piece, n_blocks * n_terms);
    const struct poly *one = poly_integer(scope->ring, 1);
    int count = 0;
    for (int i = 0; i < n_blocks; i++)
        for (int k = 0; k < n_terms; k++) {
            const struct poly *rounds = poly_sub(poly_scale(blocks[i], filled.buffers, 1), one),
                              *work = poly_scale(terms[k].operations, 100, 1);
            pieces[count++] = (struct counter_piece){
                piece_guard(scope, blocks, n_blocks, i, longest_of(scope, terms, n_terms, k)),
                poly_mul(rounds, work), poly_mul(terms[k].lanes, latency), COUNTER_ESTIMATE};
            if (!pieces[count - 1].numerator || !pieces[count - 1].denominator)
                return scope_none("a polynomial of too high a degree");
        }
    return scope_value(scope, (size_t)count, pieces);
}

bool hidden_concerns(const struct search_space *space)
{
    return asynchrony_concerns(space);
}
