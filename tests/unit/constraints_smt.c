/* The SMT-LIB front: a table of scripts and responses, and random terms two ways: worth the same to
   get-value, to the solver and to an evaluation written here with small fractions. Arguments: seed,
   number of terms. Terms that divide by zero are compared between get-value and the solver only. */
#include "constraints/smt/smt.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

struct row {
    const char *name, *script, *response;
};

static const struct row rows[] = {
#define X(name, script, response) {name, script, response},
#include "tests/unit/constraints_smt.def"
#undef X
};

static void response_add(void *self, const char *text, size_t length)
{
    str_add_n(self, text, length);
}

static const char *run(struct arena *arena, const char *script)
{
    struct str *text = ARENA_NEW(arena, struct str);
    *text = str_new(arena);
    const struct smt_host host = {.self = text, .write = response_add};
    smt_run_text(smt_new(arena, &host, NULL), script, strlen(script));
    return text->text;
}

static void table(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *response = run(arena, rows[i].script);
        check_that(check, strcmp(response, rows[i].response) == 0, "%s:\n%s-- expected:\n%s",
                   rows[i].name, response, rows[i].response);
        arena_free(arena);
    }
}

/* --- random terms ---------------------------------------------------------------------------- */

enum { LIMIT = 100000, VARIABLES = 2 };

/* numerator / denominator; not known after a division by zero or beyond LIMIT. */
struct number {
    long long numerator, denominator;
    bool known;
};

struct maker {
    uint64_t state;
    struct str text;
    struct number reals[VARIABLES], integers[VARIABLES];
};

static int below(struct maker *m, int n)
{
    m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((m->state >> 33) % (unsigned)n);
}

static struct number number(long long numerator, long long denominator, bool known)
{
    long long a = llabs(numerator), b = llabs(denominator);
    if (!known || !denominator)
        return (struct number){0, 1, false};
    while (b) {
        long long rest = a % b;
        a = b;
        b = rest;
    }
    a = a ? a : 1;
    a = denominator < 0 ? -a : a;
    numerator /= a;
    denominator /= a;
    return (struct number){numerator, denominator, llabs(numerator) < LIMIT && denominator < LIMIT};
}

static long long floor_of(long long numerator, long long denominator)
{
    return numerator / denominator - (numerator % denominator < 0);
}

static int compare(struct number a, struct number b)
{
    long long left = a.numerator * b.denominator, right = b.numerator * a.denominator;
    return (left > right) - (left < right);
}

static struct number real_term(struct maker *m, int depth);

static bool truth_term(struct maker *m, int depth, bool *known)
{
    static const char *const names[] = {"<", "<=", "=", "distinct", ">", ">="};
    int kind = below(m, 6);
    str_addf(&m->text, "(%s ", names[kind]);
    struct number a = real_term(m, depth - 1);
    str_char(&m->text, ' ');
    struct number b = real_term(m, depth - 1);
    str_char(&m->text, ')');
    int order = compare(a, b);
    *known = a.known && b.known;
    const bool truths[] = {order < 0, order <= 0, order == 0, order != 0, order > 0, order >= 0};
    return truths[kind];
}

/* Integers: div, mod, to_int. */
static struct number integer_term(struct maker *m, int depth)
{
    int kind = depth ? below(m, 6) : below(m, 2);
    if (kind == 0) {
        int value = below(m, 7);
        str_addf(&m->text, "%d", value);
        return number(value, 1, true);
    }
    if (kind == 1) {
        int v = below(m, VARIABLES);
        str_addf(&m->text, "i%d", v);
        return m->integers[v];
    }
    if (kind == 2) {
        str_add(&m->text, "(to_int ");
        struct number a = real_term(m, depth - 1);
        str_char(&m->text, ')');
        return number(floor_of(a.numerator, a.denominator), 1, a.known);
    }
    static const char *const names[] = {"-", "div", "mod"};
    str_addf(&m->text, "(%s ", names[kind - 3]);
    struct number a = integer_term(m, depth - 1);
    str_char(&m->text, ' ');
    struct number b = integer_term(m, depth - 1);
    str_char(&m->text, ')');
    if (kind == 3)
        return number(a.numerator - b.numerator, 1, a.known && b.known);
    if (!b.numerator || !a.known || !b.known)
        return number(0, 0, false);
    long long rest = a.numerator % b.numerator;
    rest += rest < 0 ? llabs(b.numerator) : 0;
    return number(kind == 5 ? rest : (a.numerator - rest) / b.numerator, 1, true);
}

static struct number binary_term(struct maker *m, int depth)
{
    int kind = below(m, 4);
    str_addf(&m->text, "(%c ", "+-*/"[kind]);
    struct number a = real_term(m, depth - 1);
    str_char(&m->text, ' ');
    struct number b = real_term(m, depth - 1);
    str_char(&m->text, ')');
    bool known = a.known && b.known;
    if (kind == 2)
        return number(a.numerator * b.numerator, a.denominator * b.denominator, known);
    if (kind == 3)
        return number(a.numerator * b.denominator, a.denominator * b.numerator,
                      known && b.numerator);
    long long other = b.numerator * a.denominator;
    return number(a.numerator * b.denominator + (kind ? -other : other),
                  a.denominator * b.denominator, known);
}

