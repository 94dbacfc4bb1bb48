#ifndef BUNDLE_BENCH_H
#define BUNDLE_BENCH_H
/* A program on the device: its data, its regions, one call of it, what the call took and whether it
   computed what the serial code computes. */
#include "clock.h"
#include "harness.h"
#include "row.h"
#include "runtime/tables.h"

enum { REGIONS_MAX = 16, PARAMETERS_TEXT = 512 };

/* The unit's own: its regions, NULL at the end. */
extern const struct treefork_region *const bundle_regions[];

struct bench {
    struct treefork_device *device;
    bool is_host;               /* the device computes in this process: its CPU time is the clock */
    double end;                 /* seconds of the monotonic clock; nothing new is begun after it */
    int n_regions;              /* of the program */
    const struct treefork_region *regions[REGIONS_MAX];
    const char *unit, *set;
    struct problem problem;
    double serial;              /* seconds of the serial code */
};

/* A choice of a region: a leaf, and numbers for its tunables in the order of its table. */
struct pick {
    const struct treefork_region *region;
    int leaf;                   /* 0: none; the region chooses */
    int n;
    int64_t values[8];
};

/* How a call is made. */
struct way {
    int n;
    const struct pick *picks;   /* TREEFORK_SET and TREEFORK_FORCE; none: the regions choose */
    const char *settings;       /* of TREEFORK_SET where there are no picks; "": none */
    bool is_plain;              /* with the set's own tunables; else as the program chooses */
    const struct treefork_region *watched;     /* whose runs are timed; NULL: none is */
};

struct call {
    double call;                /* seconds of the whole call */
    double region; /* seconds: on a host device CPU time of the whole call, else the wall
                      time of the launches of the watched region, all runs together */
    uint64_t runs;              /* of it, on the device */
    int leaf;                   /* of its longest run */
    char parameters[PARAMETERS_TEXT];   /* of that run: "n=512,B0=16" */
};

struct difference {
    size_t different, total;
    double relative;            /* the largest, of the largest number of its array */
    bool is_wrong;              /* too large to come from the order or contraction of operations */
};

/* Opens the device; false with treefork_message(). */
bool bench_open(struct bench *b, const char *unit, double seconds);
/* The program's data at a set of values, and what the serial code makes of it. `expect`: false
   where nothing is compared. */
void bench_set(struct bench *b, const struct program *program, const char *set, bool expect);
void bench_unset(struct bench *b);
bool bench_is_late(const struct bench *b);
/* One call on fresh data; false if the program's automatic call says that it cannot. */
bool bench_call(struct bench *b, const struct way *way, struct call *call);
/* Of the last call's results. Without `expect` everything is equal. */
struct difference bench_compare(const struct bench *b);
/* "equal", "close" or "wrong". */
const char *difference_name(const struct difference *difference);
void row_difference(struct row *row, const struct difference *difference);
/* "unit": …, "program": …, "set": … */
void row_subject(struct row *row, const struct bench *b);

#endif
