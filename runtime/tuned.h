#ifndef TREEFORK_TUNED_H
#define TREEFORK_TUNED_H
/* Choices that were tuned (docs/tuning.md): what identifies a region, a device and a point, and the
   records of the store. tuned.c describes and reads, tuned_choice.c takes the record that serves,
   tune.c times regions and adds records. */
#include "runtime/choice.h"
#include "runtime/hash.h"
#include "runtime/store.h"
#include <string.h>

#pragma GCC visibility push(hidden)

/* Times that differ by more than this share are never taken for equal, however wide an interval. */
#define TREEFORK_NOISE_MOST 0.05

enum { SIZES_MAX = 16, DIGEST_ROOM = 2 * 16 + 1, ANY_SIZE = -1 };

/* A text of a region, a device and its driver. */
struct treefork_identity {
    char source[DIGEST_ROOM], driver[DIGEST_ROOM];
    char architecture[320];
};
/* The digest of what a region's choices depend on: its name, then of each leaf its number, what it
   needs, and the texts of its kernels. The name under which a text stands (`entry`) does not count:
   leaves that differ in nothing else share one text. */
void treefork_source_start(struct treefork_hash *hash, const char *region);
void treefork_source_leaf(struct treefork_hash *hash, uint16_t leaf);
void treefork_source_condition(struct treefork_hash *hash, const char *text);
void treefork_source_kernel(struct treefork_hash *hash, const char *text, const char *entry,
                            bool is_contracted);
void treefork_source_end(const struct treefork_hash *hash, char digest[DIGEST_ROOM]);
void treefork_identify_source(const struct treefork_region *region, char digest[DIGEST_ROOM]);
void treefork_identify(const struct treefork_region *region, struct treefork_device *device,
                       struct treefork_identity *identity);
/* A point: the tunables chosen, what must be equal of the parameters, and the extents (ANY_SIZE:
   loops of the host change it). */
struct treefork_place {
    char names[512];               /* "s,B0,ub1" */
    char fixed[1024];              /* "t=3,m=7" */
    int n_sizes;
    treefork_int sizes[SIZES_MAX];
};
/* Of the parameters in `tunables`; false if it is too large to be told. */
bool treefork_place_make(const struct treefork_tunables *tunables, struct treefork_place *place);

/* One record: what was chosen, and what it took. */
struct treefork_record {
    char region[256], source[DIGEST_ROOM], kind[16], device[256], architecture[320];
    char driver[DIGEST_ROOM], names[512], fixed[1024], choice[512], sizes[512];
    char parameters[1024];         /* "n=512,s=4", all that are integers; "": not told */
    bool is_generic;               /* for any device of any kind */
    int leaf;
    int devices;                   /* so many members shared the launches; 0 on a single device */
    int64_t nanoseconds, low, high;     /* of one run: the median and its interval */
    int64_t predicted;             /* by the model; 0: nothing */
};
/* A line of the store; false if it is none. */
bool treefork_record_read(const char *line, size_t length, struct treefork_record *record);
/* The line of a record, without newline; its text is NULL if memory ran out. */
struct treefork_text treefork_record_line(const struct treefork_record *record);
/* "32,4" as numbers, at most SIZES_MAX; -1 if it is no such list. */
int treefork_sizes_read(const char *text, treefork_int *sizes);

/* How near what was tuned is to what is asked for; the nearest counts first. */
enum treefork_tuned_for { TUNED_DEVICE, TUNED_ARCHITECTURE, TUNED_GENERIC, TUNED_LEVELS };
/* The choice of a record that serves at the point `integers`, whose tunables are changed; false if
   none does. */
bool treefork_tuned_choose(const struct treefork_tunables *tunables, treefork_int *integers,
                           struct treefork_chosen *choice);
/* What `tuned` of a choice says: "tuned on this device". */
const char *treefork_tuned_words(int tuned);
/* The device is closed; NULL: the store has changed, all regions are to read it again. */
void treefork_tuned_forget(const struct treefork_device *device);

/* tune.c: is the region timed? */
bool treefork_is_watched(const struct treefork_device *device,
                         const struct treefork_region *region);
/* After a run of it on choosing->devices of several: what it took, the leaf and the parameters. */
void treefork_watch_add(const struct treefork_choosing *choosing, int leaf, double nanoseconds);

#pragma GCC visibility pop
#endif
