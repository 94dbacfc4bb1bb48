/* How often each of 256 values occurs, and the number of values that are odd. */
int histogram(int n, const unsigned char *restrict value, int count[restrict 256])
{
    int odd = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        count[value[i]]++;
        odd += value[i] & 1;
    }
#pragma endscop
    return odd;
}
