/* Drawn programs of regions and host code (drive.c) against the same text run serially. Usage:
   random FIRST COUNT: seeds. Prints how many differ, and what members exchanged. */
#include "drive.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

#define drive drive_serial
#include "drive.c"
#undef drive

enum { WIDTH = 24, CELLS = WIDTH * WIDTH, STEPS = 40, BLOCK = 16 };

struct memory {
    int a[CELLS], b[CELLS], c[CELLS];
    double sum[1];
};

static struct memory memory, expected;

static void fill(struct memory *m, unsigned long seed)
{
    for (int i = 0; i < CELLS; i++) {
        m->a[i] = (int)((seed + (unsigned)i * 37) % 101);
        m->b[i] = (int)((seed + (unsigned)i * 53) % 89);
        m->c[i] = (int)((seed + (unsigned)i * 71) % 97);
    }
    m->sum[0] = 0;
}

static int is_right(unsigned long seed)
{
    fill(&memory, seed);
    fill(&expected, seed);
    unsigned long seen = drive(seed, STEPS, WIDTH, BLOCK, memory.a, memory.b, memory.c, memory.sum);
    unsigned long serial = drive_serial(seed, STEPS, WIDTH, BLOCK, expected.a, expected.b,
                                        expected.c, expected.sum);
    return seen == serial && memcmp(&memory, &expected, sizeof memory) == 0;
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 2 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, wrong = 0;
    for (unsigned long seed = first; seed < first + count; seed++)
        if (!is_right(seed)) {
            printf("seed %lu differs\n", seed);
            wrong++;
        }
    struct treefork_exchanged across = treefork_exchanged(treefork_default());
    printf("%lu programs, %lu differ; %d members, %llu launches, %llu bytes between them\n", count,
           wrong, across.members,
           (unsigned long long)treefork_statistics(treefork_default()).launches,
           (unsigned long long)across.bytes);
    return wrong != 0;
}
