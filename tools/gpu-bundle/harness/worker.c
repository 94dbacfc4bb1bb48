/* One unit of the bundle: a generated program and its serial code. Usage: UNIT PART SECONDS PROGRAM
   [WORD]... prints the part's rows, one JSON object on a line; what goes wrong is on standard
   error. SECONDS bound it: what takes longer is left out. */
#include "parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(struct bench *b, const struct program *program, struct part_words words);
    const char *on_error;       /* TREEFORK_ON_ERROR: may a region fall back to serial code? */
} parts[] = {
    {"correct", part_correct, "abort"},       {"times", part_times, "abort"},
    {"leaves", part_leaves, ""},              {"limits", part_limits, ""},
    {"products", part_products, "abort"},     {"choice", part_choice, ""},
    {"device", part_device, ""},              {"launch", part_launch, "abort"},
    {"bandwidth", part_bandwidth, "abort"},   {"fit", part_fit, ""},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc >= 4 && i < sizeof parts / sizeof *parts; i++) {
        struct bench b;
        if (strcmp(parts[i].name, argv[1]) != 0)
            continue;
        setenv("TREEFORK_ON_ERROR", parts[i].on_error, 1);
        if (!bench_open(&b, argv[0], atof(argv[2]))) {
            fprintf(stderr, "%s\n", treefork_message());
            return 1;
        }
        struct part_words words = {argc - 4, argv + 4};
        return parts[i].run(&b, program_find(argv[3]), words);
    }
    fprintf(stderr, "usage: UNIT PART SECONDS PROGRAM [WORD]...\n");
    return 2;
}
