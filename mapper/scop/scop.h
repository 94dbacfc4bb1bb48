#ifndef MAPPER_SCOP_H
#define MAPPER_SCOP_H
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "ir/reduce.h"
#include "mapper/scop/affine.h"
#include "mapper/scop/fragment.h"
#include "mapper/scop/place.h"
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
    ALTERNATIVES_MAX = 32,
    ROWS_BOXES = 4,
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
    int n_limits;                    /* of iterator <= limit; if the loop counts down, of >= */
    struct affine limits[LOOP_LIMITS];
    int64_t step;                    /* not 0 */
    bool is_live;                    /* the iterator's last value is read behind the fragment */
    bool is_masked;                  /* the start has `b & 1`, where the judge knows `b % 2` */
    bool is_ahead;                   /* `i + 1 < e` of unsigned numbers ends the loop */
    bool is_shifted;                 /* `i + e < f` or `3 * i < f` ends the loop */
    bool is_last;                    /* `i-- > e` counts: the body has the lowered iterator */
    bool is_met;                     /* `i != e` ends the loop, and the start does not pass e */
};

/* The factor of a digit in a flat subscript: a literal times parameters, which may be equal. Rows
   need not be a multiple of the next pitch: where those of `stride` elements hold n blocks of b
   elements, the text tests that n * b <= stride, and the next digit is below n. */
