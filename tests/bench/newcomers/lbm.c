#include "clock.h"
#define NX 256
#define NY 256
#define Q 9
static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[Q] = {4./9, 1./9, 1./9, 1./9, 1./9, 1./36, 1./36, 1./36, 1./36};
static double f[NX][NY][Q], g[NX][NY][Q];
void collide_stream(double (*src)[NY][Q], double (*dst)[NY][Q], double omega)
{
    int x, y, q;
    for (x = 0; x < NX; x++)
        for (y = 0; y < NY; y++) {
            double rho = 0, ux = 0, uy = 0;
            for (q = 0; q < Q; q++) {
                rho += src[x][y][q];
                ux += src[x][y][q] * ex[q];
                uy += src[x][y][q] * ey[q];
            }
            ux /= rho; uy /= rho;
            for (q = 0; q < Q; q++) {
                double eu = ex[q] * ux + ey[q] * uy;
                double feq = w[q] * rho * (1 + 3 * eu + 4.5 * eu * eu - 1.5 * (ux * ux + uy * uy));
                int xn = (x + ex[q] + NX) % NX, yn = (y + ey[q] + NY) % NY;
                dst[xn][yn][q] = src[x][y][q] * (1 - omega) + omega * feq;
            }
        }
}
int main(void)
{
    for (int x = 0; x < NX; x++) for (int y = 0; y < NY; y++) for (int q = 0; q < Q; q++) f[x][y][q] = w[q] * (1 + .01 * ((x + y) % 7));
    for (int r = 0; r < 6; r++) { begin(); collide_stream(f, g, 1.2); collide_stream(g, f, 1.2); end(); }
    printf("%llx\n", checksum(f, sizeof f));
    report();
}
