/* Differential test of the solver with random small systems (make fuzz-solver). Every system is
   given to the solver with the independent checker on, to libz3 where installed, and to brute force
   over integer points. What must hold: no answer contradicts libz3's; a witness holds in arithmetic
   of this folder's own; no unsatisfiable system has a point; all points of a finite box decide an
   integer system; a core is unsatisfiable and irreducible; answers after push and pop are those
   before; the same question gives the same text twice. Workers are processes of CHUNK systems, so
   that a crash or an endless search is one more finding. A finding is made smaller and written to
   the folder of findings as SMT-LIB. usage: systems [--seed S] [--from I] [--count N] [--keep
   FOLDER] [--steps N] [--seconds N]; exit status 1 if there are findings. A system depends on seed
   and index alone. */
#include "tests/bench/peer.h"
#include "tests/fuzz/systems.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 250, SHRINK_TRIALS = 2000 };

enum finding {
    FINE,
    PEER_DIFFERS,
    POINT_LOST,
    WITNESS_WRONG,
    POINT_INVENTED,
    CORE_SATISFIABLE,
    CORE_REDUCIBLE,
    HISTORY_MATTERS,
    NOT_REPEATED,
    CRASH,
    ENDLESS,
    FINDINGS
};
static const char *const FINDING_NAMES[] = {
    "fine",
    "differs from libz3",
    "unsatisfiable, but has a point",
    "witness is wrong",
    "satisfiable, but no integer point is",
    "core is satisfiable",
    "core is reducible",
    "answer after pop differs",
    "another answer the second time",
    "crash or refuted certificate",
    "endless",
};

/* Shared with the workers. */
struct tally {
    uint64_t current, systems, ours[3], peers[3], compared, peer_wrong, points, exact, irrational,
        cores, histories, finite;
    uint64_t verified, unchecked, quantified, peer_endless, findings[FINDINGS];
    bool in_peer;   /* libz3 is being asked */
};

struct run {
    struct tally *tally;
    const char *keep;
    uint64_t seed, steps;
    unsigned seconds;
    bool alone;   /* without libz3 */
};

/* Everything one answer consists of, as text. */
static const char *answer_text(struct arena *arena, struct solver *solver, enum verdict verdict)
{
    struct str out = str_new(arena);
    str_addf(&out, "%d", (int)verdict);
    if (verdict == SAS_NONEMPTY) {
        const struct witness *w = solver_witness(solver);
        for (size_t i = 0; w && i < w->count; i++) {
            const struct algebraic *a = w->algebraic ? w->algebraic[i] : NULL;
            if (a)
                str_addf(&out, " %s [%s, %s]", a->polynomial, a->lo, a->hi);
            else
                str_addf(&out, " %lld/%lld", (long long)w->numerator[i],
                         (long long)w->denominator[i]);
        }
    } else if (verdict == SAS_UNKNOWN) {
        str_addf(&out, " %s", solver_reason(solver));
    }
    const char *certificate = verdict == SAS_UNKNOWN ? NULL : solver_certificate(solver);
    str_addf(&out, "\n%s\n", certificate ? certificate : "no certificate");
    return out.text;
}

/* A solver over a ring of its own. */
struct asked {
    struct arena *arena;
    struct ring *ring;
    struct solver *solver;
};

static struct asked ask_new(const struct system *s, const struct run *run, bool check)
{
    static const char *const NAMES[VARIABLES] = {"x", "y", "z", "w"};
    struct asked asked = {arena_new(), NULL, NULL};
    struct solver_options options = {run->steps, check};
    asked.ring = ring_new(asked.arena);
    for (int v = 0; v < s->variables; v++)
        ring_variable(asked.ring, NAMES[v]);
    asked.solver = solver_new(asked.arena, asked.ring, &options);
    for (int v = 0; v < s->variables; v++)
        if (s->integer[v])
            solver_integer(asked.solver, v);
    return asked;
}

/* Asserts from..to-1, those that `use` names (NULL = all). */
static void ask_assert(struct asked *asked, const struct system *s, int from, int to,
                       const bool *use)
{
    for (int i = from; i < to; i++)
        if (!use || use[i])
            solver_assert_formula(asked->solver, system_formula(asked->arena, asked->ring, s, i));
}

