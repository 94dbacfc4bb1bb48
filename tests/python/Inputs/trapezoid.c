/* The integral of samples. */
double trapezoid(int n, const double x[n], const double y[n])
{
    double area = 0;
    for (int i = 0; i + 1 < n; i++)
        area += 0.5 * (x[i + 1] - x[i]) * (y[i] + y[i + 1]);
    return area;
}
