/* Calls of functions of loops in loops that directives share out: whatever becomes of these, a
   compiler that reads directives must not let threads share the functions' variables. */
#include <stdio.h>
#include <stdint.h>

static uint64_t forward(uint64_t seed, uint64_t n)
{
    uint64_t a = 6364136223846793005ULL, c = 1442695040888963407ULL, a_all = 1, c_all = 0;
    while (n > 0) {
        if (n & 1) {
            a_all *= a;
            c_all = c_all * a + c;
        }
        c *= a + 1;
        a *= a;
        n >>= 1;
    }
    return a_all * seed + c_all;
}

/* An address of a scalar, which keeps loops on the host. */
static unsigned mix(uint64_t *seed)
{
    *seed ^= *seed >> 13;
    return (unsigned)(*seed >> 40);
}

int main(void)
{
    uint64_t sum = 0, product = 0;
#pragma omp parallel for default(none) reduction(+ : sum) schedule(dynamic, 7)
    for (int i = 0; i < 20000; i++) {
        uint64_t seed = 1070;
        seed = forward(seed, 2 * (uint64_t)i);
        sum += mix(&seed);
    }
#pragma omp parallel for collapse(2) reduction(+ : product)
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 100; j++) {
            uint64_t seed = forward(i, j);
            product += mix(&seed);
        }
    }
#pragma omp parallel for reduction(^ : sum)
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 2; k++) {
            uint64_t seed = forward(i, k);
            sum ^= mix(&seed);
        }
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)product);
    return 0;
}
