#ifndef EMIT_HOST_H
#define EMIT_HOST_H
#include "base/map.h"
#include "base/str.h"
#include "optimizer/tree.h"

/* The writer of NAME.tf.c, NAME.tf.h and NAME.texts.h; shared by the files of host code. */

struct host {
    struct ctx *ctx;
    struct arena *arena;
    struct str *out;
    const struct program *program;
    const struct tree *const *trees;
    const char *ptx; /* embedded PTX text or NULL */
    int ptx_target;
    const char *ptx_later; /* of launches that need a later target (launch_target); or NULL */
    struct map
        *arrays; /* text of an array of the tables -> its name; of a NAME_select -> its region */
    struct map *serials; /* by tree, serial.c's answer */
    struct map *smalls; /* by tree, small.c's */
    bool failed; /* a diagnostic was given */
};

/* Is this parameter an argument of NAME_select: an integer that a condition, a size or an extent of
 * a launch uses? */
bool host_selects(const struct tree *tree, const struct param *param);
bool host_is_integer(const struct param *param);
/* Is the parameter bound when some variant's kernel is loaded? */
bool host_binds(const struct tree *tree, const char *name);

/* Is the name a word of its own in C++, though not in C? */
bool name_is_cplusplus(const char *name);
/* Prototype of NAME_select for a header, without the semicolon. */
void select_prototype(struct str *out, const struct tree *tree);
/* Is a fact of the initial system asked before any case, because it names arguments only? */
bool select_asks_first(const struct tree *tree, struct constraint c);
/* How many conditions NAME_select asks before the case tree. */
size_t select_checks(const struct tree *tree);
/* NAME_select; the arithmetic that `text` mentions. */
void select_write(struct host *host, const struct tree *tree);
void select_write_arithmetic(struct str *out, const char *text);
/* The tables of a region. */
void tables_write(struct host *host, const struct tree *tree);
/* `static const char NAME[] = …;` over as many lines as the text has. */
void text_write(struct str *out, const char *name, const char *text);
/* What all kernel texts begin with; then those of a region, and its table of modules. */
void modules_begin(struct host *host);
void modules_write(struct host *host, const struct tree *tree);
/* tf_select_NAME, by which the runtime calls NAME_select. */
void run_write_select(struct host *host, const struct tree *tree);
/* serial.c: is the parameter a tunable that may have any value? */
bool tunable_is_any(const struct region *region, int param);
/* serial.c: tf_serial_NAME, which runs a region's blocks on the host, if it has one;
   before all of them the words that they need. */
bool serial_is_made(struct host *host, const struct tree *tree);
/* The function as an address in tables: NULL, by a macro, where OpenMP's threads alone would run it
   and the compiler has none. */
const char *serial_name(struct host *host, const struct tree *tree);
void serial_begin(struct host *host);
/* Declares the functions of the C library that a text calls. */
void serial_declare(struct host *host, struct str *out, const char *text);
void serial_write(struct host *host, const struct tree *tree);
/* The words of such functions where one thread calls them, whatever stands before. */
void serial_words(struct str *out);
/* The definitions that these functions need where the program has halves. */
void serial_halves(struct host *host, struct str *out);
/* Definitions of the region's parameters from the list `tf_arguments` of a call. */
void serial_arguments(struct str *out, const struct region *region);
/* e in C; its parameters are called as in the user's file. */
const char *serial_expr(struct host *host, const struct kernel *kernel, const struct expr *e);
/* `#undef` of every word of the text that a macro of the user's could replace. */
void host_undefs(struct host *host, struct str *out, const char *text);
/* small.c: the number of points of a region that tf_small_NAME serves at once where they are few,
   in C over the region's parameters; NULL where there is no such function. */
const char *small_points(struct host *host, const struct tree *tree);
/* small.c: the function, and before all of them the functions that these call. */
void small_write(struct host *host, const struct tree *tree);
void small_begin(struct host *host);
/* points.c: a bound of the points and rounds of a region, in C over its parameters; NULL where
   there is none, or its serial code may have other bits than a launch. */
const char *points_text(struct host *host, const struct tree *tree);
/* tf_run_NAME, which runs a region: its declaration and its definition. */
void run_declare(struct host *host, const struct tree *tree);
void run_write(struct host *host, const struct tree *tree);

/* NAME_auto of a function: NULL if it can be generated, else why not. */
const char *auto_reason(struct host *host, int function);
void auto_prototype(struct host *host, struct str *out, int function, bool cplusplus);
void auto_write(struct host *host, int function);
/* Is the argument `name` of the function a tunable of one of its regions? */
bool auto_tunable(struct host *host, int function, const char *name);
/* Is there a NAME_auto that chooses for this region? */
bool auto_chooses(struct host *host, const struct tree *tree);

/* The parameter list of a function's prototype from its arguments; those with keep[i] false are
 * left out (NULL: all). `is_own`: the function itself takes them, not one that we make of it. */
void prototype_arguments(struct str *out, const struct function *function, const bool *keep,
                         bool is_own, bool cplusplus);
/* The main file with its regions and touches replaced, `front` before it. */
bool unit_write(struct host *host, const char *front, struct str *out);

#endif
