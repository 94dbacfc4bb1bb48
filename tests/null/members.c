/* Every call of the driver fails once under a generated program on a device with three members.
   Each case is a process of its own, since the program stops where the newest data are nowhere
   else: the result is right, or it stops and says so; and it is never wrong. Usage:
   members CODE... */
#include "add_blocks.tf.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <treefork.h>
#include <unistd.h>

enum { SIZE = 100, BLOCK = 8, ROUNDS = 4, CALLS = 3, WRONG = 3 };

static void *driver;

static void *symbol(const char *name)
{
    void *found = dlsym(driver, name);
    if (!found) {
        printf("no %s\n", name);
        exit(1);
    }
    return found;
}

/* The serial loops. */
static void expected_add(int *a)
{
    for (int t = 0; t < ROUNDS; t++)
        for (int i = 0; i < SIZE - t % 2 * (SIZE / 3); i++)
            a[i]++;
}

/* The host writes between two calls of the function. */
static int is_right(void)
{
    int a[SIZE], expected[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = expected[i] = i;
    for (int call = 0; call < CALLS; call++) {
        add_blocks(ROUNDS, SIZE, BLOCK, a);
        expected_add(expected);
        a[SIZE / 2] += 5;
        expected[SIZE / 2] += 5;
    }
    return memcmp(a, expected, sizeof a) == 0;
}

static void case_run(long call, long code)
{
    ((void (*)(long, long))symbol("null_fail"))(call, code);
    ((void (*)(int))symbol("null_late"))(1);
    int right = is_right();
    printf("%ld calls, %llu launches\n", ((long (*)(void))symbol("null_calls"))(),
           (unsigned long long)treefork_statistics(treefork_default()).launches);
    fflush(stdout);
    _exit(right ? 0 : WRONG);
}

/* What a case said, and how it ended. */
struct ending {
    int status;
    char text[4096];
};

static struct ending case_end(long call, long code)
{
    struct ending ending = {0};
    int ends[2];
    size_t n = 0;
    ssize_t got;
    if (pipe(ends))
        exit(1);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        case_run(call, code);
    }
    close(ends[1]);
    while ((got = read(ends[0], ending.text + n, sizeof ending.text - 1 - n)) > 0)
        n += (size_t)got;
    close(ends[0]);
    waitpid(child, &ending.status, 0);
    return ending;
}

int main(int argc, char **argv)
{
    int right = 0, said = 0, stopped = 0, wrong = 0;
    driver = dlopen(getenv("TREEFORK_OPENCL_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    struct ending fine = driver ? case_end(0, 0) : (struct ending){.status = 1};
    long calls = atol(fine.text);
    printf("without a failure: status %d, %s", fine.status, fine.text);
    for (int i = 1; i < argc && !fine.status; i++)
        for (long call = 1; call <= calls; call++) {
            struct ending end = case_end(call, atol(argv[i]));
            int is_stopped = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT &&
                             strstr(end.text, "the data are nowhere else");
            right += end.status == 0;
            said += end.status == 0 && strstr(end.text, "treefork: ");
            stopped += is_stopped;
            wrong += end.status && !is_stopped;
            if ((end.status && !is_stopped) || getenv("VERBOSE"))
                printf("call %ld as %s: status %d: %s\n", call, argv[i], end.status, end.text);
        }
    printf("%d right (%d said why), %d stopped, %d wrong\n", right, said, stopped, wrong);
    return wrong != 0 || fine.status != 0;
}
