/* Two generated files with equal static functions, called from C++. */
#include "one.tf.h"
#include "two.tf.h"
#include <cstdio>
#include <vector>

static int select_with(int64_t N, int64_t s, struct treefork_trace *trace)
{
    treefork_machine any;
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        any.value[i] = TREEFORK_UNLIMITED;
    return jac_select(&any, N, s, 8, trace);
}

int main()
{
    std::vector<float> a(100, 1.0f);
    std::vector<unsigned char> b(100, 2);
    std::vector<int> j(2 * 34, 3);
    treefork_trace trace = {};
    int result = 0, status = scale(100, 2, 8, a.data(), 3.0f);
    std::printf("scale %d %g\n", status, a[99]);
    status = scale_auto(100, a.data(), 3.0f, &result);
    std::printf("scale_auto %d %d %g\n", status, result, a[99]);
    shift(100, 16, a.data(), b.data());
    status = shift_auto(100, a.data(), b.data());
    std::printf("shift_auto %d %g\n", status, a[0]);
    status = jac_auto(4, 34, j.data());
    std::printf("jac_auto %d %d '%s'\n", status, j[3], treefork_message());
    std::printf("select %d, %zu conditions\n", select_with(34, 2, &trace), trace.count);
    status = select_with(-1, 2, nullptr);
    std::printf("N = -1: %d %s\n", status, treefork_message());
    status = select_with(34, 0, nullptr);
    std::printf("s = 0: %d %s\n", status, treefork_message());
    status = select_with(34, INT64_MAX, nullptr);
    std::printf("s too large: %d %s\n", status, treefork_message());
}
