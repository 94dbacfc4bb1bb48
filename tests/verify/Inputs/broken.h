/* A runtime that breaks when leaf 2 is forced; BROKEN says how. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct treefork_region;
struct treefork_argument;
int right_run(const struct treefork_region *region, struct treefork_argument *arguments,
              const void *const *arrays, int automatic) __asm__("treefork_region_run");

static inline int broken_run(const struct treefork_region *region,
                             struct treefork_argument *arguments, const void *const *arrays,
                             int automatic)
{
    static int calls;
    const char *how = getenv("BROKEN");
    int is_first = calls++ == 0;
    if (!strcmp(how, "later") && !is_first)
        abort();
    if (strstr(getenv("TREEFORK_FORCE"), "=2")) {
        if (!strcmp(how, "crash"))
            abort();
        if (!strcmp(how, "hang")) {
            FILE *hangs = fopen(getenv("HANGS"), "w");
            fprintf(hangs, "%d\n", (int)getpid());
            fclose(hangs);
        }
        while (!strcmp(how, "hang"))
            pause();
        if (!strcmp(how, "print"))
            puts("more");
        if (!strcmp(how, "end"))
            atexit(abort);
    }
    return right_run(region, arguments, arrays, automatic);
}
