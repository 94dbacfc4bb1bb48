/* What libtreefork needs to read the tables of a generated program: microseconds of CPU per leaf
   and candidate, over all candidates that NAME_auto would try. Compiled by tools/bench-tables with
   the generated file and the name of its table: -DGENERATED="app.tf.c" -DFUNCTION=tf_auto_app.
   Arguments: a machine file, the value of every argument that is no tunable. Prints two numbers:
   reading the tables (all leaves: fits, launches, figures), and the model's times for those that
   fit. */
#include GENERATED
#include "runtime/tables.h"
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Candidate number `candidate` of the region's parameters; 0 behind the last. */
static int candidate_set(const struct treefork_auto *function, size_t region, size_t candidate,
                         treefork_int other, treefork_int *integers)
{
    const struct treefork_auto_region *row = &function->regions[region];
    treefork_int values[64];
    for (size_t i = 0; i < function->n_values && i < 64; i++)
        values[i] = other;
    for (size_t i = 0; i < function->n_tunables; i++) {
        const struct treefork_tunable_row *tunable = &function->tunables[i];
        values[tunable->value] = (treefork_int)1 << candidate % tunable->choices;
        candidate /= tunable->choices;
    }
    for (size_t i = 0; i < row->region->n_integers; i++)
        integers[i] = row->values[i] == TREEFORK_NONE ? 0 : values[row->values[i]];
    return candidate == 0;
}

/* Everything that the tables say of a point; a sum, so that nothing is left out. */
static double read_point(struct treefork_evaluation *e)
{
    double sum = 0;
    for (size_t i = 0; i < e->region->n_leaves; i++) {
        const struct treefork_leaf_row *leaf = &e->region->leaves[i];
        const struct treefork_launch_row *launch = &e->region->launches[leaf->first];
        struct treefork_launch plan = {0};
        struct treefork_figures figures = {0};
        sum += treefork_evaluation_fits(e, leaf, NULL);
        sum += treefork_evaluation_plan(e, launch, leaf->id, &plan);
        if (launch->figures != TREEFORK_NONE)
            sum += treefork_evaluation_figures(e, launch, leaf->id, &plan, &figures);
        sum += (double)figures.rounds;
    }
    return sum;
}

int main(int argc, char **argv)
{
    const struct treefork_auto *function = &FUNCTION;
    struct treefork_machine machine;
    treefork_int other = argc > 2 ? atoll(argv[2]) : 4096, integers[64];
    double reading = 0, ranking = 0, sum = 0;
    size_t n = 0;
    if (argc < 2 || treefork_machine_read(argv[1], &machine))
        return 1;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t region = 0; region < function->n_regions; region++) {
            struct treefork_evaluation e;
            if (treefork_evaluation_new(function->regions[region].region, &e))
                return 1;
            double start = seconds(), middle;
            for (size_t candidate = 0; candidate_set(function, region, candidate, other, integers);
                 candidate++) {
                treefork_evaluation_set(&e, &machine, integers);
                sum += read_point(&e);
                n += e.region->n_leaves;
            }
            middle = seconds();
            for (size_t candidate = 0; candidate_set(function, region, candidate, other, integers);
                 candidate++) {
                struct treefork_prediction best = {0};
                treefork_evaluation_set(&e, &machine, integers);
                sum += treefork_evaluation_best(&e, &best);
            }
            ranking += seconds() - middle;
            reading += middle - start;
            treefork_evaluation_free(&e);
        }
    printf("%.3f %.3f %zu\n", reading / (double)n * 1e6, ranking / (double)n * 1e6, n / ROUNDS);
    return sum < 0;
}
