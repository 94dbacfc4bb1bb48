/* Arrays in which the parts of a launch add up by atomic operations. In: parts with memory; out:
   each member has neutral elements there before its blocks run, and the host what all of them have
   made of its contents behind the last one. */
#include "runtime/parts.h"
#include "runtime/reduction.h"

int treefork_part_fill(struct parts_launch *p, struct part_launch *part)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->cut.count && !status; i++) {
        enum treefork_reduction reduction = treefork_part_touch(p, part, i)->reduction;
        if (reduction)
            status = treefork_exchange_fill(p->l.device, treefork_part_buffer(p, &p->cut.rows[i]),
                                            part->member, treefork_reduction_neutral(reduction));
    }
    return status;
}

/* The members that have run parts. */
static uint64_t members_of(const struct parts_launch *p)
{
    uint64_t members = 0;
    for (size_t i = 0; i < p->count; i++)
        members |= treefork_member_side(p->part[i].member);
    return members;
}

/* The host joins what members have added up in an array with its contents. */
static int row_join(struct parts_launch *p, struct treefork_buffer *b,
                    enum treefork_reduction reduction)
{
    uint64_t members = members_of(p);
    int status = TREEFORK_OK;
    for (size_t i = 0; i < treefork_members(p->l.device) && !status; i++)
        if (members & treefork_member_side(i))
            status = treefork_exchange_join(p->l.device, b, i, reduction);
    if (!status)
        treefork_runs_set(&b->runs, SIDE_OF_HOST);
    return status;
}

/* A row counts for all parts or for none. */
int treefork_parts_join(struct parts_launch *p)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->cut.count && !status; i++) {
        enum treefork_reduction reduction = treefork_part_touch(p, &p->part[0], i)->reduction;
        if (reduction)
            status = row_join(p, treefork_part_buffer(p, &p->cut.rows[i]), reduction);
    }
    return status;
}
