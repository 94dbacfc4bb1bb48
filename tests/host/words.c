/* RUN: %S/Inputs/same %treefork %root %s %t | FileCheck %s
   CHECK: words: {{[0-9]+}} runs, all the same
   Macros with the names of words that the generated part behind the file uses: machine parameters, auxiliary integers,
   members of the runtime's structures, words of C. Variables of the file with the names of its arguments. */
#include <stdio.h>
#include <metafork.h>
static int q = 3;
void scale(int n, int s, int B, float *a)
{
    int dim = n / (s * B);
    meta_schedule cache(a) { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++)
        for (int k = 0; k < s; k++) { int p = i * s * B + k * B + j; a[p] += 1; } }
}
int main(void)
{
    float a[64] = {1, 2, 3};
    scale(64, 4, 8, a);
    printf("%g %g %d\n", a[1], a[63], q);
    return 0;
}
int B = 1, Z_B = 2, d = 4;
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define T_B 7
#define F_B (
#define W_B nothing
#define q_2 )
#define value nothing
#define step }
#define tf nothing
#define static extern
#define struct union
#define else
#define long short
#define uint16_t nothing
#define parameters nothing
#define f nothing
