/* Arguments, data and comparison of the programs of this folder: shared by check.c and bench.c. */
#include "harness.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

const struct program *program_find(const char *name)
{
    for (size_t i = 0; i < n_programs; i++)
        if (!strcmp(programs[i].name, name))
            return &programs[i];
    fprintf(stderr, "there is no program '%s'\n", name);
    exit(1);
}

size_t element_size(enum element_kind kind)
{
    static const size_t sizes[] = {[ELEMENT_INT] = sizeof(int), [ELEMENT_FLOAT] = sizeof(float),
                                   [ELEMENT_DOUBLE] = sizeof(double), [ELEMENT_LONG] = sizeof(long),
                                   [ELEMENT_CHAR] = sizeof(unsigned char)};
    return sizes[kind];
}

/* The text behind "name=" in a set, NULL if the set does not give it. */
static const char *set_find(const char *set, const char *name)
{
    size_t length = strlen(name);
    while (set) {
        if (!strncmp(set, name, length) && set[length] == '=')
            return set + length + 1;
        set = strchr(set, ',');
        if (set)
            set++;
    }
    return NULL;
}

static size_t set_length(const char *set)
{
    size_t length = *set != '\0';
    for (; *set; set++)
        length += *set == ',';
    return length;
}

static void arguments_read(struct problem *p, const char *set)
{
    size_t given = 0;
    for (size_t i = 0; i < p->program->n_parameters; i++) {
        const struct parameter *parameter = &p->program->parameters[i];
        if (parameter->kind == PARAMETER_ARRAY)
            continue;
        const char *text = set_find(set, parameter->name);
        if (!text) {
            fprintf(stderr, "%s: '%s' gives no %s\n", p->program->name, set, parameter->name);
            exit(1);
        }
        given++;
        if (parameter->kind == PARAMETER_INTEGER)
            p->arguments[i].integer = atoi(text);
        else
            p->arguments[i].real = atof(text);
    }
    if (given != set_length(set)) {
        fprintf(stderr, "%s: '%s' gives what is no parameter, or gives one twice\n", p->program->name, set);
        exit(1);
    }
}