static struct number real_term(struct maker *m, int depth)
{
    int kind = depth ? below(m, 6) : below(m, 2);
    if (kind == 0) {
        int value = below(m, 9);
        str_addf(&m->text, "%d.%d", value / 2, value % 2 * 5);
        return number(value, 2, true);
    }
    if (kind == 1) {
        int v = below(m, VARIABLES);
        str_addf(&m->text, "x%d", v);
        return m->reals[v];
    }
    if (kind == 2)
        return integer_term(m, depth - 1);
    if (kind != 3)
        return binary_term(m, depth);
    bool known;
    str_add(&m->text, "(ite ");
    bool truth = truth_term(m, depth, &known);
    str_char(&m->text, ' ');
    struct number a = real_term(m, depth - 1);
    str_char(&m->text, ' ');
    struct number b = real_term(m, depth - 1);
    str_char(&m->text, ')');
    struct number value = truth ? a : b;
    value.known = known && value.known;
    return value;
}

static void number_print(struct str *out, struct number n)
{
    str_addf(out, n.numerator < 0 ? "(- (/ %lld.0 %lld.0))" : "(/ %lld.0 %lld.0)",
             llabs(n.numerator), n.denominator);
}

/* Constants with given values, and r = the term. */
static struct number script_make(struct maker *m, struct str *script)
{
    str_add(script, "(declare-const r Real)");
    for (int v = 0; v < VARIABLES; v++) {
        m->reals[v] = number(below(m, 13) - 6, 1 + below(m, 3), true);
        m->integers[v] = number(below(m, 13) - 6, 1, true);
        str_addf(script, "(declare-const x%d Real)(declare-const i%d Int)(assert (= x%d ", v, v, v);
        number_print(script, m->reals[v]);
        str_addf(script, "))(assert (= i%d ", v);
        number_print(script, m->integers[v]);
        str_add(script, "))");
    }
    struct number value = real_term(m, 3);
    str_addf(script, "(assert (= r %s))(check-sat)(get-value ((= r %s)))", m->text.text,
             m->text.text);
    if (value.known) {
        str_add(script, "(get-value ((= r ");
        number_print(script, value);
        str_add(script, ")))(assert (distinct r ");
        number_print(script, value);
        str_add(script, "))(check-sat)");
    }
    return value;
}

/* The response has "sat", "true" for each get-value, "unsat" at the end if the value is known. */
static bool response_right(const char *response, bool known)
{
    size_t length = strlen(response), truths = 0;
    for (const char *at = response; (at = strstr(at, " true))\n")); at++)
        truths++;
    bool ends = length >= 6 && strcmp(response + length - 6, "unsat\n") == 0;
    return strncmp(response, "sat\n", 4) == 0 && truths == 1u + known && ends == known;
}

static void random_terms(struct check *check, uint64_t seed, int rounds)
{
    check_test(check);
    int known = 0;
    for (int i = 0; i < rounds; i++) {
        struct arena *arena = arena_new();
        struct maker m = {.state = seed + (uint64_t)i * 7919, .text = str_new(arena)};
        struct str script = str_new(arena);
        struct number value = script_make(&m, &script);
        const char *response = run(arena, script.text);
        known += value.known;
        check_that(check, response_right(response, value.known), "%s\n%s", script.text, response);
        arena_free(arena);
    }
    check_that(check, known > rounds / 3, "only %d of %d values are known", known, rounds);
}

/* More truth values than variables: each keeps its own. */
static void many_truths(struct check *check)
{
    check_test(check);
    enum { COUNT = 90 };
    struct arena *arena = arena_new();
    struct str script = str_new(arena), expected = str_new(arena);
    for (int i = 0; i < COUNT; i++)
        str_addf(&script, "(declare-const b%d Bool)(assert (= b%d %s))", i, i,
                 i % 3 ? "true" : "false");
    str_add(&script,
            "(declare-const x Real)(assert (=> (or b0 b89) (= x 7)))(check-sat)(get-value (x");
    str_add(&expected, "sat\n((x 7.0)");
    for (int i = 0; i < COUNT; i++) {
        str_addf(&script, " b%d", i);
        str_addf(&expected, "\n (b%d %s)", i, i % 3 ? "true" : "false");
    }
    str_add(&script, "))(assert (or b30 b60 (not b61)))(check-sat)");
    str_add(&expected, ")\nunsat\n");
    const char *response = run(arena, script.text);
    check_that(check, strcmp(response, expected.text) == 0, "many truth values:\n%s", response);
    arena_free(arena);
}

/* Variables of levels that are gone are used again, whatever the symbols were called. */
static void many_levels(struct check *check)
{
    check_test(check);
    enum { ROUNDS = 200 };
    struct arena *arena = arena_new();
    struct str script = str_new(arena), expected = str_new(arena);
    str_add(&script, "(declare-const i Int)(assert (< 5 i 9))");
    for (int k = 0; k < ROUNDS; k++) {
        int name = k < ROUNDS / 2 ? 0 : k;
        str_addf(
            &script,
            "(push 1)(declare-const v%d Real)(assert (= v%d (div i %d) (/ i 0)))(check-sat)(pop 1)",
            name, name, k + 2);
        str_add(&expected, "sat\n");
    }
    const char *response = run(arena, script.text);
    check_that(check, strcmp(response, expected.text) == 0, "many levels:\n%s", response);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 500;
    printf("seed %llu\n", (unsigned long long)seed);
    table(&check);
    many_truths(&check);
    many_levels(&check);
    random_terms(&check, seed, rounds);
    solver_thread_end();
    return check_end(&check, "constraints_smt");
}
