#ifndef FRONTEND_AST_H
#define FRONTEND_AST_H
#include "base/ctx.h"
#include "base/map.h"
#include "base/str.h"
#include <stdint.h>

/* The program as clang understood it, in our own nodes: typed, with places, with byte ranges of the
   main file, macros expanded, implicit conversions as casts, literals evaluated. Parentheses,
   decays of arrays to pointers and reads of variables leave no node. The annotations of metafork.h
   are nodes of their own. Nodes live in the context's arena. */

enum ast_kind {
#define X(NAME, text, cursor) AST_##NAME,
#include "frontend/ast.def"
#undef X
    AST_KINDS
};

enum ast_op {
    AST_OP_NONE,
#define X(NAME, text, operands, clang) AST_OP_##NAME,
#include "frontend/operator.def"
#undef X
    AST_OPS
};

enum ast_class {
#define X(NAME, text) AST_TYPE_##NAME,
#include "frontend/type.def"
#undef X
    AST_TYPES
};

struct ast;
struct ast_type;

/* A scalar member of a structure. */
struct ast_field {
    const char *name;
    const struct ast_type *type;
    int64_t byte;                    /* in the structure */
};
enum { FIELDS_MAX = 16 };

/* A thread's local arrays: elements, and elements that an initialiser fills. */
enum { LOCAL_ELEMENTS_MAX = 4096, LOCAL_FILL_MAX = 256 };

/* A type; equal types may be different objects. */
struct ast_type {
    enum ast_class class;
    const char *text;                /* as clang spells it */
    const char *canonical;           /* the same without typedefs and without qualifiers of
                                        its own */
    bool is_const, is_volatile, is_restrict;
    bool has_volatile;               /* structures: a part is volatile */
    bool is_complex;                 /* a structure of the members `re` and `im` that C calls
                                        _Complex */
    int64_t bytes;                   /* size, -1 if unknown or not constant */
    const struct ast_type *element;  /* of pointers and arrays */
    const struct ast *extent;        /* arrays of declarations: the extent as written, NULL if
                                        none is */
    int64_t count;                   /* arrays: constant number of elements, -1 if there is none */
    const struct ast_type *part;     /* structures that hold scalars of one type only, also in
                                        arrays and structures: that type; NULL for others */
    const struct ast_field *fields;  /* structures of scalars alone, at most FIELDS_MAX: in order;
                                        NULL for others */
    int n_fields;
};

/* A node. Children by kind; NULL where a part is absent: INDEX array, subscript UNARY, CAST operand
   BINARY left, right ASSIGN target, value CONDITIONAL condition, then, else CALL arguments LIST,
   COMPOUND, DECLARE in order IF condition, then, else FOR initialisation, condition, step, body
   SCHEDULE body, clauses (calls of AST_CACHE, AST_REDUCE) VARIABLE initialiser FUNCTION parameters
   (the body: ast_body) LABEL, CASE, DEFAULT statement (last) other kinds: whatever clang has below
   it. */
struct ast {
    enum ast_kind kind;
    enum ast_op op;                  /* UNARY, BINARY, ASSIGN */
    const struct ast_type *type;     /* expressions and declarations; NULL for statements */
    struct loc loc;                  /* where clang would point */
    size_t begin, end;               /* bytes of the main file, macro calls as a whole; both 0 if
                                        not of the main file */
    int n_children;
    const struct ast *const *children;
    const char *name;                /* declarations, labels, `goto`, members; OPAQUE: what it is;
                                        FOR of a called function: a directive that it needs */
    const struct ast *decl;          /* REF: the declaration; CALL: the function, NULL if called
                                        through a pointer; SIZEOF: the expression that it asks the
                                        size of, which nobody evaluates, NULL of a type's */
    int64_t integer;                 /* INTEGER, CHARACTER, SIZEOF: value (bits of the type);
                                        MEMBER: its byte in the structure, -1 if it has none */
    double real;                     /* REAL */
    bool is_implicit;                /* CAST: not written */
    bool is_meta;                    /* FOR: meta_for */
    bool is_macro, is_macro_end;     /* its first token, its last one is a macro's; the range has
                                        the whole call then */
    bool is_part;                    /* the call of a macro at an end of its range stands for tokens
                                        of other nodes, too: it has no text of its own */
    bool is_made;                    /* by the mapper, in place of what stands at its bytes, of
                                        whose parts its text is made */
    bool is_rest;                    /* COMPOUND: made of the last statements of a block, whose
                                        bytes have no braces */
    bool is_static, is_extern, is_global, is_variadic;   /* declarations; static also of locals */
    bool is_unprototyped;            /* FUNCTION: in the old style: parameters are
                                        passed as the default promotions make them */
    bool is_register;                /* variables and parameters without an address */
    bool has_body;                   /* FUNCTION */
    const struct ast *owner;         /* declarations: the function they stand in; NULL at
                                        file scope */
    const void *cursor;              /* FUNCTION: the front end's own */
};

