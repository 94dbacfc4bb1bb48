/* Copies of arrays between the host and all members. In: a side that needs bytes; out: the newest
   ones stand there, and nothing that it had already was copied. Sources are members before the
   host, the first of them that has the bytes. A copy from or to the host is done when it returns.
   Members that reach each other copy directly, beside launches and in the order that order.c keeps,
   others through the host in pieces.

   The memory of a member is a window of the array: all of it, or, where whole arrays do not fit,
   the bytes that its blocks touch. A window only grows: what it has already is copied on the
   member, or, where there is no room for both, comes through the host. */
#include "runtime/group.h"
#include "runtime/reduction.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BOUNCE_BYTES = 4 << 20, FILL_WORDS = 1 << 14 };
static const uint32_t poison = 0xa5a5a5a5;

struct transfer {
    struct treefork_device *device;
    struct treefork_buffer *buffer;
};

struct treefork_window treefork_exchange_memory(const struct treefork_buffer *b, size_t member)
{
    if (member == 0)
        return (struct treefork_window){b->memory, b->begin, b->capacity};
    return b->others ? b->others[member - 1] : (struct treefork_window){{0}, 0, 0};
}

static void window_set(struct treefork_buffer *b, size_t member, struct treefork_window window)
{
    if (member) {
        b->others[member - 1] = window;
        return;
    }
    b->memory = window.memory;
    b->begin = window.begin;
    b->capacity = window.bytes;
}

static bool window_covers(const struct treefork_window *window, size_t begin, size_t end)
{
    return window->memory.address && begin >= window->begin &&
           end <= window->begin + window->bytes;
}

static int window_read(struct treefork_device *member, const struct treefork_window *window,
                       const struct treefork_row *row, void *host, size_t pitch)
{
    struct treefork_row there = treefork_window_row(window, row);
    return member->driver->memory_read(member, window->memory, &there, host, pitch);
}

