/* Small runs that stay in place (runtime/stays.c): which answers follow from what happened before.
   The region is a table without leaves, and the device is none of a driver's. */
#include "runtime/choice.h"
#include "runtime/repeat.h"
#include "runtime/stays.h"
#include "runtime/treefork-tables.h"
#include "tests/unit/runtime_test.h"

extern char **environ;

static struct treefork_site site;
static const struct treefork_region region = {
    .layout = TREEFORK_TABLES, .name = "r", .site = &site};

/* As a run in place that had so many points. */
static void stay_after(double points)
{
    treefork_stays(&region, points);
    treefork_stay_mark(&region);
}

static bool stays(double points)
{
    return treefork_stays(&region, points) != 0;
}

/* Only a run that was marked says anything, and of smaller ones alone. */
static void sizes(struct test *test)
{
    check_test(&test->count);
    CHECK(test, !stays(1));
    stay_after(1e6);
    CHECK(test, !stays(1));
    stay_after(20);
    CHECK(test, stays(20) && stays(19.5) && stays(0) && !stays(21) && !stays(-1));
    stay_after(4.5);
    CHECK(test, stays(20) && !stays(21));
    CHECK(test, !stays(25) && stays(5));
    treefork_stay_mark(&region);
    CHECK(test, stays(20) && !stays(21));
    stay_after(299.5);
    CHECK(test, stays(300) && !stays(301) && !stays(0.0 / 0.0));
}

/* A mark is of the region that the thread asked about. */
static void others(struct test *test)
{
    static struct treefork_site own;
    static const struct treefork_region other = {
        .layout = TREEFORK_TABLES, .name = "s", .site = &own};
    static const struct treefork_region old = {.layout = TREEFORK_TABLES - 1, .site = &site},
                                        lonely = {.layout = TREEFORK_TABLES};
    check_test(&test->count);
    treefork_stays(&region, 400);
    treefork_stay_mark(&other);
    CHECK(test, !treefork_stays(&other, 1));
    treefork_stays(&lonely, 1);
    treefork_stay_mark(&lonely);
    CHECK(test, !treefork_stays(&lonely, 1) && !treefork_stays(&old, 1));
    CHECK(test, stays(300) && !stays(301));
}

static void changes(struct test *test)
{
    check_test(&test->count);
    treefork_stays_forget();
    CHECK(test, !stays(1));
    stay_after(10);
    CHECK(test, stays(10) && !stays(11));
    treefork_tune_forget();
    CHECK(test, !stays(1));
    stay_after(10);
    treefork_make_current(NULL);
    CHECK(test, !stays(1));
    stay_after(10);
}

static void data(struct test *test)
{
    static struct treefork_device one, two;
    check_test(&test->count);
    CHECK(test, stays(10) && !treefork_is_away());
    treefork_device_leaves(&one);
    treefork_device_leaves(&one);
    treefork_device_leaves(&two);
    CHECK(test, !stays(10) && treefork_is_away());
    treefork_device_is_home(&one);
    CHECK(test, !stays(10));
    treefork_device_is_home(&two);
    treefork_device_is_home(&two);
    CHECK(test, stays(10));
}

/* Variables come and go while the program runs; a value that replaces another one counts, too. */
static void environment(struct test *test)
{
    static const char *const names[] = {"TREEFORK_TRACE", "TREEFORK_EXPLAIN", "TREEFORK_FORCE",
                                        "TREEFORK_SET", "TREEFORK_HOST", "TREEFORK_ON_ERROR"};
    static char last[] = "TREEFORK_TRACE=1", *none[] = {NULL};
    check_test(&test->count);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK(test, stays(10));
        setenv(names[i], "", 1);
        CHECK(test, !stays(10));
        setenv(names[i], "1", 1);
        CHECK(test, !stays(10));
        unsetenv(names[i]);
        CHECK(test, stays(10));
    }
    setenv("SOME_OTHER", "1", 1);
    CHECK(test, stays(10));
    unsetenv("SOME_OTHER");
    putenv(last);
    CHECK(test, !stays(10));
    unsetenv("TREEFORK_TRACE");
    CHECK(test, stays(10));
    environ = none;
    CHECK(test, stays(10));
    setenv("TREEFORK_TRACE", "1", 1);
    CHECK(test, !stays(10));
}

int main(void)
{
    struct test test = {.name = "runtime_stays"};
    static const char *const names[] = {"TREEFORK_HOST", "TREEFORK_ON_ERROR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    sizes(&test);
    others(&test);
    changes(&test);
    data(&test);
    environment(&test);
    return test_end(&test);
}
