/* The functions of csr.c beside the same under the names NAME_source. */
#include <stdio.h>
#include <string.h>

enum { ROWS = 301, WIDTH = 7, MOST = 9 * ROWS };
typedef void function(int rows, int nnz, int d, const int *start, const int *column, const double *value,
                      const double (*x)[WIDTH], double (*y)[WIDTH]);
function spmv, spmm, spmv_source, spmm_source;

static int compare(const char *name, function *mapped, function *source)
{
    static int start[ROWS + 1], column[MOST];
    static double value[MOST], x[ROWS][WIDTH], first[ROWS][WIDTH], second[ROWS][WIDTH];
    int nnz = 0;
    for (int r = 0; r < ROWS; r++) {
        for (int k = 0; k < r * 5 % 9; k++, nnz++) {
            column[nnz] = (r * 31 + k * 17) % ROWS;
            value[nnz] = (nnz * 13 % 7 - 3) * 0.25;
        }
        start[r + 1] = nnz;
        for (int c = 0; c < WIDTH; c++)
            x[r][c] = (r * 3 + c * 5) % 11 - 4.5;
    }
    memset(first, 1, sizeof first);
    memset(second, 1, sizeof second);
    source(ROWS, nnz, WIDTH, start, column, value, x, first);
    mapped(ROWS, nnz, WIDTH, start, column, value, x, second);
    int wrong = memcmp(first, second, sizeof first) != 0;
    printf("%s is %s\n", name, wrong ? "wrong" : "equal");
    return wrong;
}

int main(void)
{
    return compare("spmv", spmv, spmv_source) + compare("spmm", spmm, spmm_source);
}
