/* Strips: a block for each row, or for a group of neighbouring columns, which uses them more than
   once.

   In: a region of one axis, whose blocks are to own points of this axis, and whose statements each
   have one more loop, which the lanes of the block run, or none. Out: whether a text of that form
   is right and good. As in

       for (int i = 0; i < m; i++)
           for (int j = 0; j < n; j++)
               t[i] += A[i][j] * x[j];
       for (int j = 0; j < n; j++)
           for (int i = 0; i < m; i++)
               y[j] += A[i][j] * t[i];

   two regions of one axis read A twice, and no region over (i, j) is right, since the sum t[i] is
   used when it is complete. A block that owns row i sums t[i] by its lanes, waits, and accumulates
   in y by the same lanes: A is read once. Bands of a block follow each other behind barriers, so
   that statements of one row need no order of their lanes; within a statement the lanes run at
   once, but for sums. Sums by the lanes have a tree in the block, those that all points of the axis
   have are of arrays that the lanes walk over (ir/access/walked.c), which is for floating numbers.
   A statement that starts such an array, `y[j] = 0`, is a band of lanes at the axis's first point
   (ir/access/ends_walked.c).

   Neighbouring threads read neighbours: where the last subscript of arrays of two axes follows no
   row, these are the lanes. Where it follows the block's axis (sums down columns that are used
   along rows), a block owns STRIP_COLUMNS of these, and has a thread for each of them beside each
   lane. As many threads would meet in an element that the lanes walk over, so that there each
   thread is a lane, and runs through the columns. A processor is faster with two regions
   (docs/results/fusion.md), so that a narrow plan has no strips. */
#include "mapper/plan/strips.h"
#include "mapper/plan/ends.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/sums.h"

enum { STRIP_LOOPS = 2 };

bool strip_starts(const struct plan_member *member)
{
    return member->axes[0] == AT_POINT;
}

int strip_lanes(const struct plan_member *member, int depth)
{
    if (strip_starts(member))
        return depth;
    if (member->unit->depth < depth + STRIP_LOOPS)
        return LANES_NONE;
    return member->axes[0] == depth ? depth + 1 : depth;
}

bool strip_turn(struct scop *scop, int depth, const struct plan_region *other,
                struct plan_region *region, bool *sums)
{
    member_list members = region->members;
    region->members = (member_list){0};
    *sums = false;
    for (size_t i = 0; i < members.count; i++) {
        struct plan_member member = members.at[i];
        bool is_single = member.unit->depth == depth + 1 && member.unit->stmts.count == 1;
        if (member.axes[0] == AT_POINT ||
            (!is_single && member.unit->depth != depth + STRIP_LOOPS))
            return false;
        *sums |= !is_single;
        member.axes[0] = is_single ? AT_POINT : strip_lanes(&member, depth);
        member.points[0] = other->axes[0].lower;
        vec_push(scop->arena, &region->members, member);
    }
    return region->n_axes == 1 && other->n_axes == 1 && !region->is_strip;
}

/* Are the bounds of the lanes' loop those of every row, and its rounds consecutive? */
static bool loop_has_lanes(const struct scop_loop *lanes, const struct scop_loop *rows)
{
    return lanes->step == 1 && lanes->n_limits == 1 && !lanes->is_live &&
           !affine_factor(&lanes->start, rows->symbol) &&
           !affine_factor(&lanes->limits[0], rows->symbol);
}

/* How many points of the axis does a block own whose lanes make the access? */
static int64_t access_points(const struct scop_access *access, const struct scop_loop *axis)
{
    int last = access->array->n_dims - 1;
    if (!access->is_affine[last])
        return 0;
    if (!affine_factor(&access->subscripts[last], axis->symbol))
        return 1;
    for (int i = 0; i < last; i++)
        if (!access->is_affine[i] || affine_factor(&access->subscripts[i], axis->symbol))
            return 0;
    return affine_factor(&access->subscripts[last], axis->symbol) == 1 ? STRIP_COLUMNS : 0;
}

