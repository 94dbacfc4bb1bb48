#ifndef RUNTIME_TEST_H
#define RUNTIME_TEST_H
/* What the runtime's unit tests share: counting checks, a private PoCL cache, running one case in a
   child process under an environment of its own (limits of PoCL are read once per process). */
#include "runtime/treefork.h"
#include "tests/unit/check.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct test {
    const char *name;
    struct check count;
};

#define CHECK(test, condition) test_check((test), (condition), #condition, __FILE__, __LINE__)

static inline bool test_check(struct test *test, bool holds, const char *what, const char *file,
                              int line)
{
    if (holds) {
        test->count.passed++;
        return true;
    }
    test->count.failed++;
    fprintf(stderr, "%s:%d: failed: %s   (message: %s)\n", file, line, what, treefork_message());
    return false;
}

static inline int test_end(struct test *test)
{
    return check_end(&test->count, test->name);
}

/* A folder for PoCL's cache of this test alone, below TMPDIR; kept for the run, removed by
   test_cache_end. The library's own cache is off: most tests compile anew on purpose, and storing
   what they compile costs as much again. */
static inline bool test_cache(char *folder, size_t size)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, size, "%s/treefork-test-XXXXXX", base ? base : P_tmpdir);
    return mkdtemp(folder) && setenv("POCL_CACHE_DIR", folder, 1) == 0 &&
           setenv("TREEFORK_CACHE_DIR", "none", 1) == 0;
}

static inline void test_cache_end(const char *folder)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", folder);
}

/* Runs this program again with `argument` and "NAME=value" (NULL for none) set; its exit status, -1
   if it died. */
static inline int test_child(const char *self, const char *argument, const char *name,
                             const char *value)
{
    fflush(NULL);
    pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        if (name)
            setenv(name, value, 1);
        execl(self, self, argument, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
