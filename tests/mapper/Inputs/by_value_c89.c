/* Structures declared ahead, as C89 has them, one of them used behind its loop. */
#include <math.h>
#include <stdio.h>
typedef struct {
    double x, y, z;
} vec;
struct body {
    vec r, v;
    double m;
};
struct part {
    double x, y, z, vx, vy, vz, m;
};
#define N 200
static vec pos[N], vel[N], acc[N];
static double mass[N];
static struct part P[N];
static void forces(n) int n;
{
    int i, j;
    vec d, f;
    double r2, k;
    for (i = 0; i < n; i++) {
        f.x = f.y = f.z = 0.0;
        for (j = 0; j < n; j++) {
            if (i == j)
                continue;
            d.x = pos[j].x - pos[i].x;
            d.y = pos[j].y - pos[i].y;
            d.z = pos[j].z - pos[i].z;
            r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1e-2;
            k = mass[j] / (r2 * sqrt(r2));
            f.x += d.x * k;
            f.y += d.y * k;
            f.z += d.z * k;
        }
        acc[i] = f;
    }
}
static vec vscale(vec a, double s) {
    vec r;
    r.x = a.x * s;
    r.y = a.y * s;
    r.z = a.z * s;
    return r;
}
static vec vadd(vec a, vec b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}
static void move(int n, double dt) {
    vec t;
    int i;
    for (i = 0; i < n; i++) {
        t = vscale(acc[i], dt);
        vel[i] = vadd(vel[i], t);
        t = vscale(vel[i], dt);
        pos[i] = vadd(pos[i], t);
    }
}
static double energy(int n) {
    int i;
    vec v;
    double e = 0;
    for (i = 0; i < n; ++i) {
        v = vel[i];
        e += .5 * mass[i] * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    return e;
}
static void parts(int n) {
    int i, j;
    struct part a, *p;
    for (i = 0; i < n; i++) {
        p = &P[i];
        a = *p;
        for (j = 0; j < 3; j++) {
            a.x += a.vx * .01;
            a.y += a.vy * .01;
            a.z -= a.vz * .02;
        }
        p->x = a.x;
        p->y = a.y;
        P[i].z = a.z;
    }
}
static vec last;
static void keep(int n) {
    vec q;
    int i;
    for (i = 0; i < n; i++) {
        q.x = pos[i].x;
        q.y = q.x * 2;
        pos[i].z += q.y;
    }
    last = q;
}
static void cond(int n) {
    vec q;
    int i;
    for (i = 0; i < n; i++) {
        if (i & 1)
            q.x = 1;
        pos[i].y += q.x;
        q.x = i;
    }
}
int main() {
    int i, t;
    double s = 0;
    for (i = 0; i < N; i++) {
        pos[i].x = i % 17;
        pos[i].y = i % 13;
        pos[i].z = i % 11;
        vel[i].x = vel[i].y = vel[i].z = 0;
        mass[i] = 1 + i % 3;
        P[i].x = i;
        P[i].y = 2;
        P[i].z = 3;
        P[i].vx = i % 5;
        P[i].vy = 1;
        P[i].vz = i % 7;
    }
    for (t = 0; t < 10; t++) {
        forces(N);
        move(N, .01);
    }
    parts(N);
    keep(N);
    for (i = 0; i < N; i++)
        s += pos[i].x + 2 * pos[i].y + 3 * pos[i].z + P[i].x + P[i].y * 2 + P[i].z;
    printf("%.15g %.15g %g\n", s, energy(N), last.x);
    return 0;
}
