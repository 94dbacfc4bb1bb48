/* Sizes of every width, for overflow.test. */
#include <metafork.h>
#include <stddef.h>
void l(long n, long B, long *a)
{
    meta_schedule { meta_for (long i = 0; i < (n + B - 1) / B; i++) meta_for (long j = 0; j < B; j++) { long p = i * B + j; if (p < n) a[p] += 1; } }
}
void z(size_t n, size_t B, char *a)
{
    meta_schedule { meta_for (size_t i = 0; i < (n + B - 1) / B; i++) meta_for (size_t j = 0; j < B; j++) { size_t p = i * B + j; if (p < n) a[p] += 1; } }
}
void u(unsigned n, unsigned B, char *a)
{
    meta_schedule { meta_for (unsigned i = 0; i < (n + B - 1) / B; i++) meta_for (unsigned j = 0; j < B; j++) { unsigned p = i * B + j; if (p < n) a[p] += 1; } }
}
void m(int n, int B, float a[n][n])
{
    meta_schedule { meta_for (int i = 0; i < n; i++) meta_for (int j = 0; j < B; j++) if (j < n) a[i][j] += 1; }
}
void q(short n, signed char B, char *a)
{
    meta_schedule { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j < B; j++) a[i * B + j] += 1; }
}
