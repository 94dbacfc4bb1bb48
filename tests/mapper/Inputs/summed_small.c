long colours(int h, int w, const unsigned char im[h][w][3])
{
    long all = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                all += im[y][x][c];
    return all;
}
