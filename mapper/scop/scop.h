#ifndef MAPPER_SCOP_H
#define MAPPER_SCOP_H
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "mapper/scop/affine.h"
#include "mapper/scop/fragment.h"
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>

/* A fragment as polyhedra: its loops, statements and accesses, affine in iterators and parameters.
   All values live in the context's arena; the isl objects among them are freed with it. */

enum {
    LOOP_LIMITS = 4,
    FLAT_FACTORS = 3,                /* axes of a flat array, less one; parameters in a pitch */
    FLAT_TERMS = 8,
    LOOP_DEPTH_MAX = 12,
    CHOICES_MAX = 8,                 /* in the subscripts of one element */
    ALTERNATIVES_MAX = 32,
    STATEMENTS_MAX = 120,
    SUBSCRIPTS_MAX = 8
};

struct scop_loop {
    int id, depth;                   /* depth: loops of the fragment around it */
    const struct scop_loop *outer;
    const struct ast *ast, *iterator;   /* the `for`, the declaration */
    const char *name, *type;         /* of the iterator */
    int symbol;
    struct affine start, phase;      /* it begins at start + phase % step, phase being at least 0 */
    struct affine dividend;          /* b of the source's `b % step`, at least 0 */
    int n_limits;                    /* iterator <= limit, or >= where it counts down */
    struct affine limits[LOOP_LIMITS];
    int64_t step;                    /* not 0 */
    bool is_live;                    /* its iterator's last value is read behind the fragment */
    bool is_masked;                  /* it begins by `b & 1`, where the judge knows `b % 2` */
    bool is_ahead;                   /* `i + 1 < e` of unsigned numbers ends it */
    bool is_shifted;                 /* `i + e < f` or `3 * i < f` ends it */
    bool is_last;                    /* `i-- > e` counts: the body has what is left */
    bool is_met;                     /* `i != e` ends it: it begins at e or before */
};

/* What multiplies a digit of a flat subscript: a literal times parameters, which may be equal. */
struct flat_pitch {
    int64_t factor;
    int n, symbols[FLAT_FACTORS];
};

/* A subscript as a sum of products of parameters times affine forms, each product once. */
struct pitch_sum {
    int n;
    enum ast_class class;            /* of the subscript, or of its narrowest unsigned part */
    struct pitch_term {
        int n, symbols[FLAT_FACTORS];
        struct affine form;
    } terms[FLAT_TERMS];
};

/* What statements share: an array, or a scalar that the fragment changes. */
struct scop_array {
    const struct ast *decl;
    const char *name;
    int n_dims;                      /* 0: a scalar; n_pitches + 1 where there are some */
    int n_pitches;                   /* of a flat array: the first one multiplies its rows, each
                                        is the next one times a parameter and a literal */
    struct flat_pitch pitches[FLAT_FACTORS];
    bool is_written, is_pointer;     /* is_pointer: its memory may be another's */
    bool is_private;                 /* a scalar that lives in threads only */
    bool is_host;                    /* a scalar that host code computes */
    bool is_carried;                 /* a scalar that becomes an array of one element */
    bool is_live_in, is_live_out;    /* CARRIED: it has a value before, or is used behind */
    const struct scop_memory *memory;   /* allocated by the printed text; else NULL */
};

/* Memory that the printed text allocates: an array with an axis for each of some loops, or a copy
   of an array. */
struct scop_memory {
    const struct scop_array *array;  /* under the name of `original`, with n_dims subscripts */
    const struct ast *original;      /* declaration of the array or scalar that it stands for */
    const char *type;                /* of its elements */
    int n_loops;                     /* whose iterators come first, less where they start */
    const struct scop_loop *loops[SUBSCRIPTS_MAX];
    struct affine starts[SUBSCRIPTS_MAX];
    struct affine extents[SUBSCRIPTS_MAX];   /* by subscript, over parameters */
    const char *name, *block;        /* while it is printed: the array, what it is made from */
};

/* What `?:` or a remainder in a subscript gives (alternatives.c): a branch, a remainder, a lap. */
struct scop_choice {
    const struct ast *ast;
    const struct scop_frame *frame;  /* the call that it stands in; NULL: none */
    int taken, count;                /* from 0 */
};
struct choice_list {
    int n;
    struct scop_choice at[CHOICES_MAX];
};

/* All the ways in which the choices of a condition can be made. */
struct condition_pieces {
    VEC(struct choice_list *) choices;
};

struct scop_access {
    struct scop_array *array;
    const struct ast *ast;
    bool is_write, is_may;           /* is_may: writes perhaps */
    bool is_called;                  /* by a function that the statement calls: AST is its text */
    bool is_place;                   /* by a pointer into the array: it may lie before that */
    bool is_affine[SUBSCRIPTS_MAX];  /* else any element along that axis */
    struct affine subscripts[SUBSCRIPTS_MAX];
    const struct pitch_sum *sum;      /* of one subscript; NULL: it is no such sum */
    isl_map *relation;               /* instances of the statement to elements */
    const struct choice_list *choices;   /* of an alternative: it is for where they hold */
    VEC(struct scop_access *) alternatives;   /* one of which each instance has; else none */
};

