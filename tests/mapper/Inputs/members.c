/* Members of structures that are only read. */
struct rule {
    double dt, g;
    int first, end;
};
struct picture {
    long w, h;
    double *pixels;
};

/* By value; also a structure in one. */
struct both {
    struct rule rule;
    int by;
};
static void by_value(struct rule p, struct both q, double *restrict a, const double *restrict b)
{
    for (int i = p.first; i < p.end; i++)
        a[i] += p.dt * b[i] - p.g;
    for (int i = 0; i < q.rule.end; i += 1)
        a[i] += q.by * q.rule.g;
}
void values(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct rule p = {0.5, 2, 1, (int)n};
    struct both q = {{1, 3, 0, (int)m}, 4};
    by_value(p, q, a, b);
}

/* Through a pointer, which may be none where nothing runs. */
static void by_pointer(const struct rule *p, long n, double *restrict a, const double *b)
{
    for (long i = 0; i < n; i++)
        a[i] = p->dt * b[i] + p->first;
}
void pointers(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct rule p = {0.25, 2, 1, 2};
    by_pointer(n > 0 ? &p : 0, n, a, b);
}

/* The array may hold the member, a byte may be of it, a call may change it: it is read anew. */
static void by_chance(struct rule *p, long n, double *a)
{
    for (long i = 0; i < n; i++)
        a[i] = a[i] / 2 + p->dt;
}
static void by_parameter(struct rule *p, long n, double a[n])
{
    for (long i = 0; i < n; i++)
        a[i] = a[i] / 4 + p->dt;
}
static void by_byte(struct rule *p, long n, unsigned char *a)
{
    for (long i = 0; i < n; i++)
        a[i] = p->end;
}
static void raise(struct rule *p) { p->dt += 1; }
static void by_call(struct rule *p, long n, double *restrict a)
{
    for (long i = 0; i < n; i++) {
        raise(p);
        a[i] = p->dt;
    }
}
void chances(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct rule p = {0.25, 2, 1, 300};
    by_chance((struct rule *)b, n, b - 1);
    by_parameter((struct rule *)b, n, b - 1);
    by_byte(&p, n > 24 ? 24 : n, (unsigned char *)&p);
    by_call(&p, n, a);
    c[0] = p.end;
}

/* Written in the function. */
void written(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct rule p = {0.25, 2, 1, 2};
    for (long i = 0; i < n; i++)
        a[i] = p.dt * b[i];
    p.dt = 3;
    for (long i = 0; i < n; i++)
        a[i] += p.dt * b[i];
}

/* Arrays that structures name: they may overlap. */
static void mix(struct picture to, const struct picture from)
{
    for (long y = 0; y < to.h; y++) {
        double *row = to.pixels + y * to.w;
        for (long x = 0; x < to.w; x++)
            row[x] += from.pixels[y * from.w + x];
    }
}
void pictures(long n, long m, double *a, double *b, int *c)
{
    struct picture to = {m, n, a}, from = {m, n, b};
    mix(to, from);
}

/* Two members of which one name could be made. */
void names(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct { double a_b; struct { double b; } a; _Bool adds; } p = {3, {5}, 1};
    for (long i = 0; i < n; i++)
        a[i] = p.a_b * b[i] + (p.adds ? p.a.b : 0);
}

/* A member in a quotient that ends a loop. */
struct extent { int wide; };
void halves(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct extent p = {(int)n};
    for (int i = 0; i < p.wide / 2; i++)
        a[i] = 2 * b[i];
}

/* The array that counts may hold the number of its elements; between calls a member keeps its value;
   an element that is written between two loops may be the member. */
struct counter { int n, *count; double by, *at; };
static void counting(struct counter *s)
{
    for (int i = 0; i < s->n; i++)
        s->count[i] += 2;
}
struct tally { int n, cells[3], *at; };
static void tallying(struct tally *s)
{
    for (int i = 0; i < s->n; i++)
        s->at[i] += 2;
}
void counters(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct counter s = {(int)m, c, 0.5, a};
    counting(&s);
    struct tally short_one = {1, {5, 6, 7}, 0};
    short_one.at = &short_one.n;
    tallying(&short_one);
    c[0] += short_one.n + short_one.cells[0] + short_one.cells[1];
}
static void tick(struct counter *s) { s->n--; s->by *= 2; }
static void running(struct counter *s, int rounds)
{
    for (int t = 0; t < rounds; t++) {
        tick(s);
        for (int i = 0; i < s->n; i++)
            s->at[i] += s->by;
    }
}
void rounds(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct counter s = {(int)n, c, 0.5, a};
    running(&s, 3);
}
static void between(struct counter *s, long n, double *a, double *restrict b)
{
    for (long i = 0; i < n; i++)
        b[i] = s->by * i;
    a[0] = s->by;
    for (long i = 0; i < n; i++)
        b[i] += s->by;
}
void middles(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    struct counter s = {(int)n, c, 0.5, a};
    s.by = 7;
    between(&s, n, &s.by, b);
    between(&s, n, a, b);
}

/* Members that macros write. */
#define MULTIPLY(a, b) a *b
#define END s->n
#define AT(i) s->at[i]
static void by_macro(const struct counter *s, double *restrict b)
{
    for (int i = 0; i < END; i++)
        b[i] = MULTIPLY(s->by + 1, 2 - s->by) + MULTIPLY(AT(i), s->by);
}
void macros(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const struct counter s = {(int)n, c, 0.5, a};
    by_macro(&s, b);
}
