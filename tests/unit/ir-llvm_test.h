#ifndef TESTS_UNIT_IR_LLVM_TEST_H
#define TESTS_UNIT_IR_LLVM_TEST_H
#include "base/str.h"
#include "ir/fold.h"
#include "ir/llvm/llvm.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <string.h>

/* What the tests of ir/llvm and ir/ptx share: counting, kernels from text, arrays of random
   data. */

struct test {
    const char *name;
    struct check count;
};

static inline bool check(struct test *test, bool holds, const char *what)
{
    test->count.passed += holds;
    test->count.failed += !holds;
    if (!holds)
        printf("%s: FAILED: %s\n", test->name, what);
    return holds;
}

static inline int test_end(struct test *test)
{
    return check_end(&test->count, test->name);
}

static inline struct kernel *kernel_of_text(struct ctx *ctx, const char *name, const char *text)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    *source = (struct source){.path = name, .text = text, .length = strlen(text)};
    return kernel_read(ctx, source);
}

/* tests/unit/ir-llvm_kernels/NAME.kernel; the tests run in the root of the tree. */
static inline struct kernel *kernel_of_file(struct ctx *ctx, const char *name)
{
    size_t length;
    const char *path = arena_printf(ctx->arena, "tests/unit/ir-llvm_kernels/%s.kernel", name);
    const char *text = file_read(ctx, path, &length);
    return text ? kernel_of_text(ctx, path, text) : NULL;
}

static inline uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 33 ^ *state << 20;
}

/* Small values of each type, so that sums stay exact enough to be interesting and subscripts in
   range. */
static inline void fill_random(enum type type, void *data, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        int64_t small = (int64_t)(random_bits(state) % 2001) - 1000;
        if (type_is_floating(type))
            value_store(type, (unsigned char *)data + i * type_bytes(type),
                        (union value){.real = real_round(type, (double)small / 7)});
        else if (type == TYPE_BOOL)
            ((unsigned char *)data)[i] = small & 1;
        else
            memcpy((char *)data + i * type_bytes(type), &small, type_bytes(type));
    }
}

/* Data for a kernel: parameters by name from `bindings` (a parameter that is not named gets 3),
   arrays of the size that the dimensions say. */
static inline struct interpret_input input_make(struct ctx *ctx, const struct kernel *kernel,
                                                const struct binding *bindings, size_t n,
                                                uint64_t *state)
{
    union value *params = ARENA_ARRAY(ctx->arena, union value, kernel->n_params + 1);
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_params; i++) {
        int64_t value = 3;
        for (size_t k = 0; k < n; k++)
            if (!strcmp(bindings[k].name, kernel->params[i]->var->name))
                value = bindings[k].value;
        params[i].integer = value;
        if (type_is_floating(kernel->params[i]->var->type))
            params[i].real = (double)value;
    }
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        size_t count = 1;
        for (int k = 0; array->space == SPACE_GLOBAL && k < array->n_dims; k++) {
            union value extent = {.integer = 0};
            expr_evaluate(kernel, array->dims[k], params, &extent);
            count *= (size_t)(extent.integer > 0 ? extent.integer : 0);
        }
        arrays[i].count = count;
        arrays[i].data = arena_alloc(ctx->arena, (count + 1) * type_bytes(array->element));
        fill_random(array->element, arrays[i].data, count, state);
    }
    return (struct interpret_input){.params = params, .arrays = arrays};
}

/* The same input with arrays of its own. */
static inline struct interpret_input input_copy(struct ctx *ctx, const struct kernel *kernel,
                                                const struct interpret_input *input)
{
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    struct interpret_input copy = *input;
    for (int i = 0; i < kernel->n_arrays; i++) {
        size_t bytes = input->arrays[i].count * type_bytes(kernel->arrays[i]->element);
        arrays[i].count = input->arrays[i].count;
        arrays[i].data = arena_alloc(ctx->arena, bytes + 8);
        memcpy(arrays[i].data, input->arrays[i].data, bytes);
    }
    copy.arrays = arrays;
    return copy;
}

static inline bool arrays_equal(const struct kernel *kernel, const struct interpret_input *a,
                                const struct interpret_input *b)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL &&
            memcmp(a->arrays[i].data, b->arrays[i].data,
                   a->arrays[i].count * type_bytes(kernel->arrays[i]->element)))
            return false;
    return true;
}

#endif