static enum verdict ask_subset(const struct system *s, const struct run *run, const bool *use)
{
    struct asked asked = ask_new(s, run, false);
    ask_assert(&asked, s, 0, system_count(s), use);
    enum verdict verdict = solver_check(asked.solver);
    arena_free(asked.arena);
    return verdict;
}

/* libz3's answer to the assertions that `use` names; unknown where it is not installed or after a
   second (which it does not always keep to: then the worker's alarm ends it). */
static enum verdict peer_answer(const struct system *s, const struct run *run, const bool *use)
{
    struct arena *arena = arena_new();
    struct peer *peer = run->alone ? NULL : peer_new(arena);
    enum verdict verdict = SAS_UNKNOWN;
    run->tally->in_peer = true;
    if (peer) {
        size_t count;
        void *const *assertions = peer_read(peer, system_smt(arena, s, NULL), &count);
        peer_start(peer, s->quantified ? PEER_SIMPLE : PEER_COMBINED, 1000);
        for (size_t i = 0; i < count; i++)
            if (!use || use[i])
                peer_assert(peer, assertions[i]);
        verdict = assertions && count == (size_t)system_count(s) ? peer_check(peer) : SAS_UNKNOWN;
    }
    arena_free(arena);
    run->tally->in_peer = false;
    return verdict;
}

static enum finding witness_judge(const struct system *s, const struct run *run,
                                  struct solver *solver, bool *certain)
{
    const struct witness *w = solver_witness(solver);
    bool irrational = !w || w->count < (size_t)s->variables;
    for (size_t i = 0; w && w->algebraic && i < w->count; i++)
        irrational |= w->algebraic[i] != NULL;
    int truth = irrational ? -1 : system_holds(s, w->numerator, w->denominator);
    *certain = truth == 1;
    run->tally->exact += truth == 1;
    run->tally->irrational += truth < 0;
    return truth == 0 || !w ? WITNESS_WRONG : FINE;
}

static enum finding points_judge(const struct system *s, const struct run *run,
                                 enum verdict verdict)
{
    int64_t point[VARIABLES];
    int found = s->quantified ? -1 : system_search(s, s->lo, s->hi, point);
    run->tally->points += found >= 0;
    run->tally->finite += found >= 0 && system_finite(s);
    if (found == 1 && verdict == SAS_EMPTY)
        return POINT_LOST;
    return found == 0 && verdict == SAS_NONEMPTY && system_finite(s) ? POINT_INVENTED : FINE;
}

/* Before anything else is asked of the solver. */
static enum finding core_judge(const struct system *s, const struct run *run, struct solver *solver)
{
    bool use[ASSERTIONS + 2 * VARIABLES] = {false};
    size_t count;
    const size_t *core = solver_core(solver, &count);
    run->tally->cores++;
    for (size_t i = 0; i < count; i++)
        use[core[i]] = true;
    if (peer_answer(s, run, use) == SAS_NONEMPTY || ask_subset(s, run, use) == SAS_NONEMPTY)
        return CORE_SATISFIABLE;
    for (size_t i = 0; i < count; i++) {
        use[core[i]] = false;
        if (ask_subset(s, run, use) == SAS_EMPTY)
            return CORE_REDUCIBLE;
        use[core[i]] = true;
    }
    return FINE;
}

/* Asked step by step, half taken back, asked again: the answers must not depend on the way. */
static enum finding history_judge(const struct system *s, const struct run *run,
                                  enum verdict verdict)
{
    struct asked asked = ask_new(s, run, false);
    enum verdict first[ASSERTIONS + 2 * VARIABLES + 1], again;
    int count = system_count(s);
    enum finding finding = FINE;
    run->tally->histories++;
    first[0] = SAS_NONEMPTY;
    for (int i = 0; i < count; i++) {
        solver_push(asked.solver);
        ask_assert(&asked, s, i, i + 1, NULL);
        first[i + 1] = solver_check(asked.solver);
    }
    for (int i = count; i > count / 2; i--)
        solver_pop(asked.solver);
    again = solver_check(asked.solver);
    if (again + first[count / 2] == SAS_EMPTY + SAS_NONEMPTY && again != SAS_UNKNOWN &&
        again != first[count / 2])
        finding = HISTORY_MATTERS;
    ask_assert(&asked, s, count / 2, count, NULL);
    again = solver_check(asked.solver);
    if ((again != verdict || first[count] != verdict) && verdict != SAS_UNKNOWN &&
        again != SAS_UNKNOWN && first[count] != SAS_UNKNOWN)
        finding = HISTORY_MATTERS;
    arena_free(asked.arena);
    return finding;
}

