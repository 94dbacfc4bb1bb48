/* Systems of kernel trees in SMT-LIB files: every file must be decided, and as it says itself where
   it does. The folder comes from the first argument or from TREEFORK_SMT (a folder that holds
   kernel/); without it the test is skipped. Read here: declare-fun, assert of conjunctions of
   polynomial relations, push, pop, reset, check-sat, set- info :status. Integer variables are taken
   as real ones, which may make a system solvable, never the reverse; where a file with integers is
   declared unsolvable, a solution is therefore no failure. Every answer's certificate must be
   verified by the independent checker. Times are CPU time in process, of a solver that knows
   nothing yet. TREEFORK_SMT_ANSWERS prints each answer with its time. */
#include "base/vec.h"
#include "constraints/check/check.h"
#include "base/ctx.h"
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct file {
    struct ctx *ctx;
    struct ring *ring;
    struct solver *solver;
    const char *at;
    enum verdict status;   /* declared for the next check; SAS_UNKNOWN if not */
    bool integers;
    VEC(const struct formula *) asserted;
    VEC(size_t) levels;
    unsigned checks, empty, nonempty, wrong, unread, verified, products;
    double seconds, slowest;
};

static void blank_skip(struct file *f)
{
    while (isspace((unsigned char)*f->at) || *f->at == ';')
        if (*f->at++ == ';')
            while (*f->at && *f->at != '\n')
                f->at++;
}

/* An atom into `word`, or an opening or closing parenthesis. */
static void word_read(struct file *f, char word[64])
{
    size_t n = 0;
    blank_skip(f);
    if (*f->at == '(' || *f->at == ')') {
        word[n++] = *f->at++;
    } else {
        while (*f->at && !isspace((unsigned char)*f->at) && *f->at != '(' && *f->at != ')') {
            if (n < 63)
                word[n++] = *f->at;
            f->at++;
        }
    }
    word[n] = '\0';
}

static bool closing(struct file *f)
{
    blank_skip(f);
    return *f->at == ')' || !*f->at;
}

static const struct poly *term_read(struct file *f)
{
    char word[64];
    const char *error;
    word_read(f, word);
    if (strcmp(word, "("))
        return poly_read(f->ring, word, &error);
    word_read(f, word);
    const struct poly *sum = term_read(f);
    if (sum && !strcmp(word, "-") && closing(f))
        sum = poly_neg(sum);
    while (sum && !closing(f)) {
        const struct poly *next = term_read(f);
        switch (word[0]) {
        case '+': sum = poly_add(sum, next); break;
        case '-': sum = poly_sub(sum, next); break;
        case '*': sum = poly_mul(sum, next); break;
        case '/': sum = next && poly_is_constant(next) ? poly_divide_exact(sum, next) : NULL; break;
        default: sum = NULL;
        }
    }
    word_read(f, word);
    return sum;
}

/* A relation or a conjunction of them; false if it is anything else. */
static bool assertion_read(struct file *f)
{
    static const struct {
        const char *text;
        enum relation relation;
    } relations[] = {{"=", RELATION_EQ},
                     {"<", RELATION_LT},
                     {"<=", RELATION_LE},
                     {">", RELATION_GT},
                     {">=", RELATION_GE}};
    char word[64], end[64];
    word_read(f, word);
    word_read(f, word);
    if (!strcmp(word, "and")) {
        bool good = true;
        while (good && !closing(f))
            good = assertion_read(f);
        word_read(f, end);
        return good;
    }
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        if (strcmp(word, relations[i].text))
            continue;
        const struct poly *left = term_read(f), *right = term_read(f);
        word_read(f, end);
        if (!left || !right)
            return false;
        struct constraint c = constraint_make(left, relations[i].relation, right);
        solver_assert(f->solver, c);
        vec_push(f->ctx->arena, &f->asserted, formula_atom(f->ctx->arena, c));
        return true;
    }
    return false;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The time that a new solver needs for the present assertions: the best of five. */
static double time_alone(struct file *f)
{
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        struct arena *scratch = arena_new();
        double start = seconds_now();
        struct solver *solver = solver_new(scratch, f->ring, NULL);
        for (size_t k = 0; k < f->asserted.count; k++)
            solver_assert_formula(solver, f->asserted.at[k]);
        solver_check(solver);
        double used = seconds_now() - start;
        best = used < best ? used : best;
        arena_free(scratch);
    }
    return best;
}

/* Does the independent checker verify the answer? */
static bool answer_verified(struct file *f, const char *name)
{
    struct arena *scratch = arena_new();
    const char *certificate = solver_certificate(f->solver), *why = "no certificate was found";
    struct check_question question = {
        .ring = f->ring, .assertions = f->asserted.at, .count = f->asserted.count};
    bool verified =
        certificate && check_certificate(scratch, &question, certificate, &why) == CHECK_VERIFIED;
    if (!verified)
        printf("FAILED: %s: %s\n", name, why);
    f->products += verified && strstr(certificate, "(product") != NULL;
    arena_free(scratch);
    return verified;
}

