/* The environment, as every file of the library asks for it: a program that runs with more rights
   than its caller (setuid, capabilities) has none, for its caller could name drivers, folders and
   files by it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* secure_getenv, of glibc and musl */
#endif
#include "runtime/stays.h"
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

static struct treefork_switches switches_read(void)
{
    struct treefork_switches now = {.trace = is_set("TREEFORK_TRACE"),
                                    .explain = is_set("TREEFORK_EXPLAIN"),
                                    .force = is_set("TREEFORK_FORCE"),
                                    .set = is_set("TREEFORK_SET"),
                                    .host = is_set("TREEFORK_HOST"),
                                    .device = is_set("TREEFORK_CHECKED") ||
                                              is_set("TREEFORK_COPY") ||
                                              is_set("TREEFORK_DEVICES") ||
                                              is_set("TREEFORK_MACHINE")};
    now.any = now.trace || now.explain || now.force || now.set;
    return now;
}

struct treefork_switches treefork_switches_now(void)
{
    static _Thread_local struct treefork_switches switches;
    static _Thread_local uintptr_t mark;
    uintptr_t now = environment_mark();
    if (now != mark)
        switches = switches_read();
    mark = now;
    return switches;
}

/* Set to whatever value: a value may change without a sign that is cheap to see. */
static bool environment_names_any(void)
{
    static const char *const names[] = {"TREEFORK_TRACE",   "TREEFORK_EXPLAIN", "TREEFORK_FORCE",
                                        "TREEFORK_SET",     "TREEFORK_HOST",
                                        "TREEFORK_CHECKED", "TREEFORK_ON_ERROR"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        any |= treefork_environment(names[i]) != NULL;
    return any;
}

/* A variable that is new stands last. So nothing has to be looked up again while the list has its
   place, its length and its last entry. */
bool treefork_environment_is_silent(void)
{
    static _Thread_local struct {
        char **list, *last;
        size_t count;
        bool is_silent;
    } seen;
    if (seen.count && environ == seen.list && !environ[seen.count] &&
        environ[seen.count - 1] == seen.last)
        return seen.is_silent;
    seen.list = environ;
    seen.count = 0;
    while (environ && environ[seen.count])
        seen.count++;
    seen.last = seen.count ? environ[seen.count - 1] : NULL;
    seen.is_silent = !environment_names_any();
    return seen.is_silent;
}

/* "'a' or 'b'" */
static void words_text(struct treefork_text *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        treefork_text_add(text, "%s'%s'", i ? " or " : "", words[i]);
}

static void word_refuse(const char *name, const char *text, const char *const *words)
{
    const char *quiet = treefork_environment("TREEFORK_QUIET");
    struct treefork_text known = {0};
    if ((quiet && strcmp(quiet, "1") == 0) || !treefork_failure_is_new(name, TREEFORK_ARGUMENT))
        return;
    words_text(&known, words);
    fprintf(stderr, "treefork: %s: '%s' is not %s and is passed over\n", name, text,
            known.text ? known.text : "known");
    free(known.text);
}

int treefork_environment_among(const char *name, const char *const *words)
{
    const char *text = treefork_environment(name);
    if (!text || !*text || strcmp(text, "0") == 0)
        return -1;
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    word_refuse(name, text, words);
    return -1;
}

bool treefork_environment_is(const char *name, const char *value)
{
    const char *const words[] = {value, NULL};
    return treefork_environment_among(name, words) == 0;
}

bool treefork_host_is(enum treefork_host host)
{
    static const char *const words[] = {
        [TREEFORK_HOST_NEVER] = "never", [TREEFORK_HOST_MODEL] = "model", NULL};
    return treefork_environment_among("TREEFORK_HOST", words) == (int)host;
}
