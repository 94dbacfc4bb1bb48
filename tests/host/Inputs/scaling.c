/* The programs of the scaling table in small, by name: a digest of the results, and the bytes that were copied: from the host, between
   members, home. */
#include "plain_gemm.tf.h"
#include "plain_hotspot.tf.h"
#include "plain_nbody.tf.h"
#include <stdio.h>
#include <string.h>
#include <treefork.h>

enum { ARRAYS = 7, FLOATS = 4096, SIDE = 48, BODIES = 150, STEPS = 3 };

static _Alignas(16) float memory[ARRAYS][FLOATS];

static void fill(void)
{
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < FLOATS; i++)
            memory[k][i] = (float)((i * 37 + k * 11) % 101) / 7;
}

static void program_run(const char *name)
{
    fill();
    if (strcmp(name, "gemm") == 0)
        gemm(SIDE, SIDE, SIDE, 3, 2, (float(*)[SIDE])memory[0], (const float(*)[SIDE])memory[1],
             (const float(*)[SIDE])memory[2]);
    else if (strcmp(name, "hotspot") == 0)
        hotspot(STEPS, SIDE, 0.01f, 2, 3, 0.1f, 8, (const float(*)[SIDE])memory[0],
                (float(*)[SIDE])memory[1], (float(*)[SIDE])memory[2]);
    else
        nbody(STEPS, BODIES, 0.001f, 0.5f, memory[0], memory[1], memory[2], memory[3], memory[4],
              memory[5], memory[6]);
}

static unsigned long long digest(void)
{
    const unsigned char *bytes = (const unsigned char *)memory;
    unsigned long long sum = 14695981039346656037ull;
    for (size_t i = 0; i < sizeof memory; i++)
        sum = (sum ^ bytes[i]) * 1099511628211ull;
    return sum;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct treefork_device *device = treefork_default();
        struct treefork_statistics old = treefork_statistics(device), now;
        struct treefork_exchanged before = treefork_exchanged(device), after;
        program_run(argv[i]);
        treefork_release(device, NULL);
        now = treefork_statistics(device);
        after = treefork_exchanged(device);
        printf("%s, %llx, %d members: %llu bytes from the host, %llu between, %llu home\n", argv[i],
               digest(), after.members,
               (unsigned long long)(now.bytes_to_device - old.bytes_to_device),
               (unsigned long long)(after.bytes - before.bytes),
               (unsigned long long)(now.bytes_to_host - old.bytes_to_host));
    }
    return 0;
}