struct scop_stmt {
    int id;                          /* by place */
    const struct ast *ast;
    const struct scop_node *node;
    int depth;
    const struct scop_loop *loops[LOOP_DEPTH_MAX];   /* around it, outermost first */
    VEC(struct scop_access) accesses;
    isl_set *domain;
    struct scop_unit *unit;
    struct scop_refusal otherwise;   /* a loop that a thread runs: why it cannot be one of the
                                        fragment's */
};

/* The fragment's statements as they stand. NAMES declares names, and has no statement. */
enum scop_node_kind { SCOP_BLOCK, SCOP_LOOP, SCOP_IF, SCOP_LEAF, SCOP_NAMES };
struct scop_node {
    enum scop_node_kind kind;
    const struct ast *ast;
    const struct scop_node *parent;
    int n_children;                  /* IF: then, else or NULL */
    struct scop_node **children;
    struct scop_loop *loop;
    struct scop_stmt *stmt;
    bool is_copy;                    /* LEAF of no source: the statement's second access is set to
                                        its first */
};

/* Statements that one thread runs together, as they share private scalars. */
struct scop_unit {
    int id;                          /* by the place of its first statement */
    int depth;                       /* loops that its instances are counted by */
    const struct scop_loop *loops[LOOP_DEPTH_MAX];
    bool is_host;                    /* one statement that computes a scalar of the host */
    VEC(struct scop_stmt *) stmts;
};

/* Instances of `from` that must run before instances of `to`. */
struct scop_edge {
    struct scop_stmt *from, *to;
    const struct scop_access *first, *second;
    int level;                       /* the loop that orders them, from 1; one more than they share:
                                        their place */
    isl_map *pairs;
};
typedef VEC(struct scop_edge) edge_list;

/* Two arrays that C lets overlap, one of which is written. */
struct scop_overlap {
    const struct scop_array *first, *second;
};

/* An unsigned expression that must have a value of its type wherever it is computed. */
struct scop_range {
    struct affine form;
    int64_t most;
    int depth;
    const struct scop_loop *loops[LOOP_DEPTH_MAX];
    const struct scop_stmt *stmt;    /* that computes it; NULL: a loop or a condition */
    const struct ast *index;         /* the element whose subscript it is, or NULL */
    const struct choice_list *choices;   /* under which it is computed; NULL: none */
    struct loc loc;
};

/* A call whose function is being read (helper.c). */
struct scop_frame {
    const struct ast *call;
    const struct scop_frame *outer;
    struct map *written;             /* what the function's body assigns to */
    bool may_end;                    /* a `return` may have ended it */
};

struct scop {
    struct ctx *ctx;
    struct arena *arena;
    struct ast_unit *unit;
    const struct fragment *fragment;
    struct scop_refusal refusal;
    isl_ctx *isl;
    isl_space *params;
    int n_params;
    VEC(struct affine_symbol) symbols;
    VEC(struct scop_loop *) loops;
    VEC(struct scop_array *) arrays;
    VEC(struct scop_stmt *) stmts;
    VEC(struct scop_unit *) units;
    edge_list edges;
    VEC(struct scop_overlap) overlaps;
    struct scop_node *root;
    struct map *written;             /* declarations of scalars and pointers that the fragment
                                        changes: where it does first */
    struct map *is_declared;         /* declarations that stand in it */
    struct map *stored;              /* declarations of arrays that the fragment may change */
    VEC(struct affine_constant) constants;   /* that macros name, in the order of reading */
    struct map *chosen;              /* expressions with `?:` that are parameters: their symbols,
                                        counted from 1 */
    struct map *named;               /* variables that are names (named.c) */
    struct map *pieces;              /* comparisons that are affine in pieces: condition_pieces */
    struct map *changed;             /* like written, of the whole function */
    VEC(struct scop_range) ranges;
    const struct scop_stmt *reading; /* whose accesses are being read; NULL: none */
    const struct ast *index;         /* whose subscript is being read; NULL: none */
    struct choice_list *choices;     /* of the subscript being read; NULL: none are made */
    int modular;                     /* above 0: within an unsigned expression */
    VEC(const char *) products;      /* claims that are no affine conditions, as text */
    isl_set *claims;                 /* what must hold of parameters; NULL: anything may */
    struct scop_frame *frame;        /* while a statement is read; NULL: the fragment itself */
    long operations, searches;       /* of isl, while it works: that the scop may take, and that
                                        its next search may; 0: it is read */
    struct scop_split *split;        /* parts of a nest (splitting.c); NULL: none */
    const struct change_list *changes;   /* what was done to it (change.h) */
    VEC(struct scop_memory *) memories;
    struct map *moved;               /* names in the source that mean a memory: REF or VARIABLE to
                                        struct scop_memory; NULL: none */
};
/* Has a loop one iteration, at its start? */
static inline bool loop_is_point(const struct scop_loop *loop)
{
    return loop->n_limits == 1 && affine_equal(&loop->start, &loop->limits[0]);
}

#endif
