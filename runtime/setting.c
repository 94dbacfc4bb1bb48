/* Choices that the environment makes: TREEFORK_FORCE ("jacobi1d=2,transpose=1") forces leaves,
   TREEFORK_SET ("lu.B0=32,lu_2.B1=8") gives tunables that regions choose. In: names; out: the
   number behind one. An item that is none is reported once, a name that no region bore at the
   end of the program. The variables are read whenever they are asked for, so a program may set
   them itself. */
#include "runtime/internal.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 64 };

static const struct {
    const char *variable, *form, *what;
} lists[TREEFORK_SETTINGS] = {
    [TREEFORK_SETTING_LEAF] = {"TREEFORK_FORCE", "NAME=NUMBER", "region"},
    [TREEFORK_SETTING_TUNABLE] = {"TREEFORK_SET", "NAME.TUNABLE=NUMBER", "tunable"},
};

/* Which items named something that was met. */
static atomic_bool is_met[TREEFORK_SETTINGS][ITEMS_MAX];
static pthread_once_t report_once = PTHREAD_ONCE_INIT;

/* The number behind the first `=` of an item of `length` bytes; 0 after a line on stderr if it
   is none. */
static int item_number(enum treefork_setting list, const char *item, size_t length)
{
    const char *equals = memchr(item, '=', length);
    char *rest = NULL;
    long number = equals ? strtol(equals + 1, &rest, 10) : 0;
    if (equals > item && rest == item + length && rest > equals + 1 && number > 0 &&
        number <= INT32_MAX)
        return (int)number;
    if (length && !treefork_environment_is("TREEFORK_QUIET", "1") &&
        treefork_failure_is_new(item, TREEFORK_ARGUMENT))
        fprintf(stderr, "treefork: %s: '%.*s' is not %s and is passed over\n",
                lists[list].variable, (int)length, item, lists[list].form);
    return 0;
}

static void list_report(enum treefork_setting list)
{
    const char *text = treefork_environment(lists[list].variable);
    for (int i = 0; i < ITEMS_MAX && text && *text; i++) {
        int length = (int)strcspn(text, ","), name = (int)strcspn(text, ",=");
        if (!is_met[list][i] && name > 0 && name < length)
            fprintf(stderr, "treefork: %s: no %s '%.*s' was met (items are %s)\n",
                    lists[list].variable, lists[list].what, name, text, lists[list].form);
        text += length + (text[length] == ',');
    }
}

static void settings_report(void)
{
    if (treefork_environment_is("TREEFORK_QUIET", "1"))
        return;
    for (int list = 0; list < TREEFORK_SETTINGS; list++)
        list_report((enum treefork_setting)list);
}

static void settings_report_later(void)
{
    atexit(settings_report);
}

int treefork_setting(enum treefork_setting list, const char *name)
{
    const char *text = treefork_environment(lists[list].variable);
    size_t length = strlen(name);
    int found = 0;
    if (!text)
        return 0;
    pthread_once(&report_once, settings_report_later);
    for (int i = 0; *text; i++) {
        size_t item = strcspn(text, ",");
        int number = item_number(list, text, item);
        bool is_named = item > length && memcmp(text, name, length) == 0 && text[length] == '=';
        if (is_named && i < ITEMS_MAX)
            atomic_store_explicit(&is_met[list][i], true, memory_order_relaxed);
        if (!found && is_named)
            found = number;
        text += item + (text[item] == ',');
    }
    return found;
}

int treefork_forced(const char *name)
{
    return treefork_setting(TREEFORK_SETTING_LEAF, name);
}
