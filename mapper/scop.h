#ifndef MAPPER_SCOP_H
#define MAPPER_SCOP_H
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "mapper/affine.h"
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

/* Why a fragment cannot be mapped, and what of it is to blame. */
struct scop_refusal {
    const char *text;                /* NULL: it can be */
    int row;                         /* of refusal.def */
    struct loc loc;
    size_t culprit;                  /* a byte of the statement that must stay on the host;
                                        NOBODY: no single one */
    bool is_note;                    /* the loop stays as it is, and nothing is wrong with that */
};
#define NOBODY SIZE_MAX

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

/* An OpenMP or OpenACC directive on a loop. */
struct directive {
    const struct ast_pragma *pragma;
    int depth;                       /* nested loops that it means, from the marked one on */
    struct scop_refusal refusal;     /* of a clause; no text: none */
};

/* What find.c finds. */
struct fragment {
    const struct ast *function, *body;   /* the function that it stands in, and its body */
    size_t n_statements;
    const struct ast *const *statements;
    size_t begin, end;               /* bytes that the mapped text replaces: with the pragmas */
    size_t statements_end;           /* behind the last statement and its semicolon */
    struct loc loc;                  /* of the pragma */
    bool needs_braces;
    const struct directive *directive;   /* that marks it; NULL: none */
};
typedef VEC(struct fragment) fragment_list;

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
    struct scop_limit *limit;        /* while isl works; NULL: none */
    struct scop_split *split;        /* parts of a nest (splitting.c); NULL: none */
    const struct change_list *changes;   /* what was done to it (change.h) */
    VEC(struct scop_memory *) memories;
    struct map *moved;               /* names in the source that mean a memory: REF or VARIABLE to
                                        struct scop_memory; NULL: none */
};

/* find.c: false after diagnostics. */
bool fragments_find(struct ctx *ctx, struct ast_unit *unit, fragment_list *list);
/* Behind a statement with its semicolon, which clang's ranges leave out. */
size_t statement_end(const struct ast_unit *unit, const struct ast *statement);
/* find.c: the statement that begins first behind an offset, and whether it stands in a block. */
const struct ast *const *statement_behind(struct arena *arena, const struct ast *body,
                                          size_t offset, bool *in_block);
/* mapper.c: from text to dependences, with changes on the way (NULL: none); whole only where its
   refusal has no text. */
struct scop *scop_make(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
                       const struct change_list *changes);

/* tiles.c: takes a loop over tiles out of the source's nodes, if there is one that is not needed;
   then the scop is to be made anew. */
bool tiles_remove(struct scop *scop);

/* refuse.c */
enum refusal {
#define X(name, what, advice) REFUSE_##name,
#include "mapper/refusal.def"
#undef X
    REFUSALS
};
/* The fragment's refusal, if it is the first one; `words` takes the place of %s in the row's text,
   if it has one. To blame is what stands at the place. Returns NULL. */
void *scop_refuse(struct scop *scop, enum refusal refusal, struct loc loc, const char *words);
/* The same where something else is to blame; NULL: nobody. */
void *scop_refuse_for(struct scop *scop, enum refusal refusal, struct loc loc, const char *words,
                      const struct ast *culprit);
/* By the row that bears the kind of the node. Returns NULL. */
void *scop_refuse_kind(struct scop *scop, const struct ast *node);

/* alternatives.c: `?:` or a remainder in a subscript as what the scop's choices make of it; false
   if it is none, or there are too many. */
bool choice_read(struct scop *scop, const struct scop_loop *const *loops, int depth,
                 const struct ast *ast, struct affine *out);
/* alternatives.c: is it a remainder of which each value is a choice? */
bool is_remainder(const struct ast *ast);
/* alternatives.c: the next way to make the choices; false behind the last one. */
bool choices_step(struct choice_list *list);
/* alternatives.c: where in a set of instances below the loops the choices hold. */
__isl_give isl_set *choices_restrict(struct scop *scop, const struct scop_loop *const *loops,
                                     int depth, const struct choice_list *choices,
                                     __isl_take isl_set *set);
