/* Vectors and complex numbers by value: normals, n bodies, a ball under a light, the Mandelbrot set, a transform. */
#include <math.h>
typedef struct {
    float x, y, z;
} vec3;
typedef struct {
    vec3 o, d;
} ray;
static inline vec3 v(float x, float y, float z) {
    vec3 r = {x, y, z};
    return r;
}
static inline vec3 add(vec3 a, vec3 b) { return v(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 sub(vec3 a, vec3 b) { return v(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec3 mul(vec3 a, float s) { return (vec3){.x = a.x * s, .y = a.y * s, .z = a.z * s}; }
static inline float dot(const vec3 a, const vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 cross(vec3 a, vec3 b) {
    return v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float len(vec3 a) { return sqrtf(dot(a, a)); }
static inline vec3 norm(vec3 a) {
    float l = len(a);
    if (l > 0) {
        a.x /= l;
        a.y /= l;
        a.z /= l;
    }
    return a;
}
static inline vec3 norm2(vec3 a) { return mul(a, 1.0f / len(a)); }
void normals(int n, const vec3 *restrict p, const vec3 *restrict q, vec3 *restrict out) {
    for (int i = 0; i < n; i++)
        out[i] = norm(cross(sub(p[i], q[i]), p[i]));
}
void normals2(int n, vec3 *restrict p) {
    for (int i = 0; i < n; i++) {
        vec3 c = cross(p[i], v(0, 1, .5f));
        p[i] = norm2(c);
    }
}
void accum(int n, int m, const vec3 *restrict p, const float *restrict w, vec3 *restrict out) {
    for (int i = 0; i < n; i++) {
        vec3 s = {0, 0, 0};
        for (int j = 0; j < m; j++) {
            vec3 d = sub(p[j], p[i]);
            float r2 = dot(d, d) + 1e-3f;
            s = add(s, mul(d, w[j] / (r2 * sqrtf(r2))));
        }
        out[i] = s;
    }
}
static int hit(vec3 o, vec3 d, vec3 c, float r, float *t) {
    vec3 oc = sub(o, c);
    float b = dot(oc, d), q = b * b - dot(oc, oc) + r * r;
    if (q < 0)
        return 0;
    *t = -b - sqrtf(q);
    return *t > 0;
}
static float hitt(vec3 o, vec3 d, vec3 c, float r) {
    vec3 oc = sub(o, c);
    float b = dot(oc, d), q = b * b - dot(oc, oc) + r * r;
    if (q < 0)
        return -1;
    float t = -b - sqrtf(q);
    return t > 0 ? t : -1;
}
void render(int w, int h, float *restrict img, vec3 c, vec3 light) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            vec3 o = v(0, 0, -3), d = norm(v((x - w * .5f) / w, (y - h * .5f) / h, 1));
            float t = hitt(o, d, c, 1);
            if (t < 0)
                img[y * w + x] = 0;
            else {
                vec3 p = add(o, mul(d, t));
                vec3 n = norm(sub(p, c));
                float l = dot(n, light);
                img[y * w + x] = l > 0 ? l : 0;
            }
        }
}
void step(int n, vec3 *restrict x, vec3 *restrict vel, const vec3 *restrict f, float dt) {
    for (int i = 0; i < n; i++) {
        vel[i] = add(vel[i], mul(f[i], dt));
        x[i] = add(x[i], mul(vel[i], dt));
        if (x[i].y < 0) {
            x[i].y = -x[i].y;
            vel[i] = mul(vel[i], -0.5f);
        }
    }
}
typedef struct {
    double re, im;
} cpx;
static cpx cmul(cpx a, cpx b) {
    cpx c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}
static cpx cadd(cpx a, cpx b) {
    a.re += b.re;
    a.im += b.im;
    return a;
}
static double cabs2(cpx a) { return a.re * a.re + a.im * a.im; }
void mandel(int w, int h, int *restrict it) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            cpx z = {0}, c = {-2 + 3.0 * x / w, -1 + 2.0 * y / h};
            int k = 0;
            while (k < 100 && cabs2(z) < 4) {
                z = cadd(cmul(z, z), c);
                k++;
            }
            it[y * w + x] = k;
        }
}
void dft(int n, const cpx *restrict a, cpx *restrict b) {
    for (int k = 0; k < n; k++) {
        cpx s = {0, 0};
        for (int j = 0; j < n; j++) {
            double t = -6.283185307179586 * j * k / n;
            s = cadd(s, cmul(a[j], (cpx){cos(t), sin(t)}));
        }
        b[k] = s;
    }
}
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    enum { N = 777 };
    static vec3 p[N], q[N], o[N];
    static float w[N];
    static float img[61 * 47];
    static int it[61 * 47];
    static cpx a[200], b[200];
    double s = 0;
    int i;
    for (i = 0; i < N; i++) {
        p[i].x = (i * 7) % 13 - 6;
        p[i].y = (i * 5) % 11 - 5;
        p[i].z = (i * 3) % 7;
        q[i].x = i % 5;
        q[i].y = i % 3;
        q[i].z = i % 2;
        w[i] = 1.f / (1 + i % 4);
    }
    p[5].x = p[5].y = p[5].z = 0;
    normals(N, p, q, o);
    for (i = 0; i < N; i++)
        s += o[i].x + 2 * o[i].y + 3 * o[i].z;
    printf("%.9g\n", s);
    normals2(N, q);
    for (i = 0; i < N; i++)
        if (q[i].x == q[i].x)
            s += q[i].x + 2 * q[i].y + 3 * q[i].z;
    printf("%.9g\n", s);
    accum(N, N, p, w, o);
    for (i = 0; i < N; i++)
        s += o[i].x + 2 * o[i].y + 3 * o[i].z;
    printf("%.9g\n", s);
    vec3 c = {.1, .2, .3}, l = {.6, .5, -.7};
    render(61, 47, img, c, l);
    for (i = 0; i < 61 * 47; i++)
        s += img[i] * (i % 7);
    printf("%.9g\n", s);
    for (i = 0; i < 50; i++)
        step(N, p, o, q, .01f);
    for (i = 0; i < N; i++)
        s += p[i].x + 2 * p[i].y + 3 * p[i].z;
    printf("%.9g\n", s);
    mandel(61, 47, it);
    for (i = 0; i < 61 * 47; i++)
        s += it[i] * (i % 7);
    printf("%.9g\n", s);
    for (i = 0; i < 200; i++) {
        a[i].re = i % 7;
        a[i].im = i % 3;
    }
    dft(200, a, b);
    for (i = 0; i < 200; i++)
        printf("%.6g %.6g ", b[i].re, b[i].im);
    return 0;
}
