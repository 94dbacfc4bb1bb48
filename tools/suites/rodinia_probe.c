/* Linked into the programs of Rodinia (rodinia.py), most of which print little of their results.

   rodinia_probe.h sends malloc and free of the program's own files here. A block whose argument of
   free, as the source has it, is in the list SUITE_RESULTS (between bars) is printed as
   "result ARGUMENT BYTES HASH", a hash of all its bytes. The list names no arrays of pointers. */
#include "rodinia_probe.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#undef malloc
#undef calloc
#undef free

enum { BLOCKS = 1 << 16 };

static struct {
    void *block;
    size_t size;
} blocks[BLOCKS];                    /* those that are not freed, in no order */
static size_t n_blocks;

void *suite_malloc(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (block && n_blocks < BLOCKS) {
        blocks[n_blocks].block = block;
        blocks[n_blocks++].size = count * size;
    }
    return block;
}

/* The size that the program asked for; the block is forgotten. */
static size_t size_of(const void *block)
{
    for (size_t i = n_blocks; i-- > 0;) {
        size_t size = blocks[i].size;
        if (blocks[i].block != block)
            continue;
        blocks[i] = blocks[--n_blocks];
        return size;
    }
    return 0;
}

static int is_result(const char *list, const char *called)
{
    size_t length = strlen(called);
    for (const char *at = list ? strstr(list, called) : NULL; at; at = strstr(at + 1, called))
        if ((at == list || at[-1] == '|') && (at[length] == '|' || !at[length]))
            return 1;
    return 0;
}

static uint64_t hash_of(const void *block, size_t size)
{
    const unsigned char *bytes = block;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

void suite_free(void *block, const char *called)
{
    size_t size = block ? size_of(block) : 0;
    if (block && is_result(getenv("SUITE_RESULTS"), called))
        printf("result %s %zu %016llx\n", called, size, (unsigned long long)hash_of(block, size));
    free(block);
}
