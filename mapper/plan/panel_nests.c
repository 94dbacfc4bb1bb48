/* Copies of a nest for the parts of its statements in groups of rounds.

   In: the parts of a panel, in copies (panel_parts.c). Out: a nest for each copy below a loop over
   the groups. A loop that is cut runs to the end of the group, or begins behind it, and has the
   limits of the source's loop that do not follow from that. */
#include "mapper/plan/panel_parts.h"
#include "mapper/scop/block.h"
#include "mapper/scop/sets.h"
#include <string.h>

/* The side of the copy's parts along a loop; SIDE_NONE if none of them has the loop cut. */
static enum panel_side copy_side(const struct panel_copy *copy, const struct scop_loop *loop)
{
    for (size_t i = 0; i < copy->parts.count; i++) {
        const struct panel_part *part = copy->parts.at[i];
        if (loop->depth < part->from->depth && part->from->loops[loop->depth] == loop)
            return part->sides[loop->depth];
    }
    return SIDE_NONE;
}

/* The loops around a loop, outermost first; their number. */
static int loops_around(const struct scop_loop *loop, const struct scop_loop **loops)
{
    for (const struct scop_loop *at = loop->outer; at; at = at->outer)
        loops[at->depth] = at;
    return loop->depth;
}

/* Is the form at least 0 wherever the loops around the loop run? */
static bool is_never_negative(const struct scop *scop, const struct scop_loop *loop,
                              const struct affine *form)
{
    const struct scop_loop *loops[LOOP_DEPTH_MAX];
    struct affine positive = *form, one = affine_constant(1);
    int depth = loops_around(loop, loops);
    return affine_add(&positive, &one, 1) &&
           loops_imply_positive(scop, place_below(loops, depth), &positive);
}

/* Is the first form never less than the second one? */
static bool is_above(const struct scop *scop, const struct scop_loop *loop, const struct affine *a,
                     const struct affine *b)
{
    struct affine way = *a;
    return affine_add(&way, b, -1) && is_never_negative(scop, loop, &way);
}

/* The place so many rounds behind the group's begin. */
static struct affine group_place(const struct scop_panel *panel, int64_t rounds)
{
    struct affine place = affine_iterator(panel->groups), behind = affine_constant(rounds);
    affine_add(&place, &behind, 1);
    return place;
}

/* The loop ends with the group unless another limit is never above. */
static bool loop_end(const struct scop *scop, const struct scop_panel *panel,
                     struct scop_loop *loop)
{
    struct affine end = group_place(panel, panel->width - 1);
    for (int i = 0; i < loop->n_limits; i++)
        if (is_above(scop, loop, &end, &loop->limits[i]))
            return true;
    if (loop->n_limits == LOOP_LIMITS)
        return false;
    memmove(loop->limits + 1, loop->limits, sizeof *loop->limits * (size_t)loop->n_limits);
    loop->limits[0] = end;
    loop->n_limits++;
    return true;
}

/* The loop's bounds on a side; false if it is not known which of two starts is the later one. */
static bool loop_restrict(const struct scop *scop, const struct scop_panel *panel,
                          struct scop_loop *loop, enum panel_side side)
{
    struct affine begin = group_place(panel, side == SIDE_BEYOND ? panel->width : 0);
    if (is_above(scop, loop, &begin, &loop->start))
        loop->start = begin;
    else if (!is_above(scop, loop, &loop->start, &begin))
        return false;
    return side == SIDE_BEYOND || loop_end(scop, panel, loop);
}

struct panel_writer {
    struct scop *scop;
    const struct scop_panel *panel;
    struct panel_copy *copy;
    bool failed;
};

/* The part's statement of the copy; NULL if the copy has none. */
static struct scop_stmt *copy_stmt(const struct panel_copy *copy, const struct scop_stmt *stmt,
                                   const struct scop_node *node)
{
    for (size_t i = 0; i < copy->parts.count; i++) {
        const struct panel_part *part = copy->parts.at[i];
        for (size_t k = 0; k < part->from->stmts.count; k++)
            if (part->from->stmts.at[k] == stmt) {
                part->unit->stmts.at[k]->node = node;
                return part->unit->stmts.at[k];
            }
    }
    return NULL;
}

static void loop_place(struct panel_writer *w, struct scop_node *copy, const struct scop_loop *loop)
{
    enum panel_side side = copy_side(w->copy, loop);
    copy->loop = loop_copy(w->scop, &w->copy->loops, loop);
    copy->loop->depth++;
    if (copy->loop->depth == w->panel->plan->depth + 1)
        copy->loop->outer = w->panel->groups;
    if (side != SIDE_NONE && !loop_restrict(w->scop, w->panel, copy->loop, side))
        w->failed = true;
}

