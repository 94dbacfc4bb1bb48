#ifndef MAPPER_PANELS_H
#define MAPPER_PANELS_H
#include "mapper/plan/change.h"

/* Panels: rounds of a loop of the host in groups. In a group the instances that its later rounds
   need, the panel, run first, and each of the others gets at once what all rounds have for it. */

/* A loop of the host whose rounds may come in groups, as a plan has it. */
struct panel_loop {
    int depth;                       /* loops of the host around it */
    const struct plan_step *step;    /* the plan's step of the loop */
    const struct scop_loop *like;    /* gives the iterator's name and type */
    struct affine first, last;       /* the iterator's values, over parameters and outer loops */
    int n_stmts;
    struct panel_run {
        const struct ast *stmt;
        int at;                      /* the depth of the statement's loop that the host runs */
    } runs[STATEMENTS_MAX];
};

/* panels.c: the plan's loops of the host whose rounds may come in groups. */
void panels_find(const struct schedule *plan, struct change_list *list);
/* panels.c: the depth of the statement's loop that the host runs; -1: the host runs none. */
enum { RUNS_NONE = -1 };
int panel_run_of(const struct panel_loop *panel, const struct scop_stmt *stmt);
/* panels.c: the loops whose iterators say in which round an element is needed: those that the host
   runs, and those with an iterator that equals one of these where the element is used. */
typedef VEC(const struct scop_loop *) cut_list;
void panel_cuts(const struct scop *scop, const struct panel_loop *panel, cut_list *cuts);
bool cuts_have(const cut_list *cuts, const struct scop_loop *loop);

/* panel_parts.c: the scop's statements in parts, below a loop over the groups, once dependences are
   known; false after a refusal. */
bool panels_apply(struct scop *scop);
/* panel_parts.c: is the unit's loop at the depth one over groups? */
bool unit_is_grouped(const struct scop *scop, const struct scop_unit *unit, int depth);
/* panel_parts.c: is the unit a part, below a loop over groups? */
bool unit_is_part(const struct scop *scop, const struct scop_unit *unit);
/* panel_parts.c: do all loops of the unit below a loop over groups end with a group? */
bool unit_is_in_group(const struct scop *scop, const struct scop_unit *unit);
/* panel_parts.c: do parts share threads only in the order in which they depend on each other? */
bool panels_region_is_ordered(const struct scop *scop, const struct plan_region *region);

#endif
