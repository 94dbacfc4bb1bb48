/* Functions whose names a macro writes are functions of the file; those whose bodies a macro or an
   included file writes are not. */
#define FUNC(name) s##name
#define EXPORT
#define PLAIN(name) name
#define DEFINE(name, type) \
    void name##_##type(int n, type *a, type f) { for (int i = 0; i < n; i++) a[i] *= f; }

EXPORT void FUNC(scale)(int n, float *a)
{
    int i;
    for (i = 0; i < n; ++i)
        a[i] *= 2;
}

int PLAIN(sum)(int n, const int *a)
{
    int i, s = 0;
    for (i = 0; i < n; ++i)
        s += a[i];
    return s;
}