/* The same for a member; -1 if it touches no array of two axes. */
static int64_t member_points(const struct plan_member *member)
{
    const struct scop_unit *unit = member->unit;
    int64_t all = -1;
    for (size_t i = 0; i < unit->stmts.count; i++)
        for (size_t k = 0; k < unit->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *access = &unit->stmts.at[i]->accesses.at[k];
            if (access->array->n_dims < 2)
                continue;
            int64_t points =
                strip_starts(member) ? 0 : access_points(access, member_loop(member, 0));
            all = all < 0 || all == points ? points : 0;
        }
    return all;
}

int64_t strip_points(const struct plan_region *region, int depth)
{
    int64_t all = -1;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        int64_t points = member_points(member);
        if (points > 1 && strip_lanes(member, depth) == LANES_NONE)
            points = 0;
        if (points >= 0)
            all = all < 0 || all == points ? points : 0;
    }
    return all < 0 ? 1 : all;
}

/* Does the access accumulate in an element that all points of the axis have? */
static bool access_walks(const struct scop_access *access, const struct scop_loop *axis)
{
    bool follows = false;
    for (int i = 0; i < access->array->n_dims; i++)
        follows |= !access->is_affine[i] ||
                   affine_factor(&access->subscripts[i], axis->symbol) != 0;
    return access->reduction && !follows;
}

bool strip_walks(const struct plan_member *member)
{
    const struct scop_unit *unit = member->unit;
    if (strip_starts(member))
        return false;
    for (size_t i = 0; i < unit->stmts.count; i++)
        for (size_t k = 0; k < unit->stmts.at[i]->accesses.count; k++)
            if (access_walks(&unit->stmts.at[i]->accesses.at[k], member_loop(member, 0)))
                return true;
    return false;
}

/* Do the member's accumulations agree on the threads that make them? */
static bool sums_agree(const struct plan_member *member)
{
    const struct scop_unit *unit = member->unit;
    bool walks = strip_walks(member);
    if (strip_starts(member))
        return true;
    for (size_t i = 0; i < unit->stmts.count; i++)
        for (size_t k = 0; k < unit->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *access = &unit->stmts.at[i]->accesses.at[k];
            if (access->reduction && walks != access_walks(access, member_loop(member, 0)))
                return false;
        }
    return true;
}

/* Does the member set the elements of an array from the first one on that all points of the axis
   walk over? */
static bool start_fits(const struct plan_region *region, const struct plan_member *member,
                       int depth)
{
    const struct scop_stmt *stmt = member->unit->stmts.at[0];
    const struct scop_loop *lanes = member->unit->loops[depth];
    const struct affine iterator = affine_iterator(lanes), zero = affine_constant(0);
    if (lanes->step != 1 || lanes->n_limits != 1 || lanes->is_live ||
        !affine_equal(&lanes->start, &zero) || !member_is_end(region, member))
        return false;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        if (access->is_write && (access->array->n_dims != 1 || !access->is_affine[0] ||
                                 !affine_equal(&access->subscripts[0], &iterator)))
            return false;
    }
    return stmt->ast->kind == AST_ASSIGN;
}

static bool member_fits(const struct plan_region *region, const struct plan_member *member,
                        int depth)
{
    const struct scop_unit *unit = member->unit;
    if (strip_starts(member))
        return start_fits(region, member, depth);
    const struct scop_loop *rows = member_loop(member, 0);
    int lanes = strip_lanes(member, depth);
    if (!rows || unit->depth > depth + STRIP_LOOPS ||
        (lanes != LANES_NONE && !loop_has_lanes(unit->loops[lanes], rows)))
        return false;
    for (size_t i = 0; i < unit->stmts.count; i++) {
        const struct scop_stmt *stmt = unit->stmts.at[i];
        if (stmt->depth != unit->depth || stmt->ast->kind != AST_ASSIGN)
            return false;
    }
    return true;
}

