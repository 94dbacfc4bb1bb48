#ifndef IR_READ_H
#define IR_READ_H
#include "base/map.h"
#include "ir/kernel.h"
#include "ir/lex.h"

/* An expression in C text over the names of a kernel: parameters, arrays, axes and what its body
   declares. NULL after a diagnostic; nothing may stand behind it. */
const struct expr *expr_read(struct ctx *ctx, const struct source *source,
                             const struct kernel *scope);

/* The rest is shared by the files of the reader only. */

struct kernel_reader {
    struct ctx *ctx;
    struct arena *arena;
    struct lexer lexer;
    struct map *vars, *arrays;   /* by name */
    bool failed;                 /* an error was reported; from then on the token is TOKEN_END */
    int depth;                   /* of nesting */
    int expr_depth;              /* of expressions alone */
    size_t nodes;                /* of the current expression */
};

struct kernel_reader reader_new(struct ctx *ctx, const struct source *source);
/* Reports at the current token and ends the reading. */
void reader_fail(struct kernel_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void reader_fail_at(struct kernel_reader *r, struct loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes the current token if it is `text`. */
bool reader_accept(struct kernel_reader *r, const char *text);
void reader_expect(struct kernel_reader *r, const char *text);
bool reader_at(const struct kernel_reader *r, const char *text);
/* A name, "" after an error; *loc is its place. */
const char *reader_name(struct kernel_reader *r, struct loc *loc);
bool reader_at_type(const struct kernel_reader *r);
enum type reader_type(struct kernel_reader *r);
/* Nesting is bounded, so that no text can exhaust the stack; false after an error. */
bool reader_enter(struct kernel_reader *r);
void reader_leave(struct kernel_reader *r);
/* Never NULL; after an error any expression. */
const struct expr *reader_expr(struct kernel_reader *r);
/* An expression of integer type. */
const struct expr *reader_integer(struct kernel_reader *r);
/* `[e][e]…`, exactly array->n_dims of them. */
const struct expr *const *reader_indices(struct kernel_reader *r, const struct array *array);
/* The statements of a `{ … }` whose opening brace has been read, with the closing one. */
const struct stmt *reader_body(struct kernel_reader *r, const struct kernel *kernel);
/* Makes `name` known; an error if it is already. */
void reader_declare(struct kernel_reader *r, const struct var *var);
struct axis reader_axis(struct kernel_reader *r);

#endif
