/* All regions of it stay on the host. */
void weigh(const double *packed, const double *in, double *restrict out, long n)
{
    for (long i = 0; i < n; i++)
        out[i] = packed[i * (i + 1) / 2] * in[i];
}
