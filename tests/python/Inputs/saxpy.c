/* As one wrote it in 1989. */
void saxpy(n, a, x, y)
int n;
float a;
const float *x;
float *y;
{
    int i;
    for (i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}
