/* Structures that loops declare: each member is a variable of its own. */
struct pair { double x, y; };
struct mixed { int count; double sum; float last; };

/* Sums of a nest, a list with fewer values than members, and what a branch chooses. */
void sums(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        struct mixed t = {i, 0.5}, best;
        for (int j = 0; j < m; j++) {
            t.sum += b[j] * 0.25;
            t.last = b[j] / 3;
            t.count++;
        }
        best = t;
        if (t.sum < 0)
            best = (struct mixed){-1, 2, 3};
        a[i] = best.sum + best.last;
        c[i] = best.count;
    }
}

/* Elements of arrays as wholes: neighbours on a line. */
static void line(int n, struct pair *restrict to, const struct pair *restrict from)
{
    for (int i = 1; i < n - 1; i++) {
        const struct pair left = from[i - 1], right = from[i + 1];
        struct pair mean;
        mean.x = (left.x + right.x) * 0.5;
        mean.y = (left.y - right.y) * 0.5;
        to[i] = mean;
        to[i].x += 1;
    }
    for (int i = 0; i < n; i++)
        if (i % 3 == 0)
            to[i] = from[n - 1 - i];
}

void elements(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    line((int)n, (struct pair *)a, (const struct pair *)b);
}

/* These stay: an address is taken, a member is changed by a name that is no scalar's. */
static double norm(const struct pair *p)
{
    return p->x * p->x + p->y * p->y;
}

void kept(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++) {
        struct pair t = {a[i], b[i]};
        a[i] = norm(&t);
    }
}
