/* A small region, whose serial code is predicted to take less than a launch: how often it is
   launched before a choice is kept, and from then on. "keep": the choice is measured and kept. */
#include "scale.tf.h"
#include <stdio.h>
#include <string.h>

enum { N = 200, RUNS = 3 };
static _Alignas(64) int a[N];

static void launches_tell(const char *when)
{
    uint64_t before = treefork_statistics(treefork_default()).launches;
    int wrong = 0;
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < N; i++)
            a[i] = i;
        scale_auto(N, a);
        for (int i = 0; i < N; i++)
            wrong += a[i] != 2 * i + 1;
    }
    printf("%s: %d launches of %d runs, %d wrong\n", when,
           (int)(treefork_statistics(treefork_default()).launches - before), RUNS, wrong);
}

int main(int argc, char **argv)
{
    struct treefork_tune_runs runs;
    launches_tell("at first");
    if (argc < 2 || strcmp(argv[1], "keep") != 0)
        return 0;
    treefork_tune_watch(treefork_default(), "scale");
    launches_tell("watched");
    int status = treefork_tune_watched(treefork_default(), &runs);
    if (!status)
        status = treefork_tune_keep(runs.record, 1e6, 0.9e6, 1.1e6, 0);
    treefork_tune_watch(treefork_default(), NULL);
    if (status)
        puts(treefork_message());
    launches_tell("kept");
    return status;
}
