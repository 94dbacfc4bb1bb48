#include <float.h>
#include "clock.h"
#define DIM 3
typedef struct point { float c[DIM]; int label; } Point;
static Point train[2000], test_[1000];
void classify(const Point *t, int nt, Point *q, int nq)
{
    for (int i = 0; i < nq; i++) {
        float best = FLT_MAX;
        int who = -1;
        for (int j = 0; j < nt; j++) {
            float d = 0;
            for (int k = 0; k < DIM; k++) {
                float diff = q[i].c[k] - t[j].c[k];
                d += diff * diff;
            }
            if (d < best) { best = d; who = j; }
        }
        q[i].label = t[who].label;
    }
}
int main(void)
{
    for (int i = 0; i < 2000; i++) { for (int k = 0; k < DIM; k++) train[i].c[k] = (i * (k + 3) * 7919 % 1000) / 100.f; train[i].label = i % 10; }
    for (int i = 0; i < 1000; i++) for (int k = 0; k < DIM; k++) test_[i].c[k] = (i * (k + 5) * 104729 % 1000) / 100.f;
    for (int r = 0; r < 5; r++) { begin(); classify(train, 2000, test_, 1000); end(); }
    printf("%llx\n", checksum(test_, sizeof test_));
    report();
}
