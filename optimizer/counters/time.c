/* Predicted time of a region's launch, as far as it is a rational function of parameters and
   machine: what the arithmetic units, the issue slots and the ports of the memory take with every
   warp full and all multiprocessors busy, whichever is longest, and the launch. A piece for each of
   them, its guard says that it is the longest. Left out, since they are counted lane by lane at a
   point: sectors and bank conflicts, caches, bandwidth, warps that are not full, waves of blocks
   and waiting. So it is never above what treefork_predict says of the same launch, which ranks.
   Source: spec X-03 (maximum as guards); docs/counters.md. */
#include "optimizer/counters/blocks.h"
#include "optimizer/counters/work.h"

enum { KILOHERTZ = 1000000 };                   /* kHz to nanoseconds */

/* References of all threads of a grid point; without those under a condition, which may
   not hold. */
static const struct poly *references(const struct figures *figures)
{
    const struct poly *sum = poly_integer(figures->ring, 0);
    for (size_t i = 0; i < figures->n_accesses; i++) {
        const struct poly *made = figures->accesses[i].rounds;
        if (figures->accesses[i].branch)
            continue;
        for (int k = 0; k < figures->accesses[i].n_axes; k++)
            made = made ? poly_mul(made, figures->accesses[i].axes[k].extent) : NULL;
        sum = sum && made ? poly_add(sum, made) : NULL;
    }
    return sum;
}

int cycle_terms(struct scope *scope, const struct figures *figures, struct cycle_term *terms)
{
    const struct poly *references_made = references(figures);
    const struct poly *issue =
        references_made ? poly_add(references_made, figures->instructions) : NULL;
    const struct poly *const operations[CYCLE_TERMS] = {figures->floats, figures->doubles, issue,
                                                  references_made};
    static const char *const LANES[CYCLE_TERMS] = {"P_S", "P_D", "P_I", "W_B"};
    int count = 0;
    for (int i = 0; i < CYCLE_TERMS; i++) {
        const struct poly *lanes = operations[i] && !poly_is_zero(operations[i])
                                       ? scope_machine(scope, LANES[i])
                                       : NULL;
        if (lanes)
            terms[count++] = (struct cycle_term){operations[i], lanes};
    }
    return count;
}

struct sas longest_of(struct scope *scope, const struct cycle_term *terms, int count, int i)
{
    struct sas guard = sas_empty(scope->ring);
    for (int k = 0; k < count; k++)
        if (k != i)
            guard = sas_add(scope->store->ctx->arena, guard,
                            constraint_make(poly_mul(terms[k].operations, terms[i].lanes),
                                            k < i ? RELATION_LT : RELATION_LE,
                                            poly_mul(terms[i].operations, terms[k].lanes)));
    return guard;
}

struct counter_value counter_time(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_TIME);
    const struct figures *figures = figures_fill(&scope);
    struct cycle_term terms[CYCLE_TERMS];
    bool exact;
    const struct poly *blocks = figures->reason ? NULL : work_blocks(&scope, &exact);
    if (!blocks)
        return scope_none(scope.reason);
    const struct poly *launch = scope_machine(&scope, "Y_L"),
                      *processors = scope_machine(&scope, "M_D");
    const struct poly *clock = scope_machine(&scope, "K_D");
    int count = scope.reason ? 0 : cycle_terms(&scope, figures, terms);
    if (scope.reason)
        return scope_none(scope.reason);
    struct counter_piece *pieces = ARENA_ARRAY(store->ctx->arena, struct counter_piece,
                                               CYCLE_TERMS);
    for (int i = 0; i < count; i++) {
        const struct poly *rate = poly_mul(terms[i].lanes, poly_mul(processors, clock));
        const struct poly *work = poly_scale(poly_mul(blocks, terms[i].operations), KILOHERTZ, 1);
        pieces[i] = (struct counter_piece){longest_of(&scope, terms, count, i),
                                           poly_add(work, poly_mul(launch, rate)), rate,
                                           COUNTER_ESTIMATE};
        if (!pieces[i].numerator || !pieces[i].denominator)
            return scope_none("a polynomial of too high a degree");
    }
    if (count == 0)
        pieces[count++] = (struct counter_piece){sas_empty(scope.ring), launch, NULL,
                                                 COUNTER_ESTIMATE};
    return scope_value(&scope, (size_t)count, pieces);
}
