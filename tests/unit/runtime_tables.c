/* Tables of generated programs: every operation at ordinary values and where a value leaves its
   type, marks that spread and marks that do not, leaves with two launches, and tables of another
   layout, which are refused with a message. */
#include "runtime/tables.h"
#include "tests/unit/runtime_test.h"
#include <inttypes.h>

/* Values 0 to 7; 8 leaves 64 bits; 9 is the operation at hand. */
enum {
    MINUS = 0,
    ZERO,
    TWO,
    SEVEN,
    BIG,
    UNLIMITED,
    ONE,
    MOST_INT,
    MARKED,
    RESULT,
    INPUTS = MARKED
};
static const treefork_int constants[INPUTS] = {[MINUS] = -3,
                                               [ZERO] = 0,
                                               [TWO] = 2,
                                               [SEVEN] = 7,
                                               [BIG] = INT64_C(1) << 40,
                                               [UNLIMITED] = TREEFORK_UNLIMITED,
                                               [ONE] = 1,
                                               [MOST_INT] = INT32_MAX};

static const struct {
    enum treefork_code code;
    int a, b, c;
    treefork_int result;
    int wrong;
} rows[] = {
    {TREEFORK_OP_ADD, SEVEN, TWO, 0, 9, 0},
    {TREEFORK_OP_ADD, UNLIMITED, ONE, 0, 0, 1},
    {TREEFORK_OP_ADD, MARKED, ONE, 0, 0, 1},
    {TREEFORK_OP_SUB, MINUS, SEVEN, 0, -10, 0},
    {TREEFORK_OP_MUL, MINUS, SEVEN, 0, -21, 0},
    {TREEFORK_OP_MUL, BIG, BIG, 0, 0, 1},
    {TREEFORK_OP_DIV, MINUS, TWO, 0, -1, 0},
    {TREEFORK_OP_DIV, SEVEN, ZERO, 0, 0, 1},
    {TREEFORK_OP_REM, MINUS, TWO, 0, -1, 0},
    {TREEFORK_OP_REM, SEVEN, ZERO, 0, 0, 1},
    {TREEFORK_OP_EQ, TWO, TWO, 0, 1, 0},
    {TREEFORK_OP_NE, TWO, TWO, 0, 0, 0},
    {TREEFORK_OP_LT, TWO, SEVEN, 0, 1, 0},
    {TREEFORK_OP_LE, SEVEN, SEVEN, 0, 1, 0},
    {TREEFORK_OP_GT, TWO, SEVEN, 0, 0, 0},
    {TREEFORK_OP_GE, SEVEN, MARKED, 0, 0, 1},
    {TREEFORK_OP_NOT, ZERO, ZERO, 0, 1, 0},
    {TREEFORK_OP_BIT_NOT, SEVEN, SEVEN, 0, -8, 0},
    {TREEFORK_OP_BIT_AND, SEVEN, TWO, 0, 2, 0},
    {TREEFORK_OP_BIT_OR, SEVEN, TWO, 0, 7, 0},
    {TREEFORK_OP_BIT_XOR, SEVEN, TWO, 0, 5, 0},
    {TREEFORK_OP_SHIFT_RIGHT, SEVEN, ONE, 0, 3, 0},
    {TREEFORK_OP_AND, ZERO, MARKED, 0, 0, 0},
    {TREEFORK_OP_AND, ONE, MARKED, 0, 0, 1},
    {TREEFORK_OP_OR, ONE, MARKED, 0, 1, 0},
    {TREEFORK_OP_OR, ZERO, MARKED, 0, 0, 1},
    {TREEFORK_OP_SELECT, ONE, SEVEN, MARKED, 7, 0},
    {TREEFORK_OP_SELECT, ZERO, MARKED, SEVEN, 7, 0},
    {TREEFORK_OP_SELECT, ONE, MARKED, SEVEN, 0, 1},
    {TREEFORK_OP_LEAST, SEVEN, TWO, 0, 2, 0},
    {TREEFORK_OP_GREATEST, SEVEN, TWO, 0, 7, 0},
    {TREEFORK_OP_BOOL, SEVEN, SEVEN, 0, 1, 0},
    {TREEFORK_OP_I8, SEVEN, SEVEN, 0, 7, 0},
    {TREEFORK_OP_I8, MOST_INT, MOST_INT, 0, 0, 1},
    {TREEFORK_OP_U8, MINUS, MINUS, 0, 253, 0},
    {TREEFORK_OP_I16, MOST_INT, MOST_INT, 0, 0, 1},
    {TREEFORK_OP_U16, MINUS, MINUS, 0, 65533, 0},
    {TREEFORK_OP_I32, MOST_INT, MOST_INT, 0, INT32_MAX, 0},
    {TREEFORK_OP_I32, BIG, BIG, 0, 0, 1},
    {TREEFORK_OP_U32, MINUS, MINUS, 0, 4294967293, 0},
    {TREEFORK_OP_U64, MINUS, MINUS, 0, 0, 1},
    {TREEFORK_OP_CEIL, SEVEN, TWO, ONE, 4, 0},
    {TREEFORK_OP_CEIL, SEVEN, TWO, TWO, 4, 0},
    {TREEFORK_OP_CEIL, SEVEN, ZERO, ONE, 0, 1},
    {TREEFORK_OP_BOUND, SEVEN, TWO, ONE, 4, 0},
    {TREEFORK_OP_BOUND, SEVEN, ZERO, ONE, TREEFORK_UNLIMITED, 0},
    {TREEFORK_OP_BOUND, MARKED, TWO, ONE, TREEFORK_UNLIMITED, 0},
    {TREEFORK_OP_WRONG, ONE, ONE, 0, 0, 1},
};

