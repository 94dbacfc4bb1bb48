/* The message of the last failure, one per thread, and the names of statuses. In: a status and a
   printf format; out: the same status, so that `return treefork_fail(…)` reports and returns at
   once. The message lives until the thread's next failure or the next call that clears it. It is
   thread-local, beside the thread's device (device.c): C callers have no context to carry it in,
   and errno, the model, is one too. */
#include "runtime/internal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 4096 };

static _Thread_local char last_message[MESSAGE_MAX];

const char *treefork_message(void)
{
    return last_message;
}

void treefork_message_clear(void)
{
    last_message[0] = '\0';
}

/* The arguments may point into the old message, hence the second buffer. */
int treefork_fail(int status, const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(last_message, text, sizeof text);
    return status;
}

int treefork_version(void)
{
    return 10000 * TREEFORK_MAJOR + 100 * TREEFORK_MINOR + TREEFORK_PATCH;
}

const char *treefork_status_name(int status)
{
    static const char *const names[] = {
        [TREEFORK_OK] = "ok",
        [TREEFORK_NO_DEVICE] = "no device",
        [TREEFORK_NO_LEAF] = "no leaf",
        [TREEFORK_OVERFLOW] = "overflow",
        [TREEFORK_ARGUMENT] = "wrong argument",
        [TREEFORK_ILLEGAL] = "illegal annotation",
        [TREEFORK_BUILD] = "build failed",
        [TREEFORK_LAUNCH] = "launch refused",
        [TREEFORK_MEMORY] = "memory exhausted",
        [TREEFORK_LOST] = "device lost",
        [TREEFORK_FILE] = "broken file",
        [TREEFORK_BOUNDS] = "array too small",
        [TREEFORK_IN_PLACE] = "in place",
    };
    if (status < 0 || (size_t)status >= sizeof names / sizeof *names)
        return "unknown status";
    return names[status];
}

static bool text_grow(struct treefork_text *text, size_t more)
{
    size_t need = text->length + more + 1, room = text->room ? text->room : 128;
    if (need <= text->room)
        return true;
    while (room < need)
        room *= 2;
    char *grown = realloc(text->text, room);
    if (!grown)
        return false;
    text->text = grown;
    text->room = room;
    return true;
}

void treefork_text_add(struct treefork_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (text->failed)
        return;
    if (n < 0 || !text_grow(text, (size_t)n)) {
        free(text->text);
        *text = (struct treefork_text){ .failed = true };
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->text + text->length, (size_t)n + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)n;
}
