#ifndef MAPPER_PRINT_SCHEDULE_H
#define MAPPER_PRINT_SCHEDULE_H
#include "mapper/print/names.h"

/* The printed text of a schedule. */

/* The plan as C, `indent` columns from the left. */
void schedule_print(struct str *out, struct schedule *plan, struct word_list *words,
                    int indent);

#endif