static const uint16_t no_lists[] = {0};

static void check_operations(struct test *test)
{
    bool met[TREEFORK_OPERATIONS] = {false};
    struct treefork_machine machine = {.name = ""};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct treefork_operation operations[] = {{TREEFORK_OP_MUL, BIG, BIG, 0},
                                                  {(uint16_t)rows[i].code, (uint16_t)rows[i].a,
                                                   (uint16_t)rows[i].b, (uint16_t)rows[i].c}};
        struct treefork_region region = {.layout = TREEFORK_TABLES,
                                         .name = "r",
                                         .n_constants = INPUTS,
                                         .constants = constants,
                                         .n_operations = 2,
                                         .n_shape = 2,
                                         .operations = operations,
                                         .lists = no_lists};
        struct treefork_evaluation e;
        met[rows[i].code] = true;
        if (!CHECK(test, treefork_evaluation_new(&region, &e) == TREEFORK_OK))
            continue;
        treefork_evaluation_set(&e, &machine, constants);
        treefork_evaluation_exact(&e);
        if (e.wrong[RESULT] != rows[i].wrong ||
            (!rows[i].wrong && e.value[RESULT] != rows[i].result))
            printf("row %zu: %" PRId64 ", wrong %d\n", i, e.value[RESULT], e.wrong[RESULT]);
        CHECK(test, e.wrong[RESULT] == rows[i].wrong &&
                        (rows[i].wrong || e.value[RESULT] == rows[i].result));
        treefork_evaluation_free(&e);
    }
    for (int code = 0; code < TREEFORK_OPERATIONS; code++)
        CHECK(test, met[code]);
}

/* One leaf of two launches over parameter n (value 3): n blocks of 4 threads, then 1 block of n
 * threads with 8 n bytes. */
static const treefork_int two_constants[] = {4, 1, 8};
static const struct treefork_operation two_operations[] = {{TREEFORK_OP_MUL, 2, 3, 0}};
static const uint16_t two_lists[] = {0, 1, 3, 1, 0, 1, 1, 1, 0};
static const struct treefork_condition two_conditions[] = {{"4 <= n", 0, TREEFORK_LE, 3}};
static const struct treefork_launch_row two_launches[] = {
    {0, 1, 3, TREEFORK_NONE, TREEFORK_NONE, TREEFORK_NONE, 0, 0, TREEFORK_NONE, TREEFORK_NONE,
     TREEFORK_NONE},
    {1, 5, 1, 4, TREEFORK_NONE, TREEFORK_NONE, 0, 0, TREEFORK_NONE, TREEFORK_NONE, TREEFORK_NONE}};
