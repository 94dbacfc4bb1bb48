#ifndef METAFORK_LOWER_H
#define METAFORK_LOWER_H
#include "base/map.h"
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/ast.h"
#include "frontend/calls.h"
#include "frontend/refusal.h"
#include "frontend/writes.h"
#include "metafork/region.h"

/* The state of lowering one region, and what its files offer each other. In order of flow: shape.c
   (bands), loop.c, statement.c, expression.c, call.c, symbol.c, array.c; then role.c, barrier.c,
   automatic.c finish the kernel. */

/* The level at which a statement or expression stands; extents may read parameters only. */
enum level { LEVEL_HOST, LEVEL_BLOCK, LEVEL_THREAD };

enum symbol_kind {
    SYMBOL_BAD,       /* its declaration was refused: uses are silent */
    SYMBOL_SCALAR,    /* var: a parameter of the kernel or a local */
    SYMBOL_VALUE,     /* value: iterator, derived variable, argument of an inlined function */
    SYMBOL_ARRAY      /* array, after `prefix` subscripts */
};

/* A C declaration and what it became in the kernel. */
struct symbol {
    enum symbol_kind kind;
    const struct ast *decl;
    struct var *var;
    const struct expr *value;
    struct array *array;
    int n_prefix;
    const struct expr *const *prefix;
    const struct expr *offset;       /* of a pointer: added to the next subscript; NULL: 0 */
    enum level level;                /* of locals: where it is declared */
    bool is_iterator;
};

typedef VEC(const struct stmt *) stmt_list;

/* A list of statements with what follows it: for functions with several returns, and for bodies of
   loops with `continue`. */
struct tail {
    const struct ast *const *at;
    int n;
    const struct tail *next;
    enum ast_kind jump;              /* what leaves all of it: RETURN; CONTINUE, with it BREAK */
};

/* A function call being inlined. */
struct frame {
    const struct ast *function;
    const struct frame *outer;
    struct var *result;              /* set once a return stands in a branch */
    const struct expr *value;        /* of the return at the end */
    int depth;                       /* branches around the current statement */
};

/* A call whose value has been computed, or one that takes the value of such a call: a function's
   body is inlined many times, so its calls are known by their place in no other case. */
struct known_call {
    const struct ast *call;
    const struct expr *value;
    bool takes;
};

struct lower {
    struct ctx *ctx;
    struct arena *arena;
    struct ast_unit *unit;
    const struct ast *function, *body, *schedule;
    unsigned errors;                 /* of the context before this region */
    int n_path;
    const struct ast *const *path;   /* from the function's body to the schedule statement */
    struct map *writes;              /* declaration to int: assignments in the function */
    struct map *symbols;             /* declaration to struct symbol */
    struct map *refused;             /* nodes that a refusal names */
    struct map *opaque;              /* locals that stay parameters although they could
                                        be substituted */
    VEC(struct symbol *) outer;      /* parameters and global arrays, by first use */
    VEC(struct var *) vars;          /* locals and iterators: named apart at the end */
    VEC(struct array *) privates;
    VEC(const struct var *) divisors;     /* parameters that are steps: at least 1 */
    struct ring *scratch;            /* for simplifying extents */
    VEC(const struct ast *) block_loads;  /* loads at block level: of arrays that nothing in the
                                             region writes */
    stmt_list *block;                /* where statements go */
    enum level level;
    const struct var *again;         /* of the innermost loop that breaks: `break` sets it to 0 */
    int conditional;                 /* > 0: under && || ?: nothing may be hoisted */
    const struct ast *chained;       /* the assignment whose value the one around it stores */
    VEC(struct known_call) known;    /* of the `if` that is being lowered */
    struct frame *frame;
    unsigned inlined;                /* statements of inlined functions so far */
    int n_grid, n_block, n_bands;
    struct axis grid[AXES_MAX], block_axes[AXES_MAX];
};

/* refuse.c: errors of kind 1. `what` names the construct, `instead` says what to do. */
void refuse(struct lower *l, const struct ast *node, const char *what, const char *instead);
/* By a row of frontend/refusal.def; `words` stand for %s. */
void refuse_row(struct lower *l, const struct ast *node, enum refusal row, const char *words);
/* By the row of the node's kind. */
void refuse_kind(struct lower *l, const struct ast *node);
/* The jumps of a region with errors that no refusal has named yet. */
void refuse_jumps(struct lower *l);
/* A type that kernels do not have. */
void refuse_type(struct lower *l, const struct ast *node, const struct ast_type *type);

/* uses.c: questions about the AST. */
struct map *writes_count(struct arena *arena, const struct ast *body);
int writes_of(const struct map *writes, const struct ast *decl);
bool ast_has_meta(const struct ast *node);
/* A name that a kernel may call without a body: its row's name, or NULL. */
const char *call_pure_name(struct arena *arena, const struct ast *function);

/* tunable.c: d where the declaration's initial value is meta_tunable(d), else 0; errors for marks
   that stand elsewhere. */