/* Between -1 and 1, the same in every run. */
static double random_real(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

static void element_write(void *array, size_t i, enum element_kind kind, double value)
{
    switch (kind) {
    case ELEMENT_DOUBLE: ((double *)array)[i] = value; break;
    case ELEMENT_FLOAT: ((float *)array)[i] = (float)value; break;
    case ELEMENT_INT: ((int *)array)[i] = (int)value; break;
    case ELEMENT_LONG: ((long *)array)[i] = (long)value; break;
    case ELEMENT_CHAR: ((unsigned char *)array)[i] = (unsigned char)(value + 99); break;
    }
}

/* Integers that are no ways are between -99 and 99, those without a sign from 0 to 198. */
static void data_fill(void *array, size_t count, const struct parameter *parameter, uint32_t seed)
{
    size_t row = (size_t)(sqrt((double)count) + 0.5);
    for (size_t i = 0; i < count; i++) {
        double value = random_real(&seed);
        bool is_diagonal = i % (row + 1) == 0;
        if (parameter->data == DATA_DOMINANT && is_diagonal)
            value += (double)row;
        if (parameter->data == DATA_WAYS)
            value = is_diagonal ? 0 : floor((value + 1.0) * 49.0) + 1.0;
        else if (parameter->element != ELEMENT_DOUBLE && parameter->element != ELEMENT_FLOAT)
            value = floor(value * 99.0);
        element_write(array, i, parameter->element, value);
    }
}

struct problem problem_make(const struct program *program, const char *set)
{
    size_t n = program->n_parameters;
    struct problem p = {.program = program};
    p.arguments = allocate(n * sizeof *p.arguments);
    p.bytes = allocate(n * sizeof *p.bytes);
    p.first = allocate(n * sizeof *p.first);
    p.expected = allocate(n * sizeof *p.expected);
    size_t *counts = allocate(n * sizeof *counts);
    arguments_read(&p, set);
    program->counts(p.arguments, counts);
    for (size_t i = 0; i < n; i++) {
        const struct parameter *parameter = &program->parameters[i];
        if (parameter->kind != PARAMETER_ARRAY)
            continue;
        p.bytes[i] = counts[i] * element_size(parameter->element);
        p.arguments[i].array = allocate(p.bytes[i]);
        p.first[i] = allocate(p.bytes[i]);
        p.expected[i] = allocate(p.bytes[i]);
        data_fill(p.first[i], counts[i], parameter, (uint32_t)i + 1);
    }
    free(counts);
    problem_restore(&p);
    return p;
}

void problem_free(struct problem *p)
{
    for (size_t i = 0; i < p->program->n_parameters; i++) {
        if (p->first[i])
            free(p->arguments[i].array);
        free(p->first[i]);
        free(p->expected[i]);
    }
    free(p->arguments);
    free(p->bytes);
    free(p->first);
    free(p->expected);
}

void problem_restore(struct problem *p)
{
    for (size_t i = 0; i < p->program->n_parameters; i++)
        if (p->first[i])
            memcpy(p->arguments[i].array, p->first[i], p->bytes[i]);
}

void problem_expect(struct problem *p)
{
    problem_restore(p);
    p->program->serial(p->arguments);
    for (size_t i = 0; i < p->program->n_parameters; i++)
        if (p->expected[i])
            memcpy(p->expected[i], p->arguments[i].array, p->bytes[i]);
}

/* Does any array differ from what the reference gave first? */
static bool results_differ(const struct problem *p)
{
    for (size_t i = 0; i < p->program->n_parameters; i++)
        if (p->first[i] && memcmp(p->arguments[i].array, p->expected[i], p->bytes[i]))
            return true;
    return false;
}

void problem_traffic(struct problem *p, size_t *in, size_t *out)
{
    *in = 0;
    *out = 0;
    for (size_t i = 0; i < p->program->n_parameters; i++) {
        if (!p->first[i])
            continue;
        if (memcmp(p->first[i], p->expected[i], p->bytes[i]))
            *out += p->bytes[i];
        size_t size = element_size(p->program->parameters[i].element);
        problem_restore(p);
        data_fill(p->arguments[i].array, p->bytes[i] / size, &p->program->parameters[i], (uint32_t)i + 1001);
        p->program->serial(p->arguments);
        if (results_differ(p))
            *in += p->bytes[i];
    }
}

double element_read(const void *array, size_t i, enum element_kind kind)
{
    switch (kind) {
    case ELEMENT_DOUBLE: return ((const double *)array)[i];
    case ELEMENT_FLOAT: return ((const float *)array)[i];
    case ELEMENT_INT: return ((const int *)array)[i];
    case ELEMENT_LONG: return (double)((const long *)array)[i];
    case ELEMENT_CHAR: return ((const unsigned char *)array)[i];
    }
    return 0;
}

bool problem_equal(const struct problem *p, const char *what)
{
    for (size_t i = 0; i < p->program->n_parameters; i++) {
        const struct parameter *parameter = &p->program->parameters[i];
        size_t size = element_size(parameter->element);
        for (size_t at = 0; p->first[i] && at < p->bytes[i] / size; at++) {
            double is = element_read(p->arguments[i].array, at, parameter->element);
            double expected = element_read(p->expected[i], at, parameter->element);
            bool is_nan = isnan(is) && isnan(expected);
            if (!is_nan && memcmp((char *)p->arguments[i].array + at * size, (char *)p->expected[i] + at * size, size)) {
                printf("%s: %s: element %zu of %s is %.17g, the reference says %.17g\n", p->program->name, what, at,
                       parameter->name, is, expected);
                return false;
            }
        }
    }
    return true;
}
