void pairs(int n, double d[restrict][8], double *restrict b);
void shift(int n, int m, double *restrict a, double *restrict b, double c[restrict][8]);
void wave(int n, int m, double c[restrict][8], double *restrict b);
void alone(int n, int m, double *restrict a);
