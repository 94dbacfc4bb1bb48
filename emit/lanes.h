#ifndef EMIT_LANES_H
#define EMIT_LANES_H
#include "emit/rows.h"

/* The points of a row as lanes: loops that all of them run in step stand outside, what they do
   between is a loop over a group of points each. In: the band of a kernel that may be loops
   (rows->lanes is not read), whose threads run such loops. Out: what is executed for each row, and
   in `rows` which of its loops vectors may run, and how many lanes a group has; NULL: nothing is
   gained. */
const struct stmt *lanes_make(struct arena *arena, const struct kernel *kernel,
                              struct thread_rows *rows);
/* Rounds of a loop that compilers write out by themselves. */
enum { LANES_SHORT_LOOP = 8 };
/* Is s a loop that compilers of CPU devices keep, a long one? */
bool lanes_loop_is_long(const struct stmt *s);

#endif
