/* Members of structures that loops write. */
struct numbers {
    long n;
    int low, high, count;
    double peak;
    int bins[16], table[3][8];
};
struct outer {
    int first;
    struct numbers in;
};

/* Through a pointer: members of several types, one read by the host between loops. */
static void through(struct numbers *st, long n, const double *x, const int *c)
{
    for (long i = 0; i < n; i++) {
        st->count += c[i];
        if (c[i] < st->low)
            st->low = c[i];
        if (c[i] > st->high)
            st->high = c[i];
        if (x[i] > st->peak)
            st->peak = x[i];
    }
    st->n = st->count + n;
    for (long i = 0; i < n; i++)
        st->n ^= c[i];
}
void pointers(long n, long m, double *a, double *b, int *c)
{
    struct numbers st = {0, 100, -100, 3, -1, {0}, {{0}}};
    through(&st, n, a, c);
    a[0] = st.n + st.low * 100.0 + st.high * 10000.0 + st.count * 1e6;
    a[1] = st.peak;
}

/* Of a variable, also in a structure of it; of one of the file. */
static struct outer kept;
void variables(long n, long m, double *a, double *b, int *c)
{
    struct outer own = {1, {2, 3, 4, 5, 0, {0}, {{0}}}};
    kept.in.count = (int)m;
    for (int i = 0; i < n; i++) {
        own.first += c[i];
        own.in.n |= c[i];
        kept.in.count -= c[i];
    }
    a[0] = own.first + 1000.0 * own.in.n + 1e9 * kept.in.count;
}

/* Members that are read beside members that are written. */
struct sample {
    long n;
    double *of;
    double sum, least;
    int at, above[2];
};
static void measure(struct sample *s, int *c)
{
    for (long i = 0; i < s->n; i++) {
        s->above[0] += c[i] > 3;
        if (s->of[i] < s->least) {
            s->least = s->of[i];
            s->at = (int)i;
        }
    }
}
/* One of these is written, too: the loop's bound. */
static void shrink(struct sample *s, int *c)
{
    for (long i = 0; i < s->n; i++) {
        s->above[1] += c[i];
        if (c[i] == 5)
            s->n = i;
    }
}
void samples(long n, long m, double *a, double *b, int *c)
{
    struct sample s = {n, a, 0, 1.5, -1, {0, 0}};
    measure(&s, c);
    c[-1] = s.at * 100 + s.above[0];
    b[0] = s.least;
    shrink(&s, c);
    c[-2] = s.above[1] * 100 + (int)s.n;
}

/* Arrays: a histogram, a row of a table, one element. */
static void arrays(struct numbers *h, long n, const int *c)
{
    for (long i = 0; i < n; i++) {
        h->bins[c[i] & 15]++;
        h->table[1][(c[i] * 3) & 7] += c[i];
    }
    for (long i = 0; i < n; i++)
        h->table[2][3] += c[i];
    for (int i = 0; i < 16; i++)
        h->bins[i] = h->bins[i] * 2 + 1;
}
void histograms(long n, long m, double *a, double *b, int *c)
{
    struct numbers h = {0};
    arrays(&h, n, c);
    for (int i = 0; i < 16; i++)
        c[i - 20] = h.bins[i];
    for (int i = 0; i < 8; i++)
        c[i - 40] = h.table[1][i] + h.table[2][i];
}

/* The array may hold the member: a test says whether it does. */
static void by_array(struct numbers *st, long n, const int *c)
{
    for (long i = 0; i < n; i++)
        st->count += c[i];
}
void overlaps(long n, long m, double *a, double *b, int *c)
{
    struct numbers *st = (struct numbers *)b;
    st->count = 1;
    by_array(n > 0 ? st : 0, n, (int *)a);
    by_array(st, 3, &st->low);
}

/* Memory that ends before the function does, a pointer that moves, structures with subscripts, parts of unions and bit-fields
   stay what they are. */
union either {
    int whole;
    short halves[2];
};
struct odd {
    union either u;
    int bits : 9;
    int count;
};
void stays(long n, long m, double *a, double *b, int *c)
{
    struct odd odd = {{0}, 0, 0};
    struct numbers two[2] = {{0}};
    struct numbers *at = two;
    for (long k = 0; k < 2; k++) {
        struct numbers st = {0};
        for (long i = 0; i < n; i++)
            st.count += c[i];
        c[-1 - k] = st.count;
    }
    for (long i = 0; i < n; i++)
        odd.u.whole += c[i];
    for (long i = 0; i < n; i++)
        odd.bits += c[i];
    for (long i = 0; i < n; i++)
        at->count += c[i];
    at++;
    for (long i = 0; i < n; i++)
        at->count -= c[i];
    if (m > 1) {
        struct numbers inner = {0};
        for (long i = 0; i < n; i++)
            inner.count += c[i];
        c[-3] = inner.count;
    }
    c[-4] = odd.u.whole + odd.bits + two[0].count + two[1].count * 3;
}
