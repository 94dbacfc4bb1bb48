#ifndef EMIT_LANES_CODE_H
#define EMIT_LANES_CODE_H
#include "emit/lanes.h"
#include "ir/names.h"
#include "optimizer/strategies/rewrite.h"

/* Points of a row as lanes while they are made; shared by emit/lanes.c and emit/lanes_search.c. */

/* Where a scalar or private array of a point is used. */
struct place {
    const struct var *var;      /* NULL: it is an array */
    const struct array *own;    /* NULL: it is a scalar */
    int piece;                  /* number of the first piece with a use */
    bool spans;                 /* other pieces use it, too */
    const struct array *array;  /* with an element for each lane; NULL: none, or none yet */
};

struct vectors;

struct lanes {
    struct arena *arena;
    const struct kernel *kernel;
    const struct thread_rows *rows;
    const struct stmt *body;    /* what stands under the guard */
    struct names names;
    const struct var *column, *first, *lane, *count;
    const struct var *from, *to;
    struct map *written;        /* global arrays that the kernel stores to */
    struct map *varying;        /* scalars and private arrays that differ from point to point */
    struct map *places;         /* of these, by scalar or array */
    struct definitions scope;
    bool changed;
    struct stmts before;        /* the scalars before the guard */
    /* the statements of a piece, and scalars that are made again in each */
    struct stmts piece, remade;
    VEC(struct place *) spanning;
    struct map *declared;       /* variables that a piece which is built has declared */
    bool builds;                /* else places are being found */
    int n_pieces, n_outside;    /* outside: long loops around the piece */
    bool gains, fails;
    const struct stmt *last;    /* the loop over lanes built last */
    const struct stmt *work;    /* that loop's body before it got names of its own */
    int rare;                   /* alternatives that are seldom taken around the piece */
    const struct vectors *vectors;
};

/* Does s have a long loop, itself counted? */
bool lanes_has_long_loop(const struct stmt *s);
/* A loop or a branch. */
bool lanes_is_control(const struct stmt *s);
/* Finds out which scalars and private arrays differ from point to point. */
void lanes_find_varying(struct lanes *l);
/* Does e differ from point to point? */
bool lanes_expr_varies(const struct lanes *l, const struct expr *e);
/* Is s, which all points reach in step, executed once for all of them? Control is where it has a
   long loop, else it stays in a piece. */
bool lanes_is_outside(const struct lanes *l, const struct stmt *s);
/* Do neighbours touch elements far apart, or nobody knows how far? Elements that may be anywhere
   are so for each point in turn as well. */
bool lanes_elements_apart(struct lanes *l, const struct array *array,
                          const struct expr *const *indices);
/* Do the points of a vector load elements that lie side by side? */
bool lanes_are_side_by_side(struct lanes *l, const struct expr *load);
/* Loops of the work that stand outside get what a vector would gather in each round before them. */
void lanes_load_ahead(struct lanes *l);
/* The statements of a sequence, or one. */
struct stmts lanes_children(const struct lanes *l, const struct stmt *s);

#endif
