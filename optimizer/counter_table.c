/* The table of counters. In: counter.def. Out: rows by number or name. To add a row see the
   legend there. */
#include "optimizer/store.h"
#include <string.h>

const struct counter *counter_table(int symbol)
{
    static const struct counter TABLE[COUNTER_COUNT] = {
#define X(SYMBOL, name, json, unit, limit, kind, parts, machine, sigma, concerns)                  \
    {#name,                                                                                        \
     json,                                                                                         \
     unit,                                                                                         \
     COUNTER_##kind,                                                                               \
     PARTS_##parts,                                                                                \
     COUNTER_##kind == COUNTER_REPORT ? NULL : #limit,                                             \
     machine,                                                                                      \
     sigma,                                                                                        \
     counter_##name,                                                                               \
     concerns},
#include "optimizer/counter.def"
#undef X
    };
    return &TABLE[symbol];
}

int counter_find(const char *name)
{
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (strcmp(counter_table(i)->name, name) == 0)
            return i;
    return -1;
}

const char *exactness_name(enum exactness exactness)
{
    static const char *const NAMES[] = {"exact",    "upper",    "lower",
                                        "estimate", "measured", "injected"};
    return NAMES[exactness];
}

const char *counter_kind_name(enum counter_kind kind)
{
    static const char *const NAMES[] = {"resource", "target", "report"};
    return NAMES[kind];
}

enum exactness counter_exactness(const struct counter_value *value)
{
    enum exactness all = value->pieces[0].exactness;
    for (size_t i = 1; i < value->count; i++) {
        enum exactness next = value->pieces[i].exactness;
        if (all == COUNTER_EXACT)
            all = next;
        else if (next != COUNTER_EXACT && next != all)
            all = COUNTER_ESTIMATE;
    }
    return all;
}
