#ifndef TESTS_UNIT_CHECK_H
#define TESTS_UNIT_CHECK_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Counting of checks; the closing line is what tests/run reads. */
struct check {
    int passed, failed, skipped;
};

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

static inline int check_end(const struct check *check, const char *name)
{
    printf("%s: %d passed, %d failed", name, check->passed, check->failed);
    if (check->skipped)
        printf(", %d skipped", check->skipped);
    printf("\n");
    return check->failed != 0;
}

#endif
