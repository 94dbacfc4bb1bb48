/* Variables of the file that a pointer may point to, and constants that nobody writes. */
const double half = 0.5;
const double weights[4] = {1, 2, 3, 4};
double scale = 3;
int count = 1;

void rescale(double *a)
{
#pragma scop
    for (int i = 0; i < count; i++)
        a[i] = a[i] * scale + half + weights[i & 3];
    for (int i = 0; i < count; i++)
        a[i] += scale;
#pragma endscop
}

void number(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = count + i;
        a[i] *= count;
    }
#pragma endscop
}

#ifdef MAIN
#include <stdio.h>
int main(void)
{
    double own[20] = {1, 2, 3};
    int numbers[20] = {0};
    rescale(&scale);
    rescale(own);
    count = 20;
    rescale(own);
    number(20, numbers);
    number(1, &count);
    printf("%g %d\n", scale, count);
    for (int i = 0; i < 20; i++)
        printf("%g %d\n", own[i], numbers[i]);
    return 0;
}
#endif
