/* Heat on a chip: a cell takes up its own power, gives to its neighbours by the resistances between them and to the air, there and
   back. The edge keeps its temperature. */
void hotspot(int steps, int n, float step, float across, float along, float up, float air, const float power[restrict n][n],
             float now[restrict n][n], float next[restrict n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = now[i][j] + step * (power[i][j] + (now[i + 1][j] + now[i - 1][j] - 2 * now[i][j]) * along
                                                 + (now[i][j + 1] + now[i][j - 1] - 2 * now[i][j]) * across
                                                 + (air - now[i][j]) * up);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                now[i][j] = next[i][j] + step * (power[i][j] + (next[i + 1][j] + next[i - 1][j] - 2 * next[i][j]) * along
                                                 + (next[i][j + 1] + next[i][j - 1] - 2 * next[i][j]) * across
                                                 + (air - next[i][j]) * up);
    }
#pragma endscop
}
