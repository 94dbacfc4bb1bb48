/* Several threads, each with contexts of its own, and the same answers whichever thread asks and
   however often: THREADS threads work through the same systems (conjunctions, Boolean structure,
   integers, projections; what needs coverings among them), each from another place on, twice over;
   what they answer (verdict, witness, core, certificate, projection) must be the same text, byte
   for byte. make MODE=tsan build/tsan/unit/constraints_threads runs it under ThreadSanitizer. The
   first argument multiplies the rounds. */
#include "constraints/project.h"
#include "tests/unit/check.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 2 };

/* Variables named i and j are integers; '&' joins constraints. */
static const char *const SYSTEMS[] = {
    "2*s*B + 2 > Z & 2*B + 2 <= Z & B >= 1 & s >= 1",
    "s*B <= Z & s > Z & B >= 1 & Z >= 1",
    "x + y < 1 & x - y > 1 & y > 0",
    "x^2 + y^2 < 1 & x*y > 1",
    "x^2 + y^2 == 2 & x*y == 1 & x < 0",
    "x^2 == 2 & y^2 == x & z*y > 1",
    "x^3 - 3*x + 1 == 0 & y^2 < x & y > 1/2",
    "x^2 + y^2 + z^2 < 1 & x + y + z > 2",
    "x*y*z > 1 & x + y + z < 1 & x^2 + y^2 + z^2 < 4",
    "x^2*y + y^2*z + z^2*x == 1 & x + y + z == 0 & x > y & y > z",
    "i^2 + j^2 == 25 & i > j & j > 0",
    "i >= 0 & i <= 7 & j >= 0 & j <= 7 & i*j == 13",
    "w^2 + x*w + y < 0 & x^2 - 4*y < 0",
    "x^4 - 10*x^2 + 1 == 0 & y^3 == x & y > 1 & z^2 + y*z + x < 0",
};
enum { SYSTEM_COUNT = sizeof SYSTEMS / sizeof *SYSTEMS };

struct worker {
    pthread_t thread;
    size_t start;
    int rounds;
    struct str answers[SYSTEM_COUNT];
    struct arena *arena;
};

static struct sas system_read(struct arena *arena, struct ring *ring, const char *system)
{
    struct sas sas = sas_empty(ring);
    char *text = arena_strdup(arena, system);
    for (char *next = text; next; text = next) {
        struct constraint c;
        const char *error;
        next = strchr(text, '&');
        if (next)
            *next++ = '\0';
        if (!constraint_read(ring, text, &c, &error))
            abort();
        sas = sas_add(arena, sas, c);
    }
    return sas;
}

static void witness_print(struct str *out, const struct witness *w)
{
    for (size_t i = 0; w && i < w->count; i++) {
        const struct algebraic *a = w->algebraic ? w->algebraic[i] : NULL;
        if (a)
            str_addf(out, " %s [%s, %s]", a->polynomial, a->lo, a->hi);
        else
            str_addf(out, " %lld/%lld", (long long)w->numerator[i], (long long)w->denominator[i]);
    }
}

/* Everything that can be asked about a system, as text. */
static void answer(struct arena *result, struct str *out, const char *text)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas sas = system_read(arena, ring, text);
    struct solver *solver = solver_new(arena, ring, NULL);
    size_t count = 0;
    int variable = 0;
    *out = str_new(result);
    for (int v = 0; v < ring_count(ring); v++)
        if (strchr("ij", ring_name(ring, v)[0]))
            solver_integer(solver, v);
    solver_assert_all(solver, sas);
    enum verdict verdict = solver_check(solver);
    str_addf(out, "%d", (int)verdict);
    if (verdict == SAS_NONEMPTY)
        witness_print(out, solver_witness(solver));
    const size_t *core = verdict == SAS_EMPTY ? solver_core(solver, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        str_addf(out, " %zu", core[i]);
    const char *certificate =
        verdict == SAS_UNKNOWN ? solver_reason(solver) : solver_certificate(solver);
    const char *reason = NULL;
    str_addf(out, "\n%s\n", certificate ? certificate : "no certificate");
    const struct formula *projected = sas_project(arena, sas, &variable, 1, NULL, &reason);
    if (projected)
        formula_print(out, projected, 0);
    else
        str_addf(out, "%s", reason);
    arena_free(arena);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct arena *scratch = arena_new();
    for (int r = 0; r < w->rounds; r++)
        for (size_t i = 0; i < SYSTEM_COUNT; i++) {
            size_t k = (w->start + i) % SYSTEM_COUNT;
            struct str text;
            answer(r ? scratch : w->arena, &text, SYSTEMS[k]);
            if (r && strcmp(text.text, w->answers[k].text))
                str_addf(&w->answers[k], "\nround %d: %s", r, text.text);
            else if (!r)
                w->answers[k] = text;
        }
    arena_free(scratch);
    solver_thread_end();
    return NULL;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct worker workers[THREADS];
    int rounds = ROUNDS * (argc > 1 ? atoi(argv[1]) : 1);
    size_t certified = 0;
    for (size_t t = 0; t < THREADS; t++) {
        workers[t] = (struct worker){
            .start = t * SYSTEM_COUNT / THREADS, .rounds = rounds, .arena = arena_new()};
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]))
            return 3;
    }
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(workers[t].thread, NULL);
    for (size_t k = 0; k < SYSTEM_COUNT; k++) {
        const char *first = workers[0].answers[k].text;
        check_test(&check);
        if (argc > 2)
            printf("%s\n%s\n\n", SYSTEMS[k], first);
        check_that(&check, !strstr(first, "\nround "), "%s: answers differ between rounds: %s",
                   SYSTEMS[k], first);
        certified += !strstr(first, "no certificate");
        for (size_t t = 1; t < THREADS; t++)
            check_that(&check, !strcmp(first, workers[t].answers[k].text),
                       "%s: threads differ: %s\n%s", SYSTEMS[k], first, workers[t].answers[k].text);
    }
    printf("%d of %d answers with a certificate\n", (int)certified, SYSTEM_COUNT);
    for (size_t t = 0; t < THREADS; t++)
        arena_free(workers[t].arena);
    return check_end(&check, "constraints_threads");
}
