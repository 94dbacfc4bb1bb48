/* The judge of the strategies is itself tested: staged kernels of the samples are broken on purpose
   (a barrier removed, the bound of a fill shifted, two subscripts swapped, a write-back dropped)
   and the thread interpreter or the comparison with the serial reading must notice. Each line of
   the output says which witness caught it. */
#include "optimizer_test.h"

enum mutation { REMOVE_BARRIER, SHIFT_BOUND, SWAP_SUBSCRIPTS, DROP_BAND };
static const char *const MUTATION_NAMES[] = {"barrier removed", "bound shifted",
                                             "subscripts swapped", "band dropped"};

struct mutator {
    struct arena *arena;
    enum mutation mutation;
    int index, seen;                       /* which of the places is changed */
};

static bool is_place(const struct mutator *m, const struct stmt *s)
{
    switch (m->mutation) {
    case REMOVE_BARRIER: return s->kind == STMT_BARRIER;
    case SHIFT_BOUND:
    case DROP_BAND: return s->kind == STMT_BAND && s->strided;
    default:
        return s->kind == STMT_STORE && s->array->space == SPACE_SHARED && s->array->n_dims == 2;
    }
}

static const struct stmt *mutate(void *state, const struct stmt *s)
{
    struct mutator *m = state;
    if (!is_place(m, s) || m->seen++ != m->index)
        return s;
    if (m->mutation == REMOVE_BARRIER || m->mutation == DROP_BAND)
        return NULL;
    if (m->mutation == SWAP_SUBSCRIPTS) {
        const struct expr *swapped[2] = {s->indices[1], s->indices[0]};
        return stmt_store(m->arena, s->array, swapped, s->value, s->loc);
    }
    struct axis axes[AXES_MAX];
    for (int i = 0; i < s->n_axes; i++)
        axes[i] = s->axes[i];
    const struct expr *one = expr_integer(m->arena, axes[0].extent->type, 1);
    axes[0].extent = expr_binary(m->arena, OP_SUB, axes[0].extent, one);
    return stmt_band(m->arena, axes, s->n_axes, true, s->children[0]);
}

struct mutant {
    const char *sample, *params;
    enum mutation mutation;
    int index;
    uint64_t set;
};

static const struct mutant MUTANTS[] = {
    {"jacobi1d", "N=50, s=2, B=4, t=0", REMOVE_BARRIER, 0, 0},
    {"jacobi1d", "N=50, s=2, B=4, t=0", SHIFT_BOUND, 1, 0},
    {"jacobi1d", "N=50, s=2, B=4, t=1", SHIFT_BOUND, 0, 0},
    {"jacobi1d", "N=50, s=2, B=4, t=0", DROP_BAND, 1, 0},
    {"jacobi1d", "N=50, s=4, B=4, t=0", REMOVE_BARRIER, 0, STRATEGY_BIT(GRANULARITY)},
    {"transpose", "N=12, s=2, B0=3, B1=2", REMOVE_BARRIER, 0, 0},
    {"transpose", "N=12, s=2, B0=3, B1=2", SHIFT_BOUND, 0, 0},
    {"transpose", "N=12, s=2, B0=3, B1=2", SWAP_SUBSCRIPTS, 0, 0},
    {"transpose", "N=12, s=2, B0=3, B1=2", DROP_BAND, 0, 0},
    {"matmul", "n=16, s=2, B0=4, ub1=2", REMOVE_BARRIER, 0, 0},
    {"matmul", "n=16, s=2, B0=4, ub1=2", REMOVE_BARRIER, 1, 0},
    {"matmul", "n=16, s=2, B0=4, ub1=2", DROP_BAND, 1, 0},
    {"matmul", "n=16, s=2, B0=4, ub1=3", SWAP_SUBSCRIPTS, 1, 0},
    {"jacobi2d", "N=12, s=2, B0=3, B1=2, t=0", REMOVE_BARRIER, 0, 0},
    {"jacobi2d", "N=12, s=2, B0=3, B1=2, t=1", SHIFT_BOUND, 0, 0},
    {"heat3d", "N=8, s=2, B0=1, B1=2, B2=3", REMOVE_BARRIER, 0, 0},
    {"matvec", "m=10, n=12, B=4, h=3", REMOVE_BARRIER, 0, 0},
    {"matvec", "m=10, n=12, B=4, h=3", REMOVE_BARRIER, 1, 0},
    {"matvec", "m=10, n=12, B=4, h=3", SHIFT_BOUND, 0, 0},
};

static void check_mutant(struct check *check, const struct mutant *mutant)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, mutant->sample);
    struct store *store = program ? store_bare(ctx, program->regions[0]) : NULL;
    struct kernel_entry *build = store ? set_kernel(store, mutant->set, false) : NULL;
    if (check_that(check, build != NULL, "%s: no kernel", mutant->sample)) {
        struct mutator mutator = {ctx->arena, mutant->mutation, mutant->index, 0};
        struct kernel *broken = kernel_copy(ctx->arena, build->kernel);
        broken->body = stmt_rewrite(ctx->arena, build->kernel->body, mutate, &mutator);
        union value params[32];
        const char *why = "", *fine = "";
        params_set(store->space->region->kernel, mutant->params, params);
        check_that(check, mutator.seen > mutant->index, "%s: no place %d for '%s'", mutant->sample,
                   mutant->index, MUTATION_NAMES[mutant->mutation]);
        check_that(check,
                   kernels_agree(ctx, store->space->region->kernel, build->kernel,
                                 (struct trial){params, 0, 0}, &fine),
                   "%s unbroken: %s", mutant->sample, fine);
        bool same = kernels_agree(ctx, store->space->region->kernel, broken,
                                  (struct trial){params, 0, 0}, &why);
        check_that(check, !same, "%s at %s: nobody notices '%s' %d", mutant->sample, mutant->params,
                   MUTATION_NAMES[mutant->mutation], mutant->index);
        printf("%-10s %-20s %d: %.90s\n", mutant->sample, MUTATION_NAMES[mutant->mutation],
               mutant->index, why);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof MUTANTS / sizeof *MUTANTS; i++)
        check_mutant(&check, &MUTANTS[i]);
    return check_end(&check, "optimizer_mutants");
}
