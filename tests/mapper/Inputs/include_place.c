/* Includes in branches of the preprocessor: the mapped text has its own where every branch sees it. */
/* no include:
#include <nothing.h>
*/
#ifndef ONCE
#define ONCE
#include <math.h>
# ifdef MISSING
#  include "missing.h"
# else
#  include <stdio.h>
# endif
#ifdef MISSING
#include "more.h"
#endif
void f(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = sqrt(b[i]);
}
#endif
