#ifndef POLYBENCH_HARNESS_H
#define POLYBENCH_HARNESS_H
#include <stdbool.h>
#include <stddef.h>

/* What polybench.py prints for a program: its parameters in order, and calls with arguments in that order. */
enum parameter_kind { PARAMETER_INTEGER, PARAMETER_REAL, PARAMETER_ARRAY };
enum data_kind { DATA_RANDOM, DATA_DOMINANT, DATA_WAYS };
enum element_kind { ELEMENT_INT, ELEMENT_FLOAT, ELEMENT_DOUBLE, ELEMENT_LONG, ELEMENT_CHAR };

struct parameter {
    const char *name;
    enum parameter_kind kind;
    enum element_kind element;      /* of an array */
    enum data_kind data;
};

union argument {
    int integer;
    double real;
    void *array;
};

struct program {
    const char *name;
    size_t n_parameters;
    const struct parameter *parameters;
    void (*counts)(const union argument *a, size_t *counts);    /* elements of each array */
    void (*serial)(const union argument *a);                    /* the reference */
    void (*plain)(const union argument *a);         /* the program with its tunables; NULL if they are no arguments */
    int (*automatic)(const union argument *a);      /* it chooses them: 0 once it has run; NULL if it cannot */
};
extern const struct program programs[];
extern const size_t n_programs;

/* A program with arguments: arrays as they were filled (`first`) and as calls see them. */
struct problem {
    const struct program *program;
    union argument *arguments;
    size_t *bytes;
    void **first, **expected;       /* per parameter; NULL where it is no array */
};

/* "n=4,alpha=1.5,B0=2" sets every parameter that is no array. Ends the program with a message if one is missing or
   unknown, or if memory is short. */
struct problem problem_make(const struct program *program, const char *set);
void problem_free(struct problem *p);
/* The arrays as they were at first. */
void problem_restore(struct problem *p);
/* Runs the reference and keeps what it gives. */
void problem_expect(struct problem *p);
/* Bytes of an element; an element as a number. */
size_t element_size(enum element_kind kind);
double element_read(const void *array, size_t i, enum element_kind kind);
/* Are all arrays what the reference gave, bit for bit (any NaN for a NaN)? If not, says where on standard output. */
bool problem_equal(const struct problem *p, const char *what);
/* The bytes of the arrays whose first values matter to the reference's results, and of those that it changes. After
   problem_expect; runs the reference once per array. */
void problem_traffic(struct problem *p, size_t *in, size_t *out);
/* Ends the program with a message if there is none. */
const struct program *program_find(const char *name);

#endif
