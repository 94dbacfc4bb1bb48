/* Products of matrices as the program chooses for itself, beside cuBLAS where it is: floating-point
   operations per second of the launches alone, no copies. The result is compared at some elements
   with sums in double precision, since a serial product takes too long at these sizes. */
#include "parts.h"
#include "cublas.h"
#include "space.h"
#include "spread.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 11, ELEMENTS = 64 };

/* An argument by its name; NULL if the program has none. */
static const union argument *argument_find(const struct bench *b, const char *name, size_t *at)
{
    const struct program *program = b->problem.program;
    for (size_t i = 0; i < program->n_parameters; i++)
        if (strcmp(program->parameters[i].name, name) == 0) {
            *at = i;
            return &b->problem.arguments[i];
        }
    return NULL;
}

static int integer_of(const struct bench *b, const char *name, int otherwise)
{
    size_t at;
    const union argument *argument = argument_find(b, name, &at);
    return argument ? argument->integer : otherwise;
}

static double real_of(const struct bench *b, const char *name)
{
    size_t at;
    const union argument *argument = argument_find(b, name, &at);
    return argument ? argument->real : 1;
}

/* The first data of an array, called by a small or a large letter. */
static const void *array_of(const struct bench *b, const char *small, const char *large,
                            size_t *at)
{
    if (!argument_find(b, small, at) && !argument_find(b, large, at)) {
        fprintf(stderr, "%s has no array %s\n", b->problem.program->name, small);
        exit(1);
    }
    return b->problem.first[*at];
}

static struct product product_of(const struct bench *b, size_t *c)
{
    size_t at;
    int n = integer_of(b, "n", 0);
    struct product p = {.m = integer_of(b, "ni", n), .n = integer_of(b, "nj", n),
                        .k = integer_of(b, "nk", n), .alpha = real_of(b, "alpha"),
                        .beta = real_of(b, "beta")};
    p.a = array_of(b, "a", "A", &at);
    p.b = array_of(b, "b", "B", &at);
    p.c = array_of(b, "c", "C", c);
    p.is_double = b->problem.program->parameters[*c].element == ELEMENT_DOUBLE;
    return p;
}

/* The largest difference at some elements, of the sum of the magnitudes there. */
static double product_error(const struct bench *b, const struct product *p, size_t c)
{
    enum element_kind kind = p->is_double ? ELEMENT_DOUBLE : ELEMENT_FLOAT;
    double worst = 0;
    uint32_t state = 7;
    for (int e = 0; e < ELEMENTS; e++) {
        state = state * 1664525u + 1013904223u;
        size_t i = (state >> 8) % (uint32_t)p->m, j = (state >> 4) % (uint32_t)p->n;
        size_t n = (size_t)p->n, place = i * n + j;
        double sum = p->beta * element_read(p->c, place, kind), size = fabs(sum);
        for (size_t k = 0; k < (size_t)p->k; k++) {
            double term = p->alpha * element_read(p->a, i * (size_t)p->k + k, kind) *
                          element_read(p->b, k * n + j, kind);
            sum += term;
            size += fabs(term);
        }
        double is = element_read(b->problem.arguments[c].array, place, kind);
        double error = fabs(is - sum) / size;
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

static void product_print(struct bench *b, const struct product *p, size_t c,
                          const struct call *call, struct spread spread)
{
    double operations = 2.0 * p->m * p->n * p->k, error = product_error(b, p, c);
    double other = cublas_time(p, RUNS);
    struct pick pick = pick_read(b->regions[0], call);
    struct row row = row_begin();
    row_subject(&row, b);
    row_text(&row, "type", p->is_double ? "double" : "float");
    row_bool(&row, "contracted", bundle_regions[0]->modules[0].contract);
    row_pick(&row, &pick);
    row_spread(&row, b->is_host ? "call_cpu_us" : "us", spread, 1e6);
    row_number(&row, "gflops", operations / spread.median / 1e9);
    row_number(&row, "cublas_us", other * 1e6);
    row_number(&row, "cublas_gflops", operations / other / 1e9);
    row_number(&row, "of_cublas", other / spread.median);
    row_number(&row, "deviation", error);
    row_text(&row, "result", error <= (p->is_double ? 1e-13 : 1e-4) ? "close" : "wrong");
    row_end(&row);
}

int part_products(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        struct samples times = {0};
        struct call call;
        size_t c;
        bench_set(b, program, sets.at[s], false);
        struct product p = product_of(b, &c);
        struct way way = {.watched = b->regions[0]};
        bench_call(b, &way, &call);
        for (int i = 0; i < RUNS && (i == 0 || !bench_is_late(b)); i++) {
            bench_call(b, &way, &call);
            samples_add(&times, call.region);
        }
        product_print(b, &p, c, &call, samples_spread(&times));
        bench_unset(b);
    }
    return 0;
}
