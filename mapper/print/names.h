#ifndef MAPPER_NAMES_H
#define MAPPER_NAMES_H
#include "mapper/plan/plan.h"

/* Names of the printed text. */

struct word_list;
/* The words of a file and the macros of its headers, from which new names must differ. */
struct word_list *words_of(struct arena *arena, const struct ast_unit *unit);

/* Does the file include metafork.h? */
bool source_has_marks(const struct source *source);
/* False after a diagnostic: a file without marks has a name of theirs. */
bool words_check(struct ctx *ctx, const struct source *source);
/* A name that is no word of the file nor given before: `base` with a number from `first` on. */
const char *words_fresh(struct word_list *list, const char *base, int first);
/* A name that is no word of the file, the same for the same base: `base` itself where it is
   free. */
const char *words_local(struct word_list *list, const char *base);
bool words_have(const struct word_list *list, const char *word);
/* Does a statement mean something else by the name than the loop's iterator (NULL: anything)? */
bool stmt_means_other(struct arena *arena, const struct scop_stmt *stmt, const char *name,
                      const struct scop_loop *loop);
/* Fills in the names of a region's axes in a part. Those of the first part are free in all of them,
   and in another part none is the first part's name of another axis. */
void region_names(struct word_list *words, const struct scop *scop, struct plan_region *region,
                  int depth, int part);

#endif
