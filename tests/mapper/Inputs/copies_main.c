/* What the runtime copied while each function of copies.c ran. */
#include <stdio.h>
#include <treefork.h>

void smooth(int steps, int n, double *a, double *b);
double watched(int n, const float *a, float *c);
int corrected(int n, int *a);

static void report(const char *name)
{
    static struct treefork_statistics old;
    struct treefork_statistics now = treefork_statistics(treefork_default());
    fprintf(stderr, "%s: %d in, %d out\n", name, (int)(now.bytes_to_device - old.bytes_to_device),
            (int)(now.bytes_to_host - old.bytes_to_host));
    old = now;
}

int main(void)
{
    static double a[100], b[100];
    static float c[100], d[100];
    static int e[100];
    smooth(3, 100, a, b);
    report("smooth");
    watched(100, c, d);
    report("watched");
    corrected(100, e);
    report("corrected");
    return 0;
}
