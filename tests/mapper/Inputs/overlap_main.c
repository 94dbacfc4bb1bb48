/* The source and the mapped program on pointers that overlap or not, and on sizes of 0 and below. */
#include <stdio.h>
#include <string.h>

void smooth(int n, double *a, double *b);
void smooth_source(int n, double *a, double *b);
void halves(int n, int m[][3], int rows[][3]);
void halves_source(int n, int m[][3], int rows[][3]);
void derive(int n, int shift, int *restrict x);
void derive_source(int n, int shift, int *restrict x);

enum { ROOM = 64 };

static int wrong;

static void smooth_compare(int n, int first, int second)
{
    double given[ROOM], mapped[ROOM];
    for (int i = 0; i < ROOM; i++)
        given[i] = mapped[i] = (i * 37) % 11 * 0.25;
    smooth_source(n, given + first, given + second);
    smooth(n, mapped + first, mapped + second);
    if (memcmp(given, mapped, sizeof given)) {
        printf("smooth(%d, a + %d, a + %d) differs\n", n, first, second);
        wrong++;
    }
}

static void halves_compare(int n, int first, int second)
{
    int given[ROOM][3], mapped[ROOM][3];
    for (int i = 0; i < ROOM; i++)
        for (int j = 0; j < 3; j++)
            given[i][j] = mapped[i][j] = i * 7 + j;
    halves_source(n, given + first, given + second);
    halves(n, mapped + first, mapped + second);
    if (memcmp(given, mapped, sizeof given)) {
        printf("halves(%d, m + %d, m + %d) differs\n", n, first, second);
        wrong++;
    }
}

static void derive_compare(int n, int shift)
{
    int given[ROOM], mapped[ROOM];
    for (int i = 0; i < ROOM; i++)
        given[i] = mapped[i] = i * 7;
    derive_source(n, shift, given + 20);
    derive(n, shift, mapped + 20);
    if (memcmp(given, mapped, sizeof given)) {
        printf("derive(%d, %d) differs\n", n, shift);
        wrong++;
    }
}

int main(void)
{
    static const int sizes[] = {-100, -1, 0, 1, 2, 3, 9, 20};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int shift = 0; shift < 24; shift++) {
            smooth_compare(sizes[k], 20, 20 + shift);
            smooth_compare(sizes[k], 20 + shift, 20);
            halves_compare(sizes[k], 20, 20 + shift);
            halves_compare(sizes[k], 20 + shift, 20);
            derive_compare(sizes[k], shift - 10);
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
