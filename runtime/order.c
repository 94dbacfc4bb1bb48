/* The order of launches and copies of members. A member has two queues: launches, and copies into
   its memory from other members, which run while launches do. In: the bytes that an operation
   touches; out: its queue awaits events. A copy runs behind all launches that its two members were
   given before, by an event of each, and behind earlier copies that write what it reads or
   overwrites, or read what it overwrites. A launch, and a copy from or to the host, runs behind the
   copies that write bytes it touches or read bytes it writes. So any two operations that touch a
   byte of one member's memory, of which one writes, are in order: two launches of a member by their
   queue, a launch and a copy by the event of one or of the other, two copies by their queue, by an
   event, or by a launch between them.

   A copy is forgotten when the queues of launches of both its members are behind it, since whatever
   comes later in their memories is behind those queues. */
#include "runtime/group.h"

/* --- rows that meet --------------------------------------------------------------------------- */

static size_t row_stop(const struct treefork_row *row)
{
    return row->begin + (row->pieces - 1) * row->pitch + row->bytes;
}

/* Pieces equally far apart meet where they do in one pitch. */
static bool pieces_meet(const struct treefork_row *a, const struct treefork_row *b)
{
    size_t pitch = a->pitch, x = a->begin % pitch, y = b->begin % pitch;
    return (y + pitch - x) % pitch < a->bytes || (x + pitch - y) % pitch < b->bytes;
}

/* Have the rows a byte in common? Also true if in doubt. */
static bool rows_meet(const struct treefork_row *a, const struct treefork_row *b)
{
    if (a->bytes == 0 || b->bytes == 0 || a->begin >= row_stop(b) || b->begin >= row_stop(a))
        return false;
    return a->pieces == 1 || b->pieces == 1 || a->pitch != b->pitch || pieces_meet(a, b);
}

/* --- events ----------------------------------------------------------------------------------- */

static void launched_free(struct treefork_device *device, size_t member)
{
    struct treefork_device *at = treefork_member(device, member);
    union treefork_object *event = &device->group->order.launched[member];
    if (event->address)
        at->driver->event_free(at, *event);
    event->address = 0;
}

/* The event of the member's launches so far. */
static int launched_mark(struct treefork_device *device, size_t member)
{
    struct treefork_order *order = &device->group->order;
    struct treefork_device *at = treefork_member(device, member);
    if (order->is_current >> member & 1)
        return TREEFORK_OK;
    launched_free(device, member);
    int status = at->driver->event_new(at, &order->launched[member]);
    if (status)
        return treefork_member_status(device, at, status);
    order->is_current |= (uint32_t)1 << member;
    for (size_t i = 0; i < treefork_members(device); i++)
        order->known[i] &= ~((uint32_t)1 << member);
    return TREEFORK_OK;
}

/* Copies into the memory of `to` run behind the launches of a member. */
static int copies_behind_launches(struct treefork_device *device, size_t to, size_t member)
{
    struct treefork_order *order = &device->group->order;
    struct treefork_device *at = treefork_member(device, to);
    int status = launched_mark(device, member);
    if (status || order->known[to] >> member & 1)
        return status;
    status = at->driver->event_await(at, TREEFORK_COPIES, order->launched[member]);
    order->known[to] |= (uint32_t)!status << member;
    return treefork_member_status(device, at, status);
}

void treefork_order_given(struct treefork_device *device, size_t member)
{
    if (device->group)
        device->group->order.is_current &= ~((uint32_t)1 << member);
}

/* --- copies under way ------------------------------------------------------------------------- */

static void copying_free(struct treefork_device *device, const struct treefork_copying *c)
{
    struct treefork_device *at = treefork_member(device, c->to);
    at->driver->event_free(at, c->done);
}

/* Copies that both members know are forgotten. */
static void copyings_forget(struct treefork_device *device)
{
    struct treefork_order *order = &device->group->order;
    size_t kept = 0;
    for (size_t i = 0; i < order->count; i++) {
        const struct treefork_copying *c = &order->copying[i];
        if (c->target_knows && c->source_knows)
            copying_free(device, c);
        else
            order->copying[kept++] = *c;
    }
    order->count = kept;
}

/* Must what touches bytes on a member run behind the copy? */
static bool copying_meets(const struct treefork_copying *c, const struct treefork_buffer *b,
                          size_t member, const struct treefork_row *row, bool writes)
{
    bool is_there = c->to == member || (writes && c->from == member);
    return c->buffer == b && is_there && (!row || rows_meet(&c->row, row));
}

static bool copying_is_known(const struct treefork_copying *c, size_t member)
{
    return (c->to != member || c->target_knows) && (c->from != member || c->source_knows);
}

static int copying_await(struct treefork_device *device, struct treefork_copying *c, size_t member)
{
    struct treefork_device *at = treefork_member(device, member);
    if (copying_is_known(c, member))
        return TREEFORK_OK;
    int status = at->driver->event_await(at, TREEFORK_LAUNCHES, c->done);
    if (status)
        return treefork_member_status(device, at, status);
    c->target_knows |= c->to == member;
    c->source_knows |= c->from == member;
    treefork_order_given(device, member);
    return TREEFORK_OK;
}

