/* Conjunctions in SMT-LIB files, read by recursive descent over tokens; terms + - * and constants,
   relations = < <= > >=. In: a folder. Out: systems over one ring, sorted by file name. */
#include "tests/bench/problem.h"
#include "base/vec.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct reader {
    struct ring *ring;
    const char *at;
    bool good;
};

static void blanks(struct reader *r)
{
    while (isspace((unsigned char)*r->at) || *r->at == ';')
        if (*r->at++ == ';')
            r->at += strcspn(r->at, "\n");
}

/* A parenthesis or an atom, cut off at 63 characters; "" at the end. */
static void token(struct reader *r, char word[64])
{
    size_t length = 0, n;
    blanks(r);
    if (*r->at == '(' || *r->at == ')')
        length = 1;
    else
        length = strcspn(r->at, "() \t\r\n;");
    n = length < 63 ? length : 63;
    memcpy(word, r->at, n);
    word[n] = '\0';
    r->at += length;
}

static bool closing(struct reader *r)
{
    blanks(r);
    return *r->at == ')' || !*r->at;
}

static const struct poly *term(struct reader *r)
{
    char word[64], close[64];
    const char *error;
    token(r, word);
    if (strcmp(word, "("))
        return poly_read(r->ring, word, &error);
    token(r, word);
    const struct poly *result = term(r);
    if (!strcmp(word, "-") && closing(r))
        result = poly_neg(result);
    while (result && !closing(r)) {
        const struct poly *next = term(r);
        if (!strcmp(word, "+"))
            result = poly_add(result, next);
        else if (!strcmp(word, "-"))
            result = poly_sub(result, next);
        else if (!strcmp(word, "*"))
            result = poly_mul(result, next);
        else
            result = NULL;
    }
    token(r, close);
    return result;
}

/* After "(assert": one relation and the two closing parentheses. */
static struct constraint relation(struct reader *r)
{
    static const struct {
        const char *text;
        enum relation relation;
    } table[] = {{"=", RELATION_EQ},
                 {"<", RELATION_LT},
                 {"<=", RELATION_LE},
                 {">", RELATION_GT},
                 {">=", RELATION_GE}};
    char word[64];
    struct constraint c = {NULL, RELATION_EQ};
    token(r, word);
    token(r, word);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(word, table[i].text)) {
            const struct poly *left = term(r), *right = term(r);
            if (left && right)
                c = constraint_make(left, table[i].relation, right);
        }
    token(r, word);
    r->good = r->good && c.poly && !strcmp(word, ")");
    token(r, word);
    return c;
}

static bool problem_read(struct ctx *ctx, struct ring *ring, struct problem *problem)
{
    VEC(struct constraint) constraints = {0};
    struct reader r = {ring, problem->text, true};
    char word[64];
    for (token(&r, word); *word && r.good; token(&r, word)) {
        if (!strcmp(word, "assert")) {
            struct constraint c = relation(&r);
            if (r.good)
                vec_push(ctx->arena, &constraints, c);
        } else if (!strcmp(word, "declare-fun")) {
            token(&r, word);
            ring_variable(ring, word);
        }
    }
    problem->sas = (struct sas){ring, constraints.at, constraints.count};
    return r.good && constraints.count;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct problem *)a)->name, ((const struct problem *)b)->name);
}

struct problem *problems_read(struct ctx *ctx, struct ring *ring, const char *folder, size_t *count,
                              size_t *skipped)
{
    VEC(struct problem) problems = {0};
    DIR *directory = opendir(folder);
    *count = *skipped = 0;
    if (!directory) {
        diag_error(ctx, loc_none(), "%s cannot be opened", folder);
        return NULL;
    }
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".smt2"))
            continue;
        struct problem problem = {arena_strndup(ctx->arena, entry->d_name, length - 5), NULL, {0}};
        problem.text =
            file_read(ctx, arena_printf(ctx->arena, "%s/%s", folder, entry->d_name), &length);
        if (problem.text && problem_read(ctx, ring, &problem))
            vec_push(ctx->arena, &problems, problem);
        else
            ++*skipped;
    }
    closedir(directory);
    if (problems.count)
        qsort(problems.at, problems.count, sizeof *problems.at, by_name);
    *count = problems.count;
    return problems.at;
}

double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, size_t count, double q)
{
    size_t i = (size_t)(q * (double)count);
    qsort(values, count, sizeof *values, by_value);
    return values[i < count ? i : count - 1];
}

double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}
