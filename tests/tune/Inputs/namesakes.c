/* Runs two regions of one name while that name is timed, from two files, in both orders. */
#include "treefork.h"
#include <stdio.h>

enum { N = 1 << 18 };
static int a[N];

void short_run(int n, int *a);
void long_run(int n, int *a);

static void tell(void)
{
    struct treefork_tune_runs runs;
    int status = treefork_tune_watched(treefork_default(), &runs);
    printf("status %d, %d runs, %s\n", status, (int)runs.runs, runs.parameters);
    treefork_tune_watch(treefork_default(), "scale");
}

int main(void)
{
    treefork_tune_watch(treefork_default(), "scale");
    short_run(100, a);
    short_run(100, a);
    long_run(N, a);
    tell();
    long_run(N, a);
    short_run(100, a);
    tell();
    return 0;
}
