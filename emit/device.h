#ifndef EMIT_DEVICE_H
#define EMIT_DEVICE_H
#include "base/lines.h"
#include "base/map.h"
#include "base/str.h"
#include "emit/rows.h"
#include "ir/batch.h"
#include "optimizer/tree.h"

/* The printer of kernels in a device language; shared by the files emit/device_*.c. */

/* One column of dialect.def. */
struct dialect {
#define X(field, opencl, cuda, either, c) const char *field;
#include "emit/dialect.def"
#undef X
};
extern const struct dialect dialect_opencl, dialect_cuda, dialect_either, dialect_c;

/* From byte `at` of the text on it comes from that line of the source, until the next mark. */
struct origin_mark {
    size_t at;
    unsigned line;          /* 0: from none */
    bool begins;            /* a statement; else one ends, and the text around it goes on */
};

struct origin_marks {
    const struct source *source;    /* whose lines are told */
    unsigned line;                  /* of the source, of the text that is printed now */
    size_t count, capacity;
    struct origin_mark *at;
};

/* State of printing one kernel. */
struct device {
    struct arena *arena;
    struct str *out;
    const struct dialect *dialect;
    const struct kernel *kernel;
    struct batches batches; /* the kernel's, spelled out: what is printed */
    struct thread_rows rows;       /* its threads as loops, where the language asks for that */
    struct map *names;      /* name in the kernel -> name in the text */
    struct map *taken;      /* names in the text */
    /* the printer's own variables */
    const char *block, *blocks, *thread, *threads, *item, *items, *rest, *shared;
    const char *counter;    /* counts blocks, for tf_is_last */
    const char *column, *row;               /* of the thread in its block */
    const char *from, *to;                  /* of a row of threads that are loops */
    const char *outer_from, *outer_to, *joint, *begin, *end;    /* of two axes as one row */
    int depth;              /* of indentation */
    const char *step;       /* what one level of it is indented by */
    const struct vectors *vectors;  /* what is printed is done for a vector of points */
    int rare;               /* alternatives that are seldom taken around the statement */
    bool constant;          /* inside an array extent: parameters stand for their bound values */
    bool is_serial;         /* C for the host: one thread runs a block */
    bool is_shared;         /* in it: the blocks are always OpenMP's threads' */
    bool is_loose;          /* in it: functions may have other last bits than the C library's */
    bool is_alone;          /* inside a loop in C that one thread runs at a time */
    const char *const *values;     /* in C: of the parameters, what stands for those that are known,
                                      NULL for the others; NULL: none is */
    struct origin_marks *marks;    /* where the text comes from; NULL: nobody asks */
};

/* Names: every name of the kernel keeps its spelling unless the device language reserves it. */
void device_names(struct device *device);
/* The text's name for a name of the kernel. */
const char *device_name(const struct device *device, const char *name);
/* The name of the argument whose value the constant `name` takes where nothing is bound. */
const char *device_argument(const struct device *device, const struct param *param);

/* Is this parameter one that a launch may bind: a tunable, or one that sizes a private array? */
bool device_binds(const struct kernel *kernel, const struct param *param);
/* Does it size a private array (then it must be bound)? */
bool device_must_bind(const struct kernel *kernel, const struct param *param);
/* Does the kernel have values of the type? */
bool device_uses(const struct kernel *kernel, enum type type);
/* The floating types that a text must enable or define. */
struct device_floats {
    bool is_double, is_half;
};
struct device_floats device_floats(const struct kernel *kernel);
/* Defines the type of halves and their conversions from and to floats, where a text has halves. */
void device_halves(struct str *out, const struct dialect *dialect, struct device_floats uses);
bool device_uses_shared(const struct kernel *kernel);

/* C name of a value's type on the device; _Bool is carried as unsigned char, 0 or 1, a half by the
   name that device_halves defines. */
const char *device_type(enum type type);
/* e with parentheses if it binds less tightly than `level` (0 = never). */
void device_expr(struct device *device, const struct expr *e, int level);
/* "a[...]" */
void device_element(struct device *device, const struct array *array,
                    const struct expr *const *indices);
/* The subscript of an array that is one flat range. */
void device_flat(struct device *device, const struct array *array,
                 const struct expr *const *indices);
void device_real(struct device *device, enum type type, double value);

/* The end of a line, and what the next is indented by; braces around a block. */
void device_line(struct device *device);
void device_block_open(struct device *device);
void device_block_close(struct device *device);

/* Where the text comes from (origins.c): the text of a statement or an axis begins, and ends. The
   end is given the line of the text around, which the beginning returned. */
unsigned device_origin_begin(struct device *device, const struct stmt *s);
unsigned device_origin_axis(struct device *device, const struct var *var);
void device_origin_end(struct device *device, unsigned around);
/* The source line of each line of the text that the marks are of. */
void marks_lines(struct arena *arena, const struct origin_marks *marks, const struct str *text,
                 struct line_origins *lines);

/* Statements (device_stmt.c): one in its line; those of a sequence, or one, each on a line. */
void device_stmt(struct device *device, const struct stmt *s);
void device_children(struct device *device, const struct stmt *s);
/* "if (condition) " */
void device_condition(struct device *device, const struct expr *condition);

/* Axes (device_axes.c) from `number`, of type `wide`, the last one fastest. */
void device_axes(struct device *device, const struct axis *axes, int n, const char *number,
                 const char *wide);
/* The product of their extents. */
void device_extents(struct device *device, const struct axis *axes, int n, const char *wide);
/* Do threads stand in rows where the launch is a plane? The compiler sees then that neighbours
   touch neighbouring elements. */
bool device_has_rows(const struct device *device);
/* Those of a plain band from the thread. */
void device_threads(struct device *device, const struct axis *axes, int n);
/* Both forms of a band whose threads may be loops, opened and closed, and of its guard. */
void device_rows_open(struct device *device, const struct stmt *s);
void device_rows_close(struct device *device, const struct stmt *s);
void device_rows_guard(struct device *device, const struct stmt *s);

/* "for (…; …; …) " */
void device_for_head(struct device *device, const struct stmt *s);
/* Vectors of points (device_vectors.c): those of a loop, or NULL; the rounds that they run, before
   the loop itself runs those of other points; an element of an array as one of their operands. */
const struct vectors *device_vectors_find(const struct device *device, const struct stmt *loop);
void device_vectors(struct device *device, const struct vectors *v);
void device_vector_load(struct device *device, const struct expr *e);

/* The whole kernel under the entry name `entry`. */
void device_kernel(struct device *device, const char *entry);
/* The same as a function of C whose blocks run one after the other; false, with nothing printed, if
   a block cannot be one thread. */
bool device_serial(struct device *device, const char *entry);
/* Only the function ENTRY_block of these, which runs one block: its arguments are the parameters,
   the global arrays, shared memory if the kernel has any, and the linear number of the block. */
bool device_serial_block(struct device *device, const char *entry);
/* serial_words.c: has the function of C (its name for doubles) vectors? They are called tf_NAME in
   that text. */
bool serial_has_vectors(const char *function);
/* What the macros of dialect_either are in both languages: the beginning of a text that either
   compiler reads. */
void device_words(const struct ctx *ctx, struct str *out);
/* The kernel of one launch of a variant as a translation unit of its own: what the runtime
   compiles, behind device_words in dialect_either. */
void device_unit(struct ctx *ctx, struct str *out, const struct dialect *dialect,
                 const struct tree *tree, const struct variant *variant,
                 const struct launch *launch);

#endif
