/* Launches in parts. In: a launch, the axis along which it may be cut and what blocks touch of its
   arrays (cut.h); out: every member with a weight has run some of the blocks, and the arrays are
   where the blocks left them. The order is: which blocks run where, kernels, memory, copies of
   what members lack, the calls. Up to the first call nothing has happened to the arrays: a member
   has no memory, or whose compiler refuses the text, takes no part from then on, and the
   others share its blocks. Where memory is short each member has windows of the arrays from then
   on, the bytes that its blocks touch. A launch that cannot be cut runs on the first member alone,
   with all of its arrays. */
#include "runtime/parts.h"
#include "runtime/launch.h"
#include "runtime/overlap.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TOUCHES_FEW = 96 };

/* --- shares of the members -------------------------------------------------------------------- */

static int64_t weights_sum(const struct treefork_shares *shares)
{
    int64_t sum = 0;
    for (size_t i = 0; i < shares->count; i++)
        sum += shares->weight[i];
    return sum;
}

/* The members that share the launch and have not been dropped. Where all of them have been, the
   other members take their place. */
static struct treefork_shares shares_left(const struct parts_launch *p)
{
    const struct treefork_group *group = p->l.device->group;
    struct treefork_shares shares = p->parting->shares;
    for (size_t i = 0; i < shares.count; i++)
        shares.weight[i] = group->weight[i] ? shares.weight[i] : 0;
    if (weights_sum(&shares) > 0)
        return shares;
    shares.count = group->count;
    memcpy(shares.weight, group->weight, sizeof shares.weight);
    return shares;
}

static void parts_share(struct parts_launch *p)
{
    struct treefork_shares shares = shares_left(p);
    treefork_int end[TREEFORK_MEMBERS_MAX], from = 0;
    treefork_shares_cut(&shares, p->cut.extent, end);
    p->count = 0;
    for (size_t i = 0; i < shares.count; i++) {
        if (end[i] > from)
            p->part[p->count++] = (struct part_launch){.member = i, .from = from, .to = end[i]};
        from = end[i];
    }
}

struct treefork_buffer *treefork_part_buffer(const struct parts_launch *p,
                                             const struct treefork_part_row *row)
{
    size_t argument = p->parting->first_array + row->array;
    return p->whole.arguments[argument].value.buffer ? p->l.values[argument].buffer : NULL;
}

bool treefork_part_touches(const struct parts_launch *p, const struct treefork_part_row *row,
                           const struct part_launch *part, struct treefork_touch *touch)
{
    const struct treefork_buffer *b = treefork_part_buffer(p, row);
    *touch = (struct treefork_touch){0};
    return !b || treefork_cut_touches(&p->cut, row, part->from, part->to, b->bytes, touch);
}

const char *treefork_parts_touch(struct parts_launch *p)
{
    bool lies = true;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->cut.count && lies; k++)
            lies = treefork_part_touches(p, &p->cut.rows[k], &p->part[i],
                                         &p->touch[i * p->cut.count + k]);
    return lies ? NULL : "what its parts touch does not lie within an array";
}

const struct treefork_touch *treefork_part_touch(const struct parts_launch *p,
                                                 const struct part_launch *part, size_t row)
{
    return &p->touch[(size_t)(part - p->part) * p->cut.count + row];
}

/* A launch whose arrays overlap is refused as a whole (launch.c). */
static const char *array_refuses(const struct parts_launch *p, const struct treefork_value *a)
{
    if (!treefork_is_spread(p->l.device, a->buffer))
        return "one of its arrays is in the memory of the first device alone";
    for (const struct treefork_value *b = a->next; b; b = b->next)
        if (treefork_buffer_overlaps(a->buffer, b->buffer))
            return "two of its arrays overlap";
    return NULL;
}

/* Why the launch runs whole; NULL: it is cut. */
static const char *parts_refuse(struct parts_launch *p)
{
    const char *reason = p->cut.reason;
    if (!reason && p->whole.grid_width == 0)
        reason = "its grid is no plane for this device";
    for (const struct treefork_value *a = p->l.arrays; a && !reason; a = a->next)
        reason = array_refuses(p, a);
    return reason ? reason : treefork_parts_touch(p);
}

