/* A function of a header, whose macros the caller's file does not need to have. */
#define HEADER_HALF 0.5f
static inline void header_add(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        const float half = HEADER_HALF * x[i];
        y[i] += half;
    }
}
#undef HEADER_HALF
