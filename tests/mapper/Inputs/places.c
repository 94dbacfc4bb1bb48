/* Pointers that name a place in an array. */
enum { SIDE = 20 };

/* Rows; one of them by an address, one that is set behind its declaration. */
void rows(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *row;
#pragma scop
    for (int i = 0; i < n; i++) {
        const double *from = &b[i * m], *next = from + 1;
        row = a + i * m;
        for (int j = 0; j < m; j++)
            row[j] = from[j] + *(next + j) + c[j];
    }
#pragma endscop
}

/* Elements without a subscript. */
void elements(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int i;
#pragma scop
    for (i = 1; i < n; i++)
        *(a + i) = *(b + i) * 2 + *c + (b + 1)[i] + (&b[i])[-1];
#pragma endscop
}

/* Rows of rows, by numbers of 32 bits. */
void planes(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    int wide = (int)m, high = (int)n;
#pragma scop
    for (int z = 0; z < 3; z++) {
        double *plane = a + z * high * wide;
        for (int y = 0; y < high; y++) {
            double *row = plane + y * wide;
            for (int x = 0; x < wide; x++)
                row[x] = b[x] + z - y;
        }
    }
#pragma endscop
}

/* Rows of arrays with axes. */
void axes(long n, long m, double *a, double *b, int *c)
{
    double (*grid)[SIDE] = (double (*)[SIDE])a;
#pragma scop
    for (long i = 0; i < n; i++) {
        double *row = grid[i], *tail = &grid[i][1], (*below)[SIDE] = grid + i;
        for (long j = 0; j + 1 < m; j++) {
            row[j] += b[j];
            tail[j] = below[1][j] - c[j];
        }
    }
#pragma endscop
}

/* Two values after each other; the first one's uses end where the second begins. */
void again(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const double *row;
#pragma scop
    for (long i = 1; i < n; i++) {
        row = b + i * m;
        for (long j = 0; j < m; j++)
            a[i * m + j] = row[j];
        row = b + (i - 1) * m;
        for (long j = 0; j < m; j++)
            a[i * m + j] -= row[j];
    }
#pragma endscop
}

/* What the place is made of changes, is hidden by another variable, or may change in a call: the pointer stays. */
static long kept = 2;
static void keep(void) { kept++; }
void changed(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    kept = 2;
    for (long i = 0; i < n; i++) {
        long at = i * m;
        double *row = a + at, *far = b + kept;
        at += 3;
        for (long j = 0; j < m; j++)
            row[j] = b[j] + at;
        keep();
        for (long j = 0; j < m; j++)
            far[j] += kept;
    }
    for (long i = 0; i < n; i++) {
        double *row = a + i * m;
        for (long i = 0; i < m; i++)
            row[i] += 1;
    }
}

/* Pointers that are used for more than elements. */
static double first(const double *p) { return *p; }
void others(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *end = b + n, *last = a, **where = &last;
    for (double *p = b; p < end; p++)
        *p += 1;
    for (long i = 0; i < n; i++) {
        double *row = b + i;
        a[i] = first(row);
        *where = a + i;
        *last += 1;
    }
    for (long i = 0; i < n; i++) {
        double *row = a + i * m;
        for (long j = 0; j < m; j++)
            *row++ += j;
    }
    *last += 2;
}

/* A place that depends on the row before. */
void shifted(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    double *row = a;
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < m; j++)
            row[j] = b[j] + i;
        row = a + i * m;
    }
}

/* Numbers without a sign, which wrap before they are a place. */
void wrapped(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    unsigned high = n > 0 ? (unsigned)n : 0, wide = m > 0 ? (unsigned)m : 0;
#pragma scop
    for (unsigned y = 0; y < high; y++) {
        double *row = a + y * wide;
        const double *from = b + wide * y;
        for (unsigned x = 0; x < wide; x++)
            row[x] = from[x] + c[x];
    }
#pragma endscop
}

/* A place that may lie before the array's name: there the loops run as they stand. */
void before(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (long i = 0; i < n; i++) {
        double *row = a + i * m - n;
        for (long j = 0; j < m; j++)
            row[j] = b[j] + i;
    }
}

/* Beside a scalar in one declaration. */
void beside(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double *row = a + i * m, *const from = b + i, sum = from[0];
        for (long j = 0; j < m; j++)
            sum += from[j];
        for (long j = 0; j < m; j++)
            row[j] = sum;
    }
#pragma endscop
}

/* Memory of one's own. */
void *malloc(unsigned long size);
void free(void *memory);
void own(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    long size = n > 0 && m > 0 ? n * m : 1;
    double *memory = malloc(size * sizeof *memory);
    for (long i = 0; i < n; i++) {
        double *row = memory + i * m;
        for (long j = 0; j < m; j++)
            row[j] = b[j] * i;
    }
    for (long i = 0; i < n; i++) {
        const double *row = memory + i * m;
        for (long j = 0; j < m; j++)
            a[i * m + j] = row[j];
    }
    free(memory);
}
