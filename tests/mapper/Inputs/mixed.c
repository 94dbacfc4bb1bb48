/* Arrays of structures whose members have several types. */
struct body {
    double x, y;
    int id, kind;
    double speed[2];
    float weight;
};

static void fill(struct body *p, long n, const double *a)
{
    for (long i = 0; i < n; i++) {
        p[i].x = a[i];
        p[i].y = a[i + 1];
        p[i].id = i % 3;
        p[i].kind = 7;
        p[i].speed[0] = a[i + 2];
        p[i].speed[1] = a[i + 3];
        p[i].weight = 0.5f;
    }
}

static void take(const struct body *p, long n, double *a, int *c)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        c[i] += p[i].id + p[i].kind;
        sum = sum / 2 + p[i].x * p[i].y - p[i].speed[0] + p[i].speed[1] * p[i].weight;
    }
    a[0] = sum;
}

/* Members of one type are used; those of others lie between them. */
static void step_one(long n, struct body *p, double dt)
{
    for (long i = 0; i < n; i++) {
        p[i].x += dt * p[i].speed[0];
        for (int k = 0; k < 2; k++)
            p[i].speed[k] *= 0.5;
        p[i].y += dt * p[i].speed[1];
    }
}

void step(long n, long m, double *a, double *b, int *c)
{
    struct body p[32];
    fill(p, n, a);
    step_one(n, p, 0.25);
    take(p, n, b, c);
}

/* Members of several types are read. */
static void read_all(long n, const struct body *p, double *restrict sums, int *restrict kinds)
{
    for (long i = 0; i < n; i++) {
        sums[i] = p[i].id > 1 ? p[i].x * p[i].weight : p[i].y;
        kinds[i] = p[i].kind - p[i].id;
    }
}

void several(long n, long m, double *a, double *b, int *c)
{
    struct body p[32];
    fill(p, n, a);
    read_all(n, p, b, c);
}

/* Pointers that step over the structures. */
static void count_all(int n, struct body *p)
{
    struct body *end = p + n;
    for (struct body *e = p; e < end; e++)
        e->id += 3;
}

void count(long n, long m, double *a, double *b, int *c)
{
    struct body p[32];
    fill(p, n, a);
    count_all(n, p);
    take(p, n, b, c);
}

/* Two names of one array, each with members of another type, and one name that is written with both. */
static void meet(long n, struct body *p, struct body *q)
{
    for (long i = 0; i < n; i++)
        p[i].x = q[i].id + p[i].y;
    for (long i = 0; i < n; i++)
        q[i].id += 2;
}

static void both(long n, struct body *p)
{
    for (long i = 0; i < n; i++) {
        p[i].x = p[i].id;
        p[i].kind = 4;
    }
}

void names(long n, long m, double *a, double *b, int *c)
{
    struct body p[32];
    fill(p, n, a);
    meet(n, p, p);
    both(n, p);
    take(p, n, b, c);
}
