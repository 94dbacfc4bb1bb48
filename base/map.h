#ifndef BASE_MAP_H
#define BASE_MAP_H
#include "base/arena.h"
#include <stdint.h>

/* String (or pointer) to pointer, in an arena; keys of strings are copied. */
struct map;
struct map *map_new(struct arena *arena);
void map_put(struct map *map, const char *key, void *value);
/* NULL if absent. */
void *map_get(const struct map *map, const char *key);
void map_put_pointer(struct map *map, const void *key, void *value);
void *map_get_pointer(const struct map *map, const void *key);
size_t map_count(const struct map *map);
/* FNV-1a over bytes; start with HASH_START. */
#define HASH_START 14695981039346656037ull
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);

#endif
