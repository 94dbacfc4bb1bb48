#include <math.h>
#include "clock.h"
#define SOFT 1e-3f
typedef struct { float x, y, z, vx, vy, vz; } Body;
void bodyForce(Body *p, float dt, int n) {
  for (int i = 0; i < n; i++) {
    float Fx = 0.0f; float Fy = 0.0f; float Fz = 0.0f;
    for (int j = 0; j < n; j++) {
      float dx = p[j].x - p[i].x;
      float dy = p[j].y - p[i].y;
      float dz = p[j].z - p[i].z;
      float distSqr = dx*dx + dy*dy + dz*dz + SOFT;
      float invDist = 1.0f / sqrtf(distSqr);
      float invDist3 = invDist * invDist * invDist;
      Fx += dx * invDist3; Fy += dy * invDist3; Fz += dz * invDist3;
    }
    p[i].vx += dt*Fx; p[i].vy += dt*Fy; p[i].vz += dt*Fz;
  }
}
void integrate(Body *p, float dt, int n) {
  for (int i = 0; i < n; i++) { p[i].x += p[i].vx*dt; p[i].y += p[i].vy*dt; p[i].z += p[i].vz*dt; }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  Body *p = malloc(n * sizeof(Body));
  float *f = (float *)p;
  for (int i = 0; i < 6 * n; i++) f[i] = (i * 7919 % 1000) / 500.f - 1;
  for (int it = 0; it < 6; it++) { begin(); bodyForce(p, .01f, n); integrate(p, .01f, n); end(); }
  printf("%llx\n", checksum(p, n * sizeof(Body)));
  report();
  free(p);
}
