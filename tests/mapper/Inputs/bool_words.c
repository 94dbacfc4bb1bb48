/* C23: `bool`, `true` and `false` without a header. */
void flags(int n, bool turns, const int a[restrict n], bool b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        bool big = a[i] > 3;
        b[i] = big != turns ? true : false;
    }
#pragma endscop
}
