#include <math.h>
#include <stddef.h>

#define SOFTENING 1e-9

/* Accelerations of n bodies under gravity. */
void forces(int n, const double p[n][3], const double *mass, double a[n][3])
{
    for (int i = 0; i < n; i++) {
        double ax = 0.0, ay = 0.0, az = 0.0;
        for (int j = 0; j < n; j++) {
            double dx = p[j][0] - p[i][0], dy = p[j][1] - p[i][1], dz = p[j][2] - p[i][2];
            double r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
            double w = mass[j] / (r2 * sqrt(r2));
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        a[i][0] = ax;
        a[i][1] = ay;
        a[i][2] = az;
    }
}