/* The launch's shape on a member: a plane, of which the last two arguments say where it begins. */
static void part_shape(struct parts_launch *p, const struct part_launch *part)
{
    int64_t count = part->to - part->from, rows = p->whole.blocks / p->whole.grid_width;
    int64_t unit = p->cut.is_last ? 1 : rows / p->cut.extent;
    struct treefork_value *at = &p->l.values[p->whole.n_arguments];
    p->shape.grid_width = p->cut.is_last ? count : p->whole.grid_width;
    p->shape.blocks = p->shape.grid_width * (p->cut.is_last ? rows : count * unit);
    for (size_t i = 0; i < TREEFORK_PART_VALUES; i++)
        at[i] = (struct treefork_value){.type = TREEFORK_I32, .size = sizeof(int32_t)};
    at[p->cut.is_last ? 0 : 1].as.i32 = (int32_t)(part->from * unit);
}

/* --- before the first call -------------------------------------------------------------------- */

static int part_function(struct parts_launch *p, struct part_launch *part)
{
    struct treefork_device *member = treefork_member(p->l.device, part->member);
    struct treefork_origin origin = {p->origin.region, p->origin.launch + TREEFORK_PART_ORIGIN};
    return treefork_program_function(member, &p->shape, origin, &part->function);
}

/* The bytes of an array that a part's member needs memory of. */
static struct treefork_row part_window(const struct parts_launch *p, const struct part_launch *part,
                                       const struct treefork_value *a)
{
    size_t array = (size_t)(a - p->l.values) - p->parting->first_array;
    struct treefork_row window = treefork_row_of(0, a->buffer->bytes);
    if (p->l.device->group->windows &&
        !treefork_cut_window(&p->cut, array, part->from, part->to, a->buffer->bytes, &window))
        window = treefork_row_of(0, a->buffer->bytes);
    return window;
}

/* Memory for every array that the part touches. */
static int part_memory(struct parts_launch *p, struct part_launch *part)
{
    int status = TREEFORK_OK;
    for (const struct treefork_value *a = p->l.arrays; a && !status; a = a->next) {
        struct treefork_row window = part_window(p, part, a);
        if (window.bytes == 0)
            continue;
        status = treefork_exchange_reserve(p->l.device, a->buffer, part->member, window.begin,
                                           window.begin + window.bytes);
    }
    return status;
}

/* The memory that is there now: that of an array may have gone to make room for another. A kernel
   counts from the array's start, which lies before a window: it gets that address, or the distance
   in an argument of its own. An array that the part does not touch may have none: NULL. */
static int part_arrays(struct parts_launch *p, struct part_launch *part)
{
    struct treefork_device *member = treefork_member(p->l.device, part->member);
    size_t n = p->whole.n_arguments + TREEFORK_PART_VALUES;
    for (struct treefork_value *a = p->l.arrays; a; a = a->next) {
        struct treefork_window window = treefork_exchange_memory(a->buffer, part->member);
        if (!window.memory.address && part_window(p, part, a).bytes > 0)
            return treefork_fail(TREEFORK_MEMORY,
                                 "%s: the arrays do not fit into the memory of %s together",
                                 p->whole.kernel, member->name);
        a->as.buffer = window.memory;
        if (member->driver->memory_is_address)
            a->as.buffer.address -= window.begin;
    }
    for (size_t i = p->parting->first_array; i < p->whole.n_arguments; i++) {
        bool is_there = p->whole.arguments[i].value.buffer != 0;
        struct treefork_window window = {{0}, 0, 0};
        if (is_there)
            window = treefork_exchange_memory(p->l.values[i].buffer, part->member);
        p->l.values[n++] = (struct treefork_value){
            .type = TREEFORK_I64, .size = sizeof(int64_t), .as.i64 = (int64_t)window.begin};
    }
    return TREEFORK_OK;
}

/* The host keeps the contents of arrays in which parts add up. */
static int part_needs(struct parts_launch *p, struct part_launch *part)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->cut.count && !status; i++) {
        const struct treefork_touch *touch = treefork_part_touch(p, part, i);
        uint64_t side = touch->reduction ? SIDE_OF_HOST : treefork_member_side(part->member);
        if (touch->reads || touch->reduction)
            status = treefork_exchange_bring(p->l.device, treefork_part_buffer(p, &p->cut.rows[i]),
                                             side, touch->row);
    }
    return status;
}

static int part_poison(struct parts_launch *p, struct part_launch *part)
{
    int status = TREEFORK_OK;
    for (const struct treefork_value *a = p->l.arrays; a && !status; a = a->next)
        status = treefork_exchange_poison(p->l.device, a->buffer, part->member);
    return status;
}

