// Regions run once as they are written in the checked interpreter, on the values and arrays that the serial program meets them
// with: races, values never written. The leaves, here on the simulated driver, may well equal the serial program.
// RUN: rm -rf %t && mkdir %t && %treefork -d leaves %s >%t/kernels
// RUN: %root/tests/host/Inputs/simulated %build %t/kernels - not %treefork verify %s --function histogram --set n=64,B=8 --data %S/Inputs/serial-race_data.c 2>&1 | FileCheck --check-prefix=RACE %s
// RUN: %root/tests/host/Inputs/simulated %build %t/kernels - not %treefork verify %s --function gap --set n=64,B=8 2>&1 | FileCheck --check-prefix=GAP %s
// RUN: not %treefork verify %s --function histogram --set n=64,B=8 --data %S/Inputs/serial-race_data.c --witness cpu 2>&1 | FileCheck --check-prefix=RACE %s
// On random data the race may be that of the data.
// RUN: not %treefork verify %s --function histogram --set n=64,B=8 --witness cpu 2>&1 | FileCheck --check-prefix=RANDOM %s
// RANDOM: error: histogram needs data of its own, so it is not verified: on random data: race:
// RANDOM: note: elements of `img` are subscripts
// RANDOM: 0 verified, 0 failed, {{[1-9]}} skipped
// RACE: histogram as it is written: FAILED: race: {{.*}}serial-race.c:[[@LINE+11]]:17: race on the global element hist[
// RACE: , {{[1-9]}} failed
// GAP: gap as it is written: FAILED: uninitialised: 's' is read but has no value
// GAP: , {{[1-9]}} failed
#include <metafork.h>

void histogram(int n, int B, const int img[restrict n], int hist[restrict 16])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++)
                hist[img[i * B + j]]++;
    }
}

/* No value where x[i] is positive. */
void gap(int n, int B, const float x[restrict n], float b[restrict n])
{
    meta_schedule {
        meta_for (int i = 0; i < n / B; i++)
            meta_for (int j = 0; j < B; j++) {
                float s;
                if (x[i * B + j] <= 0)
                    s = 1;
                b[i * B + j] = s;
            }
    }
}

// What was not checked is said: a region that is too large, one that is not reached. A region in a host loop is checked at its
// first grid that is not empty.
// RUN: %root/tests/host/Inputs/simulated %build %t/kernels - %treefork verify %s --function rounds --set n=200000,B=8 --leaf 1 | FileCheck --check-prefix=LARGE %s
// RUN: %root/tests/host/Inputs/simulated %build %t/kernels - %treefork verify %s --function rounds --set n=64,B=8 --leaf 1 | FileCheck --check-prefix=ROUNDS %s
// LARGE: rounds as it is written: not checked {{.*}}: it has 200000 points here, and at most 100000 are checked
// LARGE: rounds_2 as it is written: not checked {{.*}}: the serial program does not reach it
// ROUNDS-NOT: rounds as it is written
// ROUNDS: rounds_2 as it is written: not checked
// ROUNDS: verified, 0 failed
void rounds(int n, int B, float b[restrict n])
{
    for (int t = 0; t < 2; t++)
        meta_schedule {
            meta_for (int i = 0; i < n / B; i++)
                meta_for (int j = 0; j < B; j++)
                    b[i * B + j] = b[i * B + j] * t;
        }
    if (n < 0)
        meta_schedule {
            meta_for (int i = 0; i < n / B; i++)
                meta_for (int j = 0; j < B; j++)
                    b[i * B + j] = 0;
        }
}

// A compiler without sanitizers is said, and no error (a sanitized library needs one that has them).
// RUN: printf '#!/bin/sh\ncase "$*" in *-fsanitize*) exit 1;; esac\nexec cc "$@"\n' >%t/cc && chmod +x %t/cc
// RUN: %if unsanitized %{ env CC=%t/cc %root/tests/host/Inputs/simulated %build %t/kernels - %treefork verify %s --function rounds --set n=64,B=8 --leaf 1 | FileCheck --check-prefix=PLAIN %s %}
// PLAIN: the serial program: not checked by sanitizers
// PLAIN: verified, 0 failed
