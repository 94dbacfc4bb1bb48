// A const array keeps the values that it is declared with, whichever witness runs the kernel: each wrong value would read c[-1].
// RUN: %treefork verify %s --set n=64,B=8 --witness threads | FileCheck %s
// RUN: %treefork verify %s --set n=64,B=8 --witness cpu | FileCheck %s
// CHECK-NOT: FAILED
// CHECK: {{[1-9][0-9]*}} verified, 0 failed, 0 skipped
#include <metafork.h>

#define SQUARE(x) ((x) * (x))
enum { FIVE = 5 };

static const int tab[2] = {1, 2};
static const int three = 3;
static const float rows[2][3] = {{0.5f, -2, SQUARE(2)}, {FIVE}};
static const int flat[2][2] = {1, 2, 3, 4};
static const int chosen[6] = {[1] = 7, [3] = 8, 9};
static const int chosen_rows[3][2] = {[1] = {7, 8}, 9};
static const unsigned char letters[4] = "ab";
static const double mixed[4] = {1e3, .5 + three, (int)2.7, sizeof(int)};
static const int zeros[3];
static const int ranged[8] = {[0 ... 7] = 1};

void divide(int n, int B, const int a[restrict 3 * n], int b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = a[3 * (i * B + j) + tab[j % 2]] / tab[j % 2];
    }
}

void every_kind(int n, int B, const int c[restrict n], int b[restrict n])
{
    const int inner[2] = {-4, 5 ? 6 : 7};
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                int good = rows[0][0] == 0.5f && rows[0][1] == -2 && rows[0][2] == 4 && rows[1][0] == 5 && rows[1][1] == 0 &&
                           flat[0][0] == 1 && flat[0][1] == 2 && flat[1][0] == 3 && flat[1][1] == 4;
                int also = chosen[0] == 0 && chosen[1] == 7 && chosen[2] == 0 && chosen[3] == 8 && chosen[4] == 9 && chosen[5] == 0 &&
                           chosen_rows[0][1] == 0 && chosen_rows[1][1] == 8 && chosen_rows[2][0] == 9 && chosen_rows[2][1] == 0;
                int too = letters[0] == 'a' && letters[1] == 'b' && letters[2] == 0 && letters[3] == 0 && mixed[0] == 1000 &&
                          mixed[1] == 3.5 && mixed[2] == 2 && mixed[3] == 4 && zeros[2] == 0 && inner[0] == -4 && inner[1] == 6;
                b[i * B + j] = c[good && also && too ? i * B + j : -1];
            }
    }
}

void range(int n, int B, const int a[restrict n], int b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                b[i * B + j] = a[i * B + j] / ranged[j % 8];
    }
}