static int parts_each(struct parts_launch *p,
                      int (*step)(struct parts_launch *p, struct part_launch *part))
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->count && !status; i++) {
        p->failed = p->part[i].member;
        status = step(p, &p->part[i]);
    }
    return status;
}

/* The newest contents of arrays that overlap come to the host. */
static int parts_settle(struct parts_launch *p)
{
    int status = TREEFORK_OK;
    for (const struct treefork_value *a = p->l.arrays; a && !status; a = a->next)
        status = treefork_buffer_settle_others(p->l.device, a->buffer);
    return status;
}

static int parts_ready(struct parts_launch *p)
{
    int status = parts_each(p, part_function);
    if (status || p->l.device->prepares)
        return status;
    status = parts_each(p, part_memory);
    return status ? status : parts_each(p, part_arrays);
}

static void member_drop(struct treefork_device *device, size_t number)
{
    const struct treefork_device *member = treefork_member(device, number);
    device->group->weight[number] = 0;
    if (!treefork_environment_is("TREEFORK_QUIET", "1"))
        fprintf(stderr, "treefork: device %zu of %zu (%s) runs no parts from here on: %s\n",
                number + 1, device->group->count, number ? member->name : device->name,
                treefork_message());
}

/* Members get memory anew, for windows. */
static int parts_empty(struct parts_launch *p)
{
    p->is_emptied = true;
    p->l.device->group->windows = true;
    return treefork_exchange_empty(p->l.device);
}

/* Members that cannot run their part leave it to the others. */
static int parts_plan(struct parts_launch *p)
{
    int status = parts_ready(p);
    if (status == TREEFORK_MEMORY) {
        int emptied = parts_empty(p);
        status = emptied ? emptied : parts_ready(p);
    }
    while (status == TREEFORK_BUILD || status == TREEFORK_MEMORY) {
        struct treefork_shares shares = shares_left(p);
        if (weights_sum(&shares) == shares.weight[p->failed])
            return status;
        member_drop(p->l.device, p->failed);
        parts_share(p);
        const char *reason = treefork_parts_touch(p);
        status = reason ? treefork_fail(TREEFORK_LAUNCH, "%s: %s", p->whole.kernel, reason)
                        : parts_ready(p);
    }
    return status;
}

/* --- the calls -------------------------------------------------------------------------------- */

/* The part runs behind the copies of what it touches. */
static int part_behind(struct parts_launch *p, const struct part_launch *part)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->cut.count && !status; i++) {
        const struct treefork_touch *touch = treefork_part_touch(p, part, i);
        if (touch->reads || touch->writes)
            status = treefork_order_behind(p->l.device, treefork_part_buffer(p, &p->cut.rows[i]),
                                           part->member, &touch->row, touch->writes);
    }
    return status;
}

static int part_call(struct parts_launch *p, struct part_launch *part)
{
    struct treefork_device *member = treefork_member(p->l.device, part->member);
    size_t distances = member->driver->memory_is_address
                           ? 0 : p->whole.n_arguments - p->parting->first_array;
    int status = part_arrays(p, part);
    if (!status)
        status = part_behind(p, part);
    if (status)
        return status;
    part_shape(p, part);
    struct treefork_call call = {
        .kernel = p->whole.kernel,
        .function = part->function->object,
        .blocks = (uint64_t)p->shape.blocks,
        .grid_width = (uint64_t)p->shape.grid_width,
        .threads = (uint32_t)p->whole.threads,
        .block_width = (uint32_t)(p->whole.block_width ? p->whole.block_width : p->whole.threads),
        .shared_bytes = (size_t)p->whole.shared_bytes,
        .n_values = p->whole.n_arguments + TREEFORK_PART_VALUES + distances,
        .values = p->l.values,
    };
    status = treefork_member_status(p->l.device, member, member->driver->call(member, &call));
    treefork_order_given(p->l.device, part->member);
    p->called += status == TREEFORK_OK;
    return status;
}

static bool parts_are_new(const struct parts_launch *p)
{
    bool are_new = false;
    for (size_t i = 0; i < p->count; i++)
        are_new = are_new || !p->part[i].function->has_run;
    return are_new;
}

