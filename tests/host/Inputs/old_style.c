/* A definition without a prototype, as C was written before 1989: callers pass a double and an int. */
void scaled(n, a, x, y, add)
int n;
float a;
float x[], y[];
char add;
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        y[i] = a * x[i] + add;
#pragma endscop
}

/* The same with a declaration before it, which callers follow. */
void declared(int n, float a, float *x);
void declared(n, a, x)
int n;
float a;
float x[];
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        x[i] = a * x[i];
#pragma endscop
}
