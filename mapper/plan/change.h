#ifndef MAPPER_CHANGE_H
#define MAPPER_CHANGE_H
#include "mapper/forms/transformations.h"
#include "mapper/plan/plan.h"
#include "mapper/scop/read.h"

struct word_list;
struct panel_loop;
struct place_webs;

/* Changes of a scop before it is scheduled: candidates are found in a scop without them, applied to
   one that is read anew, and kept where the plan is predicted to be faster (choose.c). */

typedef VEC(const struct ast *) name_list;

/* A value of a loop's iterator, over outer ones and parameters, that is set apart. */
enum { CUTS_MAX = 3 };
struct scop_cut {
    int depth;                       /* of the loop */
    struct affine value;
    const char *text;                /* "i = k" */
};

struct scop_change {
    enum transformation row;
    const struct ast *decl;          /* of an array or a scalar */
    int depth;                       /* EXPANSION: of so many loops each iteration has its own;
                                        SUMS: the most loops around what sets the scalar else */
    const struct place_search *places;   /* SUMS: of a loop that finds where an extreme stands, as
                                        several loops; else NULL */
    const struct scan *scan;         /* SCANS: of a loop, as three loops over chunks; else NULL */
    const struct loop_other *other;  /* the block in the place of such a loop; NULL: none */
    bool restores;                   /* EXPANSION: the last values are put back */
    name_list names;                 /* COPYING: of the array, where a copy is read */
    const struct ast *stmt;          /* SPLITTING: the unit's first one; else NULL */
    const struct panel_loop *grouped;   /* PANELS: whose rounds come in groups (panels.h) */
    const struct place_webs *webs;   /* IN_PLACE: statements that share the scalar (in_place.c) */
    int64_t width;                   /* PANELS: rounds of a group */
    int n_cuts;
    struct scop_cut cuts[CUTS_MAX];
};

struct change_list {
    size_t count, capacity;
    struct scop_change *at;
};

/* expansion.c: arrays and scalars that every iteration of the loops around them writes before it
   reads them. */
void expansions_find(struct scop *scop, struct change_list *list);
void expansion_apply(struct scop *scop, const struct scop_change *change);

/* expansion.c: can every name of the array in the statement be replaced, a declaration by an
   assignment? */
bool stmt_is_replaceable(const struct scop *scop, const struct scop_stmt *stmt,
                         const struct scop_array *array);

/* in_place.c: private scalars that can live in the elements that they are stored to. */
void in_places_find(struct scop *scop, struct change_list *list);
void in_place_apply(struct scop *scop, const struct scop_change *change);

/* sums.c: arrays and scalars that statements accumulate in, in an order that is free. */
void summings_find(struct scop *scop, struct change_list *list);
void summing_apply(struct scop *scop, const struct scop_change *change);
/* sums.c: the call of `m = fmax(m, e)` or its like, whose first element takes the place of a start
   that is no number; NULL if there is none. */
const struct ast *extreme_call_find(const struct scop *scop);

/* argmax.c: loops that find where the least or the greatest of several values stands. The sums of
   the block that is read in the place of such a loop are the change's. */
void place_searches_find(struct scop *scop, struct change_list *list);
void place_search_apply(struct scop *scop, const struct place_search *places);
/* argmax.c: an assignment that goes along with an extreme, and whose value the place does not tell;
   NULL if there is none. */
const struct ast *place_search_blame(struct scop *scop);
/* argmax.c: the condition `!(e <= m)` of floating numbers, where m is set to e, so that elements
   that are no number count; NULL if there is none. */
const struct ast *negated_extreme_find(struct scop *scop);

/* scan.c: loops with a sum whose value their rounds read. The block that is read in the place of
   such a loop is the change's; the array that it begins chunks with becomes memory of the text. */
struct scan {
    struct loop_other other;
    const struct ast *sum, *parts;   /* the scalar, the array */
    const struct map_size *sizes;    /* n_sizes parameters with values by which there are as many
                                        chunks as other parameters have (cost.h) */
    size_t n_sizes;
};
void scans_find(struct scop *scop, struct change_list *list);
void scan_apply(struct scop *scop, const struct scan *scan);

/* copying.c: arrays of which elements are read before they are overwritten. */
void copyings_find(struct scop *scop, struct change_list *list);
void copying_apply(struct scop *scop, const struct scop_change *change);

/* splitting.c: nests whose dependences are bound to single values of their iterators. */
void splittings_find(struct scop *scop, struct change_list *list);
/* The parts as units of their own, before dependences are found in the order of the whole nest;
   false after a refusal. Then each part gets its nest. */
bool splitting_begin(struct scop *scop);
void splitting_end(struct scop *scop);
/* change.c: do parts that share threads, of a nest or of a group, keep their order in the region,
   or in all regions of the plan? */
bool parts_are_ordered(const struct scop *scop, const struct plan_region *region);
bool plan_parts_are_ordered(const struct schedule *plan);
/* splitting.c: the statement at the instances of a part. `grouped`: the instances have a further
   loop there, which relations of the statement's accesses get; NOT_GROUPED: they have none. */
enum { NOT_GROUPED = -1 };
struct scop_stmt *stmt_part(struct scop *scop, const struct scop_stmt *stmt,
                            __isl_take isl_set *domain, int grouped);