/* A pragma of the main file that asks for mapping (mapper/README.md). LOOP: an OpenMP or OpenACC
   directive that begins threads and shares a loop out to them; SIMD: that lets the rounds of a loop
   run side by side; SHARE: that shares a loop out to threads that another one begins (`omp for`);
   REGION: that begins threads for the statement behind it; BOUND: that says something else of that
   statement (`acc data`); HINT: any other one of these. ADVICE: a pragma that tells a compiler how
   to translate the loop behind it (`GCC ivdep`, `unroll`), or that gcc and clang ignore. */
enum ast_pragma_kind {
    PRAGMA_NONE, PRAGMA_SCOP, PRAGMA_ENDSCOP, PRAGMA_TARGET,
    PRAGMA_LOOP, PRAGMA_SIMD, PRAGMA_SHARE, PRAGMA_REGION, PRAGMA_BOUND, PRAGMA_HINT,
    PRAGMA_ADVICE
};
struct ast_pragma {
    enum ast_pragma_kind kind;
    struct loc loc;
    size_t begin, end;               /* bytes of the main file, without the end of the line */
};

/* Bytes of the main file that the preprocessor skipped, from the directive before them on. */
struct ast_skipped {
    size_t begin, end;
};

/* A variable that is none any more for the mapper, or no variable of the source, where all of a
   loop is mapped. */
enum ast_moving {
    MOVING_POINTER,                  /* that the loop moves (mapper/forms/moving.c) */
    MOVING_ROUND,                    /* hands a value to the next round (wraps.c) */
    MOVING_MEMBER,                   /* of a structure that the loop declares (fields.c) */
    MOVING_NUMBER,                   /* that the loop moves */
    MOVING_STEP,                     /* that counts rounds, of a loop in steps of a variable, or the
                                        points of a step (strides.c) */
    MOVING_VALUE                     /* made by several statements, from the first of which to the
                                        last `loop` reaches (updates.c) */
};
struct ast_moved {
    enum ast_moving kind;
    const struct ast *variable, *loop;
    const struct ast *last;          /* POINTER, NUMBER: the value behind the loop; NULL: nobody
                                        reads it */
    const struct ast_moved *next;
};

/* A call of a function of loops that is not taken as these (mapper/plan/inline.h). */
struct ast_kept_call {
    size_t begin;                    /* bytes of the call, as it was before forms changed it */
    struct loc loc;
    const char *name;                /* of the function */
    const char *reason;              /* "may return before its end": what the function does */
    const struct ast_kept_call *next;
};

/* One parsed file. */
struct ast_unit {
    struct ctx *ctx;
    const struct source *source;     /* the main file */
    const char *const *arguments;    /* those that it was parsed with */
    int n_arguments;
    size_t n_declarations;
    const struct ast *const *declarations;   /* of the main file, in order: functions,
                                                variables, types */
    size_t n_elsewhere;
    const struct ast *const *elsewhere;      /* functions whose bodies a macro or an included
                                                file of the user's writes */
    size_t n_pragmas;
    const struct ast_pragma *pragmas;   /* by place, without those that the preprocessor skips */
    size_t n_hidden;
    const struct ast_pragma *hidden;    /* by place: those, which the program's compiler may see */
    size_t n_skipped;
    const struct ast_skipped *skipped;   /* by place */
    const struct map *macros;        /* by the names of all macros, those of headers too: the unit,
                                        its state where a name is defined several times */
    bool tells_places;               /* the main file uses `__LINE__` or `__FILE__`, perhaps in a
                                        macro */
    const struct ast_moved *moved;
    struct map *facts;               /* body to struct ast_facts (frontend/facts.h) */
    const struct ast_kept_call *kept_calls;   /* by place */
    bool is_simplified;              /* bodies were changed by the mapper (mapper/forms/forms.h) */
    struct ast_state *state;
};

