#ifndef BASE_ARENA_H
#define BASE_ARENA_H
#include <stdarg.h>
#include <stddef.h>

/* Memory that is freed all at once. Never returns NULL: exhaustion ends the process with one line
   on stderr and status 3. */
struct arena;

struct arena *arena_new(void);
/* Runs the registered clean-ups, last first, then frees everything. NULL is allowed. */
void arena_free(struct arena *arena);
/* `size` zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same with any content, for what is written at once. */
void *arena_alloc_raw(struct arena *arena, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments);
/* `clean(object)` is called when the arena is freed: for objects of FLINT, isl, LLVM inside
   our structs. */
void arena_on_free(struct arena *arena, void (*clean)(void *), void *object);
/* Bytes handed out so far. */
size_t arena_size(const struct arena *arena);

#define ARENA_NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, n) ((T *)arena_alloc((arena), (size_t)(n) * sizeof(T)))

#endif