int64_t tunable_default(const struct ast *decl);
void tunables_check(struct ctx *ctx, const struct ast *body);

/* symbol.c */
struct symbol *symbol_find(struct lower *l, const struct ast *decl, const struct ast *use);
struct symbol *symbol_add(struct lower *l, const struct ast *decl, enum symbol_kind kind);
struct var *local_add(struct lower *l, const char *name, enum type type, enum var_kind kind,
                      struct loc loc);
/* Is it an integer whose definition is substituted? */
bool symbol_is_derived(struct lower *l, const struct ast *decl);
bool type_of(const struct ast_type *type, enum type *out);
const struct ast *definition_of(struct lower *l, const struct ast *decl);
/* Is l->path[at] entered from its beginning, and `inner`, it or the next of the path, too: by no
   label of a switch around, and by no goto from outside `inner`? Then what stands before the region
   in l->path[at] has run. */
bool path_is_straight(struct lower *l, int at, const struct ast *inner);
/* Block extents must be polynomials: a local that names one stays a parameter where its definition
   is none. */
void extent_names_keep(struct lower *l, const struct ast *bound);
/* A variable whose value is chosen by `?:` keeps its name: the choice is no term of a sum. */
void choice_name_keep(struct lower *l, const struct ast *ref);
const struct expr *extent_simplify(struct lower *l, const struct expr *e);
/* The function's scalar of this name that the region reads; NULL if there is none. */
const struct var *scalar_outer(struct lower *l, const char *name);
/* An expression over the parameters known so far; NULL if a coefficient is no integer. */
const struct expr *poly_host(struct lower *l, const struct poly *poly, enum type type);
/* May the value be computed again at the region, from what does not change in the function? */
bool is_repeatable(struct lower *l, const struct ast *value);

/* array.c */
struct symbol *array_outer(struct lower *l, const struct ast *decl, const struct ast *use);
/* An error if the region uses another variable of this name. */
bool name_is_taken(struct lower *l, const struct ast *decl, const struct ast *use);
/* A scalar that the region sums, as an array of one element, whose subscript is in the symbol. */
struct symbol *array_of_scalar(struct lower *l, const struct ast *decl, const struct ast *use,
                               enum type type);
void array_local(struct lower *l, const struct ast *decl);
/* allocation.c: the elements of the memory that a local pointer has as its one value from malloc or
   calloc; NULL for other pointers. */
const struct expr *allocation_extent(struct lower *l, const struct ast *decl);
/* Is it 0, NULL or `(T *)0`? */
bool is_zero_value(const struct ast *ast);
/* place.c: the array and subscripts of an element, `a[i]` or `*p`; NULL after a diagnostic. */
const struct array *array_element(struct lower *l, const struct ast *node,
                                  const struct expr ***indices);
/* place.c: the argument, a place in an array, under the name of the parameter; false after a
   diagnostic. */
bool array_bind(struct lower *l, const struct ast *parameter, const struct ast *argument);

/* expression.c: NULL after a diagnostic. */
const struct expr *expression_lower(struct lower *l, const struct ast *node);
const struct expr *condition_lower(struct lower *l, const struct ast *node);
/* A condition that holds where this one does not, the negation carried to its comparisons. */
const struct expr *condition_negate(struct lower *l, const struct expr *condition);

/* call.c: NULL after a diagnostic (or for a void call if `is_statement`). */
const struct expr *call_lower(struct lower *l, const struct ast *node, bool is_statement);
/* The body of an `if` whose condition has been lowered, with `known` since then as long as `first`:
   where it assigns the value of a call that the condition has computed, that value is taken. */
void calls_share(struct lower *l, size_t first, const struct ast *body);
void return_lower(struct lower *l, const struct ast *node);

/* fault.c: errors for what the text alone proves wrong. */
void faults_report(struct lower *l, const struct kernel *kernel);

/* statement.c */
void statement_lower(struct lower *l, const struct ast *node);
/* statement.c: an assignment in a chain, as a statement; what it stored. NULL after a refusal. */
const struct expr *chained_lower(struct lower *l, const struct ast *node);
void declaration_lower(struct lower *l, const struct ast *decl);
/* Statements up to their jumps. */
void tail_lower(struct lower *l, const struct tail *tail);
/* The body of a loop, in which `continue` may stand; the same as one statement. */
void body_lower(struct lower *l, const struct ast *body);
const struct stmt *body_nested(struct lower *l, const struct ast *body);
void emit(struct lower *l, const struct stmt *s);
/* The statements that `node` becomes, as one statement. */
const struct stmt *nested_lower(struct lower *l, const struct ast *node);

