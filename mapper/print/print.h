#ifndef MAPPER_PRINT_H
#define MAPPER_PRINT_H
#include "mapper/print/names.h"
#include "mapper/print/printed.h"

/* State and functions that print.c, text.c, thread.c, guard.c and bands.c share while a plan is
   printed. */

struct tunable_name {
    int place;                       /* of the axis, from x on */
    int64_t extent;
    const char *name;
};

/* A condition that stands for a loop's bound, or is the source's own. */
enum { NO_AXIS = -1 };
struct guard {
    const char *text;
    int axis;                        /* the guard holds at one point, `form`, of this axis; NO_AXIS:
                                        the guard is no point */
    struct affine loops;             /* a bound: the guard holds if this form is at least 0 */
    struct affine form;              /* the same over the axes */
    bool is_exact;                   /* a bound has its forms: no number overflowed */
    const struct ast *condition;     /* of an `if`; NULL: a bound or a point */
    const struct scop_loop *inner;   /* the innermost loop around the condition */
    bool is_negated;                 /* the guard is the condition's negation */
};
typedef VEC(struct guard) guard_list;

/* An iteration of a loop in a thread: the conditions that neither the box nor outer guards
   imply. */
struct fixed_loop {
    bool is_fixed;                   /* false: the thread has the loop itself */
    guard_list guards;
};

struct plan_text {
    struct arena *arena;
    struct str *out;
    const struct scop *scop;
    struct word_list *words;
    VEC(struct tunable_name) tunables;
    struct plan_region *region;      /* being printed */
    struct schedule *plan;           /* of which `printed` is filled */
    int part;                        /* the printed part of the region; PART_ALL: every part */
    int depth;                       /* host loops around it */
    const char *wave;                /* the iterator of the wavefront around it */
    guard_list given;                /* conditions around the printed statements */
    struct map *carried;             /* declaration of a scalar to the text of its element */
    struct map *privates;            /* declaration of a private scalar to its new name, if any */
};

/* print.c: the tunable that is the extent of an axis's blocks. */
const char *tunable_name(struct plan_text *t, int place, int64_t extent);
/* print.c: the mark before a region, which is from then on one of the plan's printed ones. */
void schedule_begin(struct plan_text *t, struct plan_region *region);
/* The start of an axis as a summand: "j + 1 + " for a start at j + 1, "" for a start at 0. */
const char *start_text(struct plan_text *t, const struct plan_axis *axis);
/* Private scalars that no statement of the region declares, those of one type in a line. */
void scalars_print(struct plan_text *t, printed_list *out);
/* parts.c: between these the step's region is what is printed, its axes under the names of its
   first part. */
void region_enter(struct plan_text *t, struct plan_step *step);
void region_leave(struct plan_text *t);
/* parts.c: the parts of a region one after the other; like nodes_print. */
void parts_print(struct plan_text *t, printed_list *out);
void print_steps(struct plan_text *t, const plan_list *steps, int indent);
/* strips.c: the axis of a strip's blocks; the bands of these. */
struct plan_axis strip_blocks(struct plan_text *t, const struct plan_step *step);
void strip_print(struct plan_text *t, struct plan_step *step, int indent);
/* bands.c: a step of kind PLAN_CHAIN. */
void print_chain(struct plan_text *t, struct plan_step *step, int indent);

/* text.c: blanks before a line. */
void line_begin(struct plan_text *t, int indent);
/* text.c: the memory of the printed text that a name in the source means; NULL if the name keeps
   the source's meaning. */
const struct scop_memory *memory_meant(const struct plan_text *t, const struct ast *name);
/* text.c: the element that a scalar's name means; `name` itself if it means none. */
const struct ast *element_meant(const struct plan_text *t, const struct ast *name);
/* The sum without outer signs that a factor would need, plus a constant. */
const char *sum_text(struct plan_text *t, const struct affine *a, int64_t plus);
/* "i < n" for a limit of n - 1, "i <= n" for one of n; downwards "i > 0" or "i >= n". */
const char *limit_text(struct plan_text *t, const char *name, const struct affine *limit,
                       bool upper);
