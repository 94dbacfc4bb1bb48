/* Stride: every band becomes `for (p = thread; p < points; p += threads)`, the variant of last resort.

   In:  a banded kernel, nothing staged or promoted. Out: the same with strided bands, so that a block of any size runs it,
   and with the barriers that bands which exchange data need.
   Invariant: all bands of a kernel have the same box, so that point p falls to the same thread in each of them; what a
   band leaves to the next one for the same point needs no barrier, as with plain bands. Source: design, "Safe leaf". */
#include "optimizer/strategies/strategies.h"

static const struct stmt *band_stride(void *state, const struct stmt *s)
{
    if (s->kind != STMT_BAND || s->strided)
        return s;
    return stmt_band(state, s->axes, s->n_axes, true, s->children[0]);
}

const struct kernel *strategy_stride(struct ctx *ctx, const struct kernel *kernel)
{
    const struct kernel *placed = strategy_place(ctx, kernel, (struct placement_options){false, false, false});
    struct kernel *strided = kernel_copy(ctx->arena, placed);
    strided->body = stmt_rewrite(ctx->arena, placed->body, band_stride, ctx->arena);
    return strided;
}
