#ifndef MAPPER_CHOICE_H
#define MAPPER_CHOICE_H
#include <stdbool.h>
#include <stddef.h>

/* The value of a parameter, by its name in the source. */
struct map_size {
    const char *name;
    double value;
};

/* The part of a file that the mapper reads. Nothing set: the fragments that pragmas mark. */
struct map_choice {
    const char *function;            /* the loops of its body; NULL: of all functions */
    bool all;                        /* also every loop that is independent and pays */
    bool may_be_none;                /* a file without a loop to map is no error */
    bool tells_calls;                /* with `all`: notes say of calls of loops why they stay */
    bool with_loops;                 /* the source's loops stand beside regions that may be slower
                                        on a processor, and `meta_pays` tells (plan/pays.c) */
    const char *loop;                /* that is asked about: "i", "12" (its line) or "12:i" */
    const char *request;             /* a change: "interchange 12 0 1" */
    const struct map_size *sizes;    /* at which times are predicted */
    size_t n_sizes;
    bool is_unknown;                 /* set with a diagnostic: it names what the file lacks */
};

#endif