/* As for a whole launch, kernels that have not run before are waited for. */
static void parts_known(struct parts_launch *p)
{
    for (size_t i = 0; i < p->count; i++) {
        struct treefork_function *function = p->part[i].function;
        if (!function->has_run)
            treefork_binary_keep(treefork_member(p->l.device, p->part[i].member),
                                 function->program);
        function->has_run = true;
    }
}

/* Nobody else has any more what a part has written. Without memory to note that, contents are
   lost. */
static int part_wrote(struct parts_launch *p, struct part_launch *part)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->cut.count && !status; i++) {
        const struct treefork_touch *touch = treefork_part_touch(p, part, i);
        if (touch->writes && !touch->reduction)
            status = treefork_runs_wrote(&treefork_part_buffer(p, &p->cut.rows[i])->runs,
                                         treefork_member_side(part->member), touch->row);
    }
    return status ? treefork_launches_lost(p->l.device) : TREEFORK_OK;
}

/* --- refused parts ---------------------------------------------------------------------------- */

/* Another member of the launch, which can run the part as well; its own member if no other is
   left. */
static size_t member_instead(const struct parts_launch *p, size_t part)
{
    const struct treefork_group *group = p->l.device->group;
    for (size_t i = 0; i < p->count; i++)
        if (i != part && p->part[i].member != p->part[part].member &&
            group->weight[p->part[i].member] > 0)
            return p->part[i].member;
    return p->part[part].member;
}

/* The part has not begun, and no part reads elements that another part writes, so that another
   member can run it behind its own part. First the writes of earlier parts are noted: no old bytes
   are copied over them. Windows that grow may lose what a later part has been given already. */
static int part_move(struct parts_launch *p, size_t number)
{
    struct part_launch *part = &p->part[number];
    size_t other = member_instead(p, number);
    int status = TREEFORK_OK;
    for (size_t i = 0; i < number && !status; i++)
        status = part_wrote(p, &p->part[i]);
    if (status)
        return status;
    member_drop(p->l.device, part->member);
    part->member = other;
    status = part_function(p, part);
    if (!status)
        status = part_memory(p, part);
    for (size_t i = number; i < p->count && !status; i++)
        if (p->part[i].member == other)
            status = part_needs(p, &p->part[i]);
    return status ? status : part_call(p, part);
}

/* A member that is lost has taken what it alone had along. */
static int part_give(struct parts_launch *p, size_t number)
{
    int status = part_call(p, &p->part[number]);
    while (status && !p->l.device->lost &&
           member_instead(p, number) != p->part[number].member)
        status = part_move(p, number);
    return status;
}

static int parts_give(struct parts_launch *p)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; i < p->count && !status; i++)
        status = part_give(p, i);
    return status;
}

static int parts_call(struct parts_launch *p)
{
    struct treefork_device *device = p->l.device;
    bool are_new = parts_are_new(p);
    int status = are_new || device->in_flight >= TREEFORK_IN_FLIGHT_MAX
                     ? treefork_launches_wait(device) : TREEFORK_OK;
    if (status)
        return status;
    status = parts_give(p);
    int done = status || are_new ? treefork_group_wait(device, p->whole.kernel) : TREEFORK_OK;
    status = status ? status : done;
    if (status)
        return p->called ? treefork_launch_spoilt(&p->l, status) : status;
    device->first_launches += are_new;
    device->in_flight += !are_new;
    parts_known(p);
    return TREEFORK_OK;
}

static void parts_spread(const struct parts_launch *p)
{
    for (const struct treefork_value *a = p->l.arrays; a; a = a->next)
        if (a->access & TREEFORK_WRITE)
            treefork_buffer_spread(p->l.device, a->buffer, a->buffer);
}

static int parts_go(struct parts_launch *p)
{
    struct treefork_device *device = p->l.device;
    int status = parts_settle(p);
    if (!status)
        status = parts_each(p, part_needs);
    if (!status && device->checked)
        status = parts_each(p, part_poison);
    if (!status && p->cut.adds)
        status = parts_each(p, treefork_part_fill);
    if (!status)
        treefork_parts_inner_first(p);
    if (!status)
        status = parts_call(p);
    if (status)
        return status;
    device->statistics.launches++;
    status = parts_each(p, part_wrote);
    if (!status && p->cut.adds)
        status = treefork_parts_join(p);
    parts_spread(p);
    return status;
}

/* --- a launch that runs whole ----------------------------------------------------------------- */

