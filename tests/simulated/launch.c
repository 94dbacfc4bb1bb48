/* Launches of the simulated driver. In: a function, its grid, block, dynamic shared bytes and argument pointers; out: the
   arrays as the kernel's IR leaves them, run on the CPU with one fiber per thread. It refuses what a driver refuses (limits
   of the machine, dynamic bytes above 48 KiB that were not asked for, registers that do not fit) and, beyond a driver, a
   block that is not the kernel's, too few dynamic bytes, and pointers that are no device memory. */
#include "ir/expr.h"
#include "tests/simulated/simulated.h"
#include <inttypes.h>
#include <string.h>

enum { SHARED_DEFAULT = 49152, GRID_MAX = INT32_MAX };

static int launch_limits(const struct sim_function *f, unsigned blocks, unsigned threads, unsigned bytes)
{
    const int64_t *machine = simulated()->machine.value;
    int64_t allowed = f->dynamic_bytes > SHARED_DEFAULT ? f->dynamic_bytes : SHARED_DEFAULT;
    int64_t warp = 4 * machine[TREEFORK_W_B], rounded = (threads + warp - 1) / warp * warp;
    if (machine[TREEFORK_Z_B] <= INT32_MAX / 4 && allowed > 4 * machine[TREEFORK_Z_B])
        allowed = 4 * machine[TREEFORK_Z_B];
    if (blocks < 1 || blocks > GRID_MAX)
        return sim_fail(CU_INVALID_VALUE, "%s: %u blocks", f->entry, blocks);
    if (threads < 1 || threads > machine[TREEFORK_T_B])
        return sim_fail(CU_INVALID_VALUE, "%s: %u threads", f->entry, threads);
    if (bytes > allowed)
        return sim_fail(CU_INVALID_VALUE, "%s: %u bytes of dynamic shared memory, allowed are %" PRId64, f->entry, bytes, allowed);
    if (rounded * ((f->registers + 7) / 8 * 8) > machine[TREEFORK_F_B])
        return sim_fail(CU_OUT_OF_RESOURCES, "%s: %u threads of %d registers", f->entry, threads, f->registers);
    return CU_OK;
}

static union value scalar_of(enum type type, const void *at)
{
    union value value = { .integer = 0 };
    float single;
    size_t bytes = type_bytes(type);
    if (type == TYPE_F32) {
        memcpy(&single, at, sizeof single);
        value.real = (double)single;
        return value;
    }
    memcpy(&value, at, bytes);
    if (type == TYPE_F64 || bytes == 8 || !type_is_signed(type))
        return value;
    unsigned shift = 64 - 8 * (unsigned)bytes;
    value.integer = (int64_t)(value.unsigned_ << shift) >> shift;
    return value;
}

/* The element count of an array is what its allocation holds from the pointer on, so that the bounds check is the real one. */
static int array_of(const struct sim_function *f, const struct array *array, const void *at, struct interpret_array *result)
{
    uint64_t address;
    memcpy(&address, at, sizeof address);
    struct sim_memory *memory = address ? sim_memory_of(address, 1) : NULL;
    if (address % VECTOR_BYTES)
        return sim_fail(CU_INVALID_VALUE, "%s: the array '%s' at 0x%" PRIx64 " is not aligned to %d bytes", f->entry, array->name,
                        address, VECTOR_BYTES);
    if (address && !memory)
        return sim_fail(CU_ILLEGAL_ADDRESS, "%s: array %s is no device memory", f->entry, array->name);
    *result = (struct interpret_array){ .data = (void *)(uintptr_t)address };
    if (memory)
        result->count = (memory->bytes - (size_t)(address - (uint64_t)(uintptr_t)memory->data)) / type_bytes(array->element);
    return CU_OK;
}

static int launch_arguments(const struct sim_function *f, void **arguments, union value *params, struct interpret_array *arrays)
{
    const struct kernel *k = f->kernel;
    int n = 0, code = CU_OK;
    for (int i = 0; i < k->n_params; i++, n++) {
        if (!arguments[n])
            return sim_fail(CU_INVALID_VALUE, "%s: argument %d is missing", f->entry, n + 1);
        params[i] = scalar_of(k->params[i]->var->type, arguments[n]);
    }
    for (int i = 0; i < k->n_arrays && k->arrays[i]->space == SPACE_GLOBAL && !code; i++, n++) {
        if (!arguments[n])
            return sim_fail(CU_INVALID_VALUE, "%s: argument %d is missing", f->entry, n + 1);
        code = array_of(f, k->arrays[i], arguments[n], &arrays[i]);
    }
    if (!code && arguments[n])
        return sim_fail(CU_INVALID_VALUE, "%s: more than %d arguments", f->entry, n);
    return code;
}

static int launch_shape(const struct sim_function *f, const union value *params, unsigned threads, unsigned bytes)
{
    const struct kernel *k = f->kernel;
    int64_t product = 1;
    union value value;
    for (int i = 0; i < k->n_block; i++) {
        if (!expr_evaluate(k, k->block[i].extent, params, &value))
            return sim_fail(CU_INVALID_VALUE, "%s: a block extent overflows", f->entry);
        product *= value.integer;
    }
    const struct divisible *fact = kernel_indivisible(k, params);
    if (fact)
        return sim_fail(CU_INVALID_VALUE, "%s: launched where %" PRId64 " does not divide an extent", f->entry, fact->divisor);
    if (product != threads && !kernel_all_strided(k))
        return sim_fail(CU_INVALID_VALUE, "%s: %u threads, the kernel's block has %" PRId64, f->entry, threads, product);
    if (!k->shared_bytes)
        return CU_OK;
    if (!expr_evaluate(k, k->shared_bytes, params, &value) || value.integer > bytes)
        return sim_fail(CU_INVALID_VALUE, "%s: %u bytes of dynamic shared memory, the kernel needs %" PRId64, f->entry, bytes,
                        value.integer);
    return CU_OK;
}

/* A run that fails has left its arrays or lost a thread: as after such a fault on a GPU, the device is lost. */
static int launch_run(const struct sim_function *f, unsigned blocks, unsigned threads, unsigned bytes, void **arguments)
{
    struct sim *sim = simulated();
    struct arena *arena = arena_new();
    union value *params = ARENA_ARRAY(arena, union value, f->kernel->n_params + 1);
    struct interpret_array *arrays = ARENA_ARRAY(arena, struct interpret_array, f->kernel->n_arrays + 1);
    struct interpret_input input = { .params = params, .arrays = arrays, .seed = sim->seed,
                                     .threads = kernel_all_strided(f->kernel) ? threads : 0 };
    int code = launch_arguments(f, arguments, params, arrays);
    if (!code)
        code = launch_shape(f, params, threads, bytes);
    if (!code && !llvm_run(sim->ctx, f->kernel, &input, blocks))
        code = sim->lost = sim_fail(CU_ILLEGAL_ADDRESS, "%s: %s", f->entry, sim->ctx->last);
    arena_free(arena);
    return code;
}

int cuLaunchKernel(void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned bytes,
                   void *stream, void **arguments, void **extra)
{
    const struct sim_function *f = sim_function_of(handle);
    int code = sim_enter("cuLaunchKernel", true);
    if (!code && !f)
        code = sim_fail(CU_INVALID_VALUE, "an unknown function is launched");
    if (!code && (gy != 1 || gz != 1 || by != 1 || bz != 1 || stream || extra))
        code = sim_fail(CU_INVALID_VALUE, "%s: launches are one-dimensional here", f->entry);
    if (!code)
        code = launch_limits(f, gx, bx, bytes);
    return code ? code : launch_run(f, gx, bx, bytes, arguments);
}
