#ifndef BASE_LINES_H
#define BASE_LINES_H
#include "base/ctx.h"
#include "base/vec.h"

/* Which line of a source each line of a text that was made from it comes from: an entry for each
   line of the text, counted from 1; 0: from none. */
struct line_origins {
    unsigned *at;
    size_t count, capacity;
};

/* The user's own text that a source was made of; the source itself if it was not made. */
const struct source *source_own(const struct source *source);
/* The line of a place in this source, which is a user's own; 0 if the place is elsewhere. */
unsigned source_line_of(const struct source *source, struct loc loc);

#endif
