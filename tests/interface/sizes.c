// How functions are called from other languages: `build --interface` (docs/interface.md). --any takes this file's loops
// like --all, and a file without loops, or with regions of its own, as it stands.
// RUN: rm -rf %t && mkdir -p %t && %treefork build %s --any --interface -o %t && tr -d '\n\t' <%t/sizes.interface.json | sed 's/{"name"/\n&/g; s/"regions"/\n&/g' | FileCheck %s
typedef float real;

// Declared extents; a result; no region is needed to be called.
// CHECK: {"name":"last","returns":"double","void":false,"format":"f8"
// CHECK-NEXT: {"name":"n","text":"unsigned n","format":"u4","array":false}
// CHECK-NEXT: {"name":"a","text":"const real a[n]","format":"f4","array":true,"const":true,"extents":["n"],"touched":[]}
// CHECK-NEXT: "regions":[],"auto":null,"tunables":[]
double last(unsigned n, const real a[n])
{
    double s = 0;
    for (unsigned i = 0; i < n; i++)
        s = s * 0.5 + a[i];
    return s;
}

// What regions touch where no extent is declared; their own tunables do not count.
// CHECK: {"name":"smooth","returns":"void","void":true,"format":null
// CHECK-NEXT: {"name":"n"
// CHECK-NEXT: {"name":"a",{{.*}}"extents":[null],"touched":{{.*}}"?", [">",{{.*}}"n",{{.*}}, 0], "n", 0]]}
// CHECK-NEXT: {"name":"b",{{.*}}"const":false,"extents":[null],"touched":{{.*}}["-", "n", 1], 0]]}
// CHECK-NEXT: "regions":["smooth"]
void smooth(long n, const double *restrict a, double *restrict b)
{
    for (long i = 1; i < n - 1; i++)
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

// A loop that a condition may leave out, and an extent that changes on the way, promise nothing.
// CHECK: {"name":"some"
// CHECK: {"name":"a",{{.*}}"touched":[]}
void some(int n, int flag, float *restrict a)
{
    if (flag)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 2;
}
// CHECK: {"name":"half"
// CHECK: {"name":"a",{{.*}}"touched":[]}
void half(int n, float *restrict a)
{
    n = n / 2;
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
}

// Several extents; what is neither a number nor an array of numbers has no format.
// CHECK: {"name":"rows"
// CHECK: {"name":"p","text":"double ** p","format":null,"array":true
// CHECK: {"name":"a","text":"double a[n][2*m + 1]","format":"f8","array":true,"const":false,"extents":["n", ["+", ["*", 2, "m"], 1]]
void rows(int n, int m, double **p, double a[n][2*m + 1])
{
    p[0] = a[0];
}
// Without a prototype numbers are passed promoted.
// CHECK: {"name":"old"
// CHECK-NEXT: {"name":"s","text":"float s","format":"f8"
// CHECK-NEXT: {"name":"c","text":"char c","format":"i4"
float old(s, c)
float s;
char c;
{
    return s + c;
}

// Static functions and main are for nobody else.
// CHECK-NOT: hidden
// CHECK-NOT: main
static int hidden(void)
{
    return 0;
}
int main(void)
{
    return hidden();
}

// RUN: printf 'int twice(int x) { return 2*x; }\n' >%t/none.c && %treefork build %t/none.c --any --interface -o %t/none 2>&1 | count 0
// RUN: FileCheck --check-prefix=NONE --input-file=%t/none/none.interface.json %s
// NONE: "name":{{.*}}"twice"
// RUN: %treefork build %samples/matmul/matmul.c --any --interface -o %t/regions && tr -d '\n\t' <%t/regions/matmul.interface.json | FileCheck --check-prefix=AUTO %s
// AUTO: "auto":"matmul_auto","tunables":["s", "B0", "ub1"]
// The regions of one function are those of the whole file.
// RUN: %treefork explain %s --any --function smooth --machine %machines/hopper-h100.json --set n=1000 --auto | grep -v '^ ' | FileCheck --check-prefix=ONE %s
// ONE: smooth on
// ONE-NOT: on NVIDIA
// RUN: not %treefork build %s --any --all -o %t/both 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: --any and --all exclude each other
// RUN: not ls %t/none/none.tree.json %t/both 2>/dev/null
