/* Copies of arrays between the host and all members. In: a side that needs bytes; out: the newest
   ones stand there, and nothing that it had already was copied. Sources are members before the
   host, the first of them that has the bytes. A copy from or to the host is done when it returns.
   Members that reach each other copy directly, beside launches and in the order that order.c keeps,
   others through the host in pieces. */
#include "runtime/group.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BOUNCE_BYTES = 4 << 20, POISON_BYTE = 0xa5, POISON_BYTES = 1 << 16 };

struct transfer {
    struct treefork_device *device;
    struct treefork_buffer *buffer;
};

union treefork_object treefork_exchange_memory(const struct treefork_buffer *b, size_t member)
{
    if (member == 0)
        return b->memory;
    return b->others ? b->others[member - 1] : (union treefork_object){0};
}

static size_t member_among(uint64_t sides)
{
    size_t number = 0;
    while (!(sides & treefork_member_side(number)))
        number++;
    return number;
}

static size_t row_bytes(const struct treefork_row *row)
{
    return row->pieces * row->bytes;
}

/* Copies go one behind the other in a member's queue, behind its launches: alone, it has none in
   flight after one. */
static int exchange_receive(const struct transfer *x, size_t number, const struct treefork_row *row)
{
    struct treefork_device *device = x->device, *member = treefork_member(device, number);
    int status = treefork_order_behind(device, x->buffer, number, row, false);
    if (!status)
        status = member->driver->memory_read(member, treefork_exchange_memory(x->buffer, number),
                                             row, x->buffer->host + row->begin, row->pitch);
    if (status)         /* or a launch before it failed: that cannot be told apart */
        return device->in_flight ? treefork_launches_lost(device)
                                 : treefork_member_status(device, member, status);
    if (!device->group)
        device->in_flight = 0;
    device->statistics.copies_to_host++;
    device->statistics.bytes_to_host += row_bytes(row);
    return TREEFORK_OK;
}

static int exchange_send(const struct transfer *x, size_t number, const struct treefork_row *row)
{
    struct treefork_device *device = x->device, *member = treefork_member(device, number);
    int status = treefork_order_behind(device, x->buffer, number, row, true);
    if (!status)
        status = member->driver->memory_write(member, treefork_exchange_memory(x->buffer, number),
                                              row, x->buffer->host + row->begin, row->pitch);
    treefork_order_given(device, number);
    if (status)
        return treefork_member_status(device, member, status);
    device->statistics.copies_to_device++;
    device->statistics.bytes_to_device += row_bytes(row);
    return TREEFORK_OK;
}

/* The piece of a row that begins `at` bytes into the row's first piece, `number` pieces on, with so
   many pieces as there is room for on the way. */
static struct treefork_row bounce_row(const struct treefork_row *row, size_t number, size_t at)
{
    size_t bytes = row->bytes - at < BOUNCE_BYTES ? row->bytes - at : BOUNCE_BYTES;
    size_t most = bytes == row->bytes ? BOUNCE_BYTES / bytes : 1, left = row->pieces - number;
    return (struct treefork_row){row->begin + number * row->pitch + at, bytes, row->pitch,
                                 left < most ? left : most};
}

static int bounce_copy(struct treefork_device *to, union treefork_object target,
                       struct treefork_device *from, union treefork_object source,
                       const struct treefork_row *row, char *bounce)
{
    int status = TREEFORK_OK;
    size_t number = 0, at = 0;
    while (number < row->pieces && !status) {
        struct treefork_row some = bounce_row(row, number, at);
        status = from->driver->memory_read(from, source, &some, bounce, some.bytes);
        if (!status)
            status = to->driver->memory_write(to, target, &some, bounce, some.bytes);
        at += some.bytes;
        number += at == row->bytes ? some.pieces : 0;
        at = at == row->bytes ? 0 : at;
    }
    return status;
}

