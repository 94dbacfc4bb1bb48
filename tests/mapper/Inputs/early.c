#include <stdio.h>
int a[4096];
main()
{
    int sum = 0, i;
    setup(4096);
    for (i = 0; i < 4096; i++)
        sum = sum + a[i];
    show(sum, 3);
    return 0;
}
void setup(n)
int n;
{
    int i;
    for (i = 0; i < n; i++)
        a[i] = i * 3;
}
void show(int x, int y)
{
    printf("%d %d\n", x, y);
}
