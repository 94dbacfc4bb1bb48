#ifndef TREEFORK_EXECUTION_H
#define TREEFORK_EXECUTION_H
/* One run of a region on its way: region.c leads it from the arguments to the launches, repeat.c
   knows it again, report.c says what became of it. */
#include "runtime/choice.h"
#include "runtime/explain.h"
#include "runtime/several.h"
#include "runtime/sides.h"

#pragma GCC visibility push(hidden)

struct execution {
    const struct treefork_region *region;
    struct treefork_device *device;
    struct treefork_argument *arguments;
    const void *const *arrays;
    struct treefork_evaluation evaluation;
    treefork_int *integers;
    treefork_int *given;     /* as the region was given them */
    struct treefork_binding *bindings;
    size_t n_bindings;
    const struct treefork_leaf_row *leaf;
    struct treefork_switches switches;
    int automatic;           /* the region runs for NAME_auto */
    int forced;              /* leaf that TREEFORK_FORCE wants; 0: none */
    int tuned;               /* the choice is a tuned one (treefork_tuned_words) */
    int chosen;              /* leaf that the region chose by predicted time; 0: it did not */
    bool is_changed;         /* the region took other tunables than it was given */
    bool is_held;            /* a tunable was not chosen because a division is not exact */
    uint64_t generation;     /* of choices, as the run began */
    bool after_serial;       /* the serial code of a region had run: scratch arrays may have values
                                on the host */
    unsigned access;         /* of all arrays together */
    bool is_half_done;       /* a launch failed behind another one of the run */
    bool is_in_place;        /* the serial code runs in place of a launch */
    bool is_away;            /* launched only because the device has newer bytes */
    bool queues;             /* it would, but launches are in flight: so this run is one, too */
    struct treefork_location place;
    struct treefork_timing timing;  /* of a run that is timed; else the side is NULL */
    uint64_t repeats;        /* so many runs may repeat this one */
    struct treefork_side *side;     /* each repetition is a run of it, unless NULL */
    double price;            /* nanoseconds of each, about */
    int leaf_by_case;        /* what NAME_select takes */
    const struct treefork_several *several;     /* devices that may share launches; NULL on a
                                                   single one */
    struct treefork_shares *shares;       /* of those of the leaf, on several devices */
    int devices_tuned;       /* number of them in a tuned choice, or 0 */
    bool are_devices_given;  /* the environment says how many */
    bool are_devices_joined; /* as many as members with the arrays */
    size_t reach;            /* so many members had its arrays when the number was chosen */
    struct treefork_trace *trace;   /* NULL: nobody asks for one */
};

/* How the launches touch an array: of a region that ran serially before, scratch has values; what
   is not overwritten everywhere is read. */
unsigned treefork_execution_access(struct execution *x, size_t array);
/* The memory of an array as an argument of the launches, with so many bytes. */
static inline int treefork_execution_take_array(struct execution *x, size_t array, size_t bytes,
                                                unsigned access)
{
    const struct treefork_region *region = x->region;
    struct treefork_argument *argument = &x->arguments[region->n_parameters + array];
    argument->type = TREEFORK_BUFFER;
    x->access |= access;
    if (access & TREEFORK_PARTIAL)
        return treefork_partial_take(x->device, region->n_arrays - array, bytes, region->checked,
                                     &argument->value.buffer);
    return treefork_buffer_take(x->device, x->arrays[array], bytes, access, region->checked,
                                &argument->value.buffer);
}

/* launches.c: the launches of the leaf, timed where that is wanted. */
int treefork_execution_run_launches(struct execution *x);
/* The launches of the leaf, one behind the other without a wait, then the arrays that come home
   with them. `region`: its number. */
int treefork_execution_launch(struct execution *x, uint64_t region,
                              const struct treefork_leaf_row *leaf,
                              struct treefork_launch *plans);
/* The plan of launch number `launch` of the leaf. */
int treefork_execution_plan_of(struct execution *x, size_t launch, struct treefork_launch *plan);
/* region.c: what the region chose takes the place of what it was given. */
void treefork_execution_take(struct execution *x);

/* together.c: the number of the first members that have, alone with others of them and the host,
   the newest bytes of the region's arrays, `members` at least. Under the device's lock. */
size_t treefork_arrays_reach(const struct execution *x, size_t members);
/* How many members share the launches where `members` would be fastest: these, or as many as have
   the arrays, if copies from and to the others take longer. x->reach becomes how many have them. */
size_t treefork_devices_join(struct execution *x, size_t members);

/* room.c: do the arrays of the leaf fit into the memory of the device? MEMORY, with nothing copied,
   if they do not. */
int treefork_room_find(struct execution *x);

/* repeat.c: does nothing but the tables, the device and the arguments decide what a run does? */
bool treefork_may_repeat(const struct execution *x);
/* Remembers a run that was launched, unless members share its launches. */
void treefork_repeat_keep(struct execution *x);
/* Launches as a remembered run did; false if there is none, and *status is then as it was. */
bool treefork_execution_repeat(struct execution *x, int *status);

/* report.c: the run as an explanation takes it. */
struct treefork_run treefork_execution_run_of(const struct execution *x);
/* Keeps it for treefork_explain, and prints what TREEFORK_EXPLAIN and TREEFORK_TRACE ask for. */
void treefork_execution_report(struct execution *x);

#pragma GCC visibility pop
#endif
