/* Stride: every band becomes `for (p = thread; p < points; p += threads)`, the variant of
   last resort.

   In: a banded kernel, nothing staged or promoted. Out: the same with strided bands, so that a
   block of any size runs it, and with the barriers that bands which exchange data need.
   Invariant: all bands of a kernel have the same box, so that point p falls to the same thread in
   each of them; what a band leaves to the next one for the same point needs no barrier, as with
   plain bands. Source: design, "Safe leaf". */
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

struct striding {
    struct arena *arena;
    struct names names;
    const struct substitution *fresh;
};

static const struct expr *rename_variable(void *state, const struct expr *e)
{
    struct striding *striding = state;
    if (e->kind == EXPR_VAR)
        for (int i = 0; i < striding->fresh->count; i++)
            if (striding->fresh->variables[i] == e->var)
                return striding->fresh->values[i];
    return e;
}

/* Names are unique in a kernel, and only plain bands may share the block's: every strided band gets
   its own. */
static const struct stmt *band_stride(void *state, const struct stmt *s)
{
    struct striding *striding = state;
    if (s->kind != STMT_BAND || s->strided)
        return s;
    struct axis *axes = ARENA_ARRAY(striding->arena, struct axis, s->n_axes);
    struct substitution fresh = axes_rename(&striding->names, NULL, s->axes, s->n_axes, axes);
    striding->fresh = &fresh;
    const struct stmt *body = stmt_rewrite_exprs(striding->arena, s->children[0], rename_variable,
                                                 striding);
    return stmt_band(striding->arena, axes, s->n_axes, true, body);
}

const struct kernel *strategy_stride(struct ctx *ctx, const struct kernel *kernel)
{
    const struct kernel *placed = strategy_place(ctx, kernel,
                                                 (struct placement_options){.stage = 0});
    struct striding striding = {.arena = ctx->arena, .names = names_new(ctx->arena, placed)};
    struct kernel *strided = kernel_copy(ctx->arena, placed);
    strided->body = stmt_rewrite(ctx->arena, placed->body, band_stride, &striding);
    return strided;
}
