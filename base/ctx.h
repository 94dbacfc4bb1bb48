#ifndef BASE_CTX_H
#define BASE_CTX_H
#include "base/arena.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct map;
struct progress;

/* A text that diagnostics quote from. */
/* A text, which may be made of another: then messages about it give the place in that one. */
struct source {
    const char *path, *text;
    size_t length;
    const struct source_origin *origin;   /* NULL: it is the user's own */
};

/* From byte `at` on a text was made of bytes `begin` to `end` of its origin, or is these. */
struct source_part {
    size_t at, begin, end;
    bool is_same;
};

struct source_origin {
    const struct source *source;
    size_t count, capacity;
    struct source_part *at;           /* by `at` */
};

/* A place; line and column count from 1, 0 = no place. */
struct loc {
    const struct source *source;
    unsigned line, column;
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

/* What a compilation did, in counts that are the same on every machine (tests/cost). */
struct ctx_counts {
    uint64_t kernels;   /* made by the optimiser, one per set of strategies */
    uint64_t samples;   /* register figures asked for */
    uint64_t cases;     /* ways of the search that came to a leaf */
    uint64_t passes;    /* runs of LLVM's pass pipelines */
    uint64_t texts;     /* modules printed as PTX */
    uint64_t questions; /* checks of the solver over the rings of regions */
    uint64_t work;      /* of isl in the mapper, weighed (mapper/scop/limit.c) */
    uint64_t launches;  /* rated by the model of time, to rank them */
};

/* One compilation: the first argument of whatever allocates or reports. */
struct ctx {
    struct arena *arena;
    FILE *diagnostics;  /* where they are printed; stderr by default */
    unsigned errors, warnings;
    bool quiet;         /* count, do not print */
    bool strict;        /* undecided legality is an error */
    bool judges;        /* what reads a mapped text: regions without a proof are only reported */
    bool yields;        /* what an error refuses is taken back: errors count, their places are kept,
                           and they are said as warnings */
    VEC(struct loc) refused;   /* … these places */
    bool reassociates;  /* floating sums may be taken in any order: the programmer says so */
    bool restricts;     /* memory that pointers of unlike origins lead to lies apart: the programmer
                           says so */
    bool contract;      /* kernels may compute a*b + c as one operation, rounded once */
    bool tells_parts;   /* for several devices: trees fork on their memory, tree.json says what
                           parts of launches touch */
    unsigned map_without;   /* transformations of the mapper that are off: a bit for each row of
                               its table */
    bool is_internal;   /* an error was ours, not the user's */
    bool bool_words;    /* the program is C23 by its `bool`, `true`, `false`, which no header of it
                           defines: compilers and readers are given them */
    const char *early;  /* declarations of functions that return nothing and are called before they
                           are declared, as readers are given them; NULL: none */
    bool brief;         /* warnings about speed alone are left out: another command says them */
    const char *last;   /* text of the last error, "" if none */
    struct loc last_loc;   /* its place */
    struct ctx_counts counts;
    struct progress *progress;   /* base/progress.h; NULL = none is shown */
    struct map *caches; /* what a room keeps for one compilation, by the room's name; NULL until a
                           room makes it */
};

struct ctx *ctx_new(void);
void ctx_free(struct ctx *ctx);

/* Prints `path:line:column: error: …`, the source line and a caret; a loc without source prints
   `treefork: error: …` (an environment error, which says what to do). */
void diag_error(struct ctx *ctx, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct ctx *ctx, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Belongs to the diagnostic before it. */
void diag_note(struct ctx *ctx, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct loc loc_none(void);
/* The place in the user's own text that diagnostics about a made text give, and its line. */
struct loc loc_origin(struct loc loc);
unsigned loc_line(struct loc loc);
/* Where a place stands in its own source's text, in bytes. */
size_t loc_offset(struct loc loc);

/* Whole file, NUL-terminated; NULL after a diagnostic. */
char *file_read(struct ctx *ctx, const char *path, size_t *length);
/* base/files.c: all files, or none after a diagnostic. A file whose text is NULL is removed if it
   is there. */
struct file_text {
    const char *path, *text;
    size_t length;
};
bool files_write(struct ctx *ctx, const struct file_text *files, size_t n);
/* Writes to a temporary name beside `path` and renames it; false after a diagnostic, nothing is
   left behind. */
bool file_write(struct ctx *ctx, const char *path, const char *text, size_t length);

#endif