static int exchange_bounce(const struct transfer *x, size_t to, size_t from,
                           const struct treefork_row *row)
{
    struct treefork_group *group = x->device->group;
    if (!group->bounce)
        group->bounce = malloc(BOUNCE_BYTES);
    if (!group->bounce)
        return treefork_fail(TREEFORK_MEMORY, "no memory for copies between devices");
    int status = treefork_order_behind(x->device, x->buffer, from, row, false);
    if (!status)
        status = treefork_order_behind(x->device, x->buffer, to, row, true);
    if (!status)
        status = bounce_copy(group->member[to], treefork_exchange_memory(x->buffer, to),
                             group->member[from], treefork_exchange_memory(x->buffer, from), row,
                             group->bounce);
    treefork_order_given(x->device, to);
    return status;
}

/* Members that reach each other until their driver refuses a copy, from when on they copy through
   the host. */
static int exchange_direct(const struct transfer *x, size_t to, size_t from,
                           const struct treefork_row *row)
{
    struct treefork_group *group = x->device->group;
    int status = treefork_order_copy(x->device, x->buffer, to, from, row);
    if (!status || group->member[to]->lost || group->member[from]->lost)
        return status;
    group->reaches = false;
    return exchange_bounce(x, to, from, row);
}

/* A copy that fails may do so because a launch before it has failed on the source. */
static int exchange_across(const struct transfer *x, size_t to, size_t from,
                           const struct treefork_row *row)
{
    struct treefork_device *device = x->device;
    struct treefork_group *group = device->group;
    int status = group->reaches ? exchange_direct(x, to, from, row)
                                : exchange_bounce(x, to, from, row);
    if (status)
        return device->in_flight ? treefork_launches_lost(device)
                                 : treefork_member_status(device, group->member[to], status);
    group->copies++;
    group->bytes += row_bytes(row);
    return TREEFORK_OK;
}

/* The members among the sides that have memory: an array without values is said to be the same
   everywhere before it has any. */
static uint64_t members_among(const struct transfer *x, uint64_t sides)
{
    uint64_t members = sides & ~(uint64_t)SIDE_OF_HOST;
    for (size_t i = 0; i < treefork_members(x->device); i++)
        if (!treefork_exchange_memory(x->buffer, i).address)
            members &= ~treefork_member_side(i);
    return members;
}

static int exchange_copy(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    const struct transfer *x = state;
    uint64_t members = members_among(x, from);
    if (!members && (!(from & SIDE_OF_HOST) || x->buffer->partial))
        return TREEFORK_OK;
    if (to == SIDE_OF_HOST)
        return exchange_receive(x, member_among(members), row);
    return members ? exchange_across(x, member_among(to), member_among(members), row)
                   : exchange_send(x, member_among(to), row);
}

int treefork_exchange_bring(struct treefork_device *device, struct treefork_buffer *b,
                            uint64_t side, struct treefork_row row)
{
    struct transfer x = {device, b};
    return treefork_runs_need(&b->runs, side, row, exchange_copy, &x);
}

int treefork_exchange_need(struct treefork_device *device, struct treefork_buffer *b,
                           uint64_t side, struct treefork_row row)
{
    int status = treefork_exchange_bring(device, b, side, row);
    return status || side == SIDE_OF_HOST
               ? status
               : treefork_order_behind(device, b, member_among(side), &row, false);
}

/* --- memory ----------------------------------------------------------------------------------- */

static bool has_memory(const struct treefork_device *device, const struct treefork_buffer *b)
{
    bool has = b->memory.address != 0;
    for (size_t i = 1; i < treefork_members(device) && !has; i++)
        has = treefork_exchange_memory(b, i).address != 0;
    return has;
}

/* Device memory is short: what the host has too can go and come back at its next use. */
static int memory_make(struct treefork_device *device, struct treefork_buffer *b, size_t number,
                       size_t bytes, union treefork_object *memory)
{
    struct treefork_device *member = treefork_member(device, number);
    int status = member->driver->memory_new(member, bytes, memory);
    if (status == TREEFORK_MEMORY && treefork_buffer_evict(device, b))
        status = member->driver->memory_new(member, bytes, memory);
    return treefork_member_status(device, member, status);
}

