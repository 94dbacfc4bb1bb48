#ifndef MAPPER_ARGMAX_H
#define MAPPER_ARGMAX_H
#include "mapper/plan/change.h"

/* Loops that find where the least or the greatest of several values stands, as they are read
   (argmax.c) and written anew (argmax_block.c). */

enum { PLACES_LOOPS_MAX = 3, PLACES_ALONG_MAX = 4, EXTREMES_MAX = 4 };

/* An `if (e > m) { m = e; k = i; }` of the body; m and k are scalars, or elements that are the same
   ones in all rounds. Or `if (x[i] > x[k]) k = i;`, where x[k] stands for m and nothing is set to
   e; or `if (c) k = i;`, where the last place is looked for at which conditions hold. */
struct extreme_place {
    const struct ast *ast;           /* the statement of the body */
    int at;                          /* its number in the body */
    const struct ast *guards;        /* conditions around the comparison; NULL: none */
    const struct ast *comparison;    /* `e > m` or `m < e`; NULL: there is no extreme */
    int side;                        /* of e in the comparison */
    const struct ast *value, *target;   /* e and m, or what stands for m; NULL */
    const struct ast *store;         /* `m = e`; NULL */
    int n_along;
    const struct ast *along[PLACES_ALONG_MAX];   /* `k = i` */
    const char *stem;                /* of the block: its names begin so */
    const struct ast *best;          /* of the block: the variable of the extreme; NULL */
    int n_places;
    const struct ast *places[PLACES_LOOPS_MAX];   /* variables of places, by loop */
};

/* A nest of loops, each of which but the last holds nothing but the next one. */
struct place_nest {
    struct scop *scop;
    int n_loops;
    const struct scop_loop *loops[PLACES_LOOPS_MAX];
    const struct ast *body;          /* of the innermost loop */
    int n_extremes;
    struct extreme_place extremes[EXTREMES_MAX];
    struct word_list *words;
};

struct place_search {
    struct loop_other other;
    VEC(const struct ast *) sums;    /* variables of the block that its loops accumulate in */
    VEC(const struct ast *) ends;    /* its last statements: one sets m and k of an `if` */
};

static inline int body_count(const struct place_nest *nest)
{
    return nest->body->kind == AST_COMPOUND ? nest->body->n_children : 1;
}

/* A statement of the innermost body. */
static inline const struct ast *body_at(const struct place_nest *nest, int i)
{
    return nest->body->kind == AST_COMPOUND ? nest->body->children[i] : nest->body;
}

/* The outermost loop. */
static inline const struct ast *nest_ast(const struct place_nest *nest)
{
    return nest->loops[0]->ast;
}

/* Is what the extreme begins with an element, which need not exist where no round reads it? */
static inline bool start_is_element(const struct extreme_place *x)
{
    return x->target && x->target->kind != AST_REF;
}

/* The variable of a scalar, or of an element's array. */
static inline const struct ast *target_variable(const struct ast *target)
{
    while (target->kind == AST_INDEX)
        target = target->children[0];
    return target->decl;
}

/* `a && b`; a may be NULL. */
const struct ast *conjunction(struct arena *arena, const struct ast *a, const struct ast *b);
/* argmax_block.c: the block in place of the nest; false if its places have no type, or if an
   element gets an extreme and nobody knows whether the nest has a round. */
bool search_make(struct place_nest *nest, struct place_search *out);

#endif
