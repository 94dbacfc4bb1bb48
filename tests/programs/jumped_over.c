// SET: off=3,rounds=5,m=64
// RUN: %treefork verify %s --set off=3,rounds=5,m=64 --set off=70,rounds=2,m=64 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// RUN: %treefork -d kernel %s | FileCheck --check-prefix=FACT --implicit-check-not="< off" %s
// FACT: kernel condition_skipped
// Jumps over what stands before a region: the only assignment to a variable, the condition around the region. And a
// subscript of an array argument that the function changes.
#include <metafork.h>

void assignment_skipped_by_switch(int rounds, int m, int *restrict a)
{
    int last;
    for (int t = 0; t < rounds; t++) {
        switch (t % 2) {
        case 0:
            ;
            last = t * 10;
            break;
        case 1:
            meta_schedule {
                meta_for (int i = 0; i < m / 8; i++)
                    meta_for (int k = 0; k < 8; k++)
                        a[i * 8 + k] += last;
            }
        }
    }
}

void assignment_skipped_by_goto(int rounds, int m, int *restrict a)
{
    int last;
    for (int t = 0; t < rounds; t++) {
        if (t % 2)
            goto past;
        last = t * 10;
    past:
        meta_schedule {
            meta_for (int i = 0; i < m / 8; i++)
                meta_for (int k = 0; k < 8; k++)
                    a[i * 8 + k] += last;
        }
    }
}

void condition_skipped(int off, int m, int *restrict a)
{
    if (off < 8)
        goto inside;
    if (off > 50) {
    inside:
        meta_schedule {
            meta_for (int i = 0; i < m / 8; i++)
                meta_for (int k = 0; k < 8; k++)
                    if (i * 8 + k + off < m)
                        a[i * 8 + k + off] = off;
        }
    }
}

static void row_put(int row[8], int index[1])
{
    index[0] = 3;
    row[0] = 7;
    row[1] = index[0];
}

void subscript_changed(int m, int a[m][8][8])
{
    meta_schedule {
        meta_for (int i = 0; i < m / 8; i++)
            meta_for (int k = 0; k < 8; k++) {
                int index[1];
                index[0] = 1;
                row_put(a[i * 8 + k][index[0]], index);
            }
    }
}