static void check_run(struct file *f, const char *name)
{
    double best = time_alone(f);
    enum verdict verdict = solver_check(f->solver);
    f->seconds += best;
    f->slowest = best > f->slowest ? best : f->slowest;
    f->checks++;
    f->empty += verdict == SAS_EMPTY;
    f->nonempty += verdict == SAS_NONEMPTY;
    f->verified += verdict != SAS_UNKNOWN && answer_verified(f, name);
    bool contrary =
        !f->unread && ((f->status == SAS_NONEMPTY && verdict == SAS_EMPTY) ||
                       (f->status == SAS_EMPTY && verdict == SAS_NONEMPTY && !f->integers));
    f->wrong += contrary;
    if (contrary || verdict == SAS_UNKNOWN)
        printf("FAILED: %s: %s\n", name,
               contrary ? "the answer contradicts the file" : solver_reason(f->solver));
    if (getenv("TREEFORK_SMT_ANSWERS"))
        printf("%s %s %.0f us\n", name,
               verdict == SAS_EMPTY      ? "unsat"
               : verdict == SAS_NONEMPTY ? "sat"
                                         : "unknown",
               best * 1e6);
    f->status = SAS_UNKNOWN;
}

static void solver_restart(struct file *f)
{
    f->ring = ring_new(f->ctx->arena);
    f->solver = solver_new(f->ctx->arena, f->ring, NULL);
    f->asserted.count = f->levels.count = 0;
}

static void push(struct file *f)
{
    solver_push(f->solver);
    vec_push(f->ctx->arena, &f->levels, f->asserted.count);
}

static void pop(struct file *f)
{
    solver_pop(f->solver);
    if (f->levels.count)
        f->asserted.count = vec_pop(&f->levels);
}

static void rest_skip(struct file *f)
{
    char word[64];
    for (int depth = 1; depth && *f->at;) {
        word_read(f, word);
        depth += !strcmp(word, "(") ? 1 : !strcmp(word, ")") ? -1 : 0;
    }
}

/* One command after its opening parenthesis. */
static void command_run(struct file *f, const char *name)
{
    char word[64];
    word_read(f, word);
    if (!strcmp(word, "assert"))
        f->unread += !assertion_read(f);
    else if (!strcmp(word, "check-sat"))
        check_run(f, name);
    else if (!strcmp(word, "push"))
        push(f);
    else if (!strcmp(word, "pop"))
        pop(f);
    else if (!strcmp(word, "reset"))
        solver_restart(f);
    else if (!strcmp(word, "set-info")) {
        word_read(f, word);
        if (!strcmp(word, ":status")) {
            word_read(f, word);
            f->status = !strcmp(word, "sat")     ? SAS_NONEMPTY
                        : !strcmp(word, "unsat") ? SAS_EMPTY
                                                 : SAS_UNKNOWN;
        }
    } else if (!strcmp(word, "declare-fun")) {
        const char *end = strchr(f->at, '\n');
        f->integers |= end && end - f->at > 4 && !strncmp(end - 4, "Int)", 4);
    }
    rest_skip(f);
}

static void file_run(const char *path, struct file *total)
{
    struct file f = {.ctx = ctx_new(), .status = SAS_UNKNOWN};
    size_t length;
    f.at = file_read(f.ctx, path, &length);
    solver_restart(&f);
    char word[64];
    const char *name = strrchr(path, '/');
    while (f.at && *f.at) {
        word_read(&f, word);
        if (!strcmp(word, "("))
            command_run(&f, name ? name + 1 : path);
    }
    total->checks += f.checks;
    total->empty += f.empty;
    total->nonempty += f.nonempty;
    total->wrong += f.wrong;
    total->verified += f.verified;
    total->products += f.products;
    total->unread += f.unread + !f.at;
    total->seconds += f.seconds;
    total->slowest = f.slowest > total->slowest ? f.slowest : total->slowest;
    ctx_free(f.ctx);
}

/* What has gone wrong so far: answers that differ, answers not verified, files not read. */
static unsigned file_failures(const struct file *file)
{
    unsigned decided = file->empty + file->nonempty - file->wrong;
    return 2 * file->checks - decided - file->verified + file->unread;
}

/* One file as one test: two checks per question. */
static void file_count(struct check *check, const char *path, struct file *total)
{
    unsigned checks = total->checks, failures = file_failures(total);
    check_test(check);
    file_run(path, total);
    unsigned failed = file_failures(total) - failures;
    check->failed += (int)failed;
    check->passed += (int)(2 * (total->checks - checks)) - (int)failed;
}

static bool folder_run(struct check *check, const char *path, struct file *total)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return false;
    for (int i = 0; i < count; i++) {
        char file[4096];
        size_t length = strlen(entries[i]->d_name);
        if (length > 5 && !strcmp(entries[i]->d_name + length - 5, ".smt2") &&
            snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name) < (int)sizeof file)
            file_count(check, file, total);
        free(entries[i]);
    }
    free(entries);
    return true;
}

int main(int argc, char **argv)
{
    const char *root = argc > 1 ? argv[1] : getenv("TREEFORK_SMT");
    struct check check = {0};
    struct file total = {0};
    static const char *const folders[] = {"kernel", "kernel/leaves"};
    unsigned missing = 0;
    for (size_t i = 0; i < 2; i++) {
        char path[4096];
        bool found =
            root && snprintf(path, sizeof path, "%s/%s", root, folders[i]) < (int)sizeof path;
        missing += !(found && folder_run(&check, path, &total));
    }
    if (missing) {
        printf("TREEFORK_SMT names no folder with kernel/leaves\n");
        check.skipped++;
        return check_end(&check, "constraints_kernel");
    }
    printf("%u questions: %u empty, %u nonempty; %.3f ms on average, slowest %.3f ms\n",
           total.checks, total.empty, total.nonempty,
           total.seconds * 1e3 / (total.checks ? total.checks : 1), total.slowest * 1e3);
    printf("%u answers verified by the checker, %u of them by products\n", total.verified,
           total.products);
    return check_end(&check, "constraints_kernel");
}
