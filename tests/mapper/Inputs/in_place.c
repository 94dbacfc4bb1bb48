/* Scalars that gather an element's value: which of them can be the element. */
#ifdef SOURCE
#define NAME(name) name##_source
#else
#define NAME(name) name
#endif

/* Declared where it begins. */
void NAME(doolittle)(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum = sum - a[i][k] * a[k][j];
            a[i][j] = sum / a[j][j];
        }
        for (int j = i; j < n; j++) {
            double sum = a[i][j];
            for (int k = 0; k < i; k++)
                sum -= a[i][k] * a[k][j];
            a[i][j] = sum;
        }
    }
#pragma endscop
}

/* The element is another array's. */
void NAME(forward)(int n, const double a[restrict n][n], const double b[restrict n],
                   double y[restrict n])
{
    double w;
#pragma scop
    for (int i = 0; i < n; i++) {
        w = b[i];
        for (int j = 0; j < i; j++)
            w -= a[i][j] * y[j];
        y[i] = w / a[i][i];
    }
#pragma endscop
}

/* The loop reads the element while the scalar has another value. */
void NAME(twice)(int n, double a[n][n])
{
    double w;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            w = a[i][j];
            for (int k = 0; k <= j; k++)
                w -= a[i][k] * a[j][k];
            a[i][j] = w / a[j][j];
        }
#pragma endscop
}

/* A float would round each term. */
void NAME(rounds)(int n, float a[n][n])
{
    double w;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            w = a[i][j];
            for (int k = 0; k < j; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w / a[j][j];
        }
#pragma endscop
}

/* Not every element is stored to. */
void NAME(perhaps)(int n, double a[n][n])
{
    double w;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            w = a[i][j];
            for (int k = 0; k < j; k++)
                w -= a[i][k] * a[k][j];
            if (w > 0)
                a[i][j] = w / a[j][j];
        }
#pragma endscop
}
