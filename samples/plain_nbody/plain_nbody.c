#include <math.h>

/* Bodies that attract each other: every body sums what all of them do to it and takes up speed, then all of them move. */
void nbody(int steps, int n, float dt, float soft, const float m[restrict n], float x[restrict n], float y[restrict n],
           float z[restrict n], float u[restrict n], float v[restrict n], float w[restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            float fx = 0, fy = 0, fz = 0;
            for (int j = 0; j < n; j++) {
                float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
                float square = dx * dx + dy * dy + dz * dz + soft;
                float force = m[j] / (square * sqrtf(square));
                fx += dx * force;
                fy += dy * force;
                fz += dz * force;
            }
            u[i] += dt * fx;
            v[i] += dt * fy;
            w[i] += dt * fz;
        }
        for (int i = 0; i < n; i++) {
            x[i] += dt * u[i];
            y[i] += dt * v[i];
            z[i] += dt * w[i];
        }
    }
#pragma endscop
}
