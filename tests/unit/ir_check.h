#ifndef TESTS_UNIT_IR_CHECK_H
#define TESTS_UNIT_IR_CHECK_H
#include "ir/interpret.h"
#include "ir/kernel.h"
#include "tests/unit/check.h"
#include <assert.h>
#include <string.h>

/* What the unit tests of the IR share. */
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
    *source = (struct source){"text", arena_strdup(ctx->arena, text), strlen(text), NULL};
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
