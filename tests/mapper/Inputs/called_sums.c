#include <stdio.h>
static int ipow2(int n)
{
    int p = 1, i;
    for (i = 0; i < n; ++i)
        p *= 2;
    return p;
}
int place[64];
int main(int argc, char **argv)
{
    int it1 = 0, i, J = argc + 5;
    static int len[5000];
    for (i = 0; i < 5000; i++)
        len[i] = ipow2(i % 7);
    for (i = 0; i < J; i++)
        it1 += ipow2(i + 1);
    printf("%d %d\n", it1, len[5]);
    return 0;
}