/* Names that the tool's own headers declare (frontend/README.md). */
#define AST_ASSERT "__treefork_assert"
#define AST_TUNABLE "__treefork_tunable"
#define AST_CACHE "__treefork_cache"       /* 0, then names of arrays */
#define AST_REDUCE "__treefork_reduce"     /* an operator as a string, then names of arrays */
#define AST_THREADS "__treefork_threads"
#define AST_PAYS "__treefork_pays"
#define AST_PAID "__treefork_paid"

/* Options that define the words of C23 that ctx->bool_words is about, for any C compiler. */
enum { BOOL_WORDS = 3 };
extern const char *const ast_bool_words[BOOL_WORDS];

/* The argument of compilers with the least standard of host code, which declares iterators in
   `for`, in place of one before it, and as strict as that (__STRICT_ANSI__): `-std=gnu99` for
   `-std=gnu89`. Other arguments themselves. */
const char *ast_host_argument(const char *argument);
const char *const *ast_host_arguments(struct arena *arena, const char *const *arguments, int n);

/* Parses `text` as C; `arguments` are passed to clang (-I, -D), of a text that was made of another
   one those of host code. NULL after diagnostics. The unit is
   freed with the context, or earlier by ast_close; nodes outlive it. */
struct ast_unit *ast_parse(struct ctx *ctx, const struct source *source,
                           const char *const *arguments, int n_arguments);
void ast_close(struct ast_unit *unit);
/* Is the macro whose call begins at an offset of the main file defined once, so that it means the
   same wherever it is called behind that? */
bool macro_is_fixed(const struct ast_unit *unit, size_t offset);
/* The body of a function defined in any file of the unit, converted at the first call; NULL if it
   has none. */
const struct ast *ast_body(struct ast_unit *unit, const struct ast *function);

/* The text of a C file, owned by the context, without the byte order mark that some editors write
   before UTF-8; NULL after an error. */
const char *ast_text_read(struct ctx *ctx, const char *path, size_t *length);
/* Has a preprocessor printed the text? */
bool ast_text_is_preprocessed(const char *text);
/* How a text is marked: not at all, by pragmas that ask for mapping, by the word
   `meta_schedule`. */
enum ast_marks { MARKS_NONE, MARKS_FRAGMENTS, MARKS_REGIONS };
/* Did the preprocessor not choose what stands at a byte of the main file? */
bool ast_is_skipped(const struct ast_unit *unit, size_t at);
enum ast_marks ast_text_marks(const char *text, size_t length);

const char *ast_kind_text(enum ast_kind kind);
const char *ast_op_text(enum ast_op op);
const char *ast_class_text(enum ast_class class);
bool ast_is_expression(const struct ast *node);
/* All pragmas, the preprocessor's skipped ones behind the others. */
size_t ast_n_pragmas(const struct ast_unit *unit);
const struct ast_pragma *ast_pragma_at(const struct ast_unit *unit, size_t i);
bool ast_is_loop(const struct ast *node);
/* Is it the call that stands for a clause of meta_schedule? */
bool ast_is_clause(const struct ast *node);
const struct ast *ast_strip(const struct ast *node);   /* without implicit casts; NULL of NULL */
const struct ast *ast_plain(const struct ast *node);   /* nor casts to the type that it has */
bool ast_class_is_scalar(enum ast_class class);    /* a type of ir/type.def */
bool ast_class_is_integer(enum ast_class class);   /* one of BOOL … U64 */
/* Are they the same expression: operators, literals, variables, types? */
bool ast_equal(const struct ast *a, const struct ast *b);
/* A walk over a node and everything below it as a loop, parents first:

       struct ast_walk walk;
       for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
           n_calls += n->kind == AST_CALL;

   It may be left at any time. A node of NULL has nothing below it. */
enum { AST_WALK_PENDING = 32 };

struct ast_walk {
    struct arena *arena;             /* for what is still to come where it is much */
    const struct ast *last;          /* given last; NULL if its children are to be left out */
    size_t n_pending, capacity;
    const struct ast **pending;      /* roots of what is still to come, the next one last */
    const struct ast *usual[AST_WALK_PENDING];
};

const struct ast *ast_first(struct ast_walk *walk, struct arena *arena, const struct ast *root);
const struct ast *ast_next(struct ast_walk *walk);
/* Leaves out what stands below the node given last. */
void ast_skip(struct ast_walk *walk);

/* `-d ast`: one line per node. */
void ast_print(struct str *out, const struct ast *node, int indent);
void ast_unit_print(struct str *out, struct ast_unit *unit);

#endif