static const struct treefork_leaf_row two_leaves[] = {{1, 0, 7, 0, 2}};
static const struct treefork_module two_modules[] = {{"first", "", "", 0, NULL, 0},
                                                     {"second", "", "", 0, NULL, 0}};

static int select_one(const struct treefork_machine *machine, const treefork_int *values,
                      struct treefork_trace *trace)
{
    (void)machine;
    (void)trace;
    return values[0] < 0 ? -TREEFORK_ARGUMENT : 1;
}

static struct treefork_region two_region(void)
{
    return (struct treefork_region){.layout = TREEFORK_TABLES,
                                    .name = "two",
                                    .select = select_one,
                                    .n_integers = 1,
                                    .n_constants = 3,
                                    .n_operations = 1,
                                    .n_shape = 1,
                                    .n_leaves = 1,
                                    .constants = two_constants,
                                    .operations = two_operations,
                                    .lists = two_lists,
                                    .conditions = two_conditions,
                                    .launches = two_launches,
                                    .leaves = two_leaves,
                                    .modules = two_modules};
}

static void check_launches(struct test *test)
{
    struct treefork_region region = two_region();
    struct treefork_machine machine;
    struct treefork_launch plan = {0};
    struct treefork_trace trace = {0};
    struct treefork_prediction prediction = {0};
    treefork_int n = 5;
    treefork_machine_unknown(&machine);
    CHECK(test, treefork_region_plan(&region, &machine, &n, 1, 0, &plan) == TREEFORK_OK);
    CHECK(test, plan.blocks == 5 && plan.threads == 4 && plan.shared_bytes == 0 &&
                    !strcmp(plan.kernel, "first"));
    CHECK(test, treefork_region_plan(&region, &machine, &n, 1, 1, &plan) == TREEFORK_OK);
    CHECK(test, plan.blocks == 1 && plan.threads == 5 && plan.shared_bytes == 40 &&
                    !strcmp(plan.kernel, "second"));
    CHECK(test, treefork_region_plan(&region, &machine, &n, 1, 2, &plan) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_region_plan(&region, &machine, &n, 2, 0, &plan) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_region_fits(&region, &machine, &n, 1, NULL) == 1);
    CHECK(test, treefork_region_predict(&region, &machine, &n, 1, &prediction) == TREEFORK_OK &&
                    prediction.nanoseconds >= 1e300);
    n = 3;
    CHECK(test, treefork_region_fits(&region, &machine, &n, 1, &trace) == 0);
    CHECK(test,
          trace.count == 1 && !strcmp(trace.entry[0].text, "4 <= n") && trace.entry[0].right == 3);
    n = TREEFORK_UNLIMITED / 4;
    CHECK(test, treefork_region_plan(&region, &machine, &n, 1, 1, &plan) == TREEFORK_OVERFLOW);
}

/* Tables of another layout: nothing behind the name is read. */
static void check_layout(struct test *test)
{
    struct treefork_region region = {.layout = TREEFORK_TABLES + 1, .name = "later"};
    struct treefork_machine machine;
    struct treefork_launch plan = {0};
    struct treefork_prediction prediction;
    treefork_int n = 1;
    char expected[60];
    snprintf(expected, sizeof expected, "region later have layout %d", TREEFORK_TABLES + 1);
    treefork_machine_unknown(&machine);
    CHECK(test, treefork_region_plan(&region, &machine, &n, 1, 0, &plan) == TREEFORK_ARGUMENT);
    CHECK(test, strstr(treefork_message(), expected) != NULL);
    CHECK(test, treefork_region_fits(&region, &machine, &n, 1, NULL) == 0);
    CHECK(test,
          treefork_region_predict(&region, &machine, &n, 1, &prediction) == TREEFORK_ARGUMENT);
    setenv("TREEFORK_QUIET", "1", 1);
    CHECK(test, treefork_region_run(&region, NULL, NULL, 0) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_region_run(NULL, NULL, NULL, 0) == TREEFORK_ARGUMENT);
}

int main(void)
{
    struct test test = {.name = "runtime_tables"};
    check_operations(&test);
    check_launches(&test);
    check_layout(&test);
    return test_end(&test);
}
