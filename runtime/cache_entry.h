#ifndef TREEFORK_CACHE_ENTRY_H
#define TREEFORK_CACHE_ENTRY_H
#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Bytes on the heap, free()d by whoever has them; NULL and 0: none. */
struct treefork_image {
    void *bytes;
    size_t size;
};

/* Raised when the layout of entries changes, or what a key or an image stands for. Keys begin with
   it, so that a library never meets an entry of another one. */
enum { TREEFORK_CACHE_FORMAT = 1 };
/* Longest key and image that an entry may have, in bytes. */
enum { TREEFORK_KEY_MAX = 1 << 24, TREEFORK_IMAGE_MAX = 1 << 28 };
/* Of an entry's file. */
enum { TREEFORK_ENTRY_HEAD = 48,
       TREEFORK_ENTRY_MAX = TREEFORK_ENTRY_HEAD + TREEFORK_KEY_MAX + TREEFORK_IMAGE_MAX };
/* "0123456789abcdef0123456789abcdef.program" */
enum { TREEFORK_ENTRY_NAME = 41 };

/* The name of the file for a key of `size` bytes. */
void treefork_entry_name(const char *key, size_t size, char name[TREEFORK_ENTRY_NAME]);
/* Is it the name of an entry's file? */
bool treefork_entry_is_name(const char *name);
/* The file of an entry. False if it is too long or memory ran out. */
bool treefork_entry_write(const char *key, size_t size, const struct treefork_image *image,
                          struct treefork_image *file);

/* What a file holds: the image for this key, from offset *at of it; an entry that is whole and has
   another key; nothing that may be used. */
enum treefork_entry_state {
    TREEFORK_ENTRY_SERVES,
    TREEFORK_ENTRY_IS_ANOTHER,
    TREEFORK_ENTRY_IS_DAMAGED
};
enum treefork_entry_state treefork_entry_read(const struct treefork_image *file, const char *key,
                                              size_t size, size_t *at);

#pragma GCC visibility pop
#endif