/* splitting.c: the node of a loop at or below a node; NULL if there is none. */
struct scop_node *node_of(struct scop_node *node, const struct scop_loop *loop);
/* Loops of a nest and their copies. */
struct loop_pairs {
    size_t count, capacity;
    struct loop_pair { const struct scop_loop *from; struct scop_loop *to; } *at;
};
/* splitting.c: the form over the copies' iterators. */
void form_move(const struct loop_pairs *loops, struct affine *form);
/* splitting.c: the statement in the copies' loops. */
void stmt_loops_move(const struct loop_pairs *loops, struct scop_stmt *stmt);
/* splitting.c: the copy of a loop of the source around and in copies of others. */
struct scop_loop *loop_copy(struct scop *scop, struct loop_pairs *loops,
                            const struct scop_loop *loop);

/* change.c: the blocks in place of loops that a list of changes asks for. */
loop_others changes_others(struct arena *arena, const struct change_list *changes);
/* change.c: does such a block stand in the place of the loop, or of one around it? */
bool changes_replace(const struct change_list *list, const struct ast *loop);
/* change.c: what might be done to a scop; `sums_alone`: which sums may be taken in any order. */
void changes_find(struct scop *scop, struct change_list *list, bool sums_alone);
/* change.c: the changes that the scop asks for, once its statements have domains. False after a
   refusal. */
bool changes_apply(struct scop *scop);
/* Comments for the head of the printed text, a line each; "" if there is none. `where`: " where …",
   or "". */
void changes_print(struct str *out, const struct scop *scop, const char *where, int indent);

/* memory.c: the array that a change puts in the place of another one, without extents. */
struct scop_memory *memory_add(struct scop *scop, const struct scop_array *original, int n_dims);
/* From the least element that accesses by some names (NULL: all) touch along an axis to the last;
   false if that is not known, or may be below 0. */
bool hull_find(struct scop *scop, const struct scop_array *array, const name_list *names, int dim,
               struct affine *lower, struct affine *upper);
/* The scop's array for a declaration of the source; NULL: the scop has none. */
struct scop_array *array_find(const struct scop *scop, const struct ast *decl);
/* The name of the array or scalar in an access's own text; NULL if a helper makes the access. */
const struct ast *access_name(const struct scop_access *access);
/* Does the access go by a name of the list? */
bool names_have(const name_list *names, const struct scop_access *access);
/* A loop from one bound to the other, both over parameters, that no source has; it is called and
   counts as another one (NULL: any name, int). */
struct scop_loop *loop_add(struct scop *scop, const struct scop_loop *like, int depth,
                           const struct affine *lower, const struct affine *upper);
/* Loops over a box of an array's elements, called as in subscripts of accesses by some names. */
void box_loops(struct scop *scop, const struct scop_array *array, const name_list *names,
               const struct affine *lower, const struct affine *upper, struct scop_loop **loops);
/* Loops over the elements of an array around `to = from`, before or behind all statements; `from`
   and `to` have an array and subscripts. */
void copy_add(struct scop *scop, bool behind, struct scop_loop *const *loops, int depth,
              struct scop_access from, struct scop_access to);
/* "sum_0[r][q]": what a name in the source becomes. */
const char *memory_text(const struct scop *scop, const struct scop_memory *memory);
/* rows.c: the rows that arrays of pointers lead to as arrays of the text's own, once relations are
   known; false after a refusal. */
bool rows_apply(struct scop *scop);
/* rows.c: prints the test whether rows lie apart as they should, where `condition` holds, as a
   variable. Returns its name; `condition` if there are no such rows. */
const char *rows_test(struct str *out, struct scop *scop, struct word_list *words,
                      const char *condition, int indent);
/* rows.c: prints the loops that gather rows, or that put back what was written. */
void rows_copy(struct str *out, const struct scop *scop, struct word_list *words, bool back,
               int indent);
/* Allocates what the scop needs, where `condition` (NULL: always) holds and no size is 0, and opens
   an `if` that holds where that was done. */
void memories_open(struct str *out, struct scop *scop, struct word_list *words,
                   const char *condition, int indent);
/* Puts back what rows hold, and frees all again: behind the regions, and in the `else` of the
   `if`. */
void memories_close(struct str *out, const struct scop *scop, struct word_list *words,
                    bool is_else, int indent);
/* Does `malloc` mean the library's where the fragment stands, and do the headers that the text
   needs go with the file? */
bool memory_is_available(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment);

/* choose.c: the nest's plan becomes one with changes, if that is predicted to be faster where every
   parameter is SIZE_ASSUMED (cost.h). */
struct nest;
void nest_choose(struct ctx *ctx, struct ast_unit *unit, struct nest *nest,
                 const struct change_list *candidates);
/* splitting.c: does no dependence among parts of a nest that are in one part of the region go
   against their order in the text? */
bool splitting_region_is_ordered(const struct scop *scop, const struct plan_region *region);
/* choose.c: the condition of a plan with an alternative plan, as "n <= meta_threads() / 8"; NULL if
   the plan has no alternative. */
const char *plan_size_text(const struct schedule *plan);

#endif