static bool is_in_one_unit(const struct plan_region *region, const struct scop_edge *edge)
{
    return edge->from->unit == edge->to->unit && region_member(region, edge->from->unit);
}

/* Do lanes that run a statement at once touch nothing in common, but to accumulate in arrays? */
static bool lanes_are_apart(const struct plan_place *place, const struct plan_region *region)
{
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        if (!is_in_one_unit(region, edge))
            continue;
        int lanes = strip_lanes(region_member(region, edge->from->unit), place->depth);
        bool is_sum = edge->is_sum && edge->first->array->n_dims == 1;
        if (lanes != LANES_NONE && !is_sum && !edge_is_level(edge, lanes, lanes))
            return false;
    }
    return true;
}

/* Are all accumulations in the array behind what sets it otherwise, or before that, in the order of
   the text? Nothing but a start, which may read its own element, uses the array before them. */
static bool sum_is_whole(const struct plan_region *region, const struct scop_array *array)
{
    bool is_begun = false, is_ended = false;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++) {
            const struct scop_stmt *stmt = unit->stmts.at[k];
            bool sums = false, uses = false, stores = false;
            for (size_t a = 0; a < stmt->accesses.count; a++) {
                const struct scop_access *access = &stmt->accesses.at[a];
                sums |= access->array == array && access->reduction;
                uses |= access->array == array && !access->reduction;
                stores |= access->array == array && !access->reduction && access->is_write;
            }
            if ((sums && is_ended) || (uses && !stores && !is_begun))
                return false;
            is_begun |= sums;
            is_ended |= uses && is_begun;
        }
    }
    return true;
}

/* Does each array in which a statement accumulates have such accumulations alone? */
static bool sums_are_whole(const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            for (size_t a = 0; a < unit->stmts.at[k]->accesses.count; a++) {
                const struct scop_access *access = &unit->stmts.at[k]->accesses.at[a];
                if (access->reduction && !sum_is_whole(region, access->array))
                    return false;
            }
    }
    return true;
}

/* Are the points of the axis rows, or columns whose blocks have threads for their accumulations? */
static bool points_fit(const struct plan_place *place, const struct plan_region *region)
{
    int64_t points = strip_points(region, place->depth);
    if (points <= 1)
        return points == 1;
    for (size_t i = 0; i < region->members.count; i++)
        if (!sums_agree(&region->members.at[i]))
            return false;
    return region->axes[0].step == 1;
}

/* The accesses of a region as a loop; `member` is that of the access given last. */
struct strip_accesses {
    const struct plan_region *region;
    size_t member, stmt, next;
};

static const struct scop_access *strip_access_next(struct strip_accesses *walk)
{
    const member_list *members = &walk->region->members;
    for (; walk->member < members->count; walk->member++, walk->stmt = 0) {
        const struct scop_unit *unit = members->at[walk->member].unit;
        for (; walk->stmt < unit->stmts.count; walk->stmt++, walk->next = 0)
            if (walk->next < unit->stmts.at[walk->stmt]->accesses.count)
                return &unit->stmts.at[walk->stmt]->accesses.at[walk->next++];
    }
    return NULL;
}

static const struct scop_access *strip_access_first(struct strip_accesses *walk,
                                                    const struct plan_region *region)
{
    *walk = (struct strip_accesses){.region = region};
    return strip_access_next(walk);
}

/* How many statements store to the array? */
static int stores_of(const struct plan_region *region, const struct scop_array *array,
                     bool are_plain)
{
    struct strip_accesses walk;
    int count = 0;
    for (const struct scop_access *access = strip_access_first(&walk, region); access;
         access = strip_access_next(&walk))
        count += access->array == array && access->is_write && !(are_plain && access->reduction);
    return count;
}

/* Is each array of two axes stored once, and each sum started once? A thread of a plane has an
   element that it stores again in a register, where bands of a block would pass it on through
   memory. */
