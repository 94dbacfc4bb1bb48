/* In: a kernel, staged or not. Out: for each global array whether the kernel reads elements of it
   from memory, and whether it writes any.

   A load of an element that its own thread has always written before (prepared.c) needs no memory:
   what compiles the kernel keeps the value. An accumulating store reads its array. */
#include "ir/access/footprint.h"

/* By the order of analysis->accesses, a reference of the array that reads from memory. */
static bool is_read_from_memory(struct analysis *analysis, const struct array *array)
{
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->reference.array == array && !access->reference.is_write &&
            !read_is_prepared(analysis, i))
            return true;
    }
    return false;
}

void access_moved(struct ctx *ctx, const struct kernel *kernel, struct array_moves *moved)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        access_flags(kernel, array, &moved[i].is_read, &moved[i].is_written);
        moved[i].is_read = moved[i].is_read && (stmt_accumulates_in(kernel->body, array) ||
                                                is_read_from_memory(analysis, array));
    }
    analysis_free(analysis);
}
