/* The systems of kernel/leaves in process: each from scratch; all of them as the tree they are the
   paths of, walked by push and pop with a check at every node; then the minimal system of each leaf
   and its projections. Beside it libz3 on the same assertions in the same run, each of its solvers.
   In: the folder. Out: Markdown; status 1 if an answer is missing or differs. Times are CPU time of
   the thread; of ROUNDS rounds each question's median counts, the peer's terms and our polynomials
   are made before the clock starts; solvers are made and freed while it runs. The tree: constraints
   that all leaves have come first, the others follow in file order; equal prefixes are shared. */
#include "tests/bench/peer.h"
#include "tests/bench/problem.h"
#include "constraints/project.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9 };

struct bench {
    struct ctx *ctx;
    struct ring *ring;
    const struct problem *problems;
    size_t count;
    size_t **order;            /* per problem: its assertions in the tree's order */
    void *const **theirs;      /* per problem: libz3's assertions */
    size_t common;             /* how many of them all share */
    struct peer *peer;
    bool bad;
};

static struct constraint in_order(const struct bench *b, size_t i, size_t k)
{
    return b->problems[i].sas.at[b->order[i][k]];
}

static bool in_all(const struct bench *b, struct constraint c)
{
    for (size_t i = 0; i < b->count; i++) {
        bool found = false;
        for (size_t k = 0; k < b->problems[i].sas.count && !found; k++)
            found = constraint_equal(b->problems[i].sas.at[k], c);
        if (!found)
            return false;
    }
    return true;
}

static void order_find(struct bench *b)
{
    b->order = ARENA_ARRAY(b->ctx->arena, size_t *, b->count);
    for (size_t i = 0; i < b->count; i++) {
        struct sas sas = b->problems[i].sas;
        size_t n = 0;
        b->order[i] = ARENA_ARRAY(b->ctx->arena, size_t, sas.count);
        for (size_t k = 0; k < sas.count; k++)
            if (in_all(b, sas.at[k]))
                b->order[i][n++] = k;
        b->common = n;
        for (size_t k = 0; k < sas.count; k++)
            if (!in_all(b, sas.at[k]))
                b->order[i][n++] = k;
    }
}

/* How many assertions two leaves share from the root on. */
static size_t shared(const struct bench *b, size_t i, size_t j)
{
    size_t n = 0;
    while (n < b->problems[i].sas.count && n < b->problems[j].sas.count &&
           constraint_equal(in_order(b, i, n), in_order(b, j, n)))
        n++;
    return n;
}

static void report(const char *what, double *times, size_t count)
{
    double total = sum_of(times, count), median = quantile(times, count, 0.5),
           tail = quantile(times, count, 0.9);
    printf("| %s | %zu | %.3f | %.3f | %.2f |\n", what, count, 1e3 * median, 1e3 * tail,
           1e3 * total);
}

static void head(const char *what)
{
    printf(
        "\n| %s | questions | median ms | p90 ms | total ms |\n| --- | --- | --- | --- | --- |\n",
        what);
}

static enum verdict scratch(const struct bench *b, size_t i, bool peer, enum peer_kind kind)
{
    enum verdict verdict;
    if (peer) {
        peer_start(b->peer, kind, 0);
        for (size_t k = 0; k < b->problems[i].sas.count; k++)
            peer_assert(b->peer, b->theirs[i][k]);
        return peer_check(b->peer);
    }
    struct arena *arena = arena_new();
    struct solver *solver = solver_new(arena, b->ring, NULL);
    solver_assert_all(solver, b->problems[i].sas);
    verdict = solver_check(solver);
    arena_free(arena);
    return verdict;
}

static void scratch_all(struct bench *b, const char *name, bool peer, enum peer_kind kind,
                        enum verdict *verdicts)
{
    double *times = ARENA_ARRAY(b->ctx->arena, double, b->count), rounds[ROUNDS];
    for (size_t i = 0; i < b->count; i++) {
        for (int r = 0; r < ROUNDS; r++) {
            double start = cpu_now();
            enum verdict verdict = scratch(b, i, peer, kind);
            rounds[r] = cpu_now() - start;
            b->bad |= verdict == SAS_UNKNOWN && !peer;
            b->bad |= peer && verdict != SAS_UNKNOWN && verdict != verdicts[i];
            if (!peer)
                verdicts[i] = verdict;
        }
        times[i] = quantile(rounds, ROUNDS, 0.5);
    }
    report(name, times, b->count);
}

