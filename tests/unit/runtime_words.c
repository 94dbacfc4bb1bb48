/* What generated code calls besides launches: checked arithmetic against 128-bit arithmetic, forced
   leaves, traces, reports of failures. */
#include "tests/unit/runtime_test.h"

__extension__ typedef __int128 wide;

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* The exact value if it fits, else the flag and 0. */
static bool agrees(int64_t got, const int *error, wide want)
{
    bool fits = want >= INT64_MIN && want <= INT64_MAX;
    return fits ? !*error && got == (int64_t)want : *error && got == 0;
}

static bool all_agree(int64_t a, int64_t b)
{
    int add = 0, sub = 0, mul = 0, div = 0, rem = 0;
    bool good = agrees(treefork_add(a, b, &add), &add, (wide)a + b);
    good = agrees(treefork_sub(a, b, &sub), &sub, (wide)a - b) && good;
    good = agrees(treefork_mul(a, b, &mul), &mul, (wide)a * b) && good;
    int64_t quotient = treefork_div(a, b, &div), rest = treefork_rem(a, b, &rem);
    if (b == 0)
        return good && div && rem && quotient == 0 && rest == 0;
    good = agrees(quotient, &div, (wide)a / b) && good;
    return agrees(rest, &rem, (wide)a % b) && good;
}

static void arithmetic(struct test *test, uint64_t seed)
{
    check_test(&test->count);
    static const int64_t corners[] = {INT64_MIN,
                                      INT64_MIN + 1,
                                      -3037000500,
                                      -4294967296,
                                      -2,
                                      -1,
                                      0,
                                      1,
                                      2,
                                      3,
                                      3037000499,
                                      3037000500,
                                      4294967296,
                                      INT64_MAX / 2,
                                      INT64_MAX - 1,
                                      INT64_MAX};
    enum { N = sizeof corners / sizeof *corners };
    int wrong = 0, error = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            wrong += !all_agree(corners[i], corners[k]);
    CHECK(test, wrong == 0);
    for (int i = 0; i < 100000; i++) {
        int64_t a = (int64_t)random_next(&seed) >> random_next(&seed) % 64,
                b = (int64_t)random_next(&seed) >> random_next(&seed) % 64;
        wrong += !all_agree(a, b);
    }
    CHECK(test, wrong == 0);
    treefork_add(INT64_MAX, 1, &error);
    treefork_add(1, 1, &error);
    CHECK(test, error == 1);                /* once set it stays */
}

static void forced(struct test *test)
{
    check_test(&test->count);
    unsetenv("TREEFORK_FORCE");
    CHECK(test, treefork_forced("jacobi1d") == 0);
    setenv("TREEFORK_FORCE", "jacobi1d=2,transpose=11,x=,y=-3,z=4q,jacobi1d_2=7", 1);
    CHECK(test, treefork_forced("jacobi1d") == 2 && treefork_forced("transpose") == 11 &&
                    treefork_forced("jacobi1d_2") == 7);
    CHECK(test, treefork_forced("jacobi") == 0 && treefork_forced("x") == 0 &&
                    treefork_forced("y") == 0 && treefork_forced("z") == 0);
    unsetenv("TREEFORK_FORCE");
}

static void trace(struct test *test)
{
    check_test(&test->count);
    struct treefork_trace t = {
        .count = 2,
        .variant = 3,
        .entry = {{"2*s*B + 2 <= Z_B", 4098, 4096, 0, 0}, {"B <= T_B", 256, 0, 1, 1}}};
    char text[400] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    treefork_trace_print(out, &t);
    fclose(out);
    CHECK(test, strstr(text, "no   2*s*B + 2 <= Z_B   (4098 and 4096)\n"));
    CHECK(test,
          strstr(text, "yes  B <= T_B   (256 against no limit)\n") && strstr(text, "leaf 3\n"));
    t.count = TREEFORK_TRACE_MAX + 5;
    for (int i = 0; i < TREEFORK_TRACE_MAX; i++)
        t.entry[i].text = "c";
    out = fopen("/dev/null", "w");
    treefork_trace_print(out, &t);          /* does not run past its table */
    fclose(out);
    CHECK(test, strcmp(treefork_status_name(TREEFORK_LOST), "device lost") == 0);
    for (int i = 0; i <= TREEFORK_IN_PLACE; i++)
        CHECK(test, strcmp(treefork_status_name(i), "unknown status") != 0);
    CHECK(test, strcmp(treefork_status_name(-1), "unknown status") == 0 &&
                    strcmp(treefork_status_name(99), "unknown status") == 0);
}

/* Once per region and status on stderr, each time in a trace, and what to do next. */
static void failures(struct test *test)
{
    check_test(&test->count);
    char text[1000] = "";
    int saved = dup(2);
    FILE *file = tmpfile();
    fflush(stderr);
    dup2(fileno(file), 2);
    int run = treefork_failed("region", TREEFORK_LAUNCH) +
              treefork_failed("region", TREEFORK_LAUNCH) +
              treefork_failed("other", TREEFORK_LAUNCH);
    setenv("TREEFORK_TRACE", "1", 1);
    run += treefork_failed("other", TREEFORK_LAUNCH);
    unsetenv("TREEFORK_TRACE");
    setenv("TREEFORK_QUIET", "1", 1);
    run += treefork_failed("quiet", TREEFORK_LAUNCH);
    setenv("TREEFORK_ON_ERROR", "abort", 1);
    int stop = treefork_failed("region", TREEFORK_LAUNCH);
    unsetenv("TREEFORK_QUIET");
    unsetenv("TREEFORK_ON_ERROR");
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    CHECK(test, run == 5 && stop == 0);
    CHECK(test, lines == 3 && strstr(text, "treefork: region: launch refused") &&
                    strstr(text, "treefork: other:"));
    CHECK(test, !strstr(text, "quiet"));
}

int main(void)
{
    struct test test = { .name = "runtime_words" };
    printf("runtime_words: seed 88172645463325252\n");
    arithmetic(&test, 88172645463325252u);
    forced(&test);
    trace(&test);
    failures(&test);
    return test_end(&test);
}
