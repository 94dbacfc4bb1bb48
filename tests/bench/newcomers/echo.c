#include "clock.h"
typedef struct { float left, right; } Frame;
#define LEN 1000000
#define DELAY(ms) ((ms) * 44100 / 1000)
static Frame dry[LEN], wet[LEN];
void echo(const Frame *restrict a, Frame *restrict b, int n, float mix)
{
    const int d = DELAY(250);
    int i;
    for (i = 0; i < d && i < n; i++)
        b[i] = a[i];
    for (; i < n; i++) {
        b[i].left = a[i].left + mix * a[i - d].right;
        b[i].right = a[i].right + mix * a[i - d].left;
    }
}
int main(void)
{
    for (int i = 0; i < LEN; i++) { dry[i].left = i % 100 * .01f; dry[i].right = i % 77 * .01f; }
    for (int r = 0; r < 7; r++) { begin(); echo(dry, wet, LEN, 0.4f); end(); }
    printf("%llx\n", checksum(wet, sizeof wet));
    report();
}
