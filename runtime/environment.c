/* The environment, as every file of the library asks for it: a program that runs with more rights
   than its caller (setuid, capabilities) has none, for its caller could name drivers, folders and
   files by it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* secure_getenv, of glibc and musl */
#endif
#include "runtime/internal.h"
#include <stdlib.h>
#include <string.h>

const char *treefork_environment(const char *name)
{
    return secure_getenv(name);
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
