#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H
#include "cli/cli.h"

/* What explain and rank ask about: a machine, values of parameters, and the trees of a file. */
struct question {
    bool has_machine;
    struct treefork_machine machine;      /* of several the limits of all of them */
    struct machine_list machines;    /* of devices; several may share launches */
    struct assignments set;          /* names of the file's functions or regions, none below its
                                        least value */
    struct program *program;
    const struct measured_store *store;   /* what was tuned */
    const struct tree **trees;       /* one per region */
};
/* EXIT_DONE, or the exit code after a diagnostic. `needs_machine`: --machine has to be there. */
enum exit_code question_read(struct ctx *ctx, const struct command_line *line, bool needs_machine,
                             struct question *question);
/* Are these names of the file, with whole numbers where integers are? False after a diagnostic. */
bool question_has_names(struct ctx *ctx, const struct question *question,
                        const struct assignments *set);
/* A size or tunable below its least value is an error, as it is at run time. False after a
   diagnostic. */
bool question_suits_region(struct ctx *ctx, const struct region *region,
                           const struct assignments *set);

#endif
