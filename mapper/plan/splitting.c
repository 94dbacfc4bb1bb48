/* Splitting: the iterations at which the condition of a dependence holds, apart from the others.

   In: a unit alone in a nest, some of whose dependences begin or end only where an iterator has the
   value of a form over outer ones (in Floyd and Warshall's algorithm i = k and j = k: row k and
   column k are what all elements read). Out: a copy of the nest for each side of these values and
   for the values themselves. Dependences are those of the whole nest, in its order, so that each
   part moves only where they allow: most parts then have none of their own, and their loops are
   axes. The parts share host loops; two of them share no thread unless their order in the text,
   which the plan is tested for, is that of all dependences between them. */
#include "mapper/forms/transformations.h"
#include "mapper/plan/box.h"
#include "mapper/plan/change.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include <assert.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <string.h>

enum { PARTS_MAX = 27 };

/* Loops below the host's that are cut: the outermost one is the root of the nest. */
static int first_cut(const struct scop_change *change)
{
    int first = LOOP_DEPTH_MAX;
    for (int i = 0; i < change->n_cuts; i++)
        first = change->cuts[i].depth < first ? change->cuts[i].depth : first;
    return first;
}

/* --- candidates ------------------------------------------------------------------------------- */

struct cut_search {
    struct scop *scop;
    const struct scop_stmt *stmt;
    int outermost;                   /* the depth of the first loop that may be cut */
    struct scop_change *change;
};

/* Is the value one that the loop has in every iteration of the loops around it? That is proved, or
   the printed text tests it. */
static bool is_within(struct scop *scop, const struct scop_stmt *stmt, int depth,
                      const struct affine *form)
{
    const struct scop_place at = place_below(stmt->loops, depth);
    const struct scop_loop *loop = stmt->loops[depth];
    isl_set *runs = loops_set(scop, at), *beyond = isl_set_empty(isl_set_get_space(runs));
    for (int i = -1; i < loop->n_limits; i++) {
        const struct affine *bound = i < 0 ? &loop->start : &loop->limits[i];
        isl_aff *value = affine_isl(scop, at, form);
        isl_aff *end = affine_isl(scop, at, bound);
        beyond = isl_set_union(beyond, i < 0 ? isl_aff_lt_set(value, end)
                                             : isl_aff_gt_set(value, end));
    }
    bool within = isl_set_is_disjoint(runs, beyond) == isl_bool_true;
    if (within)
        isl_set_free(beyond);
    else
        within = scop_claim(scop, runs, beyond);
    isl_set_free(runs);
    return within;
}

/* The depth of the innermost iterator in a constraint; -1 if the constraint has no iterator. */
static int innermost_of(__isl_keep isl_constraint *constraint, int depth)
{
    for (int at = depth - 1; at >= 0; at--)
        if (isl_constraint_involves_dims(constraint, isl_dim_set, (unsigned)at, 1))
            return at;
    return -1;
}

/* Cuts of outer loops come first. */
static void cut_add(const struct scop *scop, struct scop_change *change,
                    const struct scop_loop *loop, const struct scop_cut *cut)
{
    int at = change->n_cuts++;
    for (; at > 0 && change->cuts[at - 1].depth > cut->depth; at--)
        change->cuts[at] = change->cuts[at - 1];
    struct scop_cut *own = &change->cuts[at];
    *own = *cut;
    own->text = arena_printf(scop->arena, "%s = %s", loop->name, affine_text(scop, &cut->value));
}

static isl_stat cut_take(__isl_take isl_constraint *constraint, void *data)
{
    struct cut_search *search = data;
    struct scop_change *change = search->change;
    int at = innermost_of(constraint, search->stmt->depth);
    struct scop_cut cut = {.depth = at};
    isl_set *claims = search->scop->claims;
    bool good = isl_constraint_is_equality(constraint) == isl_bool_true &&
                at >= search->outermost && at < search->stmt->unit->depth &&
                change->n_cuts < CUTS_MAX &&
                constraint_bound(search->scop, search->stmt, constraint, at, true, &cut.value);
    isl_constraint_free(constraint);
    for (int i = 0; i < change->n_cuts && good; i++)
        good = change->cuts[i].depth != at;
    const struct scop_loop *loop = good ? search->stmt->loops[at] : NULL;
    if (good && loop->step == 1 && !class_is_unsigned(loop->iterator->type->class) &&
        is_within(search->scop, search->stmt, at, &cut.value))
        cut_add(search->scop, change, loop, &cut);
    search->scop->claims = claims;
    return isl_stat_ok;
}

