/* Regions whose arrays lie on several devices already, left there by other regions of the program.
   In: a run with a leaf, on a device with members, and the number of them that would be fastest if
   the arrays lay where the region leaves them. Out: that number, or the larger one of the members
   that have the arrays, if what the first number of members would have to get from the others, and
   what these would have to get back, costs more than is saved.

   So the number of a region follows those of the regions whose arrays it gets: a cheap one between
   two steps of a stencil runs where the stencil's parts have their planes. */
#include "runtime/execution.h"
#include "runtime/group.h"

/* The host and the first members. */
static uint64_t sides_of(size_t members)
{
    return ((uint64_t)SIDE_OF_MEMBER << members) - 1;
}

static size_t members_up_to(uint64_t sides)
{
    size_t members = 0;
    while (sides >= (uint64_t)SIDE_OF_MEMBER << members)
        members++;
    return members;
}

static const struct treefork_buffer *array_buffer(const struct treefork_device *device,
                                                  const void *array)
{
    const char *host = array;
    const struct treefork_buffer *b = array ? device->buffers : NULL;
    while (b && (b->partial || host < b->host || host >= b->host + b->bytes))
        b = b->next;
    return b && treefork_is_spread(device, b) ? b : NULL;
}

size_t treefork_arrays_reach(const struct execution *x, size_t members)
{
    uint64_t others = 0;
    for (size_t i = 0; i < x->region->n_arrays; i++) {
        const struct treefork_buffer *b = array_buffer(x->device, x->arrays[i]);
        if (b)
            treefork_runs_lacking(&b->runs, sides_of(members), treefork_row_of(0, b->bytes),
                                  &others);
    }
    size_t reach = members_up_to(others);
    return reach > members ? reach : members;
}

/* Bytes that the first members would get from others for a row of a launch, and give back. */
static size_t row_moves(const struct execution *x, const struct treefork_cut *cut,
                        const struct treefork_part_row *row, size_t members)
{
    const struct treefork_buffer *b = array_buffer(x->device, x->arrays[row->array]);
    struct treefork_touch touch;
    uint64_t others = 0;
    if (!b || !treefork_cut_touches(cut, row, 0, cut->extent, b->bytes, &touch) ||
        touch.row.bytes == 0)
        return 0;
    size_t bytes = treefork_runs_lacking(&b->runs, sides_of(members), touch.row, &others);
    return bytes * ((size_t)touch.reads + (size_t)touch.writes);
}

/* Nanoseconds of these copies. */
static double moves_time(struct execution *x, size_t members, size_t reach)
{
    const struct treefork_machine *machine = x->several->machine[0];
    double bytes = 0;
    for (size_t i = 0; i < x->leaf->count; i++) {
        struct treefork_cut cut = treefork_cut_of(&x->evaluation, x->leaf->first + i);
        size_t rows = cut.reason ? 0 : cut.count;
        for (size_t k = 0; k < rows; k++)
            bytes += (double)row_moves(x, &cut, &cut.rows[k], members);
    }
    return bytes > 0 ? (double)(reach - members) * (double)machine->value[TREEFORK_Y_P] +
                           bytes * 1e3 / (double)machine->value[TREEFORK_V_P]
                     : 0;
}

size_t treefork_devices_join(struct execution *x, size_t members)
{
    pthread_mutex_lock(&x->device->mutex);
    size_t reach = x->reach = treefork_arrays_reach(x, members);
    double moves = reach > members ? moves_time(x, members, reach) : 0;
    pthread_mutex_unlock(&x->device->mutex);
    if (moves <= 0)
        return members;
    double few = treefork_several_time(&x->evaluation, x->several, x->leaf, members).nanoseconds;
    double all = treefork_several_time(&x->evaluation, x->several, x->leaf, reach).nanoseconds;
    return all < few + moves ? reach : members;
}
