/* Loops as programs for synthesis have them: each with a label that nothing jumps to, and numbers behind names. */
#define SIDE 96
#define CELLS SIDE*SIDE
#define STEP 3
#define ROW row
#define SET_ROW row = i *
#define TAIL = i * SIDE
typedef double real;

void product(real first[CELLS], real second[CELLS], real out[CELLS])
{
    int i, j, k;
    int row, column;
    real part;

    outer: for (i = 0; i < SIDE; i++) {
        middle: for (j = 0; j < SIDE; j++) {
            row = i * SIDE;
            real sum = 0;
            inner: for (k = 0; k < SIDE; k++) {
                column = k * SIDE;
                part = first[row + k] * second[column + j];
                sum += part;
            }
            out[row + j] = sum;
        }
    }
}

/* The label of a loop is no place for a declaration. */
void bare(int n, real *restrict a, const real *restrict b)
{
    int i;
    if (n > 0)
        once: for (i = 0; i < n; i++)
            a[i] = b[i] * STEP;
    last: return;
}

/* A jump to the label: the loop is left as it is, the next one not. */
void again(int n, int rounds, real *restrict a, real *restrict b)
{
    int i, round = 0;
    repeat: for (i = 0; i < n; i++)
        a[i] = b[i] + round;
    if (++round < rounds)
        goto repeat;
    other: for (i = 0; i < n; i++)
        b[i] = a[i] * STEP;
}

/* What a macro writes of an assignment only in part is no text to declare by. */
void parts(real out[CELLS], const real in[CELLS])
{
    int i, j, row;
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            ROW = i * SIDE;
            out[row + j] = in[row + j] + STEP;
        }
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            SET_ROW SIDE;
            out[row + j] += in[row + j];
        }
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            row TAIL;
            out[row + j] -= in[row + j] * in[row + j];
        }
}

/* A number that is made in two steps, one that counts, and one that other statements share. */
void numbers(int n, real *restrict a, const real *restrict b, int *restrict c)
{
    int i, at, k = STEP;
    for (i = 0; i < n; i++) {
        at = i * STEP;
        at += SIDE;
        const real twice = STEP * b[i];
        c[i] = k;
        k = STEP + k;
        a[at] = twice;
    }
}
