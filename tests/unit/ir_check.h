#ifndef TESTS_UNIT_IR_CHECK_H
#define TESTS_UNIT_IR_CHECK_H
#include "ir/interpret.h"
#include "ir/kernel.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Counting of checks and small helpers for the unit tests of this room. */
struct check {
    int passed, failed, skipped;
};

__attribute__((format(printf, 3, 4)))
static inline bool check_that(struct check *check, bool ok, const char *format, ...)
{
    va_list arguments;
    check->passed += ok;
    check->failed += !ok;
    if (ok)
        return true;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    return false;
}

static inline int check_end(const struct check *check, const char *name)
{
    printf("%s: %d passed, %d failed", name, check->passed, check->failed);
    if (check->skipped)
        printf(", %d skipped", check->skipped);
    printf("\n");
    return check->failed != 0;
}

static inline struct ctx *check_ctx(void)
{
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    return ctx;
}

static inline const struct source *check_source(struct ctx *ctx, const char *text)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    assert(text);
    *source = (struct source){"text", arena_strdup(ctx->arena, text), strlen(text)};
    return source;
}

/* `text` with the first occurrence of `from` replaced by `to`; NULL if there is none. */
static inline char *check_edit(struct ctx *ctx, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        return NULL;
    return arena_printf(ctx->arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static inline char *check_print(struct ctx *ctx, const struct kernel *kernel)
{
    struct str out = str_new(ctx->arena);
    kernel_print(&out, kernel);
    return out.text;
}

/* xorshift64 */
static inline uint64_t check_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
