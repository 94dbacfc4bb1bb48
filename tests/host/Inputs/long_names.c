#define METAFORK_LONG_NAMES
#include <metafork.h>
#include <stdio.h>

static int cache(int x)
{
    return x + 1;
}

static void fill(int n, int B, int a[n])
{
    meta_schedule meta_cache(a) {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = cache(a[i * B + j]);
    }
}

int main(void)
{
    int a[4] = {cache(0), cache(1), cache(2), cache(3)};
    fill(4, 2, a);
    for (int i = 0; i < 4; i++)
        printf("%d ", cache(a[i]));
    printf("\n");
    return 0;
}
