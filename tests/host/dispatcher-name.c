// A function of the file's own has the name that the dispatcher of a region would have: the region has the next name.
// RUN: mkdir -p %t && rm -rf %t/*
// RUN: %treefork build %s -o %t 2>&1 | FileCheck --allow-empty --implicit-check-not=error /dev/null
// RUN: FileCheck --check-prefix=HEADER --input-file %t/dispatcher-name.tf.h %s
// HEADER: int f_2_select(const struct treefork_machine *
// RUN: %cc -std=c11 -O1 -I%root/runtime -I%t -o %t/program %t/dispatcher-name.tf.c %build/libtreefork.a -lm -ldl -lpthread
// RUN: env TREEFORK_HOST=never %t/program | FileCheck %s
// CHECK: 7 0
#include <metafork.h>
#include <stdio.h>

int f_select(int x) { return x + 1; }

void f(int n, int B, float *a)
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                a[i * B + j] = 0;
    }
}

int main(void)
{
    float a[64] = {1, 2, 3};
    f(64, 8, a);
    printf("%d %g\n", f_select(6), a[0] + a[1] + a[2]);
    return 0;
}
