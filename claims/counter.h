#ifndef CLAIMS_COUNTER_H
#define CLAIMS_COUNTER_H
#include <stdbool.h>

/* The counters that a tree can ask for: their names in forks and in leaves, and their limits. */
struct counter_row {
    const char *name, *json, *limit;
    bool is_resource;
};
/* NULL if there is none. */
const struct counter_row *counter_by_name(const char *name);
const struct counter_row *counter_by_json(const char *json);

#endif
