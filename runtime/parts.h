#ifndef TREEFORK_PARTS_H
#define TREEFORK_PARTS_H
/* A launch in parts, as part.c leads it from its shares to the calls, part_inner.c puts inner
   blocks first, part_sums.c joins what members add up, and part_trace.c prints it. */
#include "runtime/group.h"
#include "runtime/launch.h"
#include "runtime/part.h"

#pragma GCC visibility push(hidden)

/* A member may have three parts: inner blocks, and those on either side. */
enum { TREEFORK_PARTS_MOST = 3 * TREEFORK_MEMBERS_MAX };

/* Blocks from .. to - 1 of the axis. */
struct part_launch {
    size_t member;
    treefork_int from, to;
    struct treefork_function *function;
};

struct parts_launch {
    struct launching l;
    struct treefork_launch whole, shape;        /* of all blocks; of the part at hand */
    struct treefork_origin origin;
    const struct treefork_parting *parting;
    struct treefork_cut cut;
    struct part_launch part[TREEFORK_PARTS_MOST];
    size_t count;
    struct treefork_touch *touch;               /* by part, then by row of the cut */
    size_t room;                /* of touches */
    size_t failed;              /* member whose step failed, or was the last one */
    size_t called;              /* parts that were given to a driver */
    bool is_emptied;            /* memory was short, and all arrays went to the host */
};

/* part.c: the array of a row; NULL: the launch has none. */
struct treefork_buffer *treefork_part_buffer(const struct parts_launch *p,
                                             const struct treefork_part_row *row);
/* The bytes that a part touches by a row; none of an array that the launch does not have. False if
   they do not lie within the array. */
bool treefork_part_touches(const struct parts_launch *p, const struct treefork_part_row *row,
                           const struct part_launch *part, struct treefork_touch *touch);
/* The same once they are found for all parts. */
const struct treefork_touch *treefork_part_touch(const struct parts_launch *p,
                                                 const struct part_launch *part, size_t row);
/* The bytes that all parts touch; why they are not found, or NULL. */
const char *treefork_parts_touch(struct parts_launch *p);
/* part_sums.c: blocks of the member add up from neutral elements on; the host joins the sums with
   its contents, behind all parts. */
int treefork_part_fill(struct parts_launch *p, struct part_launch *part);
int treefork_parts_join(struct parts_launch *p);
/* part_inner.c: once all parts have been given what they need. */
void treefork_parts_inner_first(struct parts_launch *p);
/* part_trace.c: a line on standard error, of a launch that runs on the first member, and of one in
   parts: its copies since then. */
void treefork_whole_trace(const struct parts_launch *p, const char *reason);
void treefork_parts_trace(const struct parts_launch *p, const struct treefork_statistics *before,
                          uint64_t across);

#pragma GCC visibility pop
#endif