/* One step down: the assertions from..to-1 of leaf i. */
static double step(const struct bench *b, struct solver *solver, size_t i, size_t from, size_t to,
                   enum verdict *verdict)
{
    double start = cpu_now();
    if (solver)
        solver_push(solver);
    else
        peer_push(b->peer);
    for (size_t k = from; k < to; k++) {
        if (solver)
            solver_assert(solver, in_order(b, i, k));
        else
            peer_assert(b->peer, b->theirs[i][b->order[i][k]]);
    }
    *verdict = solver ? solver_check(solver) : peer_check(b->peer);
    return cpu_now() - start;
}

/* One walk over the whole tree; a time per node. Returns their number; *total is the whole walk,
   pops included. */
static size_t walk(struct bench *b, struct solver *solver, double *times, enum verdict *verdicts,
                   double *total)
{
    size_t n = 0, depth = 0;
    double start = cpu_now();
    for (size_t i = 0; i < b->count; i++) {
        size_t keep = i ? shared(b, i - 1, i) : 0;
        for (; depth > keep; depth = depth == b->common ? 0 : depth - 1) {
            if (solver)
                solver_pop(solver);
            else
                peer_pop(b->peer);
        }
        while (depth < b->problems[i].sas.count) {
            size_t to = depth < b->common ? b->common : depth + 1;
            times[n] = step(b, solver, i, depth, to, &verdicts[n]);
            depth = to;
            n++;
        }
    }
    *total = cpu_now() - start;
    return n;
}

/* ROUNDS walks, each with a new solver; per node the median. Returns the median of the totals. */
static double walk_all(struct bench *b, const char *name, bool peer, enum peer_kind kind,
                       enum verdict *verdicts)
{
    size_t most = 1, nodes = 0;
    for (size_t i = 0; i < b->count; i++)
        most += b->problems[i].sas.count;
    double *times = ARENA_ARRAY(b->ctx->arena, double, most *ROUNDS),
           *medians = ARENA_ARRAY(b->ctx->arena, double, most);
    double totals[ROUNDS], rounds[ROUNDS];
    enum verdict *got = ARENA_ARRAY(b->ctx->arena, enum verdict, most);
    for (int r = 0; r < ROUNDS; r++) {
        struct arena *arena = arena_new();
        struct solver *solver = peer ? NULL : solver_new(arena, b->ring, NULL);
        if (peer)
            peer_start(b->peer, kind, 0);
        nodes = walk(b, solver, times + (size_t)r * most, got, &totals[r]);
        arena_free(arena);
        for (size_t n = 0; n < nodes; n++) {
            b->bad |= peer ? got[n] != SAS_UNKNOWN && got[n] != verdicts[n] : got[n] == SAS_UNKNOWN;
            if (!peer)
                verdicts[n] = got[n];
        }
    }
    for (size_t n = 0; n < nodes; n++) {
        for (int r = 0; r < ROUNDS; r++)
            rounds[r] = times[(size_t)r * most + n];
        medians[n] = quantile(rounds, ROUNDS, 0.5);
    }
    report(name, medians, nodes);
    return quantile(totals, ROUNDS, 0.5);
}

static void against_peer(struct bench *b)
{
    size_t most = 1;
    for (size_t i = 0; i < b->count; i++)
        most += b->problems[i].sas.count;
    enum verdict *verdicts = ARENA_ARRAY(b->ctx->arena, enum verdict, most);
    char name[64];
    double best = 0;
    head("each leaf from scratch");
    scratch_all(b, "treefork", false, PEER_COMBINED, verdicts);
    for (int kind = 0; b->peer && kind < PEER_KINDS; kind++) {
        snprintf(name, sizeof name, "libz3, solver %s", peer_kind_name((enum peer_kind)kind));
        scratch_all(b, name, true, (enum peer_kind)kind, verdicts);
    }
    head("all leaves as a tree, push and pop, a check per node");
    double ours = walk_all(b, "treefork", false, PEER_COMBINED, verdicts);
    for (int kind = 0; b->peer && kind < PEER_KINDS; kind++) {
        snprintf(name, sizeof name, "libz3, solver %s", peer_kind_name((enum peer_kind)kind));
        double theirs = walk_all(b, name, true, (enum peer_kind)kind, verdicts);
        best = best == 0 || theirs < best ? theirs : best;
    }
    printf("\nWhole walk: treefork %.2f ms", 1e3 * ours);
    if (b->peer)
        printf(", libz3 %.2f ms (its fastest solver): %.1f times", 1e3 * best, best / ours);
    printf("\n");
}

