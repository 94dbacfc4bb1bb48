/* Arrays that may overlap, where no test of addresses tells: reads through data, pointers of structures and of their members. */
struct state {
    float *query, *key, *score;
};

float scale = 2;

void gathered(int n, int m, const int *from, float *a, const float b[m])
{
    for (int i = 0; i < n; i++)
        a[i] = b[from[i] & 7] * scale;
}

void members(const struct state *s, int n, int m)
{
    float *key = s->key + m, *again = s->key;
    for (int i = 0; i < n; i++)
        s->score[i] = key[i] * s->query[i % 5];
    for (int i = 0; i < n; i++)
        key[i] = again[i] * 2;
}