/* alternatives.c: where in the domain of a statement the choices (NULL: none) in the subscripts of
   an element hold. */
__isl_give isl_set *choices_set(struct scop *scop, const struct scop_stmt *stmt,
                                const struct ast *index, const struct choice_list *choices,
                                __isl_take isl_set *domain);
/* alternatives.c: the union of the alternatives' relations. Where they leave open what is touched
   the access has none from then on, and touches any element. */
__isl_give isl_map *alternatives_relation(struct scop *scop, const struct scop_stmt *stmt,
                                          struct scop_access *access);
/* polyhedra.c: that of an access without alternatives, at the instances of the domain; a flat one
   whose digits do not hold there is not affine from then on. */
__isl_give isl_map *relation_make(struct scop *scop, const struct scop_stmt *stmt,
                                  __isl_keep isl_set *domain, struct scop_access *access);
/* alternatives.c: a subscript, or that of the first alternative; NULL if it is not affine. */
const struct affine *access_form(const struct scop_access *access, int dim);

/* values.c: does a `sizeof`, whose operand is no part of the tree, hold the name in its text? */
bool sizeof_names(const struct scop *scop, const char *name);
/* behind.c: may somebody read the value that the variable has behind the fragment? */
bool variable_is_read_behind(const struct scop *scop, const struct ast *decl);
/* behind.c: may somebody read what the iterator of a loop of the fragment is behind that loop? */
bool last_is_read(const struct scop *scop, const struct scop_loop *loop);
/* behind.c: do parameters say what the loop's iterator is behind it? */
bool last_is_known(const struct scop *scop, const struct scop_loop *loop);
/* behind.c: assignments of last values to iterators that are read behind. */
void lasts_print(struct str *out, const struct scop *scop, int indent);

/* members.c: does the fragment name members of structures? Their declarations, before it. */
bool members_are_used(const struct scop *scop);
void members_print(struct str *out, const struct scop *scop, int indent);

/* named.c: the value that a variable of the fragment has for good; NULL: several, or none. */
const struct ast *named_value(const struct scop *scop, const struct ast *decl);
/* Is it a name: the same wherever its iterators are? */
bool is_named(const struct scop *scop, const struct ast *decl);

/* range.c: signed, of any width? */
bool class_is_signed(enum ast_class class);
/* range.c: unsigned, of 32 or 64 bits? */
bool class_is_unsigned(enum ast_class class);
/* The expression was read as the form, which must have a value of the unsigned class. */
void range_add(struct scop *scop, const struct scop_loop *const *loops, int depth,
               const struct ast *ast, enum ast_class class, const struct affine *form);
/* False after a refusal: an expression may wrap. Subscripts that may are no more affine. */
bool scop_ranges(struct scop *scop);
/* polyhedra.c: the iterations of loops. */
__isl_give isl_set *loops_set(const struct scop *scop, const struct scop_loop *const *loops,
                              int depth);

/* helper.c: the argument that a parameter of a function being read stands for, in the caller of
   *frame; NULL if it is none that keeps its value. */
const struct ast *helper_argument(const struct scop *scop, const struct ast *decl,
                                  const struct scop_frame **frame);
/* The element that an element means: of an array that is a parameter of functions being read, the
   caller's; *is_place: by a pointer into that. */
const struct ast *helper_element(const struct scop *scop, const struct ast *index, bool *is_place);
/* The name of the array that an element, a row or a pointer begins in; NULL: another expression. */
const struct ast *place_base(const struct ast *place);
/* Is the variable one of the function being read? */
bool helper_owns(const struct scop *scop, const struct ast *decl);

/* The value of a function that is one `return`, in whose place the call stands: it is read after
   helper_enter, which gives NULL for other functions, and before helper_leave. */
const struct ast *helper_enter(struct scop *scop, const struct ast *call,
                               struct scop_frame *frame);
void helper_leave(struct scop *scop);

