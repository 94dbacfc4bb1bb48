/* Unsigned counters as signed numbers: places before an array, which stay, and places in it. */
void back(unsigned n, float *restrict x, const float *restrict y)
{
    for (unsigned j = 0; j < n; j++)
        x[j] = y[-(int)j];
}

void correlate(unsigned n, unsigned m, float *restrict o, const float *restrict x, const float *restrict y)
{
    for (unsigned i = 0; i < n; i++) {
        float s = 0;
        for (unsigned j = 0; j < m; j++)
            s += x[j] * y[-((int)i - (int)j)];
        o[i] = s;
    }
}

void within(unsigned long n, float *restrict x, const float *restrict y)
{
    for (unsigned long j = 0; j < n; j++)
        x[j] = y[(int)j + 3];
}
