/* Arrays of structures whose members have one type. Nothing is `restrict`. */
struct pair {
    double re, im;
};
struct vec {
    double v[3];
};
struct particle {
    struct vec at, speed;
    double mass;
};
typedef struct {
    int r, g, b, a;
} rgba;

void members(long n, long m, double *a, double *b, int *c)
{
    struct pair *z = (struct pair *)a, *w = (struct pair *)b;
#pragma scop
    for (long i = 0; i < n; i++) {
        double re = z[i].re * w[i].re - z[i].im * w[i].im;
        z[i].im = z[i].re * w[i].im + z[i].im * w[i].re;
        z[i].re = re;
    }
#pragma endscop
}

/* Arrays and structures in structures; a literal element; a serial loop of the host that reads what a region wrote. */
void inner(long n, long m, double *a, double *b, int *c)
{
    struct particle *p = (struct particle *)a;
    double sum = 0;
#pragma scop
    for (int s = 0; s < m; s++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                p[i].at.v[k] += 0.5 * p[i].speed.v[k] + p[i].mass;
#pragma endscop
    for (int i = 0; i < n; i++)
        sum = sum / 2 + p[i].at.v[1] * p[0].mass;
#pragma scop
    for (int i = 0; i < n; i++)
        p[i].speed.v[0] = p[i].at.v[2] + sum;
#pragma endscop
    b[0] += sum;
}

/* Pointers to elements that loops declare; one of them begins behind an element. */
void arrows(long n, long m, double *a, double *b, int *c)
{
    struct particle *p = (struct particle *)a;
#pragma scop
    for (int i = 0; i < n; i++) {
        const struct particle *first = &p[i];
        double s = 0;
        for (int j = 1; j < m; j++) {
            const struct particle *second = p + j, *before = second - 1;
            s += first->mass * second->mass * (second->at.v[0] - before->speed.v[2]);
        }
        b[i] = s;
    }
#pragma endscop
}

/* Iterators without a sign, rows with a pitch, two names that meet, pointers that change places. */
void pixels(long n, long m, double *a, double *b, int *c)
{
    rgba *image = (rgba *)c, *other = image + m;
    unsigned long h = n < 0 ? 0 : (unsigned long)n / 2;
#pragma scop
    for (unsigned long y = 0; y < h; y++)
        for (unsigned long x = 0; x < 3; x++)
            image[y * 3 + x].a = image[y * 3 + x].r + 2 * image[y * 3 + x].g - image[y * 3 + x].b;
    for (int i = 0; i < n; i++)
        image[i].a = other[i].r;
#pragma endscop
}
void swapped(long n, long m, double *a, double *b, int *c)
{
    struct vec *from = (struct vec *)a, *to = (struct vec *)b;
    for (int s = 0; s < 3; s++) {
#pragma scop
        for (int i = 1; i < n; i++)
            for (int k = 0; k < 3; k++)
                to[i].v[k] = 0.5 * from[i - 1].v[k] + 0.25 * from[i].v[2 - k];
#pragma endscop
        struct vec *t = from;
        from = to;
        to = t;
    }
}

/* Elements at file scope. */
static struct pair table[20];
void global(long n, long m, double *a, double *b, int *c)
{
    if (n > 20)
        return;
#pragma scop
    for (int i = 0; i < n; i++)
        table[i].im = table[i].re + b[i];
    for (int i = 0; i < n; i++)
        a[i] = table[i].im * 2;
#pragma endscop
}
