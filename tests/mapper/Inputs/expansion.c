/* Rows that every iteration writes anew; beside each kind one that must not get memory of its own. */
#ifdef SOURCE
#define rows rows_source
#define means means_source
#define nearest nearest_source
#define sums sums_source
#define local local_source
#define down down_source
#define carried carried_source
#define perhaps perhaps_source
#define less less_source
#define holes holes_source
#define helped helped_source
#define spelled spelled_source
#define hidden hidden_source
#define previous previous_source
#define end end_source
#endif
#define ROW row

void rows(int n, int m, double scale, double a[restrict n][m], double b[restrict n], double row[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] * scale;
        double most = 0;
        for (int j = 0; j < m; j++)
            most = most < row[j] ? row[j] : most;
        b[i] = most;
        for (int j = 0; j < m; j++)
            a[i][j] = row[j] - most;
    }
#pragma endscop
}

void means(int n, int m, double a[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j];
        for (int j = 0; j < m; j++)
            a[i][j] /= sum;
    }
#pragma endscop
}

/* One loop reads at once what another summed up: worth its memory while i alone has too few points. */
void nearest(int n, int m, const double a[restrict n][m], double b[restrict n])
{
    double sum, best;
#pragma scop
    for (int i = 0; i < n; i++) {
        best = 0;
        for (int j = 1; j < n; j++) {
            sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i][k] * a[j][k];
            best = sum > best ? sum : best;
        }
        b[i] = best;
    }
#pragma endscop
}

/* A copy of the input would be read and written for one addition each: never worth it. */
void sums(int n, int m, const double a[restrict n][m], double b[restrict n])
{
    double both;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 1; j < m; j++) {
            both = a[i][j] + a[i][j - 1];
            b[i] += both * both;
        }
    }
#pragma endscop
}

void local(int n, int m, int low, double a[restrict n][m])
{
    double row[m + 1];
#pragma scop
    for (int i = n - 1; i >= low; i--) {
        for (int j = 0; j < m; j++)
            row[j + 1] = a[i][j] + 1;
        for (int j = 0; j < m; j++)
            for (int k = 0; k < j; k++)
                a[i][j] += row[k + 1] * row[j + 1];
    }
#pragma endscop
}

void down(int n, int m, double a[restrict n][m], double row[restrict m])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] * 3;
        for (int j = 0; j < m; j++)
            a[i][j] += row[m - 1 - j];
    }
#pragma endscop
}

/* row[0] is the iteration's before. */
void carried(int n, int m, double a[restrict n][m], double row[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++)
            row[j] = a[i][j] + row[0];
        row[0] = a[i][0];
        for (int j = 0; j < m; j++)
            a[i][j] = row[j];
    }
#pragma endscop
}

void perhaps(int n, int m, double a[restrict n][m], double row[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0)
                row[j] = a[i][j];
        for (int j = 0; j < m; j++)
            a[i][j] = row[j] * 2;
    }
#pragma endscop
}

/* The last iteration writes one element only. */
void less(int n, double a[restrict n][n], double row[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++)
            row[j] = a[i][j] * 2;
        for (int j = i; j < n; j++)
            a[i][j] = row[j] + a[i][i];
    }
#pragma endscop
}

/* Every second element. */
void holes(int n, int m, double a[restrict n][2 * m], double row[restrict 2 * m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[2 * j] = a[i][j] * 2;
        for (int j = 0; j < m; j++)
            a[i][j] = row[2 * j] + 1;
    }
#pragma endscop
}

static double at(const double *row, int j)
{
    return row[j] * 2;
}

void helped(int n, int m, double a[restrict n][m], double row[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++)
            a[i][j] = at(row, j);
    }
#pragma endscop
}

void spelled(int n, int m, double a[restrict n][m], double row[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            ROW[j] = a[i][j] * 2;
        for (int j = 0; j < m; j++)
            a[i][j] = ROW[j] + 1;
    }
#pragma endscop
}

void hidden(int n, int m, double a[restrict n][m], double row[restrict m], int free)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] * free;
        for (int j = 0; j < m; j++)
            a[i][j] = row[j] + 1;
    }
#pragma endscop
}

/* The row of the iteration before. */
void previous(int n, int m, double a[restrict n][m], double row[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i][j] += row[m - 1 - j];
        for (int j = 0; j < m; j++)
            row[j] = a[i][j] * 2;
    }
#pragma endscop
}

void end(void)
{
}
