#ifndef CLI_LEAVES_H
#define CLI_LEAVES_H
#include "cli/verify.h"

/* What one run of a program left; run_release when it has been looked at. */
struct run_result {
    struct child_result end;
    const char *content;      /* what the harness wrote, of a whole program its output; NULL after
                                 a failure */
    const char *output, *errors;
    size_t length, output_length, errors_length;
};

/* What the harness writes before the arrays: did one change, and how many launches of any kernel
   were there? */
struct result_head {
    unsigned long long changed, launches;
};

void run_release(struct run_result *run);

/* One function, or the whole program, at one set. */
struct subject {
    int function, n_data;
    const struct datum *data;
    const char *serial, *leaf;       /* executables */
    struct run_result expected;      /* what the serial program left */
    bool whole_program;
    bool shares_process;             /* leaves run in the worker, one after the other */
    struct worker worker;
    size_t output_read, errors_read; /* bytes of the worker's files that are of earlier leaves */
};

/* Writes the generated program into the folder, once for all functions. False after a
   diagnostic. */
bool verify_generate(struct verification *v);
/* Compiles both programs of the subject and runs the serial one, whose result is `expected`.
   Function and data are filled in. `leaf_text`: the harness around the generated file; NULL: the
   same as around the serial one. False after a diagnostic. */
bool subject_make(struct verification *v, struct subject *s, const char *leaf_text);
/* No leaf follows: results in memory and in the folder go. */
void subject_end(struct verification *v, struct subject *s);
/* A program in the working folder is not looked for in PATH. */
const char *program_path(struct verification *v, const char *program);
/* Is the result that of the serial program? text: the difference and its bound. */
bool runs_equal(struct verification *v, const struct subject *s, const struct run_result *got,
                struct str *text);
/* What the worker left of the order it has answered: in the files worker.output and
   worker.errors, and in `result`; no content if one is missing. */
struct run_result worker_run_read(struct verification *v, struct subject *s);
/* The reason with which the library refused to go on, of the last line of a child; NULL if that
   line has none. */
const char *child_refused(struct verification *v, const char *errors);
/* Runs one of the subject's executables in a process of its own. */
struct run_result subject_run(struct verification *v, const struct subject *s,
                              const char *executable, const char *const *settings);
/* Runs a leaf, compares it with the serial program, prints and counts the verdict. False after a
   diagnostic if no leaf can run here. */
bool leaf_verify(struct verification *v, struct subject *s, const struct tree *tree,
                 const struct variant *variant);
/* The last leaf has run: ends the worker. That it ends badly is printed and counted. */
void leaves_end(struct verification *v, struct subject *s);

#endif
