#include <metafork.h>

/* y += alpha * x with a guarded tail, in several element types: four regions in four functions. */
void axpy_float(int n, int s, int B, float alpha, const float *restrict x, float *restrict y)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] += alpha * x[p];
                }
    }
}

void axpy_double(int n, int s, int B, double alpha, const double *restrict x, double *restrict y)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] += alpha * x[p];
                }
    }
}

void axpy_unsigned_char(int n, int s, int B, unsigned char alpha, const unsigned char *restrict x,
                        unsigned char *restrict y)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] += (unsigned char)(alpha * x[p]);
                }
    }
}

void axpy_long(int n, int s, int B, long alpha, const long *restrict x, long *restrict y)
{
    int dim = (n + s * B - 1) / (s * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        y[p] += alpha * x[p];
                }
    }
}
