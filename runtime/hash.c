/* Digests of cache entries: SipHash-2-4 with 128 bits of output under a fixed key. In: bytes, in
   pieces of any length; out: 16 bytes, the same on every machine. It finds damage and names files.
   It is no protection against somebody who may write into the cache folder, nor is any needed:
   the whole key of an entry is compared besides, so that two keys with one digest are never
   confused. It is short, needs no table, and takes a byte in a cycle or two. Source: Aumasson and
   Bernstein, SipHash: a fast short-input PRF (2012); the longer output is that of the authors' own
   program, whose published digests the tests compare. */
#include "runtime/hash.h"
#include <string.h>

static uint64_t rotated(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void hash_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[0] = rotated(v[0], 32);
    v[2] += v[3];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[2] = rotated(v[2], 32);
}

static uint64_t word_at(const unsigned char *at)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | at[i];
    return word;
}

static void hash_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    hash_round(v);
    hash_round(v);
    v[0] ^= word;
}

/* The key is the bytes 0 to 15, with which the published digests are made. */
void treefork_hash_start(struct treefork_hash *hash)
{
    const uint64_t low = UINT64_C(0x0706050403020100), high = UINT64_C(0x0f0e0d0c0b0a0908);
    *hash = (struct treefork_hash){
        .v = {low ^ UINT64_C(0x736f6d6570736575), high ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
              low ^ UINT64_C(0x6c7967656e657261), high ^ UINT64_C(0x7465646279746573)}};
}

void treefork_hash_add(struct treefork_hash *hash, const void *data, size_t bytes)
{
    const unsigned char *at = data, *end = at + bytes;
    size_t filled = hash->bytes % 8;
    hash->bytes += bytes;
    while (filled > 0 && at < end) {
        hash->rest[filled] = *at++;
        filled = (filled + 1) % 8;
        if (filled == 0)
            hash_word(hash->v, word_at(hash->rest));
    }
    for (; end - at >= 8; at += 8)
        hash_word(hash->v, word_at(at));
    if (at < end)
        memcpy(hash->rest, at, (size_t)(end - at));
}

static void digest_word(uint64_t v[4], unsigned char *digest)
{
    for (int i = 0; i < 4; i++)
        hash_round(v);
    uint64_t word = v[0] ^ v[1] ^ v[2] ^ v[3];
    for (int i = 0; i < 8; i++)
        digest[i] = (unsigned char)(word >> 8 * i);
}

void treefork_hash_end(const struct treefork_hash *hash, unsigned char digest[TREEFORK_HASH_BYTES])
{
    unsigned char last[8] = {0};
    uint64_t v[4];
    memcpy(v, hash->v, sizeof v);
    memcpy(last, hash->rest, hash->bytes % 8);
    last[7] = (unsigned char)hash->bytes;
    hash_word(v, word_at(last));
    v[2] ^= 0xee;
    digest_word(v, digest);
    v[1] ^= 0xdd;
    digest_word(v, digest + 8);
}