static bool stores_are_single(const struct plan_region *region)
{
    struct strip_accesses walk;
    for (const struct scop_access *access = strip_access_first(&walk, region); access;
         access = strip_access_next(&walk)) {
        bool is_plane = access->array->n_dims > 1;
        if ((is_plane || access->reduction) && stores_of(region, access->array, !is_plane) > 1)
            return false;
    }
    return true;
}

static bool is_summed(const struct plan_region *region, const struct scop_array *array)
{
    struct strip_accesses walk;
    for (const struct scop_access *access = strip_access_first(&walk, region); access;
         access = strip_access_next(&walk))
        if (access->array == array && access->reduction)
            return true;
    return false;
}

static bool is_touched_else(const struct plan_region *region, const struct scop_unit *unit,
                            const struct scop_array *array)
{
    struct strip_accesses walk;
    for (const struct scop_access *access = strip_access_first(&walk, region); access;
         access = strip_access_next(&walk))
        if (access->array == array && region->members.at[walk.member].unit != unit)
            return true;
    return false;
}

/* Does a statement hand what it makes of a sum to another member? A region's finish does not. */
static bool hands_on(const struct plan_region *region, const struct scop_unit *unit,
                     const struct scop_stmt *stmt)
{
    bool reads_sum = false, is_touched = false;
    for (size_t a = 0; a < stmt->accesses.count; a++) {
        const struct scop_access *access = &stmt->accesses.at[a];
        reads_sum |= !access->is_write && !access->reduction && is_summed(region, access->array);
        is_touched |= access->is_write && !access->reduction &&
                      !is_summed(region, access->array) &&
                      is_touched_else(region, unit, access->array);
    }
    return reads_sum && is_touched;
}

static bool finishes_stay(const struct plan_place *place, const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++)
            if (strip_lanes(member, place->depth) == LANES_NONE &&
                hands_on(region, member->unit, member->unit->stmts.at[k]))
                return false;
    }
    return true;
}

bool strip_fits(const struct plan_place *place, const struct plan_region *region)
{
    if (region->n_axes != 1 || region_parts(region) > 1 || region->common || region->follows)
        return false;
    for (size_t i = 0; i < region->members.count; i++)
        if (!member_fits(region, &region->members.at[i], place->depth))
            return false;
    for (size_t i = 0; i < region->sums.count; i++) {
        const struct scop_array *array = region->sums.at[i].array;
        enum type type = sum_type(array);
        if (array->n_dims != 1 || (type != TYPE_F32 && type != TYPE_F64))
            return false;
    }
    return points_fit(place, region) && stores_are_single(region) && finishes_stay(place, region) &&
           lanes_are_apart(place, region) && sums_are_whole(region);
}

bool strip_shares(struct scop *scop, const struct plan_place *place,
                  const struct plan_region *region, size_t n_first)
{
    struct plan_region plane = {.n_axes = STRIP_LOOPS};
    size_t n_before = 0;
    for (size_t i = 0; i < region->members.count; i++) {
        struct plan_member member = region->members.at[i];
        int lanes = strip_lanes(&member, place->depth);
        if (lanes == LANES_NONE || strip_starts(&member))
            continue;
        member.axes[1] = lanes;
        n_before += i < n_first;
        vec_push(scop->arena, &plane.members, member);
    }
    return region->sums.count && region_shares_plane(&plane, n_before);
}

void strip_sums(struct scop *scop, struct plan_region *region)
{
    region->row_sums.count = 0;
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        bool known = region_sums(region, edge->first->array);
        for (size_t k = 0; k < region->row_sums.count; k++)
            known |= region->row_sums.at[k].array == edge->first->array;
        if (edge->is_sum && !known && is_in_one_unit(region, edge))
            vec_push(scop->arena, &region->row_sums,
                     ((struct plan_sum){edge->first->array, edge->first->reduction}));
    }
}
