#ifndef TESTS_UNIT_CHECK_H
#define TESTS_UNIT_CHECK_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counting. A check is one comparison; a test is what the suite counts: a row of a table, a file,
   or a property with all its random rounds. check_test begins a test, which lasts until the next
   begins or the program ends; a program that begins none is one test. */
struct check {
    int passed, failed, skipped;                    /* checks; skipped: what cannot be checked
                                                       here */
    int tests_passed, tests_failed, tests_skipped;  /* tests that ended */
    int old_passed, old_failed, old_skipped;        /* checks when the test at hand began */
};

/* The test at hand ends: it failed if a check failed and passed if one passed; it was skipped if
   all its checks were. One without any check does not count. */
static inline void check_test_end(struct check *check)
{
    if (check->failed > check->old_failed)
        check->tests_failed++;
    else if (check->passed > check->old_passed)
        check->tests_passed++;
    else if (check->skipped > check->old_skipped)
        check->tests_skipped++;
    check->old_passed = check->passed;
    check->old_failed = check->failed;
    check->old_skipped = check->skipped;
}

/* A test begins. */
static inline void check_test(struct check *check)
{
    check_test_end(check);
}

/* How much of something a test takes: `small` in `make check`, `full` in `make check-all`
   (TEST_SCALE=full). */
static inline int test_scale(int small, int full)
{
    const char *text = getenv("TEST_SCALE");
    return text && strcmp(text, "full") == 0 ? full : small;
}

__attribute__((format(printf, 3, 4)))
static inline bool check_that(struct check *check, bool ok, const char *format, ...)
{
    va_list arguments;
    check->passed += ok;
    check->failed += !ok;
    if (ok)
        return true;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    return false;
}

/* The closing line, which tests/run reads. */
static inline int check_end(struct check *check, const char *name)
{
    check_test_end(check);
    printf("%s: %d passed, %d failed", name, check->tests_passed, check->tests_failed);
    if (check->tests_skipped)
        printf(", %d skipped", check->tests_skipped);
    printf("; %d checks", check->passed + check->failed);
    if (check->skipped)
        printf(", %d left out", check->skipped);
    printf("\n");
    return check->failed != 0;
}

#endif
