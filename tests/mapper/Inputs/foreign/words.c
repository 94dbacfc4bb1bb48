/* An extent whose name is a word of OpenCL C, another one's of C++. */
void copy(float *restrict a, const float *restrict b, int local)
{
    for (int i = 0; i < local; i++)
        a[i] = b[i];
}

void twice(double *restrict a, int template)
{
    for (int i = 0; i < template; i++)
        a[i] *= 2;
}
