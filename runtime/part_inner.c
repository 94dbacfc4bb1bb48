/* Inner blocks first. In: the parts of a launch, once copies between members were given to their
   queues, beside which launches run. Out: where the copies of a member and the work of its part
   both take longer than two more launches, the blocks of the part that touch nothing of the copies
   are a part of their own, before all other parts, and run while the copies do. The blocks on
   either side run behind. Parts of a launch do not touch what others of it write, so that they may
   run in any order; one that a driver refuses goes to another member like others.

   A halo is what the first or the last block of a part reads of its neighbours, so that one block
   on either side is tried, then two. */
#include "runtime/parts.h"
#include <string.h>

enum { SIDE_MOST = 2 };

/* Do blocks of the part touch bytes of a copy that its member's launches have not waited for? Also
   true if it is not known. */
static bool blocks_wait(const struct parts_launch *p, const struct part_launch *part,
                        treefork_int from, treefork_int to)
{
    struct part_launch some = *part;
    some.from = from;
    some.to = to;
    for (size_t i = 0; i < p->cut.count; i++) {
        struct treefork_touch touch;
        if (!treefork_part_touches(p, &p->cut.rows[i], &some, &touch))
            return true;
        if ((touch.reads || touch.writes) &&
            treefork_order_meets(p->l.device, treefork_part_buffer(p, &p->cut.rows[i]),
                                 part->member, &touch.row, touch.writes))
            return true;
    }
    return false;
}

/* The blocks of a part that wait for nothing; none if they are less than half. */
static struct part_launch inner_find(const struct parts_launch *p, const struct part_launch *part)
{
    struct part_launch inner = *part;
    bool waits = true;
    int tries = part->to - part->from > 2 * SIDE_MOST ? SIDE_MOST : 0;
    for (int side = 0; side < tries && waits; side++) {
        inner.from += blocks_wait(p, part, inner.from, inner.from + 1);
        inner.to -= blocks_wait(p, part, inner.to - 1, inner.to);
        waits = 2 * (inner.to - inner.from) < part->to - part->from ||
                blocks_wait(p, part, inner.from, inner.to);
    }
    if (waits)
        inner.to = inner.from;
    return inner;
}

/* Nanoseconds in which the memory of the part's member could move what its blocks touch. */
static double part_time(const struct parts_launch *p, const struct part_launch *part,
                        const struct treefork_machine *machine)
{
    const struct treefork_touch *touch = &p->touch[(size_t)(part - p->part) * p->cut.count];
    double bytes = 0;
    for (size_t i = 0; i < p->cut.count; i++)
        bytes += (double)(touch[i].row.bytes * touch[i].row.pieces);
    return bytes * 1e3 / (double)machine->value[TREEFORK_V_D];
}

/* The inner blocks of a part; none where two more launches take as long as what is saved. */
static struct part_launch inner_choose(const struct parts_launch *p,
                                       const struct part_launch *part)
{
    const struct treefork_machine *machine = p->l.device->group->several.machine[part->member];
    double launches = 2 * (double)machine->value[TREEFORK_Y_L];
    struct part_launch none = *part;
    none.to = none.from;
    if (treefork_order_time(p->l.device, part->member, machine) <= launches ||
        part_time(p, part, machine) <= launches)
        return none;
    return inner_find(p, part);
}

static void piece_add(struct parts_launch *p, const struct part_launch *part, treefork_int from,
                      treefork_int to)
{
    if (to <= from)
        return;
    p->part[p->count] = *part;
    p->part[p->count].from = from;
    p->part[p->count++].to = to;
}

/* The parts with inner blocks first; `inner` by part. If it is not known what these touch, the
   parts stay as they are. */
static void parts_split(struct parts_launch *p, const struct part_launch *inner)
{
    struct part_launch part[TREEFORK_MEMBERS_MAX];
    size_t count = p->count;
    memcpy(part, p->part, count * sizeof *part);
    p->count = 0;
    for (size_t i = 0; i < count; i++)
        piece_add(p, &part[i], inner[i].from, inner[i].to);
    for (size_t i = 0; i < count; i++) {
        bool is_whole = inner[i].to <= inner[i].from;
        piece_add(p, &part[i], part[i].from, is_whole ? part[i].to : inner[i].from);
        piece_add(p, &part[i], is_whole ? part[i].to : inner[i].to, part[i].to);
    }
    if (!treefork_parts_touch(p))
        return;
    memcpy(p->part, part, count * sizeof *part);
    p->count = count;
    treefork_parts_touch(p);
}

void treefork_parts_inner_first(struct parts_launch *p)
{
    struct part_launch inner[TREEFORK_MEMBERS_MAX];
    bool is_split = false;
    if (p->l.device->group->order.count == 0 || p->count > TREEFORK_MEMBERS_MAX ||
        3 * p->count * p->cut.count > p->room)
        return;
    for (size_t i = 0; i < p->count; i++) {
        inner[i] = inner_choose(p, &p->part[i]);
        is_split = is_split || (inner[i].to > inner[i].from &&
                                inner[i].to - inner[i].from < p->part[i].to - p->part[i].from);
    }
    if (is_split)
        parts_split(p, inner);
}
