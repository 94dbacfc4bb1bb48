void say(const char *form, const char *what);
void stop_at(const char *file, int line, int code);
#define STOP(code) stop_at(__FILE__, __LINE__, code)
#define CHECK(EX) if (!(EX)) { say("failed: %s\n", #EX); \
                               STOP(1); }
void g(int n, double *restrict a, const double *restrict b, int m)
{
    int i;
    CHECK(n > 3);
    for (i = 0; i < n; i++)
        a[i] = b[i] + 1;
    CHECK(n == m);
}
