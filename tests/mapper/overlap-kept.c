// A pointer at file scope that a call may have pointed to a local array: the region runs where they lie apart.
// RUN: %treefork map %s | FileCheck %s
// RUN: %treefork map -D "set(x)=" %s | FileCheck --check-prefix=OWN %s
// CHECK: const int apart =
// CHECK-NEXT: ((const char *)(own + 80) <= (const char *)kept ||
// OWN: set(own);{{$}}
// OWN-NEXT: const int B0 =
float *kept;
#ifndef set
void set(float *x);
#endif
void shift(float *restrict out)
{
    float own[80];
    for (int i = 0; i < 80; i++)
        own[i] = i;
    set(own);
#pragma scop
    for (int i = 0; i < 64; i++)
        kept[i + 1] = own[i] + 1;
#pragma endscop
    for (int i = 0; i < 64; i++)
        out[i] = own[i];
}
