#ifndef REPLAY_CODE_H
#define REPLAY_CODE_H
#include "base/map.h"
#include "base/vec.h"
#include "frontend/ast.h"

/* A unit as the replay runs it: variables are numbers of slots in their function's frame or objects
   in memory, types are classes, every conversion is a node. It is made at once and keeps nothing of
   the AST but places, so that who changes nodes afterwards changes nothing here. */

enum code_op {
#define X(NAME) CODE_##NAME,
#include "replay/code.def"
#undef X
    CODE_OPS
};

struct code {
    enum code_op op;
    enum ast_op how;                 /* NONE: no operator */
    enum ast_class class, from;      /* of the value; of operands that have another. An
                                        assignment computes in class `from` */
    bool is_before;                  /* STEP: the value is the old one */
    bool is_reduced;                 /* LOAD, STORE, STEP: of what the region's clause reduces */
    bool is_ordered;                 /* META_FOR: its rounds accumulate numbers of floating point,
                                        which are compared in the order of the text, or begin and
                                        end sums at their first and last points */
    bool is_row;                     /* ELEMENT: of a row of an array */
    int slot;
    int64_t value;
    int64_t stride;                  /* in bytes; -1: c says it */
    double real;
    const struct code *a, *b, *c, *d;
    int n;
    const struct code *const *list;
    const char *name;
    const struct function_code *function;
    int mark;                        /* of what changes something: trials count those that ran;
                                        -1: none */
    struct loc loc;                  /* of code that changes something, and of unknown code */
};

/* A variable of the file, or a static one of a function. */
struct global_code {
    const char *name;
    const struct ast_type *type;
    const struct code *initial;      /* stores its initial value at address GLOBAL; or NULL */
    bool is_known;                   /* has its initial value always: nothing changes it */
    bool is_private;                 /* to the file */
};

struct parameter_code {
    const char *name;
    const struct ast_type *type;
    bool is_object;                  /* its slot is the address of memory */
    bool may_be_null;                /* a pointer that the function compares with NULL */
};

struct function_code {
    const char *name;
    size_t begin, end;               /* bytes of the main file */
    struct loc loc;
    int n_parameters;
    const struct parameter_code *parameters;
    const struct code *extents;      /* sets the slots of the parameters' extents */
    const struct code *body;         /* NULL: none */
    enum ast_class class;            /* of the result */
    int n_slots;
    int64_t stride;                  /* the longest step of its loops, or the greatest divisor, that
                                        is a number */
    bool picks_reals;                /* regions reduce floating numbers by min or max: which of
                                        several equal ones is open */
    int mark_begin, mark_end;        /* of its own statements, and of functions first called
                                        there */
};

typedef VEC(const struct function_code *) function_list;
typedef VEC(struct global_code) global_list;
typedef VEC(int64_t) literal_list;

struct replay_program {
    const struct source *source;
    function_list functions;         /* of the main file, in order */
    global_list globals;
    literal_list literals;           /* the large ones, in order of their first places */
    struct map *allocations;         /* texts of the calls of malloc and calloc */
    const struct map *known_allocations;   /* those of the source; NULL: this is the source */
    int n_marks;
};

/* A literal from here on is large. */
enum { LITERAL_LARGE = 24 };

#endif
