/* What is kept of a record when memory runs out at any of its allocations: the record is passed
   over, and nothing is lost. */
#include "runtime/tuned.h"
#include "tests/unit/runtime_test.h"
#include <stdlib.h>

static int allowed, live;

static void *malloc_counted(size_t size)
{
    void *memory = allowed-- > 0 ? malloc(size) : NULL;
    live += memory != NULL;
    return memory;
}

static void *realloc_counted(void *memory, size_t size)
{
    void *more = allowed-- > 0 ? realloc(memory, size) : NULL;
    live += more && !memory;
    return more;
}

static void *calloc_counted(size_t n, size_t size)
{
    void *memory = allowed-- > 0 ? calloc(n, size) : NULL;
    live += memory != NULL;
    return memory;
}

static void free_counted(void *memory)
{
    live -= memory != NULL;
    free(memory);
}

#define malloc malloc_counted
#define realloc realloc_counted
#define calloc calloc_counted
#define free free_counted
#include "runtime/tuned_choice.c"
#undef malloc
#undef realloc
#undef calloc
#undef free

enum { ALLOCATIONS = 3 };                /* of the first record: the list and two texts */

static const struct treefork_region region = {.name = "f"};
static struct treefork_device device = {.kind = "opencl", .name = "a device"};

static void record_taken(struct test *test, const struct treefork_text *line, int n)
{
    allowed = 1;
    struct known_region *known = calloc_counted(1, sizeof *known);
    check_test(&test->count);
    if (!CHECK(test, known))
        return;
    known->region = &region;
    known->device = &device;
    known->is_identified = true;
    snprintf(known->identity.source, sizeof known->identity.source, "0123");
    snprintf(known->identity.architecture, sizeof known->identity.architecture, "opencl:a");
    allowed = n;
    CHECK(test, record_take(known, line->text, line->length));
    CHECK(test, known->n == (n == ALLOCATIONS));
    known_regions = known;
    treefork_tuned_forget(NULL);
    CHECK(test, live == 0);
}

/* --- many records -------------------------------------------------------------------------- */

static struct known_region *region_new(void)
{
    struct known_region *known = calloc_counted(1, sizeof *known);
    known->region = &region;
    known->device = &device;
    known->is_identified = true;
    snprintf(known->identity.source, sizeof known->identity.source, "0123");
    snprintf(known->identity.driver, sizeof known->identity.driver, "d");
    return known;
}

static bool size_is_known(const struct known_region *known, int size, double nanoseconds)
{
    for (size_t i = 0; i < known->n; i++)
        if (known->records[i].sizes[0] == size && known->records[i].nanoseconds == nanoseconds)
            return true;
    return false;
}

static void size_take(struct test *test, struct known_region *known, struct treefork_record record,
                      int size, int nanoseconds)
{
    snprintf(record.sizes, sizeof record.sizes, "%d", size);
    record.low = record.nanoseconds = record.high = nanoseconds;
    struct treefork_text line = treefork_record_line(&record);
    if (CHECK(test, line.text))
        CHECK(test, record_take(known, line.text, line.length));
    free(line.text);
}

/* The newest record of a choice at a place counts; of more places than there is room for the
   newest. */
static void many_taken(struct test *test, const struct treefork_record *record)
{
    allowed = 1000000;
    struct known_region *known = region_new();
    check_test(&test->count);
    size_take(test, known, *record, 7, 50);
    size_take(test, known, *record, 7, 60);
    CHECK(test, known->n == 1 && size_is_known(known, 7, 60));
    check_test(&test->count);
    for (int size = 1000; size < 1000 + RECORDS_MAX + 5; size++)
        size_take(test, known, *record, size, 50);
    CHECK(test, known->n == RECORDS_MAX);
    CHECK(test, !size_is_known(known, 7, 60) && !size_is_known(known, 1004, 50));
    CHECK(test, size_is_known(known, 1005, 50));
    CHECK(test, size_is_known(known, 1000 + RECORDS_MAX + 4, 50));
    known_regions = known;
    treefork_tuned_forget(NULL);
    CHECK(test, live == 0);
}

int main(void)
{
    static const struct treefork_record record = {.region = "f",
                                                  .source = "0123",
                                                  .kind = "opencl",
                                                  .device = "a device",
                                                  .architecture = "opencl:a",
                                                  .driver = "d",
                                                  .names = "B",
                                                  .fixed = "t=3",
                                                  .choice = "B=64",
                                                  .sizes = "32",
                                                  .leaf = 1,
                                                  .nanoseconds = 50,
                                                  .low = 49,
                                                  .high = 51,
                                                  .predicted = 3};
    struct test test = {.name = "runtime_tuned"};
    struct treefork_text line = treefork_record_line(&record);
    for (int n = 0; CHECK(&test, line.text) && n <= ALLOCATIONS; n++)
        record_taken(&test, &line, n);
    free(line.text);
    many_taken(&test, &record);
    return test_end(&test);
}