/* Equalities of one end of an edge that do not hold for the whole statement. */
static void end_read(struct cut_search search, const struct scop_stmt *stmt,
                     __isl_take isl_set *end)
{
    isl_basic_set *hull = isl_set_affine_hull(end);
    isl_basic_set *all = isl_set_affine_hull(isl_set_copy(stmt->domain));
    hull = isl_basic_set_gist(hull, all);
    search.stmt = stmt;
    isl_basic_set_foreach_constraint(hull, cut_take, &search);
    isl_basic_set_free(hull);
}

struct scop_node *node_of(struct scop_node *node, const struct scop_loop *loop)
{
    struct scop_node *found = node->loop == loop ? node : NULL;
    for (int i = 0; i < node->n_children && !found; i++)
        found = node->children[i] ? node_of(node->children[i], loop) : NULL;
    return found;
}

/* Do the unit's statements equal the statements below the unit's loop at the depth? */
static bool is_alone(const struct scop *scop, const struct scop_unit *unit, int depth)
{
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        bool below = stmt->depth > depth && stmt->loops[depth] == unit->loops[depth];
        if (below != (stmt->unit == unit))
            return false;
    }
    return true;
}

static void cuts_find(const struct cut_search *search, const struct scop_unit *unit)
{
    for (size_t i = 0; i < search->scop->edges.count; i++) {
        const struct scop_edge *edge = &search->scop->edges.at[i];
        if (edge->from->unit != unit || edge->to->unit != unit ||
            edge->level <= search->outermost)
            continue;
        end_read(*search, edge->from, isl_map_domain(isl_map_copy(edge->pairs)));
        end_read(*search, edge->to, isl_map_range(isl_map_copy(edge->pairs)));
    }
}

/* The outermost loop is cut if no other one is. */
static void unit_find(struct scop *scop, struct scop_unit *unit, struct change_list *list)
{
    struct scop_change change = {.row = TRANSFORMATION_SPLITTING};
    struct cut_search search = {.scop = scop, .outermost = 1, .change = &change};
    cuts_find(&search, unit);
    search.outermost = 0;
    if (!change.n_cuts)
        cuts_find(&search, unit);
    change.stmt = unit->stmts.at[0]->ast;
    if (change.n_cuts && is_alone(scop, unit, first_cut(&change)))
        vec_push(scop->arena, list, change);
}

void splittings_find(struct scop *scop, struct change_list *list)
{
    for (size_t i = 0; i < scop->units.count; i++)
        if (scop->units.at[i]->depth > 0)
            unit_find(scop, scop->units.at[i], list);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* Below, at or above each cut's value. */
enum part_side { PART_BELOW, PART_AT, PART_ABOVE };

struct scop_split {
    struct scop_split *next;         /* of another nest */
    const struct scop_change *change;
    struct scop_unit *unit;          /* before */
    int n_parts;
    struct split_part {
        struct scop_unit *unit;
        enum part_side sides[CUTS_MAX];
    } parts[PARTS_MAX];
};

static __isl_give isl_set *part_set(const struct scop *scop, const struct scop_change *change,
                                    const struct scop_stmt *stmt, const enum part_side *sides)
{
    isl_set *set = isl_set_copy(stmt->domain);
    for (int i = 0; i < change->n_cuts; i++) {
        struct affine iterator = affine_iterator(stmt->loops[change->cuts[i].depth]);
        isl_aff *left = affine_isl(scop, place_in(stmt), &iterator);
        isl_aff *right = affine_isl(scop, place_in(stmt), &change->cuts[i].value);
        isl_set *side = sides[i] == PART_AT      ? isl_aff_eq_set(left, right)
                        : sides[i] == PART_BELOW ? isl_aff_lt_set(left, right)
                                                 : isl_aff_gt_set(left, right);
        set = isl_set_intersect(set, side);
    }
    return set;
}

struct scop_stmt *stmt_part(struct scop *scop, const struct scop_stmt *stmt,
                            __isl_take isl_set *domain, int grouped)
{
    struct scop_stmt *part = ARENA_NEW(scop->arena, struct scop_stmt);
    *part = *stmt;
    part->accesses.at = NULL;
    part->accesses.count = part->accesses.capacity = 0;
    part->domain = scop_keep_set(scop, domain);
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        struct scop_access access = stmt->accesses.at[i];
        isl_map *relation = isl_map_copy(access.relation);
        if (grouped != NOT_GROUPED)
            relation = isl_map_insert_dims(relation, isl_dim_in, (unsigned)grouped, 1);
        access.relation = scop_keep_map(
            scop, isl_map_intersect_domain(relation, isl_set_copy(domain)));
        vec_push(scop->arena, &part->accesses, access);
    }
    return part;
}

