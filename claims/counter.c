/* The rows of optimizer/counter.def as claims and their reader need them. */
#include "claims/counter.h"
#include <stddef.h>
#include <string.h>

static const struct counter_row rows[] = {
#define RESOURCE true
#define TARGET false
#define REPORT false
#define X(SYMBOL, name, json, unit, limit, kind, ...) {#name, json, #limit, kind},
#include "optimizer/counter.def"
#undef X
#undef RESOURCE
#undef TARGET
#undef REPORT
};

const struct counter_row *counter_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

const struct counter_row *counter_by_json(const char *json)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].json, json) == 0)
            return &rows[i];
    return NULL;
}
