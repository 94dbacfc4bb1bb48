#ifndef BUNDLE_PARTS_H
#define BUNDLE_PARTS_H
/* What a worker can do. Each part prints rows (row.h); 0: done, also where it was short of time. */
#include "bench.h"

struct part_words {
    int n;
    char **at;
};

/* Programs: the words are sets, "n=64,B0=8" or, with TREEFORK_SET behind a bar, "n=64|lu.B0=8". */
int part_correct(struct bench *b, const struct program *program, struct part_words sets);
int part_times(struct bench *b, const struct program *program, struct part_words sets);
int part_leaves(struct bench *b, const struct program *program, struct part_words sets);
int part_limits(struct bench *b, const struct program *program, struct part_words sets);
int part_products(struct bench *b, const struct program *program, struct part_words sets);
/* The first word is "K/N": every N-th candidate from K on is compiled and run, and nothing printed;
   "0/0": they are measured. */
int part_choice(struct bench *b, const struct program *program, struct part_words words);

/* The device itself: programs `nothing` and `copy`. */
int part_device(struct bench *b, const struct program *program, struct part_words words);
int part_launch(struct bench *b, const struct program *program, struct part_words words);
int part_bandwidth(struct bench *b, const struct program *program, struct part_words sets);
int part_fit(struct bench *b, const struct program *program, struct part_words words);

/* The bytes of memory that a copy from device to device moves per second by the driver, NAN if it
   cannot be asked. */
double driver_copy_rate(size_t bytes);

#endif
