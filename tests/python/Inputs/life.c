typedef unsigned char cell;

/* Conway's game of life on a torus. */
void life(int h, int w, const cell now[h][w], cell next[h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int up = (y + h - 1) % h, down = (y + 1) % h, left = (x + w - 1) % w, right = (x + 1) % w;
            int alive = now[up][left] + now[up][x] + now[up][right] + now[y][left] + now[y][right] +
                        now[down][left] + now[down][x] + now[down][right];
            next[y][x] = alive == 3 || (alive == 2 && now[y][x]);
        }
}
