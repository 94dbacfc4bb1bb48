#ifndef MAPPER_PANEL_PARTS_H
#define MAPPER_PANEL_PARTS_H
#include "mapper/plan/panels.h"

/* A nest in groups of rounds while it is made. */

/* Where instances stand along a loop that is cut: inside the group, or behind it. */
enum panel_side { SIDE_NONE, SIDE_IN, SIDE_BEYOND };

struct panel_part {
    size_t number;
    const struct scop_unit *from;
    struct scop_unit *unit;
    int n_beyond;                    /* loops beyond the group */
    enum panel_side sides[LOOP_DEPTH_MAX];   /* by depth of the unit's loops in the source */
    struct panel_copy *copy;
};

struct panel_copy {
    int number;
    VEC(struct panel_part *) parts;
    struct loop_pairs loops;
};

struct scop_panel {
    struct scop_panel *next;
    const struct panel_loop *plan;
    int64_t width;
    struct scop_loop *groups;        /* the loop over the groups */
    cut_list cuts;
    VEC(struct panel_part *) parts;
    VEC(struct panel_copy *) copies;
};

/* panel_nests.c: the nest that the panel's units stand in. */
const struct scop_loop *panel_root(const struct scop_panel *panel);
/* panel_nests.c: puts the loop over the groups behind the nest of the source, with a copy of the
   nest for each of the panel's, and the parts in it. False if it is not known where a loop
   begins. */
bool nests_place(struct scop *scop, struct scop_panel *panel);

#endif
