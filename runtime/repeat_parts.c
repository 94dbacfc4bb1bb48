/* Runs that repeat on a device with members. In: a remembered run; out: its launches, cut in parts
   again. The values of the region that rows of parts need are remembered with the run, as long as
   its integers are the same. */
#include "runtime/execution.h"
#include "runtime/group.h"
#include "runtime/part.h"
#include "runtime/repeat.h"
#include <string.h>

/* The bytes that parts touch may depend on integers that decide nothing else. */
static int parting_set(struct treefork_parting *parting, struct treefork_repeat *r,
                       const struct execution *x)
{
    const struct treefork_region *region = x->region;
    struct treefork_evaluation *e = parting->evaluation = &r->evaluation;
    int status = e->value ? TREEFORK_OK : treefork_evaluation_new(region, e);
    parting->first_array = region->n_parameters;
    parting->first_launch = r->leaf->first;
    parting->shares = r->shares;
    if (status == TREEFORK_OK &&
        (!e->machine || memcmp(e->value + region->n_constants, r->integers,
                               region->n_integers * sizeof *r->integers) != 0))
        treefork_evaluation_set(e, treefork_device_machine(x->device), r->integers);
    return status;
}

bool treefork_repeat_moves(const struct execution *x, const struct treefork_repeat *r)
{
    return r->reach && r->shares.count < treefork_members(x->device) &&
           treefork_arrays_reach(x, r->shares.count) > r->reach;
}

int treefork_repeat_share(struct execution *x, struct treefork_repeat *r)
{
    struct treefork_parting parting = {0};
    int status = parting_set(&parting, r, x);
    if (status)
        return status;
    treefork_parting_begin(x->device, &parting);
    status = treefork_repeat_launch(x, r);
    treefork_parting_end(x->device);
    return status;
}
