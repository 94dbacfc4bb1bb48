#ifndef MAPPER_MEMBERS_H
#define MAPPER_MEMBERS_H
#include "base/str.h"

/* Variables that stand for members of structures, in the printed text. */

struct scop;

/* Does the fragment name members of structures? Their declarations, before it. */
bool members_are_used(const struct scop *scop);
void members_print(struct str *out, const struct scop *scop, int indent);

#endif
