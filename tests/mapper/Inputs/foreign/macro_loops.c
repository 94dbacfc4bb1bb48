#define SCALE(x, n, f) { int i; for (i = 0; i < (n); i++) (x)[i] *= (f); }
#define WRAPPED(x, n, f) do { int i; for (i = 0; i < (n); i++) (x)[i] *= (f); } while (0)
#define BOTH(x, n, f) { int i; for (i = 0; i < (n); i++) (x)[i] *= (f); for (i = 0; i < (n); i++) (x)[i] += 1; }
#define SAVE(x, n, f) { int i; total += (f); for (i = 0; i < (n); i++) (x)[i] *= (f); }
#define FEW(x, n, f) { int i; for (i = 0; i < 3; i++) (x)[i] *= (f); for (i = 0; i < (n); i++) (x)[i] += 1; }
#define SET(t, n) t = n; for (i = 0; i < n; i++)
#define PRODUCT(y, a, x, n) { int r, c; double sum; for (r = 0; r < (n); r++) { sum = 0; for (c = 0; c < (n); c++) sum += (a)[r][c] * (x)[c]; (y)[r] = sum; } }
double total;
void alone(double *x, int n) { SCALE(x, n, 3.0) }
void wrapped(double *x, int n) { WRAPPED(x, n, 3.0); }
void both(double *x, int n) { BOTH(x, n, 3.0) }
void saved(double *x, int n) { SAVE(x, n, 3.0) }
void few(double *x, int n) { FEW(x, n, 3.0) }
void set(double *x, int n) { int i; SET(total, n) x[i] += 2; }
// The outer loop is serial, since y and x may be one array.
void product(double (*a)[20], double *x, int n) { PRODUCT(x, a, x, n) }
