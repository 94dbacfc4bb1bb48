/* A program that tunes itself: it measures two blocks, and keeps for each a time that it makes up. */
#include "scale.tf.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static int a[N];

/* The second run would repeat the first one, if nothing were kept between them. */
static void choice_tell(void)
{
    scale_auto(N, a);
    scale_auto(N, a);
    treefork_explain("scale", TREEFORK_TEXT, stdout);
}

static void block_try(const char *block, double time)
{
    struct treefork_tune_runs runs;
    setenv("TREEFORK_SET", block, 1);
    treefork_tune_watch(treefork_default(), "scale");
    scale_auto(N, a);
    scale_auto(N, a);
    int status = treefork_tune_watched(treefork_default(), &runs);
    printf("%s: status %d, %d runs, %s, %s\n", block, status, (int)runs.runs, runs.parameters,
           runs.nanoseconds > 0 ? "timed" : "not timed");
    if (treefork_tune_keep(runs.record, time, 0.9 * time, 1.1 * time, 0))
        puts(treefork_message());
    unsetenv("TREEFORK_SET");
    treefork_tune_watch(treefork_default(), NULL);
}

int main(void)
{
    struct treefork_tune_runs runs;
    if (treefork_tune_watched(treefork_default(), &runs))
        puts(treefork_message());
    choice_tell();
    block_try("scale.B=16", 2000);
    choice_tell();
    block_try("scale.B=128", 1000);
    choice_tell();
    treefork_tune_watch(treefork_default(), "another");
    scale_auto(N, a);
    int status = treefork_tune_watched(treefork_default(), &runs);
    printf("another: status %d, %d runs, \"%s\"\n", status, (int)runs.runs, runs.record);
    return 0;
}
