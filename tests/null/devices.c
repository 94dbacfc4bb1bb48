/* Several devices in one process: regions run where the thread says, arrays that a device cannot
   hold are refused before anything is copied. Usage: devices [small|crowded]; small: the devices
   have 1,000 bytes. */
#include "jacobi1d.tf.h"
#include "tests/null/work.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N = 130 };

static int failures;

static void expect(int holds, const char *what)
{
    if (!holds) {
        failures++;
        printf("%s: %s\n", what, treefork_message());
    }
}

static uint64_t launches(const struct treefork_device *device)
{
    return treefork_statistics(device).launches;
}

static void *on_the_default(void *argument)
{
    int cells[2 * N] = {0};
    uint64_t before = launches(treefork_default());
    (void)argument;
    jacobi1d(1, N, 1, 16, cells);
    expect(launches(treefork_default()) == before + 1, "another thread has the process's device");
    return NULL;
}

/* A memory object may have the address of one that was given back: the kernel is given it anew. */
static void reused(struct treefork_device *device)
{
    static int arrays[50][10];
    for (int i = 0; i < 50; i++) {
        int before = arrays[i][9];
        expect(!work_add(device, arrays[i], 10), "launch");
        expect(!work_add(device, arrays[i], 10), "launch");
        expect(!treefork_release(device, NULL) && arrays[i][9] == before + 2,
               "its memory is given back");
    }
}

static void several(void)
{
    struct treefork_device *first = NULL, *second = NULL;
    pthread_t thread;
    int cells[2 * N] = {0}, array[10] = {0};
    expect(!treefork_open("cuda:1", &first) && !treefork_open("opencl:1", &second), "open");
    expect(!treefork_make_current(first), "current");
    jacobi1d(2, N, 1, 16, cells);
    expect(launches(first) == 2 && launches(second) == 0, "the first device runs it");
    /* What the first device has of newer data comes back when the thread leaves it. */
    expect(!work_add(treefork_default(), array, 10), "launch");
    expect(!treefork_make_current(second), "current");
    expect(array[9] == 1, "its data are back");
    expect(!work_add(treefork_default(), array, 10), "launch");
    jacobi1d(2, N, 1, 16, cells);
    expect(launches(first) == 3 && launches(second) == 3, "the second device runs it");
    pthread_create(&thread, NULL, on_the_default, NULL);
    pthread_join(thread, NULL);
    reused(first);
    reused(second);
    treefork_close(second);
    expect(treefork_default() != second, "a closed device is nobody's");
    expect(treefork_default() && !strcmp(treefork_device_name(treefork_default()), "null device 0"),
           "the process's device again");
    treefork_close(first);
}

static void small(void)
{
    struct treefork_device *device = NULL;
    static int array[1000], cells[2 * N];
    expect(!treefork_open("cuda", &device), "open");
    expect(work_add(device, array, 1000) == TREEFORK_MEMORY, "too large");
    printf("%s\n", treefork_message());
    expect(work_add(device, array, 200) == TREEFORK_OK, "large enough");
    expect(treefork_statistics(device).copies_to_device == 1, "one copy");
    treefork_close(device);
    for (int i = 0; i < 2 * N; i++)
        cells[i] = i;
    jacobi1d(2, N, 1, 16, cells);        /* serially */
    printf("cells[1] %d, copies %d\n", cells[1],
           (int)treefork_statistics(treefork_default()).copies_to_device);
}

/* 1,400 bytes, of which 600 are somebody else's. */
static void crowded(void)
{
    void *taken = NULL;
    int cells[2 * N];
    for (int i = 0; i < 2 * N; i++)
        cells[i] = i;
    expect(!treefork_attach(treefork_default(), &taken, 600, NULL), "attach");
    jacobi1d(2, N, 1, 16, cells);        /* serially */
    printf("cells[1] %d, copies %d\n", cells[1],
           (int)treefork_statistics(treefork_default()).copies_to_device);
    expect(!treefork_detach(treefork_default(), taken), "detach");
    jacobi1d(2, N, 1, 16, cells);
    expect(launches(treefork_default()) == 2, "there is room again");
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "small") == 0)
        small();
    else if (argc > 1)
        crowded();
    else
        several();
    printf("%d failures\n", failures);
    return failures != 0;
}
