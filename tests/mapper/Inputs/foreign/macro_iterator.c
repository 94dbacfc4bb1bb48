#define FOR_ALL(x, n) { int x; for ((x) = 0; (x) < (n); (x)++) {
#define END_ALL } }
void use(int);
void scale(int m, int len, float *restrict in, float *restrict out)
{
    if (m < 0)
        goto done;
    FOR_ALL(i, m) {
        use(i);
        FOR_ALL(j, len) {
            out[j] += in[j] * i;
        } END_ALL
    } END_ALL
done:
    use(m);
}
