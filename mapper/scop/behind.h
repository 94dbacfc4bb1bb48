#ifndef MAPPER_BEHIND_H
#define MAPPER_BEHIND_H
#include "mapper/scop/scop.h"

/* Values that variables have behind the fragment. */

/* Has a variable of the function no value when the fragment begins? */
bool variable_is_unset(const struct scop *scop, const struct ast *decl);
/* May a variable of the function that was declared without a value have none when the fragment
   begins, as loops without a round or branches would have set it? False if it surely has none. */
bool variable_may_be_unset(const struct scop *scop, const struct ast *decl);
/* May somebody read the value that the variable has behind the fragment? */
bool variable_is_read_behind(const struct scop *scop, const struct ast *decl);
/* May somebody read what the iterator of a loop of the fragment is behind that loop? */
bool last_is_read(const struct scop *scop, const struct scop_loop *loop);
/* Do parameters say what the loop's iterator is behind it? */
bool last_is_known(const struct scop *scop, const struct scop_loop *loop);
/* Assignments of last values to iterators that are read behind. */
void lasts_print(struct str *out, const struct scop *scop, int indent);

#endif