struct flat_pitch {
    int64_t factor;
    int n, symbols[FLAT_FACTORS];
    struct flat_blocks {
        bool are_tested;             /* false: the pitch is a multiple of the next one */
        int size, row;               /* symbols: b, stride */
        struct affine count;         /* n, over parameters */
    } blocks;
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

/* Memory that statements share: an array, or a scalar that the fragment changes. */
struct scop_array {
    const struct ast *decl;
    const char *name;
    int n_dims;                      /* 0: a scalar; n_pitches + 1 if the array is flat */
    int n_pitches;                   /* of a flat array: the first one multiplies its rows, each
                                        is the next one times a parameter and a literal */
    struct flat_pitch pitches[FLAT_FACTORS];
    bool is_written, is_pointer;     /* is_pointer: its memory may be another's */
    bool is_rows;                    /* an array of pointers to rows */
    bool is_private;                 /* a scalar that lives in threads only */
    bool is_host;                    /* a scalar that host code computes */
    bool is_carried;                 /* a scalar that becomes an array of one element */
    bool is_summed;                  /* accumulations of one operator come in any order (sums.c); a
                                        scalar keeps its name then */
    bool is_from_sum;                /* a scalar that is set to what is_summed is read for */
    bool is_live_in, is_live_out;    /* CARRIED: the fragment may read the value from before, or a
                                        later statement the value from the fragment */
    const struct scop_memory *memory;   /* allocated by the printed text; else NULL */
};

/* Memory that the printed text allocates: an array with an axis for each of some loops, or a copy
   of an array. */
struct scop_memory {
    const struct scop_array *array;  /* under the name of `original`, with n_dims subscripts */
    const struct ast *original;      /* declaration of the array or scalar that it stands for */
    const char *type;                /* of the elements */
    int n_loops;                     /* the first subscripts are iterator - start of these loops */
    const struct scop_loop *loops[SUBSCRIPTS_MAX];
    struct affine starts[SUBSCRIPTS_MAX];
    struct affine extents[SUBSCRIPTS_MAX];   /* by subscript, over parameters */
    int64_t fewest;                  /* the source's text runs where there are no more elements
                                        along an axis */
    bool is_rows;                    /* the rows of an array of pointers (plan/rows.c) */
    const struct ast *scanned;       /* the scalar whose values before chunks of rounds these are
                                        (plan/scan.c); NULL: none */
    struct affine first;             /* is_rows: the first row that is touched */
    int n_boxes;                     /* is_rows: the parts that are copied */
    struct rows_box {
        struct affine first, rows, columns;   /* the first row; behind the last row and column */
    } boxes[ROWS_BOXES];
    const char *name, *block;        /* in the printed text: the array, the allocated block */
};

/* All the ways in which the choices of a condition can be made. */
struct condition_pieces {
    VEC(struct choice_list *) choices;
};

struct scop_access {
    struct scop_array *array;
    const struct ast *ast;
    bool is_write, is_may;           /* is_may: writes perhaps */
    bool is_called;                  /* by a called function: AST is in its body */
    bool is_place;                   /* by a pointer; the element may precede the pointer's place */
    enum reduce_op reduction;        /* the statement only accumulates in the array, by this
                                        operator, and may do so in any order; NONE: else */
    bool is_affine[SUBSCRIPTS_MAX];  /* false: any element along the axis */
    struct affine subscripts[SUBSCRIPTS_MAX];
    const struct pitch_sum *sum;      /* the only subscript as a sum of products, or NULL */
    isl_map *relation;               /* instances of the statement to elements */
    struct choice_list *choices;     /* of an alternative: the choices of its instances */
    VEC(struct scop_access *) alternatives;   /* by choices; empty: the access has no choices */
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
    int sunk_depth;                  /* loops around the `if` in whose block it stands (sink.h); 0:
                                        in none */
    bool sets_place;                 /* to what a search for an extreme's place has found: the
                                        host runs the statement */
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
    int depth;                       /* number of loops that count the unit's instances */
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
    bool is_sum;                     /* both accumulate in a summed array by one operator */
    isl_map *pairs;
};
typedef VEC(struct scop_edge) edge_list;

/* Two arrays that C lets overlap, one of which is written, or an array and a scalar. */
struct scop_overlap {
    const struct scop_array *first, *second;   /* second: NULL for a scalar */
    const struct ast *scalar;
};

/* An unsigned expression whose sum must stay within the type in all instances. */
struct scop_range {
    struct affine form;
    int64_t most;
    struct scop_place at;            /* of the expression */
    struct loc loc;
};

/* The operations that isl has left for a scop. */
struct scop_limit {
    bool is_planning;                /* the plan is not yet made */
    long operations;                 /* left */
    int calls;                       /* read in the place of their functions */
    int64_t weight;                  /* of an operation: entries of the largest tableau, times the
                                        bits of its numbers */
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
    struct map *is_declared;         /* declarations within the fragment */
    struct map *stored;              /* declarations of arrays that the fragment may change */
    VEC(struct affine_constant) constants;   /* that macros name, in the order of reading */
    struct map *chosen;              /* expressions with `?:` that are parameters: the places of
                                        their symbols, int */
    struct map *named;               /* variables that are names (named.c) */
    struct map *pieces;              /* comparisons that are affine in pieces: condition_pieces */
    const struct map *changed;       /* like written, of the whole function */
    VEC(struct scop_range) ranges;
    VEC(const char *) products;      /* claims that are no affine conditions, as text */
    isl_set *claims;                 /* conditions on parameters; NULL: none */
    struct scop_limit limit;         /* limit.c */
    struct scop_split *split;        /* parts of a nest (splitting.c); NULL: none */
    struct scop_panel *panels;       /* nests in groups of rounds (panel_parts.c); NULL: none */
    const struct change_list *changes;   /* the changes of the scop (change.h) */
    bool may_sink;                   /* a condition stands around loops (sink.h) */
    bool is_narrow;                  /* no reduced loop may become an axis for the sake of a shared
                                        array (wide.c) */
    bool is_widened;                 /* the plan has such an axis */
    VEC(struct scop_memory *) memories;
    struct map *in_place;            /* names of scalars: the elements that they mean; NULL: none */
    struct map *moved;               /* names in the source that mean a memory: REF or VARIABLE to
                                        struct scop_memory; NULL: none */
};

/* Below the loops around a statement, which count its instances. */
static inline struct scop_place place_in(const struct scop_stmt *stmt)
{
    return place_below(stmt->loops, stmt->depth);
}

/* Has the loop a single iteration, at the start? */
static inline bool loop_is_point(const struct scop_loop *loop)
{
    return loop->n_limits == 1 && affine_equal(&loop->start, &loop->limits[0]);
}

#endif
