#ifndef MAPPER_MEMBERS_H
#define MAPPER_MEMBERS_H
#include "mapper/scop/scop.h"

/* Variables that stand for members of structures (forms/members.c, forms/records.c). */

/* Does the fragment name members of structures? */
bool members_are_used(const struct scop *scop);
/* Prints the declarations of the members' variables, before the fragment. */
void members_print(struct str *out, const struct scop *scop, int indent);

#endif
