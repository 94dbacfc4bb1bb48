#ifndef SAMPLES_REPORT_H
#define SAMPLES_REPORT_H
/* What the programs of the samples say at the end, and the status with which they end. */
#include <stdio.h>
#include <treefork.h>

/* `status`: of NAME_auto. */
static int report(const char *what, int status, long wrong, long count)
{
    if (status)
        printf("%s: %s: %s\n", what, treefork_status_name(status), treefork_message());
    else if (wrong)
        printf("%s: %ld of %ld are wrong\n", what, wrong, count);
    else
        printf("%s: %ld are right\n", what, count);
    return status || wrong;
}

static int report_memory(void)
{
    printf("there is not enough memory\n");
    return 1;
}

#endif
