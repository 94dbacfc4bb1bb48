#include "clock.h"
#define N 2000000
short in[N], out[N];
int
amplify(src, dst, n, num, den)
short *src, *dst;
int n, num, den;
{
	register int i;
	long v;
	for (i = 0; i < n; ++i) {
		v = (long)src[i] * num / den;
		if (v > 32767)
			v = 32767;
		else if (v < -32768)
			v = -32768;
		dst[i] = (short)v;
	}
	return 0;
}
int main(void)
{
	int i, r;
	for (i = 0; i < N; i++) in[i] = (short)(i * 7919u % 65536 - 32768);
	for (r = 0; r < 7; r++) { begin(); amplify(in, out, N, 3, 2); end(); }
	printf("%llx\n", checksum(out, sizeof out));
	report();
	return 0;
}