int treefork_order_behind(struct treefork_device *device, const struct treefork_buffer *b,
                          size_t member, const struct treefork_row *row, bool writes)
{
    int status = TREEFORK_OK;
    if (!device->group || device->group->order.count == 0)
        return TREEFORK_OK;
    struct treefork_order *order = &device->group->order;
    for (size_t i = 0; i < order->count && !status; i++)
        if (copying_meets(&order->copying[i], b, member, row, writes))
            status = copying_await(device, &order->copying[i], member);
    copyings_forget(device);
    return status;
}

bool treefork_order_meets(const struct treefork_device *device, const struct treefork_buffer *b,
                          size_t member, const struct treefork_row *row, bool writes)
{
    const struct treefork_order *order = &device->group->order;
    bool meets = false;
    for (size_t i = 0; i < order->count && !meets; i++)
        meets = copying_meets(&order->copying[i], b, member, row, writes) &&
                !copying_is_known(&order->copying[i], member);
    return meets;
}

double treefork_order_time(const struct treefork_device *device, size_t member,
                           const struct treefork_machine *machine)
{
    const struct treefork_order *order = &device->group->order;
    double time = 0;
    for (size_t i = 0; i < order->count; i++) {
        const struct treefork_copying *c = &order->copying[i];
        if (c->to == member && !c->target_knows)
            time += (double)machine->value[TREEFORK_Y_P] +
                    (double)(c->row.bytes * c->row.pieces) * 1e3 /
                        (double)machine->value[TREEFORK_V_P];
    }
    return time;
}

int treefork_order_behind_all(struct treefork_device *device, size_t member)
{
    struct treefork_order *order = &device->group->order;
    int status = TREEFORK_OK;
    for (size_t i = 0; i < order->count && !status; i++)
        if (order->copying[i].to == member || order->copying[i].from == member)
            status = copying_await(device, &order->copying[i], member);
    copyings_forget(device);
    return status;
}

/* --- a copy ----------------------------------------------------------------------------------- */

/* Earlier copies into another member's memory that write what this one reads, or read what this one
   writes. */
static int copies_behind_copies(struct treefork_device *device, const struct treefork_copying *now)
{
    const struct treefork_order *order = &device->group->order;
    struct treefork_device *at = treefork_member(device, now->to);
    int status = TREEFORK_OK;
    for (size_t i = 0; i < order->count && !status; i++) {
        const struct treefork_copying *c = &order->copying[i];
        bool meets = c->to != now->to && c->buffer == now->buffer &&
                     (c->to == now->from || c->from == now->to) && rows_meet(&c->row, &now->row);
        if (meets)
            status = at->driver->event_await(at, TREEFORK_COPIES, c->done);
    }
    return treefork_member_status(device, at, status);
}

/* There is room for another copy: all members run behind those that there are. */
static int copyings_room(struct treefork_device *device)
{
    int status = TREEFORK_OK;
    bool is_full = device->group->order.count == TREEFORK_COPYINGS;
    for (size_t i = 0; i < (is_full ? treefork_members(device) : 0) && !status; i++)
        status = treefork_order_behind_all(device, i);
    return status;
}

int treefork_order_copy(struct treefork_device *device, const struct treefork_buffer *b, size_t to,
                        size_t from, const struct treefork_row *row)
{
    struct treefork_order *order = &device->group->order;
    struct treefork_device *target = treefork_member(device, to);
    struct treefork_copying now = {.buffer = b, .to = to, .from = from, .row = *row};
    struct treefork_window goal = treefork_exchange_memory(b, to);
    struct treefork_window source = treefork_exchange_memory(b, from);
    struct treefork_row there = treefork_window_row(&source, row);
    int status = copyings_room(device);
    if (!status)
        status = copies_behind_launches(device, to, from);
    if (!status)
        status = copies_behind_launches(device, to, to);
    if (!status)
        status = copies_behind_copies(device, &now);
    if (!status)
        status = target->driver->memory_copy(target, goal.memory, row->begin - goal.begin,
                                             treefork_member(device, from), source.memory, &there,
                                             &now.done);
    if (!status)
        order->copying[order->count++] = now;
    return treefork_member_status(device, target, status);
}

/* --- ends ------------------------------------------------------------------------------------- */

void treefork_order_done(struct treefork_device *device)
{
    struct treefork_order *order = &device->group->order;
    for (size_t i = 0; i < order->count; i++)
        copying_free(device, &order->copying[i]);
    order->count = 0;
}

int treefork_order_settle(struct treefork_device *device, const struct treefork_buffer *b)
{
    bool is_copied = false;
    if (!device->group)
        return TREEFORK_OK;
    for (size_t i = 0; i < device->group->order.count; i++)
        is_copied = is_copied || device->group->order.copying[i].buffer == b;
    if (!is_copied)
        return TREEFORK_OK;
    int status = treefork_group_wait(device, "a copy between devices");
    return status && device->in_flight ? treefork_launches_lost(device) : status;
}

void treefork_order_end(struct treefork_device *device)
{
    treefork_order_done(device);
    for (size_t i = 0; i < treefork_members(device); i++)
        launched_free(device, i);
}
