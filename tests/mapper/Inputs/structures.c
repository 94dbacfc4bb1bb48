/* Functions that get structures, by pointers and by value, as image programs have them. */
struct image {
    int w, h;
    double *data;
};

struct particle {
    double x, y, mass;
    int kind;
};

struct point {
    double x, y;
};

enum { FEW = 2 };

static double at(const struct image *im, int x, int y)
{
    return im->data[y * im->w + x];
}

static double at_edge(const struct image *im, int x, int y)
{
    if (x < 0)
        x = 0;
    if (x >= im->w)
        x = im->w - 1;
    if (y < 0)
        y = 0;
    if (y >= im->h)
        y = im->h - 1;
    return at(im, x, y);
}

static double at_or(struct image im, int x, int y, float otherwise)
{
    if (x < 0 || y < 0 || x >= im.w || y >= im.h)
        return otherwise;
    int place = y * im.w + x;
    return im.data[place];
}

static void put(struct image im, int x, int y, double value)
{
    if (x < 0 || x >= im.w)
        return;
    im.data[y * im.w + x] = value;
}

static void both(struct image *first, struct image *second, int i, double value)
{
    first->data[i] = value;
    second->data[i] = first->data[i] + FEW * value;
}

static double square(const struct point *p, struct point q)
{
    double dx = p->x - q.x, dy = p->y - q.y;
    return dx * dx + dy * dy;
}

/* Its argument's value from before the first store is used behind it. */
static void twice(struct image *im, int i, double value)
{
    im->data[i] = 2 * value;
    im->data[i + 1] = value;
}

/* It changes a copy. */
static double shifted(struct image im, int x)
{
    im.w = 1;
    return im.data[x] * im.w;
}

void blur(long n, long m, double *a, double *b, int *c)
{
    struct image from = {m, n, b}, to = {m, n, a};
    for (int y = 1; y < to.h - 1; y++)
        for (int x = 1; x < to.w - 1; x++)
            to.data[y * to.w + x] = at(&from, x - 1, y) + at(&from, x + 1, y) - 2 * at(&from, x, y - 1);
}

static void pass(const struct image *from, struct image *to)
{
    for (int y = 0; y < from->h; y++)
        for (int x = 0; x < from->w; x++)
            put(*to, x, y, at_edge(from, x + 1, y));
}

void edges(long n, long m, double *a, double *b, int *c)
{
    struct image from = {m, n, b}, to = {m, n, a};
    pass(&from, &to);
}

void stores(long n, long m, double *restrict a, double *restrict b, int *c)
{
    struct image first = {m, n, a}, second = {m, n, b};
    for (int i = 0; i < m; i++)
        both(&first, &second, i, n * 0.5);
}

void distances(long n, long m, double *a, double *b, int *c)
{
    struct point *p = (struct point *)b;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = square(&p[i], p[j]);
}

void frame(long n, long m, double *restrict a, double *restrict b, int *c)
{
    struct image from = {m, n, b};
    double *restrict to = a;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            to[y * m + x] = at_or(from, x + 1, y - 1, 0.1) + at_or(from, x - 1, y, 1);
}

/* The name of the constant is another thing here. */
void hidden(long n, long m, double *a, double *b, int *c)
{
    struct image first = {m, n, a}, second = {m, n, b};
    const int FEW = 3;
    for (int i = 0; i < m; i++)
        both(&first, &second, i, FEW);
}

void before(long n, long m, double *a, double *b, int *c)
{
    struct image im = {m, n, a};
    for (int i = 0; i < m; i++)
        twice(&im, 2 * i, im.data[2 * i] + 1);
    for (int i = 0; i < m; i++)
        b[i] = shifted(im, i);
}
