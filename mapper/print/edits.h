#ifndef MAPPER_EDITS_H
#define MAPPER_EDITS_H
#include "mapper/print/mapping.h"

/* Changes of the source's text outside of its fragments. */

/* Text in place of bytes of the source. */
struct edit {
    size_t begin, end;
    const char *text;
};

typedef VEC(struct edit) edit_list;

/* By place: pragmas that have done their work, with their lines, are left out, and variables that
   a fragment's text reads before they surely have a value begin with 0. */
edit_list edits_find(const struct plain_file *mapping);

#endif