static void split_part_add(struct scop *scop, struct scop_split *split, const enum part_side *sides)
{
    struct scop_unit *unit = ARENA_NEW(scop->arena, struct scop_unit);
    bool is_empty = true;
    *unit = *split->unit;
    memset(&unit->stmts, 0, sizeof unit->stmts);
    for (size_t i = 0; i < split->unit->stmts.count; i++) {
        const struct scop_stmt *stmt = split->unit->stmts.at[i];
        struct scop_stmt *part = stmt_part(
            scop, stmt, part_set(scop, split->change, stmt, sides), NOT_GROUPED);
        part->unit = unit;
        is_empty = is_empty && isl_set_is_empty(part->domain) == isl_bool_true;
        vec_push(scop->arena, &unit->stmts, part);
    }
    if (is_empty)
        return;
    struct split_part *part = &split->parts[split->n_parts++];
    part->unit = unit;
    memcpy(part->sides, sides, sizeof part->sides);
}

/* All parts, in the order of the first cut's values, then the second's. */
static void parts_make(struct scop *scop, struct scop_split *split)
{
    int n = split->change->n_cuts, all = 1;
    for (int i = 0; i < n; i++)
        all *= 3;
    for (int number = 0; number < all; number++) {
        enum part_side sides[CUTS_MAX] = {PART_BELOW};
        for (int i = n, rest = number; i-- > 0; rest /= 3)
            sides[i] = (enum part_side)(rest % 3);
        split_part_add(scop, split, sides);
    }
}

/* Puts the parts in the unit's place, among units and among statements. */
static bool parts_place(struct scop *scop, struct scop_split *split)
{
    VEC(struct scop_stmt *) stmts = {0};
    VEC(struct scop_unit *) units = {0};
    for (size_t i = 0; i < scop->stmts.count; i++) {
        struct scop_stmt *stmt = scop->stmts.at[i];
        if (stmt->unit != split->unit)
            vec_push(scop->arena, &stmts, stmt);
        if (stmt != split->unit->stmts.at[0])
            continue;
        for (int k = 0; k < split->n_parts; k++)
            for (size_t n = 0; n < split->parts[k].unit->stmts.count; n++)
                vec_push(scop->arena, &stmts, split->parts[k].unit->stmts.at[n]);
    }
    if (stmts.count > STATEMENTS_MAX)
        return false;
    for (size_t i = 0; i < stmts.count; i++) {
        struct scop_unit *unit = stmts.at[i]->unit;
        stmts.at[i]->id = (int)i;
        if (unit->stmts.at[0] != stmts.at[i])
            continue;
        unit->id = (int)i;
        vec_push(scop->arena, &units, unit);
    }
    memcpy(&scop->stmts, &stmts, sizeof stmts);
    memcpy(&scop->units, &units, sizeof units);
    return true;
}

static bool split_add(struct scop *scop, const struct scop_change *change)
{
    struct scop_split *split = ARENA_NEW(scop->arena, struct scop_split);
    split->change = change;
    for (size_t i = 0; i < scop->units.count; i++)
        if (scop->units.at[i]->stmts.at[0]->ast == change->stmt)
            split->unit = scop->units.at[i];
    if (!split->unit || !is_alone(scop, split->unit, first_cut(change)))
        return false;
    for (int i = 0; i < change->n_cuts; i++)
        if (!is_within(scop, split->unit->stmts.at[0], change->cuts[i].depth,
                       &change->cuts[i].value))
            return false;
    parts_make(scop, split);
    split->next = scop->split;
    scop->split = split;
    return parts_place(scop, split);
}

bool splitting_begin(struct scop *scop)
{
    for (size_t i = 0; i < scop->changes->count; i++)
        if (scop->changes->at[i].row == TRANSFORMATION_SPLITTING &&
            !split_add(scop, &scop->changes->at[i]))
            return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
    return true;
}

/* --- nests ------------------------------------------------------------------------------------ */

struct nest_copy {
    struct scop *scop;
    const struct scop_split *split;
    const struct split_part *part;
    struct loop_pairs loops;
};

void form_move(const struct loop_pairs *loops, struct affine *form)
{
    for (size_t i = 0; i < loops->count; i++)
        iterator_replace(form, loops->at[i].from, loops->at[i].to);
}

void stmt_loops_move(const struct loop_pairs *loops, struct scop_stmt *stmt)
{
    for (int at = 0; at < stmt->depth; at++)
        for (size_t i = 0; i < loops->count; i++)
            if (stmt->loops[at] == loops->at[i].from)
                stmt->loops[at] = loops->at[i].to;
    for (size_t i = 0; i < stmt->accesses.count; i++)
        for (int dim = 0; dim < stmt->accesses.at[i].array->n_dims; dim++)
            form_move(loops, &stmt->accesses.at[i].subscripts[dim]);
}

