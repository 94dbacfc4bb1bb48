#include "clock.h"
#include <stdbool.h>
#define SIZE 1024
typedef bool Grid[SIZE][SIZE];
static Grid one, two;
static int count(Grid g, int y, int x)
{
    int c = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                c += g[(y + dy + SIZE) % SIZE][(x + dx + SIZE) % SIZE];
    return c;
}
void evolve(Grid from, Grid to)
{
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            int c = count(from, y, x);
            to[y][x] = c == 3 || (from[y][x] && c == 2);
        }
}
int main(void)
{
    for (int y = 0; y < SIZE; y++) for (int x = 0; x < SIZE; x++) one[y][x] = (y * 31 + x * 17 + x * y) % 3 == 0;
    for (int r = 0; r < 6; r++) { begin(); evolve(one, two); evolve(two, one); end(); }
    printf("%llx\n", checksum(one, sizeof one));
    report();
}
