/* Blocks that a macro closes: what ends an array of the block stands before the macro's call. */
#define EACH(n) { int at[3]; int j_; for (j_ = 0; j_ < (n); j_++) { at[0] = j_;
#define DONE } }
#define CLOSE() DONE
void put(int *);

void scale(int *a, int n, int m)
{
    EACH(n)
    for (int d = 0; d < m; d++)
        a[d] *= at[0];
    put(at);
    CLOSE();
    EACH(m)
    for (int d = 0; d < m; d++)
        a[d] += at[0];
    put(at);
    DONE
}
