#ifndef OPTIMIZER_STRATEGIES_COARSEN_H
#define OPTIMIZER_STRATEGIES_COARSEN_H
#include "optimizer/strategies/elements.h"
#include "optimizer/strategies/rewrite.h"

/* What the parts of coarsening share: coarsen.c decides, coarsen_copies.c makes statements for all
   points of a thread, coarsen_loads.c counts what these load. */

enum { FACTOR_MAX = 8, COPY_ANY = -1 };

struct coarsening {
    struct arena *arena;
    struct names names;
    struct elements elements;
    int axis, factor;
    const struct expr *extent;      /* E / C */
    bool consecutive;               /* the points C*v + c instead of v + c*(E/C) */
    struct map *varying;            /* var or array to its copies: FACTOR_MAX pointers, the first
                                       is itself */
    struct map *points;             /* axis variables of plain bands */
    struct map *inside;             /* what a strided band declares */
    struct map *depths;             /* var or array -> how many of the statements around its
                                       declaration the copies execute apart, plus one */
    bool changed;
    const struct var *point;        /* of the band that is being rewritten */
    int copy;                       /* of the expression that is being rewritten; COPY_ANY: that of
                                       the number in `any` */
    const struct var *any;
    struct map *own;                /* what the statement that is being copied declares -> its
                                       copy; NULL: the names stay */
    VEC(const struct array *) arrays;   /* private ones, made by copying what declares them */
};

/* The point of a copy, v being the thread's number along the axis. */
const struct expr *point_of(const struct coarsening *c, const struct expr *v, int copy);

/* Expression e for the point of c->copy. */
const struct expr *copy_expr(void *coarsening, const struct expr *e);
/* Statement s for all points of a thread in a serial loop, which is short; NULL if that cannot
   be. `unroll`: compilers shall make copies of it. */
const struct stmt *copies_loop(struct coarsening *c, const struct stmt *s, bool unroll);
/* Statement s for all points of a thread, one after the other. `again`: it stands elsewhere too, so
   that the first copy may not have its names either. */
const struct stmt *copies_make(struct coarsening *c, const struct stmt *s, bool again);
/* Stores of all points. Where they read the array that they write, all of them read before one
   writes, so that what several read is loaded once. */
const struct stmt *stores_make(struct coarsening *c, const struct stmt *s);

/* A count of what the copies of some statements load. */
struct loads {
    int all;
    VEC(const struct element *) first;      /* as the kernel has them */
    VEC(const struct element *) distinct;
};

/* What the copies of s load, from global and shared arrays. */
struct loads loads_count(struct coarsening *c, const struct stmt *root);
/* The distinct elements that the copies of all plain bands load. */
size_t bands_load(struct coarsening *c, const struct stmt *body, bool consecutive);
/* The elements that all plain bands load for as many points along the last axis, too. */
size_t tiles_load(struct coarsening *c, const struct stmt *body);
/* Do copies of the loop load elements in common, all of which neighbours load, too, or lie beside
   what they load? */
bool loop_shares(struct coarsening *c, const struct stmt *loop);

#endif
