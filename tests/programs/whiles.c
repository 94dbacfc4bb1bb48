// SET: n=37,m=5,B=4,s=2,most=20
// SET: n=3,m=1,B=8,s=1,most=0
// SET: n=64,m=9,B=16,s=4,most=7
// RUN: %treefork verify %s --set n=37,m=5,B=4,s=2,most=20 --set n=3,m=1,B=8,s=1,most=0 --set n=64,m=9,B=16,s=4,most=7 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Loops of a thread whose rounds depend on data: while, do, break, continue, several conditions, nested ones and helpers.
#include <metafork.h>
static int halvings(int x)
{
    int n = 0;
    while (x > 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        n++;
        if (n > 40)
            break;
    }
    return n;
}
static float length(float x, float y)
{
    float r = x * x;
    if (y > 0 || y < 0)
        r += y * y;
    return r;
}
void escape(int n, int m, int B, int s, int most, int out[n][m], const float re[n], const float im[m])
{
    meta_schedule cache(re) {
        meta_for (int b = 0; b < (n + s * B - 1) / (s * B); b++)
            meta_for (int c = 0; c < m; c++)
                meta_for (int t = 0; t < B; t++)
                    for (int k = 0; k < s; k++) {
                        int i = b * s * B + k * B + t;
                        if (i < n) {
                            float x = 0, y = 0;
                            int round = 0;
                            while (x * x + y * y < 4 && round < most) {
                                float next = x * x - y * y + re[i];
                                y = 2 * x * y + im[c];
                                x = next;
                                round++;
                            }
                            out[i][c] = round;
                        }
                    }
    }
}
void search(int n, int m, int B, int s, int most, int out[n][m], const int key[n], const int table[m])
{
    meta_schedule cache(table) {
        meta_for (int b = 0; b < (n + s * B - 1) / (s * B); b++)
            meta_for (int t = 0; t < B; t++)
                for (int k = 0; k < s; k++) {
                    int i = b * s * B + k * B + t;
                    if (i < n) {
                        int found = -1, at;
                        for (int c = 0; c < m; c++) {
                            if (table[c] % 7 == 3)
                                continue;
                            if (table[c] % 5 == key[i] % 5) {
                                found = c;
                                break;
                            }
                            out[i][c] += c;
                        }
                        for (at = 0; at < m; at++)
                            if (out[i][at] % 3 == 0)
                                break;
                        out[i][0] += found + halvings(at + (key[i] & 15)) * 10;
                    }
                }
    }
}
void mixed(int n, int m, int B, int most, int out[n][m], const int key[n])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    int sum = key[i] & 31, u, own[4] = {1, 2, 3, 4};
                    do {
                        sum++;
                        if (sum % 5 == 0)
                            continue;
                        if (sum % 11 == 0)
                            break;
                        own[sum & 3] += sum;
                    } while (length(sum, i & 3) < 900);
                    for (int k = 0, l = 9; k < l && sum > 3; k++, l--)
                        sum += k * own[l & 3];
                    for (u = 0;; u += 3) {
                        for (int k = 0; k < 3; k++)
                            if (k == u % 2)
                                break;
                            else
                                sum += k;
                        if (u > 7) {
                            sum++;
                            break;
                        }
                        int w = m;
                        while (w > 1) {
                            w--;
                            out[i][w] = sum + w;
                        }
                    }
                    while (length(u, sum % 100) > 50)
                        u--, sum /= 2;
                    for (; u < 3; u++)
                        out[i][0] = u * sum;
                    for (int r = 0; r < m; r++) {
                        int v = out[i][r] & 63;
                        while (v > most)
                            for (int q = 0; q < 2; q++)
                                v -= q + 1;
                        out[i][r] += v;
                    }
                }
            }
    }
}
/* What no round does is not done: nothing is loaded, and what is not written keeps its value. */
void perhaps(int n, int m, int B, int out[n][m], int last[n], const int key[n])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + B - 1) / B; b++)
            meta_for (int t = 0; t < B; t++) {
                int i = b * B + t;
                if (i < n) {
                    int v = key[i] & 7, sum = 0;
                    for (int r = 0; r < m; r++) {
                        while (v > 8)
                            v -= key[n + i];
                        while (v > r) {
                            v--;
                            sum += out[i][r];
                        }
                        sum++;
                    }
                    while (v > 2) {
                        last[i] = sum;
                        v -= 3;
                    }
                }
            }
    }
}