/* How a launch touches an array, as far as its rows say. */
static unsigned rows_access(const struct parts_launch *p, const struct treefork_value *a)
{
    unsigned access = 0;
    for (size_t i = 0; i < p->cut.count; i++)
        if (&p->l.values[p->parting->first_array + p->cut.rows[i].array] == a)
            access |= p->cut.rows[i].access & (TREEFORK_READ | TREEFORK_WRITE);
    return access;
}

/* The first member gets what the launch touches. That the region overwrites an array says nothing
   of what an earlier launch of its leaf has left on other members. False: the launch does not touch
   the array. */
static bool whole_access(const struct parts_launch *p, struct treefork_value *a)
{
    bool is_first = p->origin.launch == p->parting->first_launch;
    unsigned access = p->cut.count ? rows_access(p, a) : a->access & ~(unsigned)TREEFORK_OVERWRITE;
    if (access && (!is_first || !(a->access & TREEFORK_OVERWRITE)))
        a->access = access | TREEFORK_READ;
    return access != 0;
}

/* Arrays that the launch does not touch leave its list, so that nothing of them is copied: such an
   argument is the memory that the first member has of the array, or none. */
static void whole_arrays(struct parts_launch *p)
{
    struct treefork_value **place = &p->l.arrays;
    while (*place) {
        struct treefork_value *a = *place;
        if (whole_access(p, a)) {
            place = &a->next;
            continue;
        }
        a->as.buffer = treefork_exchange_memory(a->buffer, 0).memory;
        *place = a->next;
    }
}

/* The first member runs the launch, behind all copies, with memory for all of the arrays. */
static int whole_run(const struct launching *l)
{
    int status = treefork_order_behind_all(l->device, 0);
    treefork_order_given(l->device, 0);
    for (const struct treefork_value *a = l->arrays; a && !status; a = a->next)
        if (treefork_is_spread(l->device, a->buffer) && !l->device->prepares)
            status = treefork_exchange_reserve(l->device, a->buffer, 0, 0, a->buffer->bytes);
    return status ? status : TREEFORK_RUNS_WHOLE;
}

static int parts_whole(struct parts_launch *p, const char *reason)
{
    if (p->parting->trace && !p->l.device->prepares)
        treefork_whole_trace(p, reason);
    whole_arrays(p);
    return whole_run(&p->l);
}

/* --- all launches of a run ------------------------------------------------------------------- */

void treefork_parting_begin(struct treefork_device *device, const struct treefork_parting *parting)
{
    device->group->parting = parting;
}

void treefork_parting_end(struct treefork_device *device)
{
    device->group->parting = NULL;
    treefork_partials_end(device);
}

/* --- a launch --------------------------------------------------------------------------------- */

static int parts_launch(struct parts_launch *p)
{
    struct treefork_device *device = p->l.device;
    struct treefork_statistics before = device->statistics;
    uint64_t across = device->group->bytes;
    int status = parts_plan(p);
    if (status || device->prepares)
        return status;
    status = parts_go(p);
    if (!status && p->parting->trace)
        treefork_parts_trace(p, &before, across);
    return status;
}

static int parts_run(struct parts_launch *p)
{
    parts_share(p);
    const char *reason = parts_refuse(p);
    return reason ? parts_whole(p, reason) : parts_launch(p);
}

/* Rows of few arrays need no memory of their own. */
static int parts_run_with_room(struct parts_launch *p)
{
    struct treefork_touch few[TOUCHES_FEW];
    size_t count = treefork_members(p->l.device) * p->cut.count;
    p->room = count > TOUCHES_FEW ? count : TOUCHES_FEW;
    p->touch = count > TOUCHES_FEW ? calloc(count, sizeof *p->touch) : few;
    if (!p->touch)
        return parts_whole(p, "there is no memory for what its parts touch");
    int status = parts_run(p);
    if (p->touch != few)
        free(p->touch);
    return status;
}

int treefork_parts_run(struct launching *l, struct treefork_origin origin)
{
    const struct treefork_parting *parting = l->device->group->parting;
    if (!parting)
        return whole_run(l);
    struct parts_launch p = {.l = *l,
                             .whole = *l->launch,
                             .shape = *l->launch,
                             .origin = origin,
                             .parting = parting,
                             .cut = treefork_cut_of(parting->evaluation, origin.launch)};
    p.l.launch = &p.shape;
    p.shape.part = 1;
    int status = parts_run_with_room(&p);
    l->arrays = p.l.arrays;
    return status;
}
