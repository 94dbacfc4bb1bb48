/* Functions in which a region alone is not the whole story. */
#include <metafork.h>
#include <stdio.h>
#include <stdlib.h>

/* Extents and subscripts over a host loop; host code between the regions; a local array. */
float lower(int n, int B, float a[n][n])
{
    float scale[n];
    for (int k = 0; k < n - 1; k++) {
        int rest = n - k - 1, blocks = (rest + B - 1) / B;
        if (a[k][k] == 0)
            a[k][k] = 1;
        float pivot = a[k][k];
        meta_schedule {
            meta_for (int g = 0; g < blocks; g++)
                meta_for (int l = 0; l < B; l++) {
                    int i = g * B + l;
                    if (i < rest)
                        scale[i] = a[k + 1 + i][k] / pivot;
                }
        }
        meta_schedule {
            meta_for (int g = 0; g < blocks; g++)
                meta_for (int l = 0; l < B; l++) {
                    int i = g * B + l;
                    if (i < rest)
                        for (int j = k; j < n; j++)
                            a[k + 1 + i][j] -= scale[i] * a[k][j];
                }
        }
    }
    return a[n - 1][n - 1];
}

/* The parity of t decides; each call remembers that it was made. */
static int calls;
int turns(int T, int n, int B, int a[2][n])
{
    int *from = a[0], *to = a[1];
    printf("turns %d\n", ++calls);
    for (int t = 0; t < T; t++) {
        meta_schedule {
            meta_for (int g = 0; g < (n + B - 1) / B; g++)
                meta_for (int l = 0; l < B; l++) {
                    int i = g * B + l;
                    if (i < n)
                        to[i] = 3 * from[n - 1 - i] + t;
                }
        }
        int *other = from;
        from = to;
        to = other;
    }
    return from[0];
}

/* Only the second time do iterations meet. */
void late(int n, int B, int at[n], int a[n])
{
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < n; i++)
            at[i] = t == 0 ? i : 0;
        meta_schedule {
            meta_for (int g = 0; g < n / B; g++)
                meta_for (int l = 0; l < B; l++)
                    a[at[g * B + l]] = g * B + l;
        }
    }
}

/* The second time its condition does not hold. */
void step(int n, int B, int a[n])
{
    int step = 1;
    for (int t = 0; t < 2; t++) {
        meta_schedule {
            meta_for (int g = 0; g < n / B; g++)
                meta_for (int l = 0; l < B; l++)
                    a[(g * B + l) * step] = g * B + l;
        }
        step = 0;
    }
}

void crash(int n, int B, int a[n])
{
    meta_schedule {
        meta_for (int g = 0; g < n / B; g++)
            meta_for (int l = 0; l < B; l++)
                a[g * B + l] = 1;
    }
    abort();
}

void hang(int n, int B, int a[n])
{
    meta_schedule {
        meta_for (int g = 0; g < n / B; g++)
            meta_for (int l = 0; l < B; l++)
                a[g * B + l] = 1;
    }
    for (volatile int i = 0; i < 1; )
        continue;
}

int main(void)
{
    static int a[60];
    meta_schedule {
        meta_for (int g = 0; g < 6; g++)
            meta_for (int l = 0; l < 10; l++)
                a[g * 10 + l] = g * l;
    }
    printf("%d\n", a[59]);
    exit(a[59] % 7);
}
