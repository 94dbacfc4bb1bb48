#ifndef CLI_OWN_CHOICE_H
#define CLI_OWN_CHOICE_H
#include "cli/cli.h"

/* What regions would choose for themselves on machines that are not there: the library's own
   choice (runtime/choice.c) over the rows that a generated program has, as the page has them. */
struct own_choice;

/* Of all regions of a program; NULL after a diagnostic. Lives as long as the process. */
struct own_choice *own_choice_new(struct ctx *ctx, const struct program *program,
                                  const struct tree *const *trees);
/* The explanation, as treefork_explain writes it (format: TREEFORK_TEXT or TREEFORK_JSON), of the
   run that a region would make for NAME_auto, in the context's arena; `set` needs no value of what
   is chosen. NULL after a diagnostic. */
const char *own_choice_told(struct ctx *ctx, struct own_choice *own, size_t region,
                            const struct treefork_machine *machine, const struct assignments *set,
                            int format);

#endif
