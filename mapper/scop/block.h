#ifndef MAPPER_BLOCK_H
#define MAPPER_BLOCK_H
#include "mapper/scop/scop.h"

/* Pairs of accesses that keep the iterations of a loop from running at once. */

/* The most telling first. LAST: a scalar of the last iteration is read behind the loop. */
enum block_kind { BLOCK_FLOW, BLOCK_OUTPUT, BLOCK_ANTI, BLOCK_LAST };

/* `from` of one iteration and `to` of a later one; LAST: `to` stands behind the loop. */
struct block {
    enum block_kind kind;
    const struct scop_stmt *from, *to;
    const struct scop_access *first, *second;
    isl_map *pairs;                  /* NULL: isl gave up */
};
typedef VEC(struct block) block_list;

/* One for each array between two statements, in the order of kinds; none: the loop is
   independent while the loops around it stand still. */
void loop_blocks(struct scop *scop, const struct scop_loop *loop, block_list *list);
const struct scop_loop *stmt_loop(const struct scop_stmt *stmt, int depth);

enum block_kind block_kind_of(const struct scop_access *first, const struct scop_access *second);
/* The pairs of a write and a read between which nothing else surely writes the element. */
__isl_give isl_map *value_pairs(const struct scop *scop, const struct block *block);

/* Two iterations with numbers: values by symbol. */
struct block_example {
    int64_t *first, *second;
};
/* Small numbers; false if isl finds none. */
bool example_find(struct scop *scop, const struct block *block, struct block_example *example);

/* block_text.c */
/* The source's text of the access, with single blanks. */
const char *access_text(const struct scop *scop, const struct scop_access *access);
/* "line 7 writes C[i][j], which a later iteration reads" */
const char *block_text(const struct scop *scop, const struct block *block);
/* A line: two iterations with numbers that meet. */
void block_example_print(struct str *out, struct scop *scop, const struct block *block);
/* Two lines: the pair of accesses, and two iterations with numbers that meet. */
void block_print(struct str *out, struct scop *scop, const struct block *block);

#endif
