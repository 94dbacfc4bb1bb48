/* The last place at which a condition holds, counted by an unsigned number of 64 bits: none is
   -1, which has a sign. */
int falls(const double *a, unsigned long n)
{
    int fell = 0;
    for (unsigned long i = 1; i < n; ++i)
        if (a[i] < a[i - 1])
            fell = 1;
    return fell;
}