static enum finding repeat_judge(const struct system *s, const struct run *run)
{
    const char *texts[2];
    struct asked asked[2];
    for (int i = 0; i < 2; i++) {
        asked[i] = ask_new(s, run, false);
        ask_assert(&asked[i], s, 0, system_count(s), NULL);
        texts[i] = answer_text(asked[i].arena, asked[i].solver, solver_check(asked[i].solver));
    }
    bool same = !strcmp(texts[0], texts[1]);
    arena_free(asked[0].arena);
    arena_free(asked[1].arena);
    return same ? FINE : NOT_REPEATED;
}

static void statistics_add(struct tally *tally, const struct solver *solver)
{
    struct solver_statistics statistics = solver_statistics(solver);
    tally->verified += statistics.verified;
    tally->unchecked += statistics.unchecked;
}

/* All that is asked of one system; `turn` chooses the dearer questions. */
static enum finding judge(const struct system *s, const struct run *run, uint64_t turn)
{
    struct asked asked = ask_new(s, run, true);
    struct tally *tally = run->tally;
    bool certain = false;
    enum finding finding = FINE;
    ask_assert(&asked, s, 0, system_count(s), NULL);
    enum verdict verdict = solver_check(asked.solver), peers = peer_answer(s, run, NULL);
    tally->ours[verdict]++;
    tally->peers[peers]++;
    tally->compared += verdict != SAS_UNKNOWN && peers != SAS_UNKNOWN;
    if (verdict == SAS_NONEMPTY)
        finding = witness_judge(s, run, asked.solver, &certain);
    if (!finding)
        finding = points_judge(s, run, verdict);
    if (!finding && verdict != SAS_UNKNOWN && peers != SAS_UNKNOWN && verdict != peers) {
        certain |= verdict == SAS_NONEMPTY && solver_statistics(asked.solver).verified;
        tally->peer_wrong += certain;
        printf("%s: system %llu, ours %d, libz3 %d\n",
               certain ? "libz3 is contradicted by a checked witness" : "differs",
               (unsigned long long)turn, (int)verdict, (int)peers);
        finding = certain ? FINE : PEER_DIFFERS;
    }
    if (!finding && verdict == SAS_EMPTY && turn % 4 == 1)
        finding = core_judge(s, run, asked.solver);
    statistics_add(tally, asked.solver);
    arena_free(asked.arena);
    if (!finding && turn % 8 == 2)
        finding = history_judge(s, run, verdict);
    if (!finding && turn % 8 == 3)
        finding = repeat_judge(s, run);
    return finding;
}

/* judge in a process of its own. */
static enum finding judge_apart(const struct system *s, const struct run *run, uint64_t turn)
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct tally scrap = {0};
        struct run own = *run;
        own.tally = &scrap;
        if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
            _exit(CRASH);
        alarm(run->seconds);
        _exit((int)judge(s, &own, turn));
    }
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? ENDLESS : CRASH;
    return WEXITSTATUS(status) < FINDINGS ? (enum finding)WEXITSTATUS(status) : CRASH;
}

static void finding_write(const struct run *run, uint64_t index, enum finding finding)
{
    struct system s = system_random(run->seed, index), smaller;
    struct arena *arena = arena_new();
    bool progress = true;
    for (int trials = 0; progress && finding != ENDLESS;) {
        progress = false;
        for (int way = 0; !progress && trials < SHRINK_TRIALS && system_smaller(&s, way, &smaller);
             way++, trials++)
            progress = judge_apart(&smaller, run, index) == finding;
        if (progress)
            s = smaller;
    }
    const char *comment =
        arena_printf(arena, "; %s: --seed %llu --from %llu --count 1\n", FINDING_NAMES[finding],
                     (unsigned long long)run->seed, (unsigned long long)index);
    const char *path = arena_printf(arena, "%s/%llu-%llu.smt2", run->keep,
                                    (unsigned long long)run->seed, (unsigned long long)index);
    FILE *f = fopen(path, "w");
    char *text = system_smt(arena, &s, comment);
    printf("FOUND %s\n%s", path, text);
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    run->tally->findings[finding]++;
    arena_free(arena);
}