/* walk.c: the accesses of an array, in the order of the statements; NULL behind the last one. */
struct access_walk {
    const struct scop *scop;
    const struct scop_array *array;
    struct scop_stmt *stmt;          /* whose access was found last */
    size_t n_stmts, n_accesses;      /* walked over */
};
struct scop_access *access_first(struct access_walk *walk, const struct scop *scop,
                                 const struct scop_array *array);
struct scop_access *access_next(struct access_walk *walk);
/* walk.c: does a statement write to it perhaps? */
bool array_is_unsure(const struct scop *scop, const struct scop_array *array);

/* flat.c: a subscript as a sum of products; NULL if it is none. */
struct pitch_sum *flat_read(struct scop *scop, const struct scop_loop *const *loops, int depth,
                           const struct ast *subscript);
/* The pitches of flat arrays, and the digits of accesses to them in place of subscripts. */
void flat_split(struct scop *scop);
/* What a digit must be below, from 1 on. */
struct affine flat_bound(const struct scop_array *array, int digit);
/* "n * m": elements from row to row. */
char *flat_pitch_text(const struct scop *scop, const struct scop_array *array);

/* extract.c: whole only where its refusal has no text. */
struct scop *scop_read(struct ctx *ctx, struct ast_unit *unit,
                       const struct fragment *fragment);
/* polyhedra.c: domains and relations; false after a refusal. */
bool scop_polyhedra(struct scop *scop);
/* polyhedra.c: is the form above 0 wherever the loops run? */
bool loops_imply_positive(const struct scop *scop, const struct scop_loop *const *loops, int depth,
                          const struct affine *form);
/* claim.c: has the fragment a meaning only where no instance of the domain lies in the set? Then
   the printed text tests that, and it is true; false if no simple condition says so. */
bool scop_claim(struct scop *scop, __isl_keep isl_set *domain, __isl_take isl_set *where);
/* Has a loop one iteration, at its start? */
static inline bool loop_is_point(const struct scop_loop *loop)
{
    return loop->n_limits == 1 && affine_equal(&loop->start, &loop->limits[0]);
}
/* The same of an element of a flat array: is its number below 2^32? */
bool scop_claim_number(struct scop *scop, const struct scop_access *access);
/* The test as an expression of C; NULL if there is none. */
char *scop_claims_text(struct scop *scop);
/* alias.c: arrays that may overlap; false after a refusal if that cannot be tested at run
   time. */
bool scop_find_overlaps(struct scop *scop);
/* The test as an expression of C: do they lie apart? NULL if none may overlap. */
char *scop_apart_text(struct scop *scop);
/* unit.c: private scalars, then units; false after a refusal. */
bool scop_units(struct scop *scop);
/* depend.c: edges between statements of different units, and of a unit's different instances;
   false after a refusal. */
bool scop_dependences(struct scop *scop);
/* Pairs of instances that touch the same element by two accesses, ordered by the loop at `level`
   (from 1) that both statements share. */
__isl_give isl_map *scop_pairs(const struct scop_stmt *from, const struct scop_access *first,
                               const struct scop_stmt *to, const struct scop_access *second,
                               int level);
/* The same in the order in which the source runs them, whatever loop orders them. */
__isl_give isl_map *scop_pairs_before(const struct scop_stmt *from,
                                      const struct scop_access *first, const struct scop_stmt *to,
                                      const struct scop_access *second);
/* Are the instances that an edge orders at equal places of the two loops (depths from 0)? */
bool edge_is_level(const struct scop_edge *edge, int from, int to);

/* limit.c: from the first call on isl's work on the scop has an end; after the second it is no
   more watched: false if isl was stopped, which is the scop's refusal then. */
void scop_limit_begin(struct scop *scop);
bool scop_limit_end(struct scop *scop);

/* isl objects that live as long as the arena. */
isl_set *scop_keep_set(struct scop *scop, __isl_take isl_set *set);
isl_map *scop_keep_map(struct scop *scop, __isl_take isl_map *map);

#endif
