#ifndef TREEFORK_CACHE_H
#define TREEFORK_CACHE_H
/* The cache on disk: images (binaries) by key, in one folder. Nothing here can fail a launch: what
   cannot be read is not there, what cannot be written is not kept. */
#include "runtime/cache_entry.h"
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* An open folder; free of any lock, so that threads and processes may use one folder at once, but
   one struct by one thread at a time. */
struct treefork_cache {
    int folder;                 /* file descriptor */
    uint64_t bytes_max;         /* of all entries together */
    char *path;                 /* for messages */
};

/* The cache that the environment names (TREEFORK_CACHE_DIR, else below XDG_CACHE_HOME or HOME), its
   folder made if it is not there; NULL if there is none or its folder may not be used, which is
   said once per process. */
struct treefork_cache *treefork_cache_open(void);
/* The one in the folder `path`. `is_named`: it is the user's own choice, so that it is said too if
   the folder cannot be made. */
struct treefork_cache *treefork_cache_at(const char *path, bool is_named);
/* NULL is allowed. */
void treefork_cache_close(struct treefork_cache *cache);

/* True with the image of the key (`size` bytes), which becomes the one used last; false, with no
   image, if there is none that is whole. A damaged one is said once per process. */
bool treefork_cache_read(const struct treefork_cache *cache, const char *key, size_t size,
                         struct treefork_image *image);
/* Puts the image in place of whatever the key had; drops those used longest ago if all together
   exceed bytes_max. True if it is kept. */
bool treefork_cache_write(const struct treefork_cache *cache, const char *key, size_t size,
                          const struct treefork_image *image);
/* cache_bound.c: drops entries, but for `keep`, and files that writers left behind. */
void treefork_cache_bound(const struct treefork_cache *cache, const char *keep);
/* cache_folder.c: a line on stderr, once per process and `what`, unless TREEFORK_QUIET=1. */
void treefork_cache_say(const char *what, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A file that is being written: its name begins so, and no entry's does. */
#define TREEFORK_CACHE_UNFINISHED ".unfinished-"

#pragma GCC visibility pop
#endif
