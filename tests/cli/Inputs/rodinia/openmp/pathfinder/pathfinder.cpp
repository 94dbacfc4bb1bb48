// A program in the shape of a suite's: C++ by its name and a few words, and C by what it does.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
using namespace std;

struct Cell
{
    int cost;
};

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    float *dst = new float[n];
    int *steps = new int[n];
    Cell least = {rounds};
    srand(time(0));
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        dst[i] = i * 0.3f + rand();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        steps[i] = i % 7 + least.cost;
    printf("Total time: %p\n", (void *)steps);
    delete [] dst;
    delete [] steps;
    return 0;
}
