/* The counter `occupancy` of every leaf of the samples and two more programs, with and without the
   tree forking on it: at random parameters on every machine file that tells its multiprocessors,
   the symbolic value with its auxiliary integers computed is the runtime's numeric one (budget as
   registers), which is the vendor's header's where there is one; and the tests of the target hold
   exactly where registers and shared memory allow as many blocks as the target asks for and warps
   and slots allow. */
#include "metafork/region.h"
#include "optimizer/counters/scope.h"
#include "tests/unit/check.h"
#include "tests/unit/occupancy_header.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const MACHINES[] = {
    "volta-v100",     "turing-t4",   "ampere-a100", "ampere-rtx3060", "ada-l4", "hopper-h100",
    "blackwell-b200", "maxwell-m40", "kepler-k20",  "fermi-m2050",    "tiny"};
static const char *const PROGRAMS[] = {
    "samples/matadd/matadd.c", "samples/jacobi1d/jacobi1d.c", "samples/transpose/transpose.c",
    "samples/matmul/matmul.c", "samples/jacobi2d/jacobi2d.c", "samples/heat3d/heat3d.c",
    "samples/axpy/axpy.c",     "samples/matvec/matvec.c",     "tests/programs/sobel.c",
    "tests/programs/mixed.c"};
enum { MACHINE_COUNT = sizeof MACHINES / sizeof *MACHINES, POINTS_MOST = 60 };

struct scene {
    struct check *check;
    struct ctx *ctx;
    const struct tree *tree;
    const struct variant *variant;
    const struct launch *launch;
    const struct treefork_machine *machine;
    int64_t *point;                    /* of the tree's ring */
    int compared, headers, met, missed;
};

/* The point in another ring, by names. */
static void point_move(const struct scene *s, struct ring *ring, int64_t *to)
{
    for (int v = 0; v < ring_count(ring); v++) {
        int parameter = treefork_parameter_find(ring_name(ring, v)),
            own = ring_find(s->tree->ring, ring_name(ring, v));
        to[v] = parameter >= 0 ? s->machine->value[parameter] : own >= 0 ? s->point[own] : 0;
    }
}

/* Numbers of the launch; false where one is no positive number or the block does not fit at all. */
static bool launch_numbers(const struct scene *s, int64_t *threads, int64_t *registers,
                           int64_t *bytes)
{
    const struct kernel *kernel = s->launch->kernel;
    if (!poly_evaluate(kernel_threads(kernel), s->point, threads) ||
        !poly_evaluate(poly_scale(kernel_shared_words(kernel), 4, 1), s->point, bytes) ||
        !poly_evaluate(s->launch->registers, s->point, registers) || *threads < 1 || *bytes < 0)
        return false;
    *registers = *registers < 24 ? 24 : (*registers + 7) / 8 * 8;
    return *registers <= s->machine->value[TREEFORK_R_B];
}

