double twist(double x);
double relax(int steps, int n, double a[restrict n][n], double b[restrict n][n],
             const int *restrict p);
void carry(int n, double *restrict a, double *restrict b);
void between(int n, int *restrict a, int *restrict b);
int iterators(int n, int *restrict a, int *restrict b);