/* Its first memory decides how long it is on all members. */
static int memory_begin(struct treefork_device *device, struct treefork_buffer *b, size_t number,
                        union treefork_object *memory)
{
    struct treefork_device *member = treefork_member(device, number);
    b->capacity = 2 * b->bytes;
    if (b->grows && !member->driver->memory_new(member, b->capacity, memory))
        return TREEFORK_OK;
    int status = memory_make(device, b, number, b->bytes, memory);
    b->capacity = status ? 0 : b->bytes;
    return status;
}

static int others_make(const struct treefork_device *device, struct treefork_buffer *b)
{
    if (!b->others)
        b->others = calloc(treefork_members(device) - 1, sizeof *b->others);
    return b->others ? TREEFORK_OK : treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
}

int treefork_exchange_reserve(struct treefork_device *device, struct treefork_buffer *b,
                              size_t member)
{
    if (treefork_exchange_memory(b, member).address)
        return TREEFORK_OK;
    if (b->is_shared)
        return device->driver->memory_share(device, b->host, b->bytes, &b->memory);
    int status = member ? others_make(device, b) : TREEFORK_OK;
    if (status)
        return status;
    union treefork_object *memory = member ? &b->others[member - 1] : &b->memory;
    return has_memory(device, b) ? memory_make(device, b, member, b->capacity, memory)
                                 : memory_begin(device, b, member, memory);
}

void treefork_exchange_free(struct treefork_device *device, struct treefork_buffer *b)
{
    for (size_t i = 1; i < treefork_members(device) && b->others; i++) {
        struct treefork_device *member = treefork_member(device, i);
        if (b->others[i - 1].address)
            member->driver->memory_free(member, b->others[i - 1]);
        treefork_runs_leave(&b->runs, treefork_member_side(i), NULL, NULL);
    }
    free(b->others);
    b->others = NULL;
}

bool treefork_is_spread(const struct treefork_device *device, const struct treefork_buffer *b)
{
    return device->group && !b->is_shared && !b->is_lent && !b->is_attached && !b->whole;
}

/* An array without values is the same everywhere. */
int treefork_exchange_later(struct treefork_device *device, struct treefork_buffer *b,
                            unsigned access)
{
    bool is_void = access & TREEFORK_SCRATCH && b->used == 0;
    b->used = ++device->uses;
    b->is_scratch = access & TREEFORK_SCRATCH;
    b->owner = pthread_self();
    int status = is_void ? treefork_exchange_reserve(device, b, 0) : TREEFORK_OK;
    for (size_t i = 0; i < (is_void && !status ? treefork_members(device) : 0); i++)
        treefork_runs_gain(&b->runs, treefork_member_side(i));
    return status;
}

/* --- checked builds --------------------------------------------------------------------------- */

static int poison_write(struct treefork_device *member, union treefork_object memory, size_t begin,
                        size_t end)
{
    unsigned char pattern[POISON_BYTES];
    int status = TREEFORK_OK;
    memset(pattern, POISON_BYTE, sizeof pattern);
    for (size_t at = begin; at < end && !status; at += sizeof pattern) {
        size_t stop = end - at < sizeof pattern ? end : at + sizeof pattern;
        struct treefork_row row = treefork_row_of(at, stop);
        status = member->driver->memory_write(member, memory, &row, pattern, row.pitch);
    }
    return status;
}

int treefork_exchange_poison(struct treefork_device *device, struct treefork_buffer *b,
                             size_t member)
{
    struct treefork_device *target = treefork_member(device, member);
    union treefork_object memory = treefork_exchange_memory(b, member);
    const struct treefork_runs *runs = &b->runs;
    int status = TREEFORK_OK;
    treefork_order_given(device, member);
    for (size_t i = 0; i < runs->count && !status; i++) {
        size_t begin = runs->count == 1 ? 0 : runs->at[i].begin;
        size_t end = i + 1 < runs->count ? runs->at[i + 1].begin : runs->end;
        uint64_t sides = runs->count == 1 ? runs->all : runs->at[i].sides;
        struct treefork_row stale = treefork_row_of(begin, end);
        if (sides & treefork_member_side(member))
            continue;
        status = treefork_order_behind(device, b, member, &stale, true);
        if (!status)
            status = poison_write(target, memory, begin, end);
    }
    return treefork_member_status(device, target, status);
}
