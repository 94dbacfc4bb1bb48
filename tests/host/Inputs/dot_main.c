/* Sums of several lengths, one after the other, so that partial arrays grow and shrink; one of an attached array. Prints whether the
   maps are right, the bits of the sums if asked to ("bits"), and what was launched and copied ("counts"). */
#include "dot.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70000, LENGTHS = 6, ATTACHED = 3 };

static float x[MOST], y[MOST], z[MOST];

static int wrong_elements(int n, const float *at)
{
    int wrong = 0;
    for (int i = 0; i < MOST; i++)
        wrong += at[i] != (i < n ? 2 * x[i] : x[i]);
    return wrong;
}

/* The map's elements that are wrong; *sum becomes the sum. */
static int run(int n, float *at, float *sum)
{
    float s[1] = {0.25f};
    memcpy(at, x, sizeof x);
    dot(n, at, x, y, s);
    treefork_sync(treefork_default());
    *sum = s[0];
    return wrong_elements(n, at);
}

static int run_attached(int n, float *sum)
{
    void *at = NULL;
    struct treefork_device *device = treefork_default();
    if (!device || treefork_attach(device, &at, sizeof x, NULL))
        return run(n, z, sum);
    treefork_host(device, at, TREEFORK_READ | TREEFORK_WRITE);
    float s[1] = {0.25f};
    memcpy(at, x, sizeof x);
    dot(n, at, x, y, s);
    treefork_host(device, at, TREEFORK_READ);
    *sum = s[0];
    int wrong = wrong_elements(n, at);
    treefork_detach(device, at);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int lengths[LENGTHS] = {1000, 1, 0, MOST, 3001, MOST - 1};
    int wrong = 0;
    for (int i = 0; i < MOST; i++) {
        x[i] = (float)(i % 17) / 3;
        y[i] = (float)(i % 23) / 7;
    }
    for (int k = 0; k < LENGTHS; k++) {
        double exact = 0.25;
        float sum;
        wrong += k == ATTACHED ? run_attached(lengths[k], &sum) : run(lengths[k], z, &sum);
        for (int i = 0; i < lengths[k]; i++)
            exact += (double)x[i] * y[i];
        wrong += !(sum > exact * 0.999 && sum < exact * 1.001);
        if (argc > 1 && strcmp(argv[1], "bits") == 0)
            printf("%a ", sum);
    }
    struct treefork_statistics s = treefork_statistics(treefork_default());
    if (argc > 1 && strcmp(argv[1], "counts") == 0)
        printf("%d launches, %d copies in, %d out, ", (int)s.launches, (int)s.copies_to_device,
               (int)s.copies_to_host);
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