static int window_write(struct treefork_device *member, const struct treefork_window *window,
                        const struct treefork_row *row, const void *host, size_t pitch)
{
    struct treefork_row there = treefork_window_row(window, row);
    return member->driver->memory_write(member, window->memory, &there, host, pitch);
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
    const struct treefork_window window = treefork_exchange_memory(x->buffer, number);
    int status = treefork_order_behind(device, x->buffer, number, row, false);
    if (!status)
        status = window_read(member, &window, row, x->buffer->host + row->begin, row->pitch);
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
    const struct treefork_window window = treefork_exchange_memory(x->buffer, number);
    int status = treefork_order_behind(device, x->buffer, number, row, true);
    if (!status)
        status = window_write(member, &window, row, x->buffer->host + row->begin, row->pitch);
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

/* One side of a copy through the host. */
struct copy_end {
    struct treefork_device *device;
    struct treefork_window window;
};

static int bounce_copy(const struct copy_end *to, const struct copy_end *from,
                       const struct treefork_row *row, char *bounce)
{
    int status = TREEFORK_OK;
    size_t number = 0, at = 0;
    while (number < row->pieces && !status) {
        struct treefork_row some = bounce_row(row, number, at);
        status = window_read(from->device, &from->window, &some, bounce, some.bytes);
        if (!status)
            status = window_write(to->device, &to->window, &some, bounce, some.bytes);
        at += some.bytes;
        number += at == row->bytes ? some.pieces : 0;
        at = at == row->bytes ? 0 : at;
    }
    return status;
}

/* For copies through the host. */
static int exchange_room(struct treefork_group *group)
{
    if (!group->bounce)
        group->bounce = malloc(BOUNCE_BYTES);
    return group->bounce ? TREEFORK_OK
                         : treefork_fail(TREEFORK_MEMORY, "no memory for copies between devices");
}

static int exchange_bounce(const struct transfer *x, size_t to, size_t from,
                           const struct treefork_row *row)
{
    struct treefork_group *group = x->device->group;
    const struct copy_end target = {group->member[to], treefork_exchange_memory(x->buffer, to)};
    const struct copy_end source = {group->member[from],
                                    treefork_exchange_memory(x->buffer, from)};
    int status = exchange_room(group);
    if (!status)
        status = treefork_order_behind(x->device, x->buffer, from, row, false);
    if (!status)
        status = treefork_order_behind(x->device, x->buffer, to, row, true);
    if (!status)
        status = bounce_copy(&target, &source, row, group->bounce);
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

/* The members among the sides that have memory of the row: an array without values is said to be
   the same everywhere before it has any. */
static uint64_t members_among(const struct transfer *x, uint64_t sides,
                              const struct treefork_row *row)
{
    uint64_t members = sides & ~(uint64_t)SIDE_OF_HOST;
    size_t end = row->begin + (row->pieces - 1) * row->pitch + row->bytes;
    for (size_t i = 0; i < treefork_members(x->device); i++) {
        struct treefork_window window = treefork_exchange_memory(x->buffer, i);
        if (!window_covers(&window, row->begin, end))
            members &= ~treefork_member_side(i);
    }
    return members;
}

static int exchange_copy(void *state, uint64_t from, uint64_t to, const struct treefork_row *row)
{
    const struct transfer *x = state;
    uint64_t members = members_among(x, from, row);
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
        has = treefork_exchange_memory(b, i).memory.address != 0;
    return has;
}

size_t treefork_exchange_room(const struct treefork_device *device,
                              const struct treefork_buffer *b)
{
    size_t room = SIZE_MAX;
    if (!device->group)
        return b->capacity;
    for (size_t i = 0; i < treefork_members(device); i++) {
        struct treefork_window window = treefork_exchange_memory(b, i);
        size_t end = window.begin + window.bytes;
        if (window.memory.address && end < room)
            room = end;
    }
    return room;
}

uint64_t treefork_exchange_held(const struct treefork_device *device, size_t member)
{
    uint64_t held = 0;
    for (const struct treefork_buffer *b = device->buffers; b; b = b->next) {
        struct treefork_window window = treefork_exchange_memory(b, member);
        if (window.memory.address && !b->is_shared && !b->is_foreign && !b->whole)
            held += window.bytes;
    }
    return held;
}

/* Drivers know what their devices have; a machine file, or a limit, may leave less. */
static int memory_ask(struct treefork_device *device, size_t number, size_t bytes,
                      union treefork_object *memory)
{
    struct treefork_device *member = treefork_member(device, number);
    uint64_t most = device->memory_all;
    uint64_t held = most ? treefork_exchange_held(device, number) : 0;
    if (most && (bytes > most || held > most - bytes))
        return treefork_fail(TREEFORK_MEMORY,
                             "an array needs %zu bytes on %s, which has %" PRIu64
                             " for all arrays, and others have %" PRIu64 " of them",
                             bytes, member->name, most, held);
    return member->driver->memory_new(member, bytes, memory);
}

/* Device memory is short: what the host has too can go and come back at its next use. */
static int memory_make(struct treefork_device *device, struct treefork_buffer *b, size_t number,
                       size_t bytes, union treefork_object *memory)
{
    int status = memory_ask(device, number, bytes, memory);
    if (status == TREEFORK_MEMORY && treefork_buffer_evict(device, b))
        status = memory_ask(device, number, bytes, memory);
    return treefork_member_status(device, treefork_member(device, number), status);
}

/* An array that has grown before gets room to grow further. */
static int window_new(struct treefork_device *device, struct treefork_buffer *b, size_t member,
                      struct treefork_window *window)
{
    size_t bytes = window->bytes;
    window->bytes = 2 * bytes;
    if (b->grows && bytes == b->bytes &&
        !memory_ask(device, member, window->bytes, &window->memory))
        return TREEFORK_OK;
    window->bytes = bytes;
    return memory_make(device, b, member, bytes, &window->memory);
}

static int others_make(const struct treefork_device *device, struct treefork_buffer *b)
{
    if (!b->others)
        b->others = calloc(treefork_members(device) - 1, sizeof *b->others);
    return b->others ? TREEFORK_OK : treefork_fail(TREEFORK_MEMORY, "no memory for a buffer");
}

static void window_free(struct treefork_device *device, struct treefork_buffer *b, size_t number,
                        const struct treefork_window *window)
{
    struct treefork_device *member = treefork_member(device, number);
    member->driver->memory_free(member, window->memory);
    window_set(b, number, (struct treefork_window){{0}, 0, 0});
}

/* The contents that the member alone has come to the host, and its memory goes. */
static int window_leave(struct treefork_device *device, struct treefork_buffer *b, size_t member)
{
    struct transfer x = {device, b};
    struct treefork_window window = treefork_exchange_memory(b, member);
    int status = treefork_runs_leave(&b->runs, treefork_member_side(member), exchange_copy, &x);
    if (!status)
        window_free(device, b, member, &window);
    return status;
}

/* The new window gets the contents of the old one, before anything else is done. */
static int window_copy(struct treefork_device *device, size_t member,
                       const struct treefork_window *to, const struct treefork_window *from)
{
    struct treefork_device *at = treefork_member(device, member);
    struct treefork_row all = treefork_row_of(from->begin, from->begin + from->bytes);
    struct treefork_row there = treefork_window_row(from, &all);
    union treefork_object done;
    int status = device->group->reaches
                     ? at->driver->memory_copy(at, to->memory, from->begin - to->begin, at,
                                               from->memory, &there, &done)
                     : exchange_room(device->group);
    if (status)
        return status;
    if (!device->group->reaches)
        return bounce_copy(&(struct copy_end){at, *to}, &(struct copy_end){at, *from}, &all,
                           device->group->bounce);
    status = at->driver->event_await(at, TREEFORK_LAUNCHES, done);
    at->driver->event_free(at, done);
    return status ? status : at->driver->wait(at, "a copy to a larger window");
}

/* The new window has all bytes of the old one. */
static int window_grow(struct treefork_device *device, struct treefork_buffer *b, size_t member,
                       struct treefork_window *wanted)
{
    struct treefork_device *at = treefork_member(device, member);
    const struct treefork_window old = treefork_exchange_memory(b, member);
    size_t end = old.begin + old.bytes, wanted_end = wanted->begin + wanted->bytes;
    wanted->begin = wanted->begin < old.begin ? wanted->begin : old.begin;
    wanted->bytes = (wanted_end > end ? wanted_end : end) - wanted->begin;
    int status = treefork_group_wait(device, "what works on a window that grows");
    if (status)
        return device->in_flight ? treefork_launches_lost(device) : status;
    status = memory_ask(device, member, wanted->bytes, &wanted->memory);
    if (status == TREEFORK_MEMORY && !b->partial) {
        status = window_leave(device, b, member);
        return status ? status : window_new(device, b, member, wanted);
    }
    if (!status)
        status = window_copy(device, member, wanted, &old);
    if (status && wanted->memory.address)
        at->driver->memory_free(at, wanted->memory);
    if (status)
        *wanted = old;
    else
        at->driver->memory_free(at, old.memory);
    return treefork_member_status(device, at, status);
}

int treefork_exchange_reserve(struct treefork_device *device, struct treefork_buffer *b,
                              size_t member, size_t begin, size_t end)
{
    const struct treefork_window known = treefork_exchange_memory(b, member);
    struct treefork_window window = {.begin = begin, .bytes = end - begin};
    if (device->group ? window_covers(&known, begin, end) : known.memory.address != 0)
        return TREEFORK_OK;
    if (b->is_shared)
        return device->driver->memory_share(device, b->host, b->bytes, &b->memory);
    int status = member ? others_make(device, b) : TREEFORK_OK;
    if (!status)
        status = known.memory.address ? window_grow(device, b, member, &window)
                                      : window_new(device, b, member, &window);
    if (window.memory.address)
        window_set(b, member, window);
    return status;
}

void treefork_exchange_free(struct treefork_device *device, struct treefork_buffer *b)
{
    for (size_t i = 1; i < treefork_members(device) && b->others; i++) {
        if (b->others[i - 1].memory.address)
            window_free(device, b, i, &b->others[i - 1]);
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
    for (size_t i = 0; i < (is_void ? treefork_members(device) : 0); i++)
        treefork_runs_gain(&b->runs, treefork_member_side(i));
    return TREEFORK_OK;
}

int treefork_exchange_empty(struct treefork_device *device)
{
    int status = TREEFORK_OK;
    for (struct treefork_buffer *b = device->buffers; b && !status; b = b->next) {
        if (!treefork_is_spread(device, b) || b->partial || !has_memory(device, b))
            continue;
        status = treefork_buffer_download(device, b);
        if (!status)
            treefork_buffer_memory_free(device, b);
    }
    return status;
}

/* --- arrays in which parts add up, checked builds --------------------------------------------- */

/* Bytes of the array that lie in the window, from a multiple of a word on. */
static int fill_write(const struct copy_end *at, size_t begin, size_t end, uint32_t word)
{
    uint32_t pattern[FILL_WORDS];
    size_t last = at->window.begin + at->window.bytes, stop = end < last ? end : last;
    int status = TREEFORK_OK;
    for (size_t i = 0; i < FILL_WORDS; i++)
        pattern[i] = word;
    begin = begin < at->window.begin ? at->window.begin : begin;
    for (size_t i = begin; i < stop && !status; i += sizeof pattern) {
        struct treefork_row row = treefork_row_of(i, stop - i < sizeof pattern
                                                         ? stop : i + sizeof pattern);
        status = window_write(at->device, &at->window, &row, pattern, row.pitch);
    }
    return status;
}

int treefork_exchange_fill(struct treefork_device *device, struct treefork_buffer *b, size_t member,
                           uint32_t word)
{
    const struct copy_end at = {treefork_member(device, member),
                                treefork_exchange_memory(b, member)};
    treefork_order_given(device, member);
    int status = treefork_order_behind(device, b, member, NULL, true);
    if (!status)
        status = fill_write(&at, 0, b->bytes, word);
    return treefork_member_status(device, at.device, status);
}

/* Elements that cannot be read are lost, as those of a launch that failed. */
int treefork_exchange_join(struct treefork_device *device, struct treefork_buffer *b, size_t member,
                           enum treefork_reduction reduction)
{
    struct treefork_device *from = treefork_member(device, member);
    const struct treefork_window window = treefork_exchange_memory(b, member);
    int status = exchange_room(device->group);
    if (!status)
        status = treefork_order_behind(device, b, member, NULL, false);
    for (size_t at = 0; at < b->bytes && !status; at += BOUNCE_BYTES) {
        size_t left = b->bytes - at;
        struct treefork_row row = treefork_row_of(at, left < BOUNCE_BYTES ? b->bytes
                                                                          : at + BOUNCE_BYTES);
        status = window_read(from, &window, &row, device->group->bounce, row.pitch);
        if (!status)
            treefork_reduction_join(reduction, b->host + at, device->group->bounce,
                                    row.bytes / sizeof(uint32_t));
    }
    if (status)
        return treefork_launches_lost(device);
    device->statistics.copies_to_host++;
    device->statistics.bytes_to_host += b->bytes;
    return TREEFORK_OK;
}

int treefork_exchange_poison(struct treefork_device *device, struct treefork_buffer *b,
                             size_t member)
{
    const struct copy_end at = {treefork_member(device, member),
                                treefork_exchange_memory(b, member)};
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
            status = fill_write(&at, begin, end, poison);
    }
    return treefork_member_status(device, at.device, status);
}
