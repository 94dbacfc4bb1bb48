/* The element that x gets its last value in is read before that. */
void tail(int l, double *a)
{
    int j, j1;
    double x;
    for (j = 0; j < l; j += 2) {
        j1 = j + l;
        x = a[j] - a[j1];
        a[j] += a[j1];
        a[j1] = x;
    }
}
