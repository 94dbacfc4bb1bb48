/* Sizes at which nothing, little or an error happens; what NAME_select and NAME_auto answer. The
   serial program prints the expected lines. */
#define _POSIX_C_SOURCE 200809L
#include <metafork.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef GENERATED
#include "edges.tf.h"
#endif

void shift(int n, int s, int B, const int *restrict x, int *restrict y)
{
    int dim = n / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    y[p] = x[p] + 1;
                }
    }
}

/* A loop around a region must not copy every round. */
void rounds(int n, int t, int B, int *restrict x)
{
    int dim = n / B;
    for (int r = 0; r < t; r++)
        meta_schedule {
            meta_for (int i = 0; i < dim; i++)
                meta_for (int j = 0; j < B; j++)
                    x[i * B + j] += r;
        }
}

static int count_written(int n, int s, int B)
{
    static int x[4096], y[4096];
    int count = 0;
    memset(y, 0, sizeof y);
    for (int i = 0; i < 4096; i++)
        x[i] = i;
    shift(n, s, B, x, y);
    for (int i = 0; i < 4096; i++)
        count += y[i] == i + 1;
    return count;
}

static void ask(void)
{
#ifdef GENERATED
    struct treefork_machine machine;
    struct treefork_trace trace = {0};
    static int x[4096], y[4096];
    int written = 0;
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        machine.value[i] = TREEFORK_UNLIMITED;
    machine.value[TREEFORK_W_B] = machine.value[TREEFORK_Q_B] = 1;
    printf("negative size %d\n", shift_select(&machine, -1, 1, 1, NULL) == -TREEFORK_ARGUMENT);
    printf("block of 0 %d\n", shift_select(&machine, 10, 1, 0, NULL) == -TREEFORK_ARGUMENT);
    printf("any %d\n",
           shift_select(&machine, 10, 1, 1, &trace) >= 1 && trace.variant >= 1 && trace.count > 0);
    machine.value[TREEFORK_T_B] = 16;
    int small = shift_select(&machine, 1024, 1, 16, NULL),
        safe = shift_select(&machine, 1024, 1, 17, NULL);
    printf("safe one last %d\n", small >= 1 && safe > small);
    machine.value[TREEFORK_F_B] = 65536;
    printf("overflow %d\n",
           shift_select(&machine, 1024, INT64_MAX / 2, INT64_MAX / 2, NULL) != small);
    int status = shift_auto(4000, x, y);
    for (int i = 0; i < 4096; i++)
        written += y[i] == x[i] + 1;
    printf("auto %d %d\n", status, written);
    if (treefork_default()) {
        struct treefork_statistics before = treefork_statistics(treefork_default()), after;
        rounds(4096, 10, 64, x);
        after = treefork_statistics(treefork_default());
        printf("launches %d copies %d %d\n", (int)(after.launches - before.launches),
               (int)(after.copies_to_device - before.copies_to_device),
               (int)(after.copies_to_host - before.copies_to_host));
    } else {
        printf("launches 10 copies 1 1\n");
    }
#else
    printf("negative size 1\nblock of 0 1\nany 1\nsafe one last 1\noverflow 1\nauto 0 "
           "4000\nlaunches 10 copies 1 1\n");
#endif
}

int main(void)
{
    setenv("TREEFORK_COPY", "1", 1);     /* copies are counted */
    printf("%d %d %d %d\n", count_written(0, 1, 1), count_written(-5, 1, 1), count_written(1, 1, 1),
           count_written(1, 2, 1));
    printf("%d %d %d\n", count_written(4096, 1, 4096), count_written(4095, 8, 64),
           count_written(4096, 4096, 1));
    ask();
    return 0;
}