/* What the leaves share, as context of the minimal systems. */
static struct sas common_of(const struct bench *b)
{
    struct sas sas = sas_empty(b->ring);
    for (size_t k = 0; k < b->common; k++)
        sas = sas_add(b->ctx->arena, sas, in_order(b, 0, k));
    return sas;
}

static void minimal_all(struct bench *b)
{
    static const char *const NAMES[] = {"sas_minimal", "sas_simplify",
                                        "sas_simplify under what all leaves share"};
    double *times = ARENA_ARRAY(b->ctx->arena, double, b->count);
    head("minimal systems");
    for (int way = 0; way < 3; way++) {
        size_t left = 0;
        struct sas context = way == 2 ? common_of(b) : sas_empty(b->ring);
        for (size_t i = 0; i < b->count; i++) {
            double rounds[ROUNDS];
            for (int r = 0; r < ROUNDS; r++) {
                double start = cpu_now();
                struct sas sas =
                    way ? sas_simplify(b->ctx->arena, b->problems[i].sas, context, NULL)
                        : sas_minimal(b->ctx->arena, b->problems[i].sas, context);
                rounds[r] = cpu_now() - start;
                left += r ? 0 : sas.count;
            }
            times[i] = quantile(rounds, ROUNDS, 0.5);
        }
        char name[96];
        snprintf(name, sizeof name, "%s (%.1f constraints left on average)", NAMES[way],
                 (double)left / (double)b->count);
        report(name, times, b->count);
    }
}

static void project_all(struct bench *b)
{
    static const char *const SETS[][5] = {
        {"s"}, {"R"}, {"s", "R"}, {"nb", "B0", "B1", "s"}, {"R", "Z", "T", "P"}};
    double *times = ARENA_ARRAY(b->ctx->arena, double, b->count);
    head("projection of each leaf");
    for (size_t way = 0; way < sizeof SETS / sizeof *SETS; way++) {
        int variables[5];
        size_t n = 0, undecided = 0;
        char name[128] = "without";
        for (; SETS[way][n]; n++) {
            variables[n] = ring_find(b->ring, SETS[way][n]);
            snprintf(name + strlen(name), sizeof name - strlen(name), "%s %s", n ? "," : "",
                     SETS[way][n]);
        }
        for (size_t i = 0; i < b->count; i++) {
            double rounds[ROUNDS];
            for (int r = 0; r < ROUNDS; r++) {
                const char *reason = NULL;
                double start = cpu_now();
                undecided +=
                    !sas_project(b->ctx->arena, b->problems[i].sas, variables, n, NULL, &reason) &&
                    !r;
                rounds[r] = cpu_now() - start;
            }
            times[i] = quantile(rounds, ROUNDS, 0.5);
        }
        if (undecided)
            snprintf(name + strlen(name), sizeof name - strlen(name), " (%zu undecided)",
                     undecided);
        b->bad |= undecided > 0;
        report(name, times, b->count);
    }
}

int main(int argc, char **argv)
{
    struct ctx *ctx = ctx_new();
    struct bench b = {.ctx = ctx, .ring = ring_new(ctx->arena), .peer = peer_new(ctx->arena)};
    size_t skipped;
    if (argc < 2) {
        fprintf(stderr, "usage: leaves FOLDER\n");
        return 2;
    }
    b.problems = problems_read(ctx, b.ring, argv[1], &b.count, &skipped);
    if (!b.count)
        return 1;
    order_find(&b);
    b.theirs = ARENA_ARRAY(ctx->arena, void *const *, b.count);
    for (size_t i = 0; b.peer && i < b.count; i++) {
        size_t count;
        b.theirs[i] = peer_read(b.peer, b.problems[i].text, &count);
        if (!b.theirs[i] || count != b.problems[i].sas.count)
            b.peer = NULL;
    }
    printf("%zu leaves, %zu skipped; beside: %s; medians of %d rounds\n", b.count, skipped,
           b.peer ? peer_version(ctx->arena) : "nothing", ROUNDS);
    against_peer(&b);
    minimal_all(&b);
    project_all(&b);
    if (b.bad)
        printf("\nAn answer is missing or differs.\n");
    bool bad = b.bad;
    ctx_free(ctx);
    solver_thread_end();
    return bad;
}
