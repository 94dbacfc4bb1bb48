#ifndef CLI_HOSTED_H
#define CLI_HOSTED_H
#include "cli/verify.h"

/* A function of the user's as compiled host code that runs in a child of the tool and calls back
   where a region begins (hosted.c); what then runs in place of the region (kernels.c). */

enum { HOSTED_TEXT = 1024, PARAMS_MOST = 64 };

/* What a region was first met with, in memory that the child shares. */
struct meeting {
    bool is_met;              /* with points */
    bool is_checked;          /* as it is written: `fault` or `reason` or neither */
    bool is_large;            /* the reason is that there were too many points */
    char fault[HOSTED_TEXT], reason[HOSTED_TEXT];
    union value params[PARAMS_MOST];
};

enum board_state { BOARD_BEGUN, BOARD_FAULT, BOARD_MISFIT, BOARD_ENDED };

/* What a run tells the tool, in the same memory. */
struct board {
    enum board_state state;   /* FAULT, MISFIT: `text` says what */
    char text[HOSTED_TEXT];
    unsigned long launches;   /* of the leaf in question */
    size_t current;           /* which of the leaves runs */
    struct meeting regions[]; /* of the program */
};

/* How regions run. */
enum session_kind {
    SESSION_ORIGINAL,         /* the user's own program, in which nothing calls back */
    SESSION_INTERPRETED,      /* serially by the interpreter, which finds what is wrong with them */
    SESSION_COMPILED,         /* as the C compiler has them */
    SESSION_CHECKED,          /* the same, once each on a copy of its data by the interpreter of
                                 threads */
    SESSION_LEAF              /* one leaf of one region, of the others the case's, by a witness */
};

struct hosted_session {
    struct verification *v;
    enum session_kind kind;
    const char *witness;      /* "threads", "cpu" */
    size_t region;            /* LEAF: its region and the leaf */
    const struct variant *variant;
    struct board *board;
    bool checks_regions;      /* INTERPRETED: once each by the interpreter of threads, too */
    size_t n_ranges;          /* the memory of the function's arrays */
    const struct memory_range { const char *begin; size_t bytes; } *ranges;
};

/* hosted_library.c: makes the library v->library, and v->extents_of, once for all functions and
   sets. False after a diagnostic. */
bool hosted_library(struct verification *v);
/* The same of v->original_library: the program that results are compared with as it stands. */
bool hosted_original(struct verification *v);

/* Called by the host code: runs the region on the arrays where they lie. 0: the region is to run as
   it is compiled. Ends the process where something is wrong, which the board says. `arguments`: 8
   bytes each, integers or doubles. */
int session_region(void *session, int region, const void *arguments, void *const *arrays);
/* What must divide another for a launch of the variant to run, and does not; NULL if all does. */
const struct divisible *variant_indivisible(const struct variant *variant,
                                            const union value *params);
/* Compiles what a leaf's launches need, so that children find it compiled. */
void session_prepare(const struct hosted_session *session);

#endif
