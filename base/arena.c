/* Blocks of memory in a list, each at least twice the one before it up to a limit; clean-ups in a
   second list. */
#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_FIRST = 4096, BLOCK_LIMIT = 1 << 20, ALIGNMENT = 16 };
enum { SMALL = 128, LINE = 256 };         /* bytes: zeroed without a call, printed once */

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

struct cleanup {
    struct cleanup *next;
    void (*clean)(void *);
    void *object;
};

struct arena {
    struct arena_block *block;
    struct cleanup *cleanups;
    size_t total;
};

static void exhausted(void)
{
    fputs("treefork: error: out of memory\n", stderr);
    _Exit(3);
}

static void *memory(size_t size)
{
    void *p = size < PTRDIFF_MAX ? malloc(size) : NULL;
    if (!p)
        exhausted();
    return p;
}

/* Pages of it that are never written cost no memory. */
static void *zeros(size_t size)
{
    void *p = size < PTRDIFF_MAX ? calloc(1, size) : NULL;
    if (!p)
        exhausted();
    return p;
}

struct arena *arena_new(void)
{
    struct arena *arena = memory(sizeof *arena);
    *arena = (struct arena){0};
    return arena;
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct cleanup *c = arena->cleanups; c; c = c->next)
        c->clean(c->object);
    for (struct arena_block *b = arena->block, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(arena);
}

static struct arena_block *block_add(struct arena *arena, size_t size)
{
    size_t capacity = arena->block ? arena->block->size * 2 : BLOCK_FIRST;
    if (capacity > BLOCK_LIMIT)
        capacity = BLOCK_LIMIT;
    if (capacity < size)
        capacity = size;
    struct arena_block *block = capacity > BLOCK_LIMIT ? zeros(sizeof *block + capacity)
                                                       : memory(sizeof *block + capacity);
    block->next = arena->block;
    block->used = 0;
    block->size = capacity;
    arena->block = block;
    return block;
}

/* `size` bytes; whether they are zeros already goes to *is_zero. */
static inline unsigned char *bytes_take(struct arena *arena, size_t size, bool *is_zero)
{
    if (size > PTRDIFF_MAX / 2)
        exhausted();
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct arena_block *block = arena->block;
    if (!block || block->size - block->used < size)
        block = block_add(arena, size);
    unsigned char *p = block->bytes + block->used;
    block->used += size;
    arena->total += size;
    *is_zero = size > BLOCK_LIMIT;    /* a block of its own, of zeros */
    return p;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    bool is_zero;
    unsigned char *p = bytes_take(arena, size, &is_zero);
    if (is_zero)
        return p;
    if (size > SMALL)
        return memset(p, 0, size);
    for (size_t i = 0; i < size; i += ALIGNMENT)
        memset(p + i, 0, ALIGNMENT);
    return p;
}

void *arena_alloc_raw(struct arena *arena, size_t size)
{
    bool is_zero;
    return bytes_take(arena, size, &is_zero);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc_raw(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    char line[LINE];
    va_list again;
    va_copy(again, arguments);
    int printed = vsnprintf(line, sizeof line, format, again);
    va_end(again);
    size_t length = printed < 0 ? 0 : (size_t)printed;
    if (length < sizeof line)
        return arena_strndup(arena, line, length);
    char *text = arena_alloc_raw(arena, length + 1);
    vsnprintf(text, length + 1, format, arguments);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

void arena_on_free(struct arena *arena, void (*clean)(void *), void *object)
{
    struct cleanup *c = ARENA_NEW(arena, struct cleanup);
    *c = (struct cleanup){arena->cleanups, clean, object};
    arena->cleanups = c;
}

size_t arena_size(const struct arena *arena)
{
    return arena->total;
}
