/* Functions of loops in a header, and macros that call them. */
static inline void header_add(int n, const float *a, const float *b, float *c)
{
    int i;
    for (i = 0; i < n; ++i)
        c[i] = a[i] + b[i];
}
#define ADD_TWICE(n, a, b, c, d) do { header_add(n, a, b, d); header_add(n, d, c, d); } while (0)
