/* The environment, as every file of the library asks for it: a program that runs with more rights
   than its caller (setuid, capabilities) has none, for its caller could name drivers, folders and
   files by it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* secure_getenv, of glibc and musl */
#endif
#include "runtime/internal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *treefork_environment(const char *name)
{
    return secure_getenv(name);
}

/* The addresses of all variables, which setenv and putenv change. */
static uintptr_t environment_mark(void)
{
    uintptr_t sum = 1;
    for (char **at = environ; at && *at; at++)
        sum += (uintptr_t)*at;
    return sum;
}

static bool is_set(const char *name)
{
    const char *text = treefork_environment(name);
    return text && *text;
}

struct treefork_switches treefork_switches_now(void)
{
    static _Thread_local struct treefork_switches switches;
    static _Thread_local uintptr_t mark;
    uintptr_t now = environment_mark();
    if (now != mark)
        switches = (struct treefork_switches){.trace = is_set("TREEFORK_TRACE"),
                                              .explain = is_set("TREEFORK_EXPLAIN"),
                                              .force = is_set("TREEFORK_FORCE"),
                                              .set = is_set("TREEFORK_SET"),
                                              .host = is_set("TREEFORK_HOST"),
                                              .device = is_set("TREEFORK_CHECKED") ||
                                                        is_set("TREEFORK_COPY") ||
                                                        is_set("TREEFORK_MACHINE")};
    mark = now;
    return switches;
}

bool treefork_environment_is(const char *name, const char *value)
{
    const char *text = treefork_environment(name);
    if (!text || !*text || strcmp(text, "0") == 0)
        return false;
    const char *quiet = treefork_environment("TREEFORK_QUIET");
    bool is_value = strcmp(text, value) == 0, is_quiet = quiet && strcmp(quiet, "1") == 0;
    if (!is_value && !is_quiet && treefork_failure_is_new(name, TREEFORK_ARGUMENT))
        fprintf(stderr, "treefork: %s: '%s' is not '%s' and is passed over\n", name, text, value);
    return is_value;
}
