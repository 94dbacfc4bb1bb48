#ifndef OPTIMIZER_COUNTERS_WARP_H
#define OPTIMIZER_COUNTERS_WARP_H
#include "optimizer/counters/total.h"

/* How the warps of a block lie in the boxes of its bands.

   Threads are numbered with the last axis fastest, and a warp is W_B consecutive ones. In the
   block's box with extents e0, e1, … (fastest first, E_k = e0 * … * e_(k-1)) a warp in case k, that
   is E_k < W_B <= E_(k+1), is a box of e0, …, e_(k-1) and W_B / E_k threads if E_k divides W_B and
   W_B divides E_(k+1); in the last case the block is the warp. In a strided band it is W_B
   consecutive points of the band's box. */
struct warp {
    struct scope *scope;
    const struct poly *size;                    /* W_B */
    int n;                                      /* axes of the block */
    const struct poly *products[AXES_MAX + 1];  /* E_0 … E_n */
    int n_cases;                                /* n + 1; 1 if no band is plain */
    bool any_size;                              /* all bands are strided: the launch chooses the
                                                   number of threads */
};

struct warp warp_new(struct scope *scope);
/* When case k holds. */
struct sas warp_guard(const struct warp *warp, int k);

/* The warp's part of an access's box in case k, if the shape is regular. */
enum warp_shape {
    WARP_BOX,       /* extents[] hold its extents along reach->axes */
    WARP_ROWS,      /* *rows rows of the fastest axis of extents[0] points, however they lie along
                       the others */
    WARP_RUN        /* size points in at most *rows rows */
};
struct warp_part {
    enum warp_shape shape;
    struct ratio extents[AXES_MAX];
    const struct poly *rows, *points;           /* WARP_ROWS, WARP_RUN; points: the warp's size, or
                                                   the block's if less */
};
struct warp_part warp_part(const struct warp *warp, const struct reach *reach, int k, bool regular);
/* Zero where the shape is regular for this access in case k (total.h). */
const struct poly *warp_irregularity(const struct warp *warp, const struct reach *reach, int k);
/* Zero where every warp begins where a row may begin, besides reach_misalignment; NULL if that
   cannot be told. */
const struct poly *warp_misalignment(const struct warp *warp, const struct reach *reach, int k,
                                     const struct poly *line);

#endif
