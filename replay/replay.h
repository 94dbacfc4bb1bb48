#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H
#include "base/str.h"
#include "frontend/ast.h"

/* Do two texts compute the same? Functions of both texts run on small data; memory, returned values
   and calls of unknown functions are compared. The replay shares no code with the mapper, which
   made the second text from the first (replay/README.md). */

struct replay_program;

enum replay_verdict {
    REPLAY_SAME,                     /* the texts are equal, nothing was run */
    REPLAY_EQUAL,                    /* every trial that says something ended alike */
    REPLAY_UNCHECKED,                /* no trial says anything, as the reason says */
    REPLAY_DIFFERENT
};

/* The replay's finding about a function. */
struct replay_result {
    const char *name;
    enum replay_verdict verdict;
    const char *reason;              /* UNCHECKED, and where some trials said nothing: why; or
                                        NULL */
    int trials;                      /* number of compared trials */
    long steps;                      /* of both sides */
    long cells;                      /* elements that were compared */
    int marks_run, marks;            /* statements of the source that change something: how many of
                                        them ran in trials that were compared */
    bool is_shrunk;                  /* large numbers of the text stood for smaller ones */
    const char *difference;          /* DIFFERENT: "`y[0]`, with m = 2 and n = 3" */
    struct loc loc;                  /* the statement of the source that made it, or the function */
};

struct replay_report {
    size_t count;
    const struct replay_result *results;   /* by function of the source */
};

/* The unit as a program for later runs; nothing has changed the unit's nodes yet. `source`: the
   program to compare with, or NULL if the unit is the source. */
struct replay_program *replay_read(struct ctx *ctx, struct ast_unit *unit,
                                   const struct replay_program *source);
/* Compares the functions whose texts differ. */
const struct replay_report *replay_compare(struct ctx *ctx, const struct replay_program *source,
                                           const struct replay_program *made);
/* One line per function whose texts differ. */
void replay_print(struct str *out, const struct replay_report *report);
/* False after a diagnostic for each function that differs, at the place of the source. `path`: the
   file of the user's that was compared; NULL: the mapper made the text, and the error is ours. */
bool replay_judge(struct ctx *ctx, const struct replay_report *report, const char *path);

#endif
