/* Sums down the columns: a column a thread. */
void columns(int h, int w, const float a[restrict h][w], float sum[restrict w])
{
    for (int x = 0; x < w; x++) {
        float s = 0;
        for (int y = 0; y < h; y++)
            s += a[y][x];
        sum[x] = s;
    }
}

void doubles(int h, int w, const double a[restrict h][w], double sum[restrict w])
{
    for (int x = 0; x < w; x++) {
        double s = 0;
        for (int y = 0; y < h; y++)
            s += a[y][x];
        sum[x] = s;
    }
}

/* Two loads a round. */
void weighted(int h, int w, const float a[restrict h][w], const float v[restrict h], float sum[restrict w])
{
    for (int x = 0; x < w; x++) {
        float s = 0;
        for (int y = 0; y < h; y++)
            s += a[y][x] * v[y];
        sum[x] = s;
    }
}
