// SET: low=-3,n=5,m=64
// SET: low=-3,n=-4,m=64
// SET: low=-3,n=-10,m=64
// RUN: %treefork verify %s --set low=-3,n=5,m=64 --set low=-3,n=-4,m=64 --set low=-3,n=-10,m=64 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Heads that compare the variable times something: with a sum of a literal on the other side, and from below zero, where
// the rounded quotient of a bound below zero counts.
#include <metafork.h>

void times_with_sum(int n, int m, int *restrict a)
{
    meta_schedule {
        meta_for (int i = 0; i < m / 8; i++)
            meta_for (int j = 0; j < 8; j++) {
                int sum = 0;
                for (int k = 0; n + 3 > k * 2; k++)
                    sum += k + 1;
                a[i * 8 + j] = sum;
            }
    }
}

void times_from_below(int n, int m, int *restrict a)
{
    meta_schedule {
        meta_for (int i = 0; i < m / 8; i++)
            meta_for (int j = 0; j < 8; j++) {
                int sum = 0;
                for (int k = -3; k * 3 < n; k++)
                    sum += k * k + 1;
                a[i * 8 + j] = sum;
            }
    }
}

void axis_from_below(int low, int n, int m, int *restrict a)
{
    meta_schedule {
        meta_for (int i = low; i * 8 <= n; i++)
            meta_for (int j = 0; j < 8; j++)
                if ((i - low) * 8 + j < m)
                    a[(i - low) * 8 + j] = i;
    }
}

void axes_before_decrement(int m, int *restrict a)
{
    meta_schedule {
        meta_for (int i = m / 8; i-- > 0;)
            meta_for (unsigned j = 8; j-- > 0;)
                a[i * 8 + j] = 100 * i + (int)j;
    }
}
