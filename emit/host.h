#ifndef EMIT_HOST_H
#define EMIT_HOST_H
#include "base/str.h"
#include "optimizer/tree.h"

/* The writer of NAME.tf.c and NAME.tf.h; shared by the files of host code. */

struct host {
    struct ctx *ctx;
    struct arena *arena;
    struct str *out;
    const struct program *program;
    const struct tree *const *trees;
    const char *ptx;            /* embedded PTX text or NULL */
    int ptx_target;
    bool failed;                /* a diagnostic was given */
};

/* Is this parameter an argument of NAME_select: an integer that a condition, a size or an extent of a launch uses? */
bool host_selects(const struct tree *tree, const struct param *param);
/* "int64_t N, int64_t s, " for them; also every integer parameter if `all`. */
void host_parameters(struct str *out, const struct tree *tree, bool all);
/* "N, s, " (values to pass). */
void host_values(struct str *out, const struct tree *tree, bool all);
bool host_is_integer(const struct param *param);
/* `(void)x;` for all of host_parameters. */
void host_unused(struct str *out, const struct tree *tree, bool all);

/* Prototype of NAME_select without the semicolon. */
/* `header`: for a header that C++ reads too. */
void select_prototype(struct str *out, const struct tree *tree, bool header);
/* Is the name a word of its own in C++, though not in C? */
bool name_is_cplusplus(const char *name);
/* NAME_select and tf_fits_NAME. */
void select_write(struct host *host, const struct tree *tree);
/* Kernel texts, tf_plan_NAME and tf_run_NAME. */
void modules_write(struct host *host, const struct tree *tree);
void plan_write(struct host *host, const struct tree *tree);
void run_write(struct host *host, const struct tree *tree);
/* tf_predict_NAME, behind tf_sizes_NAME. */
void predict_write(struct host *host, const struct tree *tree);

/* NAME_auto of a function: NULL if it can be generated, else why not. */
const char *auto_reason(struct host *host, int function);
void auto_prototype(struct host *host, struct str *out, int function, bool cplusplus);
/* The search for the best tunables (before the user's text), and NAME_auto itself (behind it). */
void chooser_write(struct host *host, int function);
void auto_write(struct host *host, int function);
/* The variable by which NAME_auto tells a region which variant it ranked first. */
bool auto_prefers(struct host *host, const struct tree *tree);

/* The parameter list of a function's prototype from its arguments; those with keep[i] false are left out (NULL: all). */
void prototype_arguments(struct str *out, const struct function *function, const bool *keep, bool cplusplus);
/* The helpers that `text` needs. */
void prelude_write(struct str *out, const char *text);
/* The main file with its regions and touches replaced, `front` before it. */
bool unit_write(struct host *host, const char *front, struct str *out);

#endif
