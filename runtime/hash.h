#ifndef TREEFORK_HASH_H
#define TREEFORK_HASH_H
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { TREEFORK_HASH_BYTES = 16 };

/* The 128-bit digest of what has been added so far. */
struct treefork_hash {
    uint64_t v[4];
    unsigned char rest[8];      /* of the word that is not full yet */
    uint64_t bytes;             /* added in all */
};
void treefork_hash_start(struct treefork_hash *hash);
void treefork_hash_add(struct treefork_hash *hash, const void *data, size_t bytes);
void treefork_hash_end(const struct treefork_hash *hash, unsigned char digest[TREEFORK_HASH_BYTES]);

#pragma GCC visibility pop
#endif
