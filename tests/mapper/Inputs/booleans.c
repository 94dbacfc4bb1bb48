/* _Bool in memory, from outside and of a thread: whatever is stored is 0 or 1. */
#include <stdbool.h>
#include <stddef.h>

static bool is_on = true;
static _Bool flags[500];
struct choice { bool adds; double by; };

/* A mask at file scope, from what is no truth value; a mask that chooses. */
void mask(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    for (int i = 0; i < n; i++)
        flags[i] = c[i] & 6;
    for (int i = 0; i < n; i++)
        if (flags[i])
            a[i] = b[i] + flags[i];
    for (int i = 0; i < n; i++)
        b[i] += (flags[i] == is_on) + (flags[i] ^ 1) * 2;
}

void both(int n, bool all, bool *restrict out, const bool *restrict in, const double *restrict x)
{
    for (int i = 0; i < n; i++) {
        bool big = x[i] > 0.25, kept = in[i];
        out[i] = all ? x[i] * 0.5 : big && kept;
    }
}

/* `bool *` and `bool` as parameters, and rows of them. */
void given(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    bool out[64], in[64] = {1, 0, 1, 1}, rows[8][8] = {{0}};
    both((int)n, m > 3, out, in, a);
    for (int i = 0; i < n; i++)
        b[i] = out[i];
    both((int)n, is_on && m < 0, out, in, a);
    for (int i = 0; i < n; i++)
        b[i] += 2 * out[i];
    for (int i = 0; i < n && i < 8; i++)
        for (int j = 0; j < 8; j++)
            rows[i][j] = a[i] > j * 0.125;
    for (int i = 0; i < n && i < 8; i++)
        a[i] = rows[i][i] - rows[i][7 - i];
}

/* A member, a variable that the host changes, and a local array of a thread. */
void members(long n, long m, double *restrict a, double *restrict b, int *restrict c)
{
    const struct choice p = {m > 2, 3};
    bool turn = false;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) {
            bool near[2] = {a[i] < 1, b[i] < 1};
            a[i] = (turn ? b[i] : a[i]) + (p.adds && near[t & 1] ? p.by : 0);
        }
        turn = !turn;
    }
    c[0] = turn;
}
