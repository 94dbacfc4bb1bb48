/* Entries of the cache: read and written. In: a key; out: its image. A file is written under a name
   of its own and renamed, so that a reader, in whatever process, meets an old entry, the new one or
   none, and a writer that dies leaves no half of one. Two writers of one key both succeed, and the
   later one stays. No lock is taken. A file is believed only if it is a plain file of the user's,
   no longer than an entry may be, and whole (cache_entry.c). */
#include "runtime/cache.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Bytes read, which are fewer than `size` at the end of the file. */
static size_t file_read(int file, char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(file, bytes + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

/* The whole file, if it is one that may be an entry. */
static bool file_load(int file, struct treefork_image *content)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
        status.st_size < TREEFORK_ENTRY_HEAD || status.st_size > TREEFORK_ENTRY_MAX)
        return false;
    content->size = (size_t)status.st_size;
    content->bytes = malloc(content->size);
    return content->bytes && file_read(file, content->bytes, content->size) == content->size;
}

/* In an open file. The image is moved to the front of what was read. */
static bool entry_take(int file, const char *key, size_t size, struct treefork_image *image,
                       enum treefork_entry_state *state)
{
    struct treefork_image content = {0};
    size_t at = 0;
    *state = TREEFORK_ENTRY_IS_DAMAGED;
    if (file_load(file, &content))
        *state = treefork_entry_read(&content, key, size, &at);
    if (*state != TREEFORK_ENTRY_SERVES) {
        free(content.bytes);
        return false;
    }
    content.size -= at;
    memmove(content.bytes, (char *)content.bytes + at, content.size);
    *image = content;
    return true;
}

bool treefork_cache_read(const struct treefork_cache *cache, const char *key, size_t size,
                         struct treefork_image *image)
{
    char name[TREEFORK_ENTRY_NAME];
    *image = (struct treefork_image){0};
    treefork_entry_name(key, size, name);
    /* Not to be held up by a pipe that has the name. */
    int file = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && errno != ELOOP)
        return false;
    enum treefork_entry_state state = TREEFORK_ENTRY_IS_DAMAGED;
    bool serves = file >= 0 && entry_take(file, key, size, image, &state);
    if (serves)
        futimens(file, NULL);       /* entries go by this time; a folder that refuses keeps it */
    else if (state == TREEFORK_ENTRY_IS_DAMAGED)
        treefork_cache_say("damaged cache entry", "%s/%s is damaged and is made anew", cache->path,
                           name);
    if (file >= 0)
        close(file);
    return serves;
}

/* A file longer than the process may write would end it by a signal. */
static bool size_is_allowed(size_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           size <= limit.rlim_cur;
}

/* 0 or what went wrong. */
static int file_write(int file, const struct treefork_image *content)
{
    size_t done = 0;
    while (done < content->size) {
        ssize_t n = write(file, (const char *)content->bytes + done, content->size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
        done += (size_t)n;
    }
    return 0;
}

/* A name that no other writer has: by entry, process and time. */
static void unfinished_name(const char *name, char *unfinished, size_t room)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(unfinished, room, TREEFORK_CACHE_UNFINISHED "%.16s-%ld-%lld-%09ld", name,
             (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
}

/* 0 or what went wrong; then nothing is left behind. */
static int entry_put(const struct treefork_cache *cache, const char *name,
                     const struct treefork_image *content)
{
    char unfinished[128];
    if (!size_is_allowed(content->size))
        return EFBIG;
    unfinished_name(name, unfinished, sizeof unfinished);
    int file = openat(cache->folder, unfinished,
                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    int wrong = file_write(file, content);
    if (close(file) != 0 && !wrong)
        wrong = errno;
    if (!wrong && renameat(cache->folder, unfinished, cache->folder, name) != 0)
        wrong = errno;
    if (wrong)
        unlinkat(cache->folder, unfinished, 0);
    return wrong;
}

bool treefork_cache_write(const struct treefork_cache *cache, const char *key, size_t size,
                          const struct treefork_image *image)
{
    struct treefork_image content;
    char name[TREEFORK_ENTRY_NAME];
    if (!treefork_entry_write(key, size, image, &content))
        return false;
    treefork_entry_name(key, size, name);
    bool is_small = content.size <= cache->bytes_max;
    int wrong = is_small ? entry_put(cache, name, &content) : 0;
    free(content.bytes);
    if (wrong)
        treefork_cache_say("unwritten cache entry", "%s keeps nothing new: %s", cache->path,
                           strerror(wrong));
    else if (is_small)
        treefork_cache_bound(cache, name);
    return is_small && !wrong;
}
