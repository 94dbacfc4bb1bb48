#include "both.h"

DECLARE(cholesky_right, int, double *);
DECLARE(cholesky_left, int, double *);
DECLARE(lu_right, int, int, double *);
DECLARE(lu_part, int, int, int, double *);
DECLARE(solve_columns, int, const double *, double *);
DECLARE(solve_many, int, int, const double *, double *);
DECLARE(relax, int, double *, double *);
DECLARE(solve_down, int, const double *, double *);

int main(void)
{
    for (int n = 0; n <= 69; n++) {
        BOTH(cholesky_right, n, n, a[at]);
        BOTH(cholesky_left, n, n, a[at]);
        BOTH(lu_right, n, 2, n, a[at]);
        BOTH(lu_part, n + 1, n, 1, n - 1, a[at]);
        BOTH(lu_part, n + 1, n, n / 3, n / 2, a[at]);
        BOTH(solve_columns, n, n, a[at], x[at]);
        BOTH(solve_many, n, n, 3, a[at], x[at]);
        BOTH(relax, n, n, a[at], x[at]);
        BOTH(solve_down, n, n, a[at], x[at]);
    }
    printf("%d of %d differ\n", wrong, runs);
    return wrong != 0;
}
