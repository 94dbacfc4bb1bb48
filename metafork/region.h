#ifndef METAFORK_REGION_H
#define METAFORK_REGION_H
#include "ir/access/access.h"
#include "ir/kernel.h"

struct ast_unit;

/* The meaning of a file's annotations: its regions, each with its kernel in banded form. */

/* How a scalar parameter of the kernel gets its value on the host: the name of a visible
   variable, always. */

/* What may be chosen at a region: tunables on which neither its iterations depend nor what each of
   them touches. */
enum choosable {
    CHOOSABLE_NEVER,                  /* or it is no tunable */
    CHOOSABLE_EXACT,                  /* where the divisions by it are exact */
    CHOOSABLE_ALWAYS
};
/* A division that truncates, and what would make it needless. */
struct truncation {
    struct loc loc;                   /* of the iterator that it bounds */
    const char *division, *dividend, *divisor;   /* "n / B", "n", "B" */
    const char *guard;                /* "i*B + j < n" */
};
struct automatic {
    const enum choosable *tunables;   /* by kernel->params index */
    const char *const *reasons;       /* why a tunable cannot always be chosen; else NULL */
    size_t n_truncations;             /* by tunables that are chosen where they divide exactly */
    const struct truncation *truncations;
    size_t n_extents;
    const struct poly *const *extents;   /* iterations that blocks or pieces share out, of the
                                            kernel's ring */
};

/* One meta_schedule statement. */
struct region {
    const char *name;                 /* function name; a second region of it NAME_2 */
    const struct kernel *kernel;      /* banded, nothing staged */
    struct legality legality;
    struct sas conditions;            /* of legality, to be checked at run time */
    size_t begin, end;                /* byte range of the statement in the main file:
                                         `meta_schedule` … closing brace */
    int function;                     /* index into program->functions */
    struct loc loc;
    size_t n_coarse;                  /* redistributable loops of the kernel, as access_coarse_loops
                                         gave them */
    const struct stmt **coarse;
    struct automatic automatic;
    const bool *varies;               /* by kernel->params index: loops of the host around the
                                         region change it */
    const int64_t *defaults;          /* the same: d of meta_tunable(d), 0: another parameter */
    const bool *is_scratch;           /* by kernel->arrays: a local array of the function without
                                         initial values that its host code never names */
    const bool *is_unread;            /* the same: such an array that no other region of a call
                                         names */
    const bool *may_be_null;          /* by kernel->arrays: the function compares the pointer with
                                         NULL */
};

/* A parameter of a C function as written. */
struct argument {
    const char *name;                 /* "" if unnamed */
    const char *text;                 /* the declarator as C text, e.g. "float a[restrict N][M]" */
    enum type type;                   /* scalar type, or element type of an array */
    const char *type_text;            /* the same as C without typedefs ("long long" where type says
                                         64 bits) */
    bool is_array;
    int n_dims;
    const struct expr *const *dims;   /* over the integer arguments; NULL entries where open */
    bool is_const, is_supported;      /* is_supported: scalar or array of scalars */
};

struct function;
/* The type that a caller passes: without a prototype a double for a float, and int for a small
   integer. */
enum type argument_passed(const struct function *function, const struct argument *argument);

/* A statement of host code that touches memory the regions may mean: before it runs, device data
   must be back on the host. Includes the statement's semicolon; may be the only statement of an
   `else` or a loop without braces. */
enum touch_kind {
    TOUCH_READ,                       /* it reads */
    TOUCH_WRITE,                      /* it may write too */
    TOUCH_RETURN,                     /* it leaves the function */
    TOUCH_END                         /* no statement: here the block ends in which the local array
                                         `array` lives */
};
enum touch_form { FORM_STATEMENT, FORM_EXPRESSION, FORM_DECLARATION };
struct touch {
    size_t begin, end;                /* of a whole statement that is not an ancestor of a region */
    enum touch_kind kind;
    enum touch_form form;
    const char *array;
};

/* An array of a function's regions that stands at file scope, or a pointer to one: its data is
   no argument. */
struct file_array {
    const char *name;
    enum type type;                   /* of the elements */
    bool is_pointer, is_const;        /* is_const: nobody may fill it */
};

/* Two names of pointers or arrays that may mean the same array in the course of a call. */
struct aliasing {
    const char *a, *b;
    bool is_shifted;                 /* `a` may be set to another element of `b` than its first */
};

/* An integer at file scope that a function with regions names, and the program may set. */
struct file_scalar {
    const char *name;
    enum type type;
};

/* A function that contains regions. */
struct function {
    const char *name, *return_text;   /* "void", "static double" without storage class */
    const char *return_canonical;     /* return_text without typedefs */
    bool is_static, is_main;
    bool is_plain;                    /* its prototype needs no types of the file */
    bool is_unprototyped;             /* an old-style definition alone: see argument_passed */
    int n_arguments;
    const struct argument *arguments;
    size_t n_file_arrays;
    const struct file_array *file_arrays;
    size_t n_aliasings;
    const struct aliasing *aliasings;
    size_t n_file_scalars;
    const struct file_scalar *file_scalars;
    size_t begin, end;                /* whole definition in the main file */
    size_t body_begin, body_end;      /* braces included */
    size_t n_touches;
    const struct touch *touches;      /* by place */
    bool is_eager;                    /* a condition or bound of a statement around a region touches
                                         arrays, so that no statement stands before it: device data
                                         must be back right after each region */
    enum touch_kind eager_kind;       /* what it does then */
    bool has_own_auto;                /* the file has a NAME_auto of its own */
    bool falls_off;                   /* the body's last statement is no return */
    bool has_value;                   /* a return has a value: without one, whatever the type is,
                                         nobody can use it */
};

struct program {
    const struct source *source;      /* the main file as read */
    const char *stem;                 /* "app" of dir/app.c */
    size_t n_functions, n_regions;
    const struct function *functions;
    const struct region *const *regions;   /* by place */
};

struct program_options {
    int n_arguments;                  /* extra compiler arguments: -I, -D */
    const char *const *arguments;
    const char *stem_of;              /* the path that names the results; NULL: the file's own */
    bool may_lack_regions;            /* a file without regions is no error */
    const struct source_origin *origin;   /* of a text that was made of another; or NULL */
    void (*look)(void *looker, struct ast_unit *unit);   /* is shown what clang read; or NULL */
    void *looker;
};

/* Reads, checks and lowers a file. NULL after diagnostics. A file without regions is an error. */
struct program *program_read(struct ctx *ctx, const char *path,
                             const struct program_options *options);
/* Reads from memory (tests, fuzzing). */
struct program *program_read_text(struct ctx *ctx, const char *path, const char *text,
                                  size_t length, const struct program_options *options);
/* A file as it stands, in which nothing is a region. */
struct program *program_serial(struct ctx *ctx, const char *path, const char *text, size_t length);
/* d of the parameter that is meta_tunable(d); 0 for others. */
int64_t region_default(const struct region *region, const char *name);
/* The array and the lines that conditions.at[i] is about, for messages: "`b` (app.c:10)". */
char *region_condition_place(struct arena *arena, const struct region *region, size_t i);
/* The kernel as MetaFork C (compiles under gcc with metafork.h); staged and promoted code is shown
   as cache(...). */
void region_print(struct ctx *ctx, struct str *out, const struct kernel *kernel);
/* `-d ast`: the tree of the front end. */
bool program_print_ast(struct ctx *ctx, struct str *out, const char *path,
                       const struct program_options *options);

#endif