static void worker(const struct run *run, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        run->tally->current = i;
        alarm(run->seconds);
        struct system s = system_random(run->seed, i);
        enum finding finding = judge(&s, run, i);
        alarm(0);
        run->tally->systems++;
        run->tally->quantified += s.quantified;
        if (finding)
            finding_write(run, i, finding);
    }
    solver_thread_end();
}

/* A worker ended early: where libz3 did not come to an end, the system is judged without it. */
static void worker_lost(const struct run *run, uint64_t index, bool endless)
{
    enum finding finding = endless ? ENDLESS : CRASH;
    if (run->tally->in_peer) {
        struct run alone = *run;
        struct system s = system_random(run->seed, index);
        run->tally->in_peer = false;
        run->tally->peer_endless++;
        alone.alone = true;
        finding = judge_apart(&s, &alone, index);
    }
    if (finding)
        finding_write(run, index, finding);
}

/* Systems from..to-1 in workers; one that a worker dies of is reported and left out. */
static void work(const struct run *run, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t end = to - from > CHUNK ? from + CHUNK : to;
        int status = 0;
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) {
            worker(run, from, end);
            fflush(NULL);
            _exit(0);
        }
        waitpid(pid, &status, 0);
        from = end;
        if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
            from = run->tally->current + 1;
            run->tally->systems++;
            worker_lost(run, from - 1, WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
        }
    }
}

static uint64_t report(const struct tally *t)
{
    uint64_t findings = 0;
#define N(field) (unsigned long long)t->field
    printf("%llu systems, %llu of them quantified\n", N(systems), N(quantified));
    printf("ours: %llu satisfiable, %llu unsatisfiable, %llu unknown\n", N(ours[SAS_NONEMPTY]),
           N(ours[SAS_EMPTY]), N(ours[SAS_UNKNOWN]));
    printf("libz3: %llu satisfiable, %llu unsatisfiable, %llu unknown\n", N(peers[SAS_NONEMPTY]),
           N(peers[SAS_EMPTY]), N(peers[SAS_UNKNOWN]));
    printf("compared with libz3: %llu; libz3 contradicted by a checked witness: %llu; libz3 "
           "without end or dead: %llu\n",
           N(compared), N(peer_wrong), N(peer_endless));
    printf("compared with integer points: %llu, %llu of them decided by these\n", N(points),
           N(finite));
    printf("witnesses evaluated: %llu, not evaluated (irrational, large or quantified): %llu\n",
           N(exact), N(irrational));
    printf("answers through the checker: %llu verified, %llu unchecked\n", N(verified),
           N(unchecked));
    printf("cores examined: %llu; histories of push and pop: %llu\n", N(cores), N(histories));
    for (int i = 1; i < FINDINGS; i++) {
        findings += t->findings[i];
        if (t->findings[i])
            printf("%s: %llu\n", FINDING_NAMES[i], N(findings[i]));
    }
    printf("findings: %llu\n", (unsigned long long)findings);
#undef N
    return findings;
}

int main(int argc, char **argv)
{
    struct run run = {.keep = "fuzz-solver", .seed = 1, .seconds = 60};
    uint64_t from = 0, count = 1000;
    for (int i = 1; i + 1 < argc; i += 2) {
        unsigned long long value = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--seed"))
            run.seed = value;
        else if (!strcmp(argv[i], "--from"))
            from = value;
        else if (!strcmp(argv[i], "--count"))
            count = value;
        else if (!strcmp(argv[i], "--steps"))
            run.steps = value;
        else if (!strcmp(argv[i], "--seconds"))
            run.seconds = (unsigned)value;
        else if (!strcmp(argv[i], "--keep"))
            run.keep = argv[i + 1];
        else
            return fprintf(stderr, "unknown option %s\n", argv[i]), 2;
    }
    FILE *shared = tmpfile();
    if (!shared || ftruncate(fileno(shared), (off_t)sizeof *run.tally))
        return perror("tmpfile"), 3;
    run.tally =
        mmap(NULL, sizeof *run.tally, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
    if (run.tally == MAP_FAILED)
        return perror("mmap"), 3;
    mkdir(run.keep, 0777);
    printf("seed %llu, from %llu\n", (unsigned long long)run.seed, (unsigned long long)from);
    work(&run, from, from + count);
    return report(run.tally) != 0;
}
