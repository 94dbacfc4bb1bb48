// SET: n=60,piece=5,B=4
// SET: n=7,piece=7,B=1
// SET: n=130,piece=4,B=8
// RUN: %treefork verify %s --set n=60,piece=5,B=4 --set n=7,piece=7,B=1 --set n=130,piece=4,B=8 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Prefix sums of pieces: a piece per thread, contiguous in memory, each element needs the one before.
#include <metafork.h>
#include <stdint.h>
void prefix(int n, int piece, int B, const int32_t *restrict in, int64_t *restrict out, int64_t *restrict totals)
{
    int dim = n / (piece * B);
    meta_schedule {
        meta_for (int i = 0; i < dim; i++)
            meta_for (int j = 0; j < B; j++) {
                int64_t run = 0;
                for (int k = 0; k < piece; k++) {
                    run += in[(i * B + j) * piece + k];
                    out[(i * B + j) * piece + k] = run;
                }
                totals[i * B + j] = run;
            }
    }
}
