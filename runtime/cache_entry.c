/* The file of a cache entry. In: a key (a text with all that decides a binary) and the binary; out:
   the bytes of a file, and back. Numbers are little-endian:

       offset  bytes
            0      8   "treefork"
            8      4   format, TREEFORK_CACHE_FORMAT
           12      4   zero
           16      8   size of the key
           24      8   size of the image
           32     16   digest of bytes 0 to 31, the key and the image
           48          the key, then the image, then nothing

   Invariant: a file gives an image only for a key that equals its own byte by byte, and only if
   every bit of it is as it was written. A size in a file is believed only if it agrees with the
   size that the file has. */
#include "runtime/cache_entry.h"
#include "runtime/hash.h"
#include <stdlib.h>
#include <string.h>

enum { AT_FORMAT = 8, AT_ZERO = 12, AT_KEY_SIZE = 16, AT_IMAGE_SIZE = 24, AT_DIGEST = 32 };

static const char magic[AT_FORMAT] = {'t', 'r', 'e', 'e', 'f', 'o', 'r', 'k'};
static const char suffix[] = ".program";
enum { DIGITS = 2 * TREEFORK_HASH_BYTES };

void treefork_entry_name(const char *key, size_t size, char name[TREEFORK_ENTRY_NAME])
{
    unsigned char digest[TREEFORK_HASH_BYTES];
    struct treefork_hash hash;
    treefork_hash_start(&hash);
    treefork_hash_add(&hash, key, size);
    treefork_hash_end(&hash, digest);
    for (int i = 0; i < DIGITS; i++)
        name[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
    memcpy(name + DIGITS, suffix, sizeof suffix);
}

bool treefork_entry_is_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == DIGITS && strcmp(name + DIGITS, suffix) == 0;
}

static void number_write(unsigned char *at, size_t bytes, uint64_t number)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t number_read(const unsigned char *at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = bytes; i > 0; i--)
        number = number << 8 | at[i - 1];
    return number;
}

static void entry_digest(const unsigned char *file, size_t size,
                         unsigned char digest[TREEFORK_HASH_BYTES])
{
    struct treefork_hash hash;
    treefork_hash_start(&hash);
    treefork_hash_add(&hash, file, AT_DIGEST);
    treefork_hash_add(&hash, file + TREEFORK_ENTRY_HEAD, size - TREEFORK_ENTRY_HEAD);
    treefork_hash_end(&hash, digest);
}

bool treefork_entry_write(const char *key, size_t size, const struct treefork_image *image,
                          struct treefork_image *file)
{
    *file = (struct treefork_image){0};
    if (size > TREEFORK_KEY_MAX || image->size > TREEFORK_IMAGE_MAX)
        return false;
    size_t total = TREEFORK_ENTRY_HEAD + size + image->size;
    unsigned char *bytes = calloc(total, 1);
    if (!bytes)
        return false;
    memcpy(bytes, magic, sizeof magic);
    number_write(bytes + AT_FORMAT, 4, TREEFORK_CACHE_FORMAT);
    number_write(bytes + AT_KEY_SIZE, 8, size);
    number_write(bytes + AT_IMAGE_SIZE, 8, image->size);
    memcpy(bytes + TREEFORK_ENTRY_HEAD, key, size);
    if (image->size)
        memcpy(bytes + TREEFORK_ENTRY_HEAD + size, image->bytes, image->size);
    entry_digest(bytes, total, bytes + AT_DIGEST);
    *file = (struct treefork_image){bytes, total};
    return true;
}

/* Head, sizes and digest. */
static bool entry_is_whole(const unsigned char *bytes, size_t size)
{
    unsigned char digest[TREEFORK_HASH_BYTES];
    if (size < TREEFORK_ENTRY_HEAD || memcmp(bytes, magic, sizeof magic) != 0 ||
        number_read(bytes + AT_FORMAT, 4) != TREEFORK_CACHE_FORMAT ||
        number_read(bytes + AT_ZERO, 4) != 0)
        return false;
    uint64_t key = number_read(bytes + AT_KEY_SIZE, 8);
    uint64_t image = number_read(bytes + AT_IMAGE_SIZE, 8);
    if (key > TREEFORK_KEY_MAX || image > TREEFORK_IMAGE_MAX ||
        TREEFORK_ENTRY_HEAD + key + image != size)
        return false;
    entry_digest(bytes, size, digest);
    return memcmp(digest, bytes + AT_DIGEST, sizeof digest) == 0;
}

enum treefork_entry_state treefork_entry_read(const struct treefork_image *file, const char *key,
                                              size_t size, size_t *at)
{
    const unsigned char *bytes = file->bytes;
    if (!entry_is_whole(bytes, file->size))
        return TREEFORK_ENTRY_IS_DAMAGED;
    if (number_read(bytes + AT_KEY_SIZE, 8) != size ||
        memcmp(bytes + TREEFORK_ENTRY_HEAD, key, size) != 0)
        return TREEFORK_ENTRY_IS_ANOTHER;
    *at = TREEFORK_ENTRY_HEAD + size;
    return TREEFORK_ENTRY_SERVES;
}
