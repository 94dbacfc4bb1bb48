/* out[i] = table[index[i]], negative indices from the end as NumPy has them. */
void gather(int n, int size, const int *index, const float *table, float *out)
{
    for (int i = 0; i < n; i++) {
        int at = index[i] < 0 ? index[i] + size : index[i];
        out[i] = table[at];
    }
}
