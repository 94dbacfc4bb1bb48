/* Rounds until a point leaves the circle of radius 2. */
void mandelbrot(int h, int w, double x0, double y0, double step, int most, int *count)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            double cx = x0 + j * step, cy = y0 + i * step, x = 0, y = 0;
            int k = 0;
            while (k < most && x * x + y * y <= 4) {
                double t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                k++;
            }
            count[i * w + j] = k;
        }
}
