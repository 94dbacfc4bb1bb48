/* The elements that x and y get their last values in are read before that; where l is odd, rounds meet in a[l]. */
void tail(int l, double *a)
{
    int j, j1;
    double x, y;
    for (j = 0; j < l; j += 2) {
        j1 = j + l;
        x = a[j] - a[j1];
        y = a[j + 1] - a[j1 + 1];
        a[j] += a[j1];
        a[j + 1] += a[j1 + 1];
        a[j1] = x;
        a[j1 + 1] = y;
    }
}