static void check_value(struct scene *s, const struct counter_value *value,
                        const struct treefork_occupancy *want)
{
    int64_t point[RING_CAPACITY] = {0}, numerator = 0, denominator = 1;
    point_move(s, poly_ring(value->pieces[0].numerator), point);
    int piece = counter_value_at(value, point, &numerator, &denominator);
    check_that(s->check,
               piece >= 0 && numerator * want->warps_most == 100 * want->warps * denominator,
               "%s variant %d on %s: %lld/%lld, numeric %lld of %lld warps", s->tree->region->name,
               s->variant->id, s->machine->name, (long long)numerator, (long long)denominator,
               (long long)want->warps, (long long)want->warps_most);
    s->compared++;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void check_goal(struct scene *s, const struct counter_goal *goal,
                       const struct treefork_occupancy *want, int64_t threads)
{
    int64_t point[RING_CAPACITY] = {0}, warp = s->machine->value[TREEFORK_W_B],
            warps = (threads + warp - 1) / warp;
    int64_t percent = s->machine->value[TREEFORK_O_T],
            asked = (percent * want->warps_most + 100 * warps - 1) / (100 * warps);
    bool holds = true;
    asked = least(asked, least(want->by_warps, want->by_blocks));
    if (goal->count)
        point_move(s, poly_ring(goal->tests[0].accept.poly), point);
    for (size_t i = 0; i < goal->n_auxiliary; i++)
        check_that(
            s->check,
            auxiliary_evaluate(goal->auxiliaries[i], point, &point[goal->auxiliaries[i]->variable]),
            "overflow");
    for (size_t i = 0; i < goal->count; i++)
        holds &= tree_system_holds(s->tree, (struct sas){s->tree->ring, &goal->tests[i].accept, 1},
                                   point) == 1;
    bool reaches = least(want->by_registers, want->by_shared) >= asked;
    check_that(s->check, holds == reaches,
               "%s variant %d on %s: goal %d, %lld blocks asked, registers allow %lld, words %lld",
               s->tree->region->name, s->variant->id, s->machine->name, holds, (long long)asked,
               (long long)want->by_registers, (long long)want->by_shared);
    *(holds ? &s->met : &s->missed) += 1;
}

static void check_header(struct scene *s, const struct treefork_occupancy *want, int64_t threads,
                         int64_t registers, int64_t bytes)
{
#ifdef HAS_HEADER
    cudaOccResult header;
    if (s->machine->value[TREEFORK_A_D] < 70 ||
        !header_ask(s->machine, (int)threads, (int)registers, (int)bytes, &header))
        return;
    check_that(s->check, header.activeBlocksPerMultiprocessor == want->blocks,
               "%s: the header says %d blocks, the runtime %lld", s->machine->name,
               header.activeBlocksPerMultiprocessor, (long long)want->blocks);
    s->headers++;
#else
    (void)s, (void)want, (void)threads, (void)registers, (void)bytes;
#endif
}

static void check_point(struct scene *s)
{
    int64_t threads = 0, registers = 0, bytes = 0;
    struct treefork_occupancy want;
    if (!launch_numbers(s, &threads, &registers, &bytes) ||
        treefork_occupancy(s->machine, threads, registers, bytes, &want) || want.blocks < 1)
        return;
    for (size_t i = 0; i < s->variant->n_counters; i++) {
        const struct counter_result *result = &s->variant->counters[i];
        if (strcmp(result->counter->name, "occupancy") != 0)
            continue;
        check_value(s, &result->value, &want);
        check_header(s, &want, threads, registers, bytes);
        if (result->value.goal)
            check_goal(s, result->value.goal, &want, threads);
    }
}

static void point_random(struct scene *s)
{
    static const int64_t EXTENTS[] = {1, 2, 4, 7, 8, 16, 16, 32, 64, 100, 128, 256};
    for (int v = 0; v < ring_count(s->tree->ring); v++) {
        int parameter = treefork_parameter_find(ring_name(s->tree->ring, v));
        s->point[v] = parameter >= 0 ? s->machine->value[parameter] : EXTENTS[rand() % 12];
    }
}

static void check_launch(struct scene *s)
{
    for (int m = 0; m < MACHINE_COUNT; m++) {
        struct treefork_machine machine;
        char path[100];
        snprintf(path, sizeof path, "machines/%s.json", MACHINES[m]);
        check_that(s->check, treefork_machine_read(path, &machine) == TREEFORK_OK, "%s",
                   treefork_message());
        s->machine = &machine;
        for (int k = 0; k < test_scale(6, POINTS_MOST); k++) {
            machine.value[TREEFORK_O_T] = 1 + rand() % 100;
            point_random(s);
            check_point(s);
        }
    }
}

static void check_tree(struct scene *s)
{
    for (size_t i = 0; i < s->tree->n_variants; i++) {
        s->variant = &s->tree->variants[i];
        if (s->variant->safe)
            continue;
        for (size_t k = 0; k < s->variant->n_launches; k++) {
            s->launch = &s->variant->launches[k];
            check_launch(s);
        }
    }
}

static void check_sample(struct check *check, const char *path, size_t n_targets)
{
    check_test(check);
    static const struct target targets[] = {{"occupancy", false, 0}};
    struct tree_options options = {.n_targets = n_targets, .targets = targets};
    struct ctx *ctx = ctx_new();
    struct program_options from = {.n_arguments = 1,
                                   .arguments = (const char *const[]){"-Iruntime"}};
    struct program *program = program_read(ctx, path, &from);
    check_that(check, program != NULL, "%s cannot be read", path);
    for (size_t k = 0; program && k < program->n_regions; k++) {
        int64_t point[RING_CAPACITY] = {0};
        struct scene s = {.check = check,
                          .ctx = ctx,
                          .tree = tree_build(ctx, program->regions[k], &options),
                          .point = point};
        if (!check_that(check, s.tree != NULL, "%s: no tree: %s", path, ctx->last))
            continue;
        check_tree(&s);
        check_that(check, s.compared > test_scale(10, 100), "%s: only %d values compared",
                   s.tree->region->name, s.compared);
        check_that(check, n_targets == 0 || s.met > 0, "%s: the target is never reached",
                   s.tree->region->name);
        printf("%s%s: %d values, %d beside the header, target met %d times, missed %d times\n",
               s.tree->region->name, n_targets ? " with targets" : "", s.compared, s.headers, s.met,
               s.missed);
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
    printf("seed %u\n", seed);
    srand(seed);
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
        bool aims = test_scale(i % 4 == 1, 1);
        for (size_t targets = 0; targets < (aims ? 2 : 1); targets++)
            check_sample(&check, PROGRAMS[i], targets);
    }
#ifndef HAS_HEADER
    printf("UNSUPPORTED: no cuda_occupancy.h\n");
    check.skipped++;
#endif
    return check_end(&check, "cli_occupancy");
}
