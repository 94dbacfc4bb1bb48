// RUN: %treefork verify %s --set h=5,w=7,n=3 --set h=1,w=1,n=0 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Spheres seen through a pinhole: structures, a thread's array, bytes. Plain C, as a new user wrote it.
#include <math.h>
typedef struct { double c[3], r; } sphere;
static sphere balls[8];
void render(int h, int w, int n, unsigned char image[restrict h * w])
{
    if (n > 8)
        n = 8;
    const int used = n;
    #pragma scop
    for (int i = 0; i < used; i++) {
        sphere *s = &balls[i];
        for (int k = 0; k < 3; k++)
            s->c[k] = k == 2 ? 3 + i : 0.25 * i - 0.5;
        s->r = 0.5 + 0.125 * i;
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double d[3], len = 0, near = 1e9;
            unsigned char shade = 0;
            d[0] = (x - w / 2) / (double)w;
            d[1] = (y - h / 2) / (double)h;
            d[2] = 1;
            for (int k = 0; k < 3; k++)
                len += d[k] * d[k];
            for (int i = 0; i < used; i++) {
                double b = 0, c = -balls[i].r * balls[i].r;
                for (int k = 0; k < 3; k++) {
                    b += d[k] * balls[i].c[k];
                    c += balls[i].c[k] * balls[i].c[k];
                }
                double disc = b * b - len * c;
                double t = disc < 0 ? -1 : (b - sqrt(disc)) / len;
                if (t > 0 && t < near) {
                    near = t;
                    shade = (unsigned char)(255 / (1 + t));
                }
            }
            image[y * w + x] = shade;
        }
    #pragma endscop
}