/* The node with the statements of the copy; NULL if there are none. */
static struct scop_node *node_copy(struct panel_writer *w, const struct scop_node *node,
                                   const struct scop_node *parent)
{
    struct scop_node *copy = ARENA_NEW(w->scop->arena, struct scop_node);
    *copy = *node;
    copy->parent = parent;
    if (node->kind == SCOP_LEAF)
        copy->stmt = copy_stmt(w->copy, node->stmt, copy);
    if (node->kind == SCOP_LEAF || node->kind == SCOP_NAMES)
        return copy->stmt || node->kind == SCOP_NAMES ? copy : NULL;
    if (node->loop)
        loop_place(w, copy, node->loop);
    bool is_if = node->kind == SCOP_IF, has_stmt = false;
    copy->children = ARENA_ARRAY(w->scop->arena, struct scop_node *, node->n_children + 1);
    copy->n_children = 0;
    for (int i = 0; i < node->n_children; i++) {
        struct scop_node *child = node->children[i] ? node_copy(w, node->children[i], copy) : NULL;
        has_stmt |= child && child->kind != SCOP_NAMES;
        if (child || is_if)
            copy->children[copy->n_children++] = child;
    }
    return has_stmt ? copy : NULL;
}

/* The part's statements and its unit in the loops of the copy. */
static void part_move(const struct scop_panel *panel, struct panel_part *part)
{
    int at = panel->plan->depth;
    for (size_t i = 0; i < part->unit->stmts.count; i++) {
        struct scop_stmt *stmt = part->unit->stmts.at[i];
        stmt_loops_move(&part->copy->loops, stmt);
        memmove(stmt->loops + at + 1, stmt->loops + at,
                sizeof *stmt->loops * (size_t)(stmt->depth - at));
        stmt->loops[at] = panel->groups;
        stmt->depth++;
    }
    memcpy(part->unit->loops, part->unit->stmts.at[0]->loops, sizeof part->unit->loops);
}

const struct scop_loop *panel_root(const struct scop_panel *panel)
{
    return panel->parts.at[0]->from->loops[panel->plan->depth];
}

/* Is the limit one that all statements of the copy in the loop keep without it? */
static bool limit_is_implied(const struct scop *scop, const struct panel_copy *copy,
                             struct scop_loop *loop, const struct affine *limit)
{
    struct affine way = *limit, iterator = affine_iterator(loop), one = affine_constant(1);
    if (!affine_add(&way, &iterator, -1) || !affine_add(&way, &one, 1))
        return false;
    for (size_t i = 0; i < copy->parts.count; i++)
        for (size_t k = 0; k < copy->parts.at[i]->unit->stmts.count; k++) {
            const struct scop_stmt *stmt = copy->parts.at[i]->unit->stmts.at[k];
            if (stmt_loop(stmt, loop->depth) == loop &&
                !loops_imply_positive(scop, place_in(stmt), &way))
                return false;
        }
    return true;
}

/* Leaves out the limits behind the group's end that follow from it and from other loops. */
static void loop_settle(const struct scop *scop, const struct panel_copy *copy,
                        struct scop_loop *loop)
{
    for (int k = loop->n_limits - 1; k > 0; k--) {
        struct affine last = loop->limits[loop->n_limits - 1], limit = loop->limits[k];
        loop->limits[k] = last;
        loop->n_limits--;
        if (limit_is_implied(scop, copy, loop, &limit))
            continue;
        loop->limits[k] = limit;
        loop->limits[loop->n_limits++] = last;
    }
}

static void limits_settle(const struct scop *scop, const struct scop_panel *panel)
{
    const struct affine end = group_place(panel, panel->width - 1);
    for (size_t c = 0; c < panel->copies.count; c++)
        for (size_t i = 0; i < panel->copies.at[c]->loops.count; i++) {
            struct scop_loop *loop = panel->copies.at[c]->loops.at[i].to;
            if (affine_equal(&loop->limits[0], &end))
                loop_settle(scop, panel->copies.at[c], loop);
        }
}

bool nests_place(struct scop *scop, struct scop_panel *panel)
{
    struct scop_node *nest = node_of(scop->root, panel_root(panel));
    struct scop_node *parent = (struct scop_node *)nest->parent;
    struct scop_node *both = ARENA_NEW(scop->arena, struct scop_node);
    struct scop_node *loop = ARENA_NEW(scop->arena, struct scop_node);
    struct scop_node *block = ARENA_NEW(scop->arena, struct scop_node);
    struct panel_writer w = {.scop = scop, .panel = panel};
    *both = (struct scop_node){.kind = SCOP_BLOCK, .ast = nest->ast, .parent = parent,
                               .n_children = 2};
    *loop = (struct scop_node){.kind = SCOP_LOOP, .ast = nest->ast, .parent = both,
                               .n_children = 1, .loop = panel->groups};
    *block = (struct scop_node){.kind = SCOP_BLOCK, .ast = nest->ast, .parent = loop};
    both->children = ARENA_ARRAY(scop->arena, struct scop_node *, 2);
    loop->children = ARENA_ARRAY(scop->arena, struct scop_node *, 1);
    block->children = ARENA_ARRAY(scop->arena, struct scop_node *, panel->copies.count);
    both->children[0] = nest;
    both->children[1] = loop;
    loop->children[0] = block;
    for (size_t i = 0; i < panel->copies.count; i++) {
        w.copy = panel->copies.at[i];
        block->children[block->n_children++] = node_copy(&w, nest, block);
    }
    for (int i = 0; i < parent->n_children; i++)
        if (parent->children[i] == nest)
            parent->children[i] = both;
    nest->parent = both;
    for (size_t i = 0; i < panel->parts.count; i++)
        part_move(panel, panel->parts.at[i]);
    limits_settle(scop, panel);
    return !w.failed;
}
