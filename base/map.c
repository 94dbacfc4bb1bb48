/* Open addressing with linear probing; at most two thirds full. */
#include "base/map.h"
#include <stdbool.h>
#include <string.h>

struct entry {
    uint64_t hash;
    const void *key;
    void *value;
    bool is_string;
};

struct map {
    struct arena *arena;
    struct entry *entries;
    size_t count, capacity;
};

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ p[i]) * 1099511628211ull;
    return hash;
}

struct map *map_new(struct arena *arena)
{
    struct map *map = ARENA_NEW(arena, struct map);
    map->arena = arena;
    map->capacity = 16;
    map->entries = ARENA_ARRAY(arena, struct entry, map->capacity);
    return map;
}

static bool same(const struct entry *e, const struct entry *key)
{
    if (e->hash != key->hash || e->is_string != key->is_string)
        return false;
    return key->is_string ? strcmp(e->key, key->key) == 0 : e->key == key->key;
}

static struct entry *slot(const struct map *map, const struct entry *key)
{
    size_t i = key->hash % map->capacity;
    while (map->entries[i].key && !same(&map->entries[i], key))
        i = (i + 1) % map->capacity;
    return &map->entries[i];
}

static void grow(struct map *map)
{
    struct entry *old = map->entries;
    size_t n = map->capacity;
    map->capacity *= 2;
    map->entries = ARENA_ARRAY(map->arena, struct entry, map->capacity);
    for (size_t i = 0; i < n; i++)
        if (old[i].key)
            *slot(map, &old[i]) = old[i];
}

static struct entry string_key(const char *key)
{
    return (struct entry){hash_bytes(HASH_START, key, strlen(key)), key, NULL, true};
}

static struct entry pointer_key(const void *key)
{
    return (struct entry){hash_bytes(HASH_START, &key, sizeof key), key, NULL, false};
}

static void put(struct map *map, struct entry entry)
{
    struct entry *e = slot(map, &entry);
    if (e->key) {
        e->value = entry.value;
        return;
    }
    *e = entry;
    if (entry.is_string)
        e->key = arena_strdup(map->arena, entry.key);
    if (++map->count * 3 > map->capacity * 2)
        grow(map);
}

void map_put(struct map *map, const char *key, void *value)
{
    struct entry e = string_key(key);
    e.value = value;
    put(map, e);
}

void map_put_pointer(struct map *map, const void *key, void *value)
{
    struct entry e = pointer_key(key);
    e.value = value;
    put(map, e);
}

void *map_get(const struct map *map, const char *key)
{
    struct entry e = string_key(key);
    return slot(map, &e)->value;
}

void *map_get_pointer(const struct map *map, const void *key)
{
    struct entry e = pointer_key(key);
    return slot(map, &e)->value;
}

size_t map_count(const struct map *map)
{
    return map->count;
}