/* loop.c, loop_head.c */
struct loop {
    const struct ast *node, *decl;
    enum type type, counter;         /* of the C variable; in which it is compared */
    const struct expr *from, *bound, *step;   /* in `counter`; bound exclusive, step positive */
    bool down, is_last;              /* is_last: the body has one less than is compared */
};
/* Where the variable of a C loop in a function's body begins that only its own step writes. */
struct loop_start {
    const struct ast *decl, *value;  /* the value: of the variable's own type, or a literal */
    bool is_down;                    /* never above it; else never below it */
    bool may_wrap;                   /* upwards and unsigned: it may come to 0 */
};
bool loop_start_read(const struct ast *body, const struct ast *node, struct loop_start *start);
bool loop_read(struct lower *l, const struct ast *node, struct loop *loop);
void loop_lower(struct lower *l, const struct ast *node);
/* An axis for a meta_for: 0 <= var < extent, and the C variable's symbol. False after
   a diagnostic. */
bool loop_axis(struct lower *l, const struct loop *loop, const struct axis *reuse,
               struct axis *axis);

/* Does the loop count: one variable, one comparison of it, no `break`? */
bool loop_counts(struct lower *l, const struct ast *node);

/* repeat.c: loops in bands that do not count. */
void repeat_lower(struct lower *l, const struct ast *node);
void break_lower(struct lower *l, const struct ast *node);

/* shape.c */
bool region_lower(struct lower *l);
void band_lower(struct lower *l, const struct ast *node);

/* finish.c, role.c, barrier.c, automatic.c */
/* The kernel of a lowered region, with everything region.h says about it. False after
   a diagnostic. */
bool region_finish(struct lower *l, struct region *region);
/* Roles, bounds and ring variables of the parameters `vars`; `coarse` are the redistributable
   loops, if known. */
void roles_assign(struct lower *l, struct kernel *kernel, const struct var *const *vars, int n,
                  const struct stmt *const *coarse, size_t n_coarse);
struct sas facts_collect(struct lower *l, const struct kernel *kernel);
const struct stmt *barriers_insert(struct ctx *ctx, const struct kernel *kernel);
struct automatic automatic_find(struct ctx *ctx, const struct kernel *kernel);

/* legality.c: a verdict that is no proof, as an error or a warning; the conditions of one that is,
   as warnings. */
void legality_report(struct lower *l, const struct kernel *kernel,
                     const struct legality *legality);
void conditions_report(struct lower *l, const struct region *region);

/* finish.c: what the array (or, in meta_reduce, the scalar) is to the region that a clause names;
   NULL after a diagnostic, or where the region does not touch it. */
struct symbol *clause_array(struct lower *l, const struct ast *node, const char *clause);
/* Does a clause of that mark (AST_CACHE, AST_REDUCE) name the variable? */
bool clause_names(struct lower *l, const char *mark, const struct ast *decl);

/* reduction.c */
/* An array that a clause meta_reduce names. */
struct reduced {
    struct array *array;
    enum reduce_op reduction;
    struct loc loc;                  /* of its name in the clause */
    bool is_plain;                   /* its stores stay as they are written */
    bool in_block;                   /* a block has all accumulations in an element */
};
typedef VEC(struct reduced) reduced_list;
/* The arrays of the region's clauses; an error for each other use of one in the body. */
reduced_list reductions_read(struct lower *l, const struct stmt *body);
/* The body with accumulating stores to those of the arrays that are not plain. */
const struct stmt *reductions_body(struct arena *arena, const reduced_list *list,
                                   const struct stmt *body);
/* The operator by which everything that the body does with the array is a sum; REDUCE_NONE if there
   is none. */
enum reduce_op reduction_guess(struct arena *arena, const struct stmt *body,
                               const struct array *array);

/* Puts what begins and ends sums at the ends of the kernel's body; false after an error for a store
   that does neither. */
bool reductions_end(struct lower *l, struct kernel *kernel, const reduced_list *list);
/* order.c: decides how the arrays of the list are summed in the kernel, whose body without
   accumulating stores is `plain`, and gives it the body and axes for it. True if axes became loops.
   */
bool reductions_settle(struct lower *l, struct kernel *kernel, reduced_list *list,
                       const struct stmt *plain);
/* own.c: the kernel's body, in which a thread sums in a variable of its own over the rounds of its
   loops what would be an atomic operation in each. */
const struct stmt *sums_own(struct ctx *ctx, const struct kernel *kernel);

/* signature.c, touch.c */
void function_describe(struct ctx *ctx, struct ast_unit *unit, const struct ast *decl,
                       struct function *function);
struct region_place {
    const struct ast *schedule;
    int n_path;
    const struct ast *const *path;
};
/* aliasing.c: function->aliasings. */
void aliasings_find(struct arena *arena, const struct ast *body, struct function *function);
void touches_find(struct arena *arena, const struct ast *body, const struct region_place *places,
                  size_t n_places, const struct map *arrays, struct function *function);

/* Is the array of a region a local one of the function without initial values that its host code,
   the body without the regions, never names? */
bool array_is_scratch(const struct ast *body, const struct ast *decl);
/* Does no other region of the function body name it that runs in the same call? */
bool array_is_lone(const struct ast *body, const struct ast *decl, const struct ast *schedule);

#endif
