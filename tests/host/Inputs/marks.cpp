// A program of C++ beside metafork.h: standard headers after the marks, and a function that bears the short form's name.
#ifdef LONG_NAMES
#define METAFORK_LONG_NAMES
#endif
#include <metafork.h>
#include <algorithm>
#include <numeric>
#include <vector>
#include <cstdio>

#ifdef LONG_NAMES
static int cache(int x)
{
    return 10 * x;
}
#else
static int (cache)(int x)
{
    return 10 * x;
}
#endif

static void twice(std::vector<int> &a)
{
    int n = static_cast<int>(a.size());
    meta_schedule meta_cache(a) {
        meta_for (int i = 0; i < n; i++)
            meta_for (int j = 0; j < 1; j++)
                a[i + j] *= 2;
    }
}

int main()
{
    std::vector<int> a(4);
    std::iota(a.begin(), a.end(), 1);
    twice(a);
    int sum = std::accumulate(a.begin(), a.end(), 0);
#ifdef LONG_NAMES
    sum = cache(sum);
#else
    sum = (cache)(sum);
#endif
    std::printf("sum %d\n", sum);
    return 0;
}
