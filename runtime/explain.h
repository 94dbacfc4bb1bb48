#ifndef TREEFORK_EXPLAIN_H
#define TREEFORK_EXPLAIN_H
/* A run of a region, as region.c tells it and explain.c explains it. */
#include "runtime/tables.h"

#pragma GCC visibility push(hidden)

enum treefork_run_kind {
    RUN_IS_ASKED,                       /* nobody made it: what the model says of it */
    RUN_IS_LAUNCHED,
    RUN_IS_IN_PLACE                     /* as serial code */
};

struct treefork_explained_leaf;
struct treefork_run {
    const struct treefork_region *region;
    const struct treefork_machine *machine;
    const treefork_int *integers;       /* the region's, those that it chose included */
    int leaf;                           /* that was taken; 0: what NAME_select takes */
    bool is_changed : 1;                /* the region took other tunables than it was given */
    bool is_chosen : 1, is_forced : 1;  /* the leaf, by predicted time; by TREEFORK_FORCE */
    bool is_tuned : 1;                  /* the choice, as the store has it */
    unsigned kind : 2;                  /* enum treefork_run_kind */
    unsigned devices : 5;               /* so many of several share its launches; 0: as would be
                                           chosen */
    bool are_devices_given : 1;         /* by the environment; else by predicted time or tuning */
    bool are_devices_tuned : 1;         /* their number */
    bool are_devices_joined : 1;        /* as many as have the arrays */
    double serial, launch;              /* nanoseconds of the serial code and of a launch,
                                           by earlier runs of this process; 0: not measured */
    /* Fills in what was measured of the leaves at this point (measured.c). NULL: the store is not
       asked, as in a page. */
    void (*measure)(const struct treefork_run *run, struct treefork_explained_leaf *leaves);
};

/* Adds the explanation to `text`: TREEFORK_TEXT, or TREEFORK_JSON on a line of its own. `several`:
   the devices that may share launches; NULL for a single device. */
int treefork_run_explain(const struct treefork_run *run, const struct treefork_several *several,
                         int format, struct treefork_text *text);
/* Is TREEFORK_EXPLAIN=1 or json? */
bool treefork_explains(void);
/* Prints the explanation to stderr, once for each leaf and values that loops of the host do not
   change. */
void treefork_run_print(const struct treefork_run *run, const struct treefork_several *several);
/* A number of the region in this process, from 1; 0: it has none. */
uint64_t treefork_region_number(const struct treefork_region *region);
/* The region's last run on a device, for treefork_explain. */
void treefork_run_keep(const struct treefork_run *run, const struct treefork_device *device);

#pragma GCC visibility pop
#endif
