/* The mapped functions on flat matrices beside the sources; arrays apart and overlapping. */
#include <stdio.h>
#include <string.h>

void multiply(int n, int m, int k, const double *a, const double *b, double *c);
void multiply_source(int n, int m, int k, const double *a, const double *b, double *c);
void filter(int h, int w, const float *restrict in, float *restrict out);
void filter_source(int h, int w, const float *restrict in, float *restrict out);
void solve(int n, int m, const double *restrict l, double *restrict x);
void solve_source(int n, int m, const double *restrict l, double *restrict x);
void mirror(int n, int *a);
void mirror_source(int n, int *a);

enum { ROOM = 3000 };

static double reals[2][ROOM];
static float pixels[2][ROOM], filtered[2][ROOM];
static int numbers[2][ROOM];

static void fill(void)
{
    for (int i = 0; i < 2 * ROOM; i++) {
        reals[i / ROOM][i % ROOM] = (i % ROOM * 37) % 11 * 0.25;
        pixels[i / ROOM][i % ROOM] = (float)((i % ROOM * 53) % 17);
        filtered[i / ROOM][i % ROOM] = -1;
        numbers[i / ROOM][i % ROOM] = i % ROOM * 7;
    }
}

int main(void)
{
    static const int sizes[] = {-2, 0, 1, 3, 7, 19};
    int wrong = 0;
    for (int x = 0; x < 36; x++)
        for (int shift = 0; shift < 1200; shift += 150) {
            int n = sizes[x / 6], m = sizes[x % 6], k = sizes[1 + (x + 3) % 5];
            fill();
            multiply_source(n, m, k, reals[0] + 1200, reals[0] + 1600, reals[0] + 600 + shift);
            multiply(n, m, k, reals[1] + 1200, reals[1] + 1600, reals[1] + 600 + shift);
            filter_source(n, m, pixels[0], filtered[0]);
            filter(n, m, pixels[1], filtered[1]);
            solve_source(n, m, reals[0] + 2000, reals[0]);
            solve(n, m, reals[1] + 2000, reals[1]);
            mirror_source(n, numbers[0]);
            mirror(n, numbers[1]);
            int differs = memcmp(reals[0], reals[1], sizeof reals[0]) ||
                          memcmp(filtered[0], filtered[1], sizeof filtered[0]) ||
                          memcmp(numbers[0], numbers[1], sizeof numbers[0]);
            if (differs)
                printf("sizes %d, %d, %d, shift %d\n", n, m, k, shift);
            wrong += differs;
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
