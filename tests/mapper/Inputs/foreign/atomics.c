/* Atomic variables beside loops: gcc's header has macros that clang refuses. */
#include <stdatomic.h>
#include <stdint.h>
static atomic_int calls;
static atomic_flag busy = ATOMIC_FLAG_INIT;
int64_t most = INT64_MAX;
int called(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

void scale(int n, float *restrict a, const float *restrict b)
{
    while (atomic_flag_test_and_set(&busy))
        continue;
    atomic_fetch_add(&calls, 1);
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
    atomic_flag_clear(&busy);
}
