/* Every call of a driver fails once, one after the other, with several error numbers. Whatever
   fails: a status that is not OK has a message; what treefork_host calls intact is intact, which is
   as many additions as launches said OK; and when the device is closed the driver has everything
   back. Built with AddressSanitizer, whose leak check sees the library's own memory. Usage:
   failures DEVICE CODE... ; DEVICE: cuda or opencl */
#include "tests/null/work.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 100, LONGER = 300 };

static long (*null_calls)(void), (*null_live)(void);
static void (*null_reset)(void), (*null_forget)(void), (*null_fail)(long, long);
static const char *(*null_failed)(void);
static int failures;

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        printf("no %s\n", name);
        exit(1);
    }
    return found;
}

static void driver_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        puts(dlerror());
        exit(1);
    }
    null_calls = (long (*)(void))symbol(library, "null_calls");
    null_live = (long (*)(void))symbol(library, "null_live");
    null_reset = (void (*)(void))symbol(library, "null_reset");
    null_forget = (void (*)(void))symbol(library, "null_forget");
    null_fail = (void (*)(long, long))symbol(library, "null_fail");
    null_failed = (const char *(*)(void))symbol(library, "null_failed");
}

/* What went wrong so far. */
struct state {
    int statuses, lost;
    char first[200];
};

static void noted(struct state *s, int status, const char *what)
{
    if (!status)
        return;
    if (!*treefork_message()) {
        printf("%s: status %d without a message (%s)\n", what, status, null_failed());
        failures++;
    }
    if (!s->statuses++)
        snprintf(s->first, sizeof s->first, "%s: %s: %s", what, treefork_status_name(status),
                 treefork_message());
    s->lost |= status == TREEFORK_LOST;
}

static void expect(int holds, const char *what, const struct state *s)
{
    if (holds)
        return;
    failures++;
    printf("%s fails: %s (%s)\n", null_failed(), what, s->first);
}

static void intact(struct state *s, struct treefork_device *device, const int *array, int count,
                   int added, const char *what)
{
    int status = treefork_host(device, array, TREEFORK_READ | TREEFORK_WRITE);
    noted(s, status, "host");
    for (int i = 0; i < count && !status; i++)
        if (array[i] != i + added) {
            char text[100];
            snprintf(text, sizeof text, "%s: element %d is %d, not %d", what, i, array[i],
                     i + added);
            expect(0, text, s);
            return;
        }
    if (status)
        expect(status == TREEFORK_LOST || added > 0, "intact data are called lost", s);
}

/* Two arrays, one of which grows; the host reads in between. */
static struct state scenario(const char *which)
{
    struct state s = {0};
    struct treefork_device *device = NULL;
    int a[SIZE], b[LONGER];
    int added_a = 0, added_b = 0;
    for (int i = 0; i < LONGER; i++) {
        b[i] = i;
        a[i % SIZE] = i % SIZE;
    }
    int status = treefork_open(which, &device);
    noted(&s, status, "open");
    expect(!status == (device != NULL), "a device and its status", &s);
    if (device) {
        for (int i = 0; i < 3; i++) {
            status = work_add(device, a, SIZE);
            noted(&s, status, "launch");
            added_a += !status;
        }
        status = work_add(device, b, SIZE);
        noted(&s, status, "launch");
        added_b = !status;
        intact(&s, device, a, SIZE, added_a, "a");
        intact(&s, device, b, SIZE, added_b, "b");
        if (added_b && !s.lost) {
            for (int i = SIZE; i < LONGER; i++)
                b[i]++;
            status = work_add(device, b, LONGER);
            noted(&s, status, "launch of more");
            intact(&s, device, b, LONGER, 1 + !status, "b, longer");
        }
        noted(&s, treefork_wait(device), "wait");
        noted(&s, treefork_release(device, NULL), "release");
    }
    treefork_close(device);
    /* Where the context cannot be entered for a moment, one object goes with the context. */
    int kept = strcmp(null_failed(), "cuCtxPushCurrent_v2") == 0;
    expect(null_live() <= kept, "something is not given back", &s);
    null_forget();
    return s;
}

int main(int argc, char **argv)
{
    driver_open(getenv("TREEFORK_CUDA_DRIVER"));
    null_fail(0, 0);
    struct state fine = scenario(argv[1]);
    expect(!fine.statuses, "nothing failed", &fine);
    long calls = null_calls();
    int reported = 0, tolerated = 0, lost = 0;
    for (int code = 2; code < argc; code++)
        for (long call = 1; call <= calls; call++) {
            null_reset();
            null_fail(call, atol(argv[code]));
            struct state s = scenario(argv[1]);
            reported += s.statuses > 0;
            lost += s.lost;
            tolerated += s.statuses == 0;
            if (getenv("VERBOSE"))
                printf("%ld %s: %s\n", call, null_failed(), s.first);
        }
    printf("%ld calls, %d reported (%d lost), %d tolerated, %d failures\n", calls, reported, lost,
           tolerated, failures);
    return failures != 0;
}
