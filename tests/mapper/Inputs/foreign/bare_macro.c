/* A macro with a block of its own as the bare body of an `if`. */
#define CLEAR(p, n) do { long i_; for (i_ = 0; i_ < (n); i_++) (p)[i_] = 0; } while (0)
void clear(double *a, double *b, long n)
{
    if (n > 3)
        CLEAR(b, n);
    else
        CLEAR(a, n);
}
