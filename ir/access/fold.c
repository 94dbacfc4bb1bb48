/* In: a banded kernel and a serial loop that may become part of the grid. Out: the grid axis into
   which it folds.

   Grid iterator g and loop iterator k become one iterator, trip*g + k, where everything the kernel
   computes depends on the two through trip*g + k alone: each subscript, condition, bound and value,
   local scalars substituted, is split into maximal integer parts with a linear form, and each part
   needs coefficient(g) = trip * coefficient(k). Then setting g = 0 and k = the new iterator
   everywhere gives the same values. */
#include "ir/access/delta.h"

struct folding {
    struct analysis *analysis;
    int outer, inner;                 /* iterators */
    const struct poly *trip;
    bool possible;
};

static bool expr_mentions(const struct folding *folding, const struct expr *e)
{
    const struct analysis *analysis = folding->analysis;
    return expr_uses_var(e, analysis->iterators.at[folding->outer].var) ||
           expr_uses_var(e, analysis->iterators.at[folding->inner].var);
}

static void fold_check(struct folding *folding, const struct expr *e)
{
    struct analysis *analysis = folding->analysis;
    if (!folding->possible || !expr_mentions(folding, e))
        return;
    const struct form *form = form_of(analysis, e);
    if (form) {
        const struct poly *a = form_coefficient(form, folding->outer),
                          *c = form_coefficient(form, folding->inner);
        bool fresh = false;
        for (int i = 0; i < form->n_terms; i++)
            fresh |= analysis->iterators.at[form->terms[i].iterator].level == LEVEL_FRESH;
        folding->possible &= !fresh && !a == !c &&
                             (!a || poly_equal(a, poly_mul(folding->trip, c)));
        return;
    }
    if (e->kind == EXPR_VAR)
        folding->possible = false;
    for (int i = 0; i < e->n_arguments; i++)
        fold_check(folding, e->arguments[i]);
}

/* Iterators and parameters in scope, nothing else: expressions are expanded before they
   are checked. */
static void scope_iterators(struct analysis *analysis)
{
    analysis->scope.count = 0;
    for (size_t i = 0; i < analysis->iterators.count; i++) {
        if (!analysis->iterators.at[i].var || analysis->iterators.at[i].value->kind != EXPR_VAR)
            continue;
        struct scope_binding binding = {analysis->iterators.at[i].var,
                                        form_iterator(analysis, (int)i), NULL, (int)i, NULL};
        vec_push(analysis->arena, &analysis->scope, binding);
    }
}

static bool axis_folds(struct analysis *analysis, int axis, const struct stmt *loop, int inner)
{
    int outer = -1;
    for (size_t i = 0; i < analysis->iterators.count; i++)
        if (analysis->iterators.at[i].level == LEVEL_GRID && analysis->iterators.at[i].axis == axis)
            outer = (int)i;
    const struct form *trip = form_of(analysis, loop->to);
    if (outer < 0 || !trip || trip->n_terms)
        return false;
    struct folding folding = {analysis, outer, inner, trip->constant, true};
    for (size_t i = 0; i < analysis->sinks.count; i++)
        fold_check(&folding, analysis->sinks.at[i]);
    return folding.possible;
}

static bool expr_is(const struct expr *e, int64_t value)
{
    while (e->kind == EXPR_CAST)
        e = e->arguments[0];
    return e->kind == EXPR_INTEGER && e->integer == value;
}

struct fold analysis_fold(struct analysis *analysis, const struct stmt *loop)
{
    struct fold fold = {-1};
    int inner = -1;
    for (size_t i = 0; i < analysis->iterators.count; i++)
        if (analysis->iterators.at[i].stmt == loop)
            inner = (int)i;
    if (inner < 0 || !expr_is(loop->from, 0) || !expr_is(loop->step, 1))
        return fold;
    scope_iterators(analysis);
    for (int axis = 0; axis < analysis->kernel->n_grid && fold.axis < 0; axis++)
        if (axis_folds(analysis, axis, loop, inner))
            fold.axis = axis;
    return fold;
}

struct fold access_fold(struct ctx *ctx, const struct kernel *kernel, const struct stmt *loop)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct fold fold = analysis_fold(analysis, loop);
    analysis_free(analysis);
    return fold;
}
