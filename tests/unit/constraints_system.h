#ifndef TESTS_UNIT_CONSTRAINTS_SYSTEM_H
#define TESTS_UNIT_CONSTRAINTS_SYSTEM_H
#include "constraints/sas.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Constraints separated by ';', in the ring's arena. A table that cannot be read ends the test as
   failed. */
static inline struct sas system_read(struct ring *ring, const char *text)
{
    struct arena *arena = ring_arena(ring);
    struct sas sas = sas_empty(ring);
    char *copy = arena_strdup(arena, text), *save = NULL;
    for (char *part = strtok_r(copy, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        struct constraint c;
        const char *error = "";
        if (!constraint_read(ring, part, &c, &error)) {
            printf("FAILED: %s: %s\n", part, error);
            exit(1);
        }
        sas = sas_add(arena, sas, c);
    }
    return sas;
}

#endif
