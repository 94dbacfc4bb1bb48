/* Linked into TSVC_2 (tsvc.py): after each function a line with the bits of all arrays.

   The linker sends initialise_arrays, with which each function begins, and dummy here (--wrap).
   "state NAME rounds=N s=HEX a=HEX …": how often the function called dummy, a hash of the scalars
   that it gave to dummy, and of each array, at the beginning of the next function. With
   -DTSVC_RUNNING="NAMES" the line has "v=VALUE", the last of these scalars, and after the functions
   named "running=VALUE,…", the elements of b; their launches go to the file SUITE_COUNTS.loops. */
#include "common.h"
#include "array_defs.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *function;         /* the one that runs; NULL: none yet */
static unsigned long rounds;
static uint64_t scalars;
static real_t last;
static unsigned long long launched;

unsigned long long suite_launches(void);
static uint64_t hash_more(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static void array_print(const char *name, const void *data, size_t size)
{
    fprintf(stderr, " %s=%016llx", name,
            (unsigned long long)hash_more(0xcbf29ce484222325u, data, size));
}

int __wrap_dummy(real_t *a0, real_t *b0, real_t *c0, real_t *d0, real_t *e0,
                 real_t aa0[LEN_2D][LEN_2D], real_t bb0[LEN_2D][LEN_2D],
                 real_t cc0[LEN_2D][LEN_2D], real_t s);
int __wrap_dummy(real_t *a0, real_t *b0, real_t *c0, real_t *d0, real_t *e0,
                 real_t aa0[LEN_2D][LEN_2D], real_t bb0[LEN_2D][LEN_2D],
                 real_t cc0[LEN_2D][LEN_2D], real_t s)
{
    (void)a0, (void)b0, (void)c0, (void)d0, (void)e0, (void)aa0, (void)bb0, (void)cc0;
    rounds++;
    scalars = hash_more(scalars, &s, sizeof s);
    last = s;
    return 0;
}

#ifdef TSVC_RUNNING
static void launches_print(void)
{
    char path[4096];
    const char *counts = getenv("SUITE_COUNTS");
    FILE *file = NULL;
    if (counts && snprintf(path, sizeof path, "%s.loops", counts) < (int)sizeof path)
        file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%s %llu\n", function, suite_launches() - launched);
    fclose(file);
    launched = suite_launches();
}

static void running_print(void)
{
    size_t length = strlen(function);
    const char *found = strstr(TSVC_RUNNING, function);
    if (!found || (found[length] != ' ' && found[length] != '\0'))
        return;
    fprintf(stderr, " running=");
    for (int i = 0; i < LEN_1D; i++)
        fprintf(stderr, "%a,", (double)b[i]);
}
#endif

static void state_print(void)
{
    if (!function)
        return;
    fprintf(stderr, "state %s rounds=%lu s=%016llx", function, rounds, (unsigned long long)scalars);
#ifdef TSVC_RUNNING
    fprintf(stderr, " v=%a", (double)last);
    launches_print();
    running_print();
#endif
    array_print("a", a, sizeof a);
    array_print("b", b, sizeof b);
    array_print("c", c, sizeof c);
    array_print("d", d, sizeof d);
    array_print("e", e, sizeof e);
    array_print("x", x, sizeof x);
    array_print("aa", aa, sizeof aa);
    array_print("bb", bb, sizeof bb);
    array_print("cc", cc, sizeof cc);
    array_print("tt", tt, sizeof tt);
    array_print("flat", flat_2d_array, sizeof flat_2d_array);
    array_print("indx", indx, sizeof indx);
    fprintf(stderr, "\n");
}

int __real_initialise_arrays(const char *name);
int __wrap_initialise_arrays(const char *name);
int __wrap_initialise_arrays(const char *name)
{
    if (!function)
        atexit(state_print);
    state_print();
    function = name;
    rounds = 0;
    scalars = 0;
    last = 0;
    return __real_initialise_arrays(name);
}
