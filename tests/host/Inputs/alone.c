#include <metafork.h>
#include <stdio.h>

void plain(int n, int a[n])
{
    const int B = meta_tunable(32);
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n)
                    a[i] = a[i] + 1;
            }
    }
}

void divided(int n, int a[n])
{
    const int B = meta_tunable(32);
    meta_schedule {
        meta_for (int b = 0; b < n / B; b++)
            meta_for (int t = 0; t < B; t++)
                a[b * B + t] = a[b * B + t] + 1;
    }
}

void chosen(int n, int a[n], int c[n])
{
    const int B = meta_tunable(32);
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n)
                    if (c[i] == 0)
                        a[i] = a[i] + 1;
            }
    }
}

#ifdef MAIN
static int sum(int n, const int *a)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(void)
{
    int a[99] = {0}, c[99] = {0}, s[3];
    plain(99, a);
    s[0] = sum(99, a);
    divided(99, a);
    s[1] = sum(99, a) - s[0];
    chosen(99, a, c);
    s[2] = sum(99, a) - s[0] - s[1];
    printf("%d %d %d\n", s[0], s[1], s[2]);
    return 0;
}
#endif
