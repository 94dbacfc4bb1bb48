// SET: B=4,width=5,height=7
// SET: B=64,width=5,height=7
// RUN: %treefork verify %s --set B=4 --set B=8 --witness %witnesses --device-runs once | FileCheck %s
// RUN: %treefork build %s -o %t && FileCheck --check-prefix=AUTO %s < %t/globals.tf.h
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// AUTO: int globals_auto(
// Scalars of the file: one that may change, one of the file alone, constants.
#include <metafork.h>
static int width = 5;
int height = 7;
static const double factor = 2.5;
const int border = 1;
double cells[64];
void globals(int B)
{
    meta_schedule {
        meta_for (int i = 0; i < width * height / B; i++)
            meta_for (int j = 0; j < B; j++)
                cells[i * B + j + border] *= factor + width;
    }
}
