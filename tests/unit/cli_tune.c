/* The parts of `treefork tune` that need no device: conditions of T1 documents against their
   values, and the interval of the median against the binomial distribution, by counting all heads
   and tails. */
#include "cli/tune.h"
#include "cli/tune_space.h"
#include "tests/unit/check.h"
#include <math.h>
#include <string.h>

static bool lookup(void *state, const char *name, double *value)
{
    static const struct {
        const char *name;
        double value;
    } known[] = {{"s", 4}, {"B0", 64}, {"ub1", 32}, {"notes", 7}, {"n", -3}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *value = known[i].value;
            return true;
        }
    return false;
}

static const struct { const char *text; double value;
} values[] = {
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"7 / 2", 3.5},
    {"7 // 2", 3},
    {"-7 // 2", -4},
    {"-7 % 3", 2},
    {"7 % -3", -2},
    {"2 ** 3 ** 2", 512},
    {"-2 ** 2", -4},
    {"2 ** -1", 0.5},
    {"10 - 4 - 3", 3},
    {"B0 * s <= 256", 1},
    {"B0*s<256", 0},
    {"1 < s <= 4 < B0", 1},
    {"1 < s < 4", 0},
    {"s == 4 and B0 != 64 or ub1 >= 32", 1},
    {"not s == 4", 0},
    {"!(s == 5)", 1},
    {"s != 4", 0},
    {"s > 1 && B0 > 100 || n < 0", 1},
    {"not notes", 0},
    {"notes", 7},
    {"True and not False", 1},
    {" ( ( s ) ) ", 4},
    {"+s - -s", 8},
    {"1e2", 100},
    {"not 1 > 2 and 3 > 2", 1},
    {"B0 % 32 == 0", 1},
};

static const struct { const char *text; int at; enum expression_end end;
} faults[] = {
    {"", 0, EXPRESSION_SYNTAX},         {"s <", 3, EXPRESSION_SYNTAX},
    {"(s", 2, EXPRESSION_SYNTAX},       {"s)", 1, EXPRESSION_SYNTAX},
    {"s == 4 &", 7, EXPRESSION_SYNTAX}, {"s B0", 2, EXPRESSION_SYNTAX},
    {"B1 < 3", 0, EXPRESSION_NAME},     {"s + B1", 4, EXPRESSION_NAME},
    {"s = 4", 2, EXPRESSION_SYNTAX},    {"\"s\"", 0, EXPRESSION_SYNTAX},
    {"f(s)", 0, EXPRESSION_NAME},
};

static void expressions(struct check *check)
{
    char deep[4096];
    check_test(check);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct expression_result r = expression_evaluate(values[i].text, lookup, NULL);
        check_that(check, r.end == EXPRESSION_DONE && r.value == values[i].value, values[i].text);
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct expression_result r = expression_evaluate(faults[i].text, lookup, NULL);
        check_that(check, r.end == faults[i].end && r.at == faults[i].text + faults[i].at,
                   faults[i].text);
    }
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    check_that(check, expression_evaluate(deep, lookup, NULL).end == EXPRESSION_SYNTAX,
               "deep parentheses");
    check_that(check, isnan(expression_evaluate("0 / 0", lookup, NULL).value), "0 / 0");
}

/* The share of all 2^n falls of n coins in which the median is within the samples `margin` from
   either end. */
static double covered(int n, int margin)
{
    int within = 0;
    for (unsigned fall = 0; fall < 1u << n; fall++) {
        int heads = __builtin_popcount(fall);
        within += heads > margin && heads < n - margin;
    }
    return (double)within / (double)(1u << n);
}

/* Samples 1, …, n in any order: the interval has 95 % and the next narrower one has not. */
static void intervals(struct check *check, struct ctx *ctx)
{
    check_test(check);
    for (int n = 1; n <= 20; n++) {
        double samples[20];
        for (int i = 0; i < n; i++)
            samples[i] = i * 7 % n + 1;
        if (n % 7 == 0)
            for (int i = 0; i < n; i++)
                samples[i] = n - i;
        struct trial trial = {.n_samples = (size_t)n, .samples = samples};
        trial_evaluate(ctx, &trial);
        int margin = (int)trial.low - 1;
        check_that(check, trial.median == (n + 1) / 2.0 && trial.high == n - margin,
                   "median in the middle");
        check_that(check, n < 6 ? margin == 0 : covered(n, margin) >= 0.95, "95 percent");
        check_that(check, covered(n, margin + 1) < 0.95, "no narrower");
    }
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = ctx_new();
    expressions(&check);
    intervals(&check, ctx);
    ctx_free(ctx);
    return check_end(&check, "cli_tune");
}