/* text.c: of a loop with several limits, of which one lets it run a number of rounds that is known,
   the header with that one; `rest` gets the others as a condition. NULL for other loops. */
const char *bounded_text(struct plan_text *t, const struct scop_loop *loop, const char **rest);
/* "for (int i = 0; i < n; i++)" */
const char *header_text(struct plan_text *t, const struct scop_loop *loop);
/* The region's member that a statement is of; NULL if it stands in another region. */
const struct plan_member *stmt_member(const struct plan_text *t, const struct scop_stmt *stmt);
/* text.c: the text of a node of the source, iterators under the names of their axes; `inner` is the
   innermost of the loops that stand around it (NULL: none does). */
const char *source_text(struct plan_text *t, const struct scop_loop *inner,
                        const struct ast *ast);
/* text.c: the loop that gives a variable its value if `inner` is the innermost loop around. Several
   loops may count with the same variable, so that its declaration alone does not tell. NULL: no
   loop counts with the variable. */
const struct scop_loop *loop_counting(const struct scop_loop *inner, const struct ast *decl);
/* text.c: the axis that runs a loop in the region; ROLE_COMMON: the host's common loop does;
   ROLE_NONE: threads run it themselves. */
enum { ROLE_NONE = -1, ROLE_COMMON = -2 };
int loop_role(const struct plan_text *t, const struct scop_loop *loop);
/* text.c: the form over the common loop and the axes; false on overflow. */
bool form_unify(const struct plan_text *t, struct affine *form);
/* thread.c: the innermost loop around a node. */
const struct scop_loop *loop_around(const struct scop_node *node);
/* thread.c: the region's statements at or below a node, in the order of the source. */
void nodes_print(struct plan_text *t, const struct scop_node *node, printed_list *out);
/* thread.c: `if (HEAD …)` over the region's statements below the root: HEAD and what they all
   share. */
void guarded_print(struct plan_text *t, const char *head, const struct scop_node *root,
                   printed_list *out);
void leaf_print(struct plan_text *t, const struct scop_node *node, printed_list *out);
/* thread.c: a loop or an `if` whose body is to be filled. */
struct text_stmt *head_print(struct plan_text *t, printed_list *out, const char *text);

/* agree.c: do two expressions, below the loops that `a_inner` and `b_inner` are the innermost of,
   have one value in each thread of the region, as their trees say? */
bool expressions_agree(struct plan_text *t, const struct scop_loop *a_inner,
                       const struct ast *a, const struct scop_loop *b_inner, const struct ast *b);
/* agree.c: do two nodes do the same in each thread? */
bool nodes_agree(struct plan_text *t, const struct scop_node *a, const struct scop_node *b);

/* guard.c: a statement of the region at or below the node; NULL if there is none. */
const struct scop_stmt *any_stmt(const struct plan_text *t, const struct scop_node *node);
/* guard.c: what a loop from the region's depth on is. */
struct fixed_loop fixed_loop_of(struct plan_text *t, const struct scop_node *node);
/* guard.c: does the condition stand around what is printed? */
bool guard_is_given(struct plan_text *t, const struct guard *guard);
bool guard_equal(struct plan_text *t, const struct guard *a, const struct guard *b);
/* guard.c: the condition of an `if` of which the region has one branch. */
struct guard if_guard(struct plan_text *t, const struct scop_node *node);
/* guard.c: adds the conditions that all statements of the region at or below the node are under, as
   far as they may be tested before it; false if there is no such statement. None where a region has
   several parts, before one is entered. */
bool node_guards(struct plan_text *t, const struct scop_node *node, guard_list *list);
/* guard.c: adds the conditions that the statement of a leaf runs at points of axes. */
void point_guards(struct plan_text *t, const struct scop_node *node, guard_list *list);
/* guard.c: leaves the guards that the other list has, too. */
void guards_meet(struct plan_text *t, guard_list *list, const guard_list *other);
/* guard.c: "i < n && j <= i"; is_part: of a conjunction. */
const char *guards_text(struct plan_text *t, const guard_list *list, bool is_part);
/* guard.c: makes the conditions given ones; the count to go back to. */
size_t guards_give(struct plan_text *t, const guard_list *list);

#endif
