/* A permutation at file scope, which no other file can name. */
#include <metafork.h>

#ifdef MANY
enum { MOST = 200000 };
#else
enum { MOST = 100 };
#endif
static int place[MOST];

void scatter(int n, const double x[restrict MOST], double y[restrict MOST])
{
    meta_schedule {
        meta_for (int b = 0; b < (n + 31) / 32; b++)
            meta_for (int t = 0; t < 32; t++) {
                int i = b * 32 + t;
                if (i < n)
                    y[place[i]] = x[i];
            }
    }
}
