#ifndef MAPPER_REPORT_H
#define MAPPER_REPORT_H
#include "mapper/scop/block.h"
#include "mapper/plan/nest.h"

/* Loops by the words that a person calls them, and pairs of accesses in words. */

struct found_loop {
    const struct nest *nest;
    const struct scop_loop *loop;
};
/* The loop that the choice asks about; false after a diagnostic. */
bool loop_named(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                struct found_loop *loop);
/* The access as it is written, blanks as one. */
const char *access_text(const struct scop *scop, const struct scop_access *access);
/* Two lines: the pair of accesses, and two iterations with numbers that meet. */
void block_print(struct str *out, struct scop *scop, const struct block *block);

#endif
