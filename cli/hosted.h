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
    unsigned long cut;        /* launches of that leaf that ran in parts */
    struct sum_record sums;   /* of the function */
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
    SESSION_ORDERED,          /* with floating sums in the order of their leaves, the others
                                 as the C compiler has them */
    SESSION_LEAF              /* one leaf of one region, of the others the case's, by a witness */
};

struct hosted_session {
    struct verification *v;
    enum session_kind kind;
    const char *witness;      /* "threads", "parts", "cpu" */
    size_t region;            /* LEAF: its region and the leaf */
    const struct variant *variant;
    struct board *board;
    bool checks_regions;      /* INTERPRETED: once each by the interpreter of threads, too */
    size_t n_ranges;          /* the memory of the function's arrays */
    const struct memory_range { const char *begin; size_t bytes; } *ranges;
};

/* A leaf, and what came out: `text` is the rest of its line. */
struct leaf_run {
    size_t region;
    const struct variant *variant;
    enum { LEAF_OPEN, LEAF_PASSED, LEAF_IDLE, LEAF_FAILED, LEAF_SKIPPED } verdict;
    char text[HOSTED_TEXT];
};

/* A function at one set. `shared` is the memory that children change: the board, the leaves, then a
   place for each datum and for what is returned. */
struct hosted {
    struct verification *v;
    struct assignments set;
    int function, n_data;             /* n_data + 1 places: the last is what is returned */
    struct datum *data;
    bool is_main;
    char *shared;
    const char *shared_path;          /* its file */
    size_t shared_bytes, n_leaves;
    struct leaf_run *leaves;
    void **places;
    unsigned long *bytes;
    struct hosted_session session;
    const char *output;               /* what the serial program prints */
    size_t output_length;
    struct child_result end;          /* how it ends */
    const void **expected;            /* what it leaves at the places: in `kept`, or elsewhere */
    void *kept;
    size_t kept_bytes;
    bool is_interpreted;              /* it has run with its regions interpreted */
    bool is_text_wrong;               /* and does not do what the user's own program does */
};

/* hosted_places.c: makes the shared memory, with room for h->n_leaves leaves. False after a
   diagnostic. */
bool places_make(struct hosted *h);
void places_release(struct hosted *h);
/* The same data for every run. */
void places_fill(struct hosted *h);
/* Called by the library when it has copied a place to an array at file scope: the memory of the
   place goes until the array is copied back. */
void place_take(void *place, unsigned long bytes);
/* From now on the results of the last run are expected; or those of the user's own program, as the
   harness wrote them, which stay memory of that run until places_own. False after a diagnostic. */
bool places_keep(struct hosted *h, const char *output, size_t length,
                 const struct child_result *end);
struct run_result;
void places_expect(struct hosted *h, const struct run_result *original);
bool places_own(struct hosted *h);
/* Is what the last run left what is expected? If not, the text says the first difference. */
bool places_equal(struct hosted *h, const struct child_result *end, const char *output,
                  size_t length, struct str *text);

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

/* parts.c: the launch in three parts, each by the thread interpreter with its rows as all that it
   may touch; elements for which a device would not get their values are overwritten before. NULL
   if that went well, else the fault. *is_cut: false, and nothing has run, where launches of the
   kernel are not cut. `source`: the region's kernel. */
const char *parts_run(struct ctx *ctx, const struct kernel *kernel, const struct kernel *source,
                      const struct interpret_input *input, bool *is_cut);

#endif
