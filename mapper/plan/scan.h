#ifndef MAPPER_SCAN_H
#define MAPPER_SCAN_H
#include "mapper/plan/change.h"

/* Loops with running sums, as they are read (scan.c) and written anew (scan_block.c). */

/* Rounds of a chunk; with so many chunks or fewer there are too few threads. */
enum { CHUNK_ROUNDS = 256, CHUNKS_LEAST = 64 };

/* A loop with a running sum. */
struct scan_loop {
    struct scop *scop;
    struct arena *arena;
    const struct scop_loop *loop;
    const struct ast *start, *bound; /* the iterator's first value, and its limit */
    bool is_strict;                  /* `i < bound` */
    const struct scop_array *sum;    /* the scalar, or the array of `x[i] = x[i - 1] + e` */
    const struct scop_stmt *stmt;    /* the accumulation */
    enum reduce_op reduction;
    int at;                          /* the statement's number in the body */
    bool *is_needed;                 /* by number: declarations that the statement needs */
    const struct ast *element;       /* `x[i]`; NULL: the sum is a scalar */
    const struct ast *before;        /* `x[i - 1]` */
    const struct ast *addend;        /* of an element */
    bool subtracts;                  /* `x[i - 1] - e` */
    struct word_list *words;
    const struct ast *decl;          /* a scalar that has the sum: the source's own, or a new one */
    const struct ast *parts;         /* the array of what chunks begin with */
};

static inline const struct ast *scan_body(const struct scan_loop *s)
{
    return s->loop->ast->children[3];
}

/* The statements of the body, by number. */
static inline int scan_count(const struct scan_loop *s)
{
    return scan_body(s)->kind == AST_COMPOUND ? scan_body(s)->n_children : 1;
}
static inline const struct ast *scan_at(const struct scan_loop *s, int i)
{
    return scan_body(s)->kind == AST_COMPOUND ? scan_body(s)->children[i] : scan_body(s);
}

/* scan_block.c: the block in place of the loop, which has all but `decl` and `parts`. */
const struct scan *scan_make(struct scan_loop *s);

#endif
