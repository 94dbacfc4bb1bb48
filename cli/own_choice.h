#ifndef CLI_OWN_CHOICE_H
#define CLI_OWN_CHOICE_H
#include "cli/cli.h"
#include "runtime/explanation.h"

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
/* From now on these machines' devices, 16 at most, may share the region's launches in what is said
   of it; without machines there is one device. */
void own_choice_machines(struct own_choice *own, size_t region,
                         const struct treefork_machine *machines, size_t count);
/* How they share the launches of the leaf at a point of the tree, until the next question about
   the region; NULL after a diagnostic. */
const struct treefork_explained_devices *
own_choice_devices(struct ctx *ctx, struct own_choice *own, size_t region,
                   const struct treefork_machine *machine, const int64_t *point, int leaf);
/* Their time at a point of the tree with so many of them on the leaf, and the bytes that they hand
   to each other at a run; false where no time is predicted. */
bool own_choice_time(struct ctx *ctx, struct own_choice *own, size_t region,
                     const struct treefork_machine *machine, const int64_t *point, int leaf,
                     size_t members, struct treefork_several_time *time, double *bytes);

#endif