/* The loop's bounds on one side of the cut, or at it. */
static void loop_restrict(const struct nest_copy *c, struct scop_loop *loop)
{
    for (int i = 0; i < c->split->change->n_cuts; i++) {
        const struct scop_cut *cut = &c->split->change->cuts[i];
        struct affine value = cut->value, one = affine_constant(1);
        if (cut->depth != loop->depth)
            continue;
        form_move(&c->loops, &value);
        if (c->part->sides[i] == PART_BELOW)
            affine_add(&value, &one, -1);
        if (c->part->sides[i] == PART_ABOVE) {
            affine_add(&value, &one, 1);
            loop->start = value;
            continue;
        }
        if (c->part->sides[i] == PART_AT)
            loop->start = value;
        loop->limits[0] = value;
        loop->n_limits = 1;
    }
}

struct scop_loop *loop_copy(struct scop *scop, struct loop_pairs *loops,
                            const struct scop_loop *loop)
{
    struct scop_loop *copy = ARENA_NEW(scop->arena, struct scop_loop);
    *copy = *loop;
    form_move(loops, &copy->start);
    for (int i = 0; i < copy->n_limits; i++)
        form_move(loops, &copy->limits[i]);
    for (size_t i = 0; i < loops->count; i++)
        if (loops->at[i].from == copy->outer)
            copy->outer = loops->at[i].to;
    copy->symbol = affine_symbol_of(scop, copy);
    struct loop_pair pair = {loop, copy};
    vec_push(scop->arena, loops, pair);
    return copy;
}

/* The part's statement in place of the unit's. */
static struct scop_stmt *stmt_move(struct nest_copy *c, const struct scop_stmt *stmt,
                                   struct scop_node *node)
{
    struct scop_stmt *part = NULL;
    for (size_t i = 0; i < c->split->unit->stmts.count; i++)
        if (c->split->unit->stmts.at[i] == stmt)
            part = c->part->unit->stmts.at[i];
    assert(part);
    part->node = node;
    stmt_loops_move(&c->loops, part);
    return part;
}

static struct scop_node *node_copy(struct nest_copy *c, const struct scop_node *node,
                                   const struct scop_node *parent)
{
    struct scop_node *copy = ARENA_NEW(c->scop->arena, struct scop_node);
    *copy = *node;
    copy->parent = parent;
    copy->children = ARENA_ARRAY(c->scop->arena, struct scop_node *, node->n_children + 1);
    if (node->loop) {
        copy->loop = loop_copy(c->scop, &c->loops, node->loop);
        loop_restrict(c, copy->loop);
    }
    if (node->stmt)
        copy->stmt = stmt_move(c, node->stmt, copy);
    for (int i = 0; i < node->n_children; i++)
        if (node->children[i])
            copy->children[i] = node_copy(c, node->children[i], copy);
    return copy;
}

/* The unit counts by the loops of its first statement. */
static void nest_add(struct scop *scop, const struct scop_split *split,
                     const struct split_part *part, const struct scop_node *nest,
                     struct scop_node *block)
{
    struct nest_copy c = {.scop = scop, .split = split, .part = part};
    block->children[block->n_children++] = node_copy(&c, nest, block);
    memcpy(part->unit->loops, part->unit->stmts.at[0]->loops, sizeof part->unit->loops);
}

static void nests_place(struct scop *scop, const struct scop_split *split)
{
    const struct scop_loop *root = split->unit->loops[first_cut(split->change)];
    struct scop_node *nest = node_of(scop->root, root);
    struct scop_node *block = ARENA_NEW(scop->arena, struct scop_node);
    struct scop_node *parent = (struct scop_node *)nest->parent;
    block->kind = SCOP_BLOCK;
    block->ast = nest->ast;
    block->parent = parent;
    block->children = ARENA_ARRAY(scop->arena, struct scop_node *, PARTS_MAX + 1);
    for (int i = 0; i < split->n_parts; i++)
        nest_add(scop, split, &split->parts[i], nest, block);
    for (int i = 0; i < parent->n_children; i++)
        if (parent->children[i] == nest)
            parent->children[i] = block;
}

void splitting_end(struct scop *scop)
{
    if (scop->refusal.text)
        return;
    for (const struct scop_split *split = scop->split; split; split = split->next)
        nests_place(scop, split);
}

/* --- the plan --------------------------------------------------------------------------------- */

static bool is_part(const struct scop_split *split, const struct scop_unit *unit)
{
    for (; split; split = split->next)
        for (int i = 0; i < split->n_parts; i++)
            if (split->parts[i].unit == unit)
                return true;
    return false;
}

bool splitting_region_is_ordered(const struct scop *scop, const struct plan_region *region)
{
    if (!scop->split)
        return true;
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        const struct plan_member *from = region_member(region, edge->from->unit);
        const struct plan_member *to = region_member(region, edge->to->unit);
        if (edge->from->id > edge->to->id && edge->from->unit != edge->to->unit &&
            is_part(scop->split, edge->from->unit) && is_part(scop->split, edge->to->unit) &&
            from && to && from->part == to->part)
            return false;
    }
    return true;
}
