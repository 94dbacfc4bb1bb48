#ifndef TREEFORK_CHOICE_H
#define TREEFORK_CHOICE_H
/* What the parts of a region's own choice share: choice.c chooses, choice_search.c searches at one
   point, choice_memory.c remembers. */
#include "runtime/tables.h"

#pragma GCC visibility push(hidden)

enum { TUNABLES_MAX = 8, KEY_MAX = 160 };

/* Where a region runs on a CPU device that works in the host's arrays. */
struct treefork_location {
    bool is_in_place;              /* the serial code runs in place of a launch */
    bool waits;                    /* even where launches are in flight */
    double serial, launch;         /* nanoseconds as measured in this process; 0: not measured */
};

/* A choice: the leaf, and numbers for integers of the region. */
struct treefork_chosen {
    int leaf;                      /* 0: no candidate can run, or nothing is chosen */
    bool is_held;
    struct treefork_location place;   /* of choices that treefork_place_remember keeps */
    int tuned;                     /* what treefork_tuned_words takes; 0: it was not tuned */
    int devices;                   /* number of them in a tuned choice, or 0 */
    int n;
    uint16_t integers[TUNABLES_MAX];
    treefork_int values[TUNABLES_MAX];
};

/* The tunables that a region chooses as things stand. */
struct treefork_tunables {
    const struct treefork_choosing *choosing;
    bool is_exact;                 /* the divisions that have to be are, and they have to stay so */
    int n;
    const struct treefork_tunable_row *rows[TUNABLES_MAX];
    uint16_t integers[TUNABLES_MAX];
};

/* The first candidate that NAME_select refused: its status, 0 if there was none, and message. */
struct treefork_refusal {
    int status;
    char reason[256];
};

/* choice.c: the machine that a choice is for. */
const struct treefork_machine *treefork_choosing_machine(const struct treefork_choosing *choosing);
/* The tunables of a region as things stand; what `choosing` says is held is filled in. */
struct treefork_tunables treefork_tunables_find(struct treefork_choosing *choosing);
/* Does the region's choice depend on anything that loops of the host change? */
bool treefork_choice_varies(const struct treefork_region *region);
/* The exponent of the power of two that is nearest; -1 for what is no extent. */
int treefork_rounded_exponent(treefork_int value);

/* choice_search.c: at the point `integers`, whose tunables are changed, `base`, or what a search
   around it finds if that pays. The leaf is 0 if no candidate can run. The region's values are left
   at another point. */
void treefork_choice_search(const struct treefork_tunables *tunables, treefork_int *integers,
                            const struct treefork_chosen *base, struct treefork_chosen *choice,
                            struct treefork_refusal *refusal);

/* The numbers that a search tries for a tunable at the evaluation's point, rising, and how many
   there are, at most CANDIDATES_MAX. `is_exact`: divisions that are exact there have to stay so. */
int treefork_tunable_numbers(struct treefork_evaluation *e, const struct treefork_tunable_row *row,
                             bool is_exact, treefork_int *at);

/* What a choice is remembered by. */
struct treefork_key {
    size_t n;
    treefork_int at[KEY_MAX];
};

/* choice.c: what is remembered of the place of a leaf at the evaluation's point; false: nothing. */
bool treefork_place_recall(const struct treefork_choosing *choosing, int leaf,
                           struct treefork_location *place);
void treefork_place_remember(const struct treefork_choosing *choosing, int leaf,
                             const struct treefork_location *place);
/* choice.c: the class of the evaluation's point, for what was measured there: the region, its
   choosing's device (NULL: any) and the powers of two that are nearest to its extents. */
void treefork_key_of_sizes(struct treefork_key *key, const struct treefork_choosing *choosing);
uint64_t treefork_key_hash(const struct treefork_key *key);

/* choice_memory.c, for all threads. Without memory nothing is remembered. */
bool treefork_choice_recall(const struct treefork_key *key, struct treefork_chosen *choice);
void treefork_choice_remember(const struct treefork_key *key, const struct treefork_chosen *choice);
/* All choices are made anew, those of runs that repeat, too: the generation is another one. What a
   run that began before has chosen is remembered for nobody. */
void treefork_choice_forget(void);
uint64_t treefork_choice_generation(void);

#pragma GCC visibility pop
#endif
