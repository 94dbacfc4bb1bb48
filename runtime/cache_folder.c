/* Which folder is the cache's, and may it be used? In: the environment; out: an open folder. A
   folder is used only if it is a folder itself, no link to one, belongs to the user and is closed
   to everybody else (mode 0700), since what lies in it is run: whoever can write there runs code as
   the user (docs/security.md). It is opened once, and all files are opened relative to it, so that
   what was checked is what is used. */
#include "runtime/cache.h"
#include "runtime/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of all entries together, where TREEFORK_CACHE_MIB says nothing. */
enum { MIB_DEFAULT = 256, MIB_MAX = 1 << 30 };

void treefork_cache_say(const char *what, const char *format, ...)
{
    va_list arguments;
    if (treefork_environment_is("TREEFORK_QUIET", "1") ||
        !treefork_failure_is_new(what, TREEFORK_FILE))
        return;
    fprintf(stderr, "treefork: cache: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* "PATH" and the folders above it, those that are missing closed to others. What goes wrong shows
   when the folder is opened. */
static void folder_make(const char *path)
{
    size_t length = strlen(path);
    char *copy = malloc(length + 1);
    if (!copy)
        return;
    memcpy(copy, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (copy[i] != '/')
            continue;
        copy[i] = '\0';
        mkdir(copy, 0700);
        copy[i] = '/';
    }
    mkdir(copy, 0700);
    free(copy);
}

/* NULL if the open folder may be used, else why not. */
static const char *folder_refuses(int folder)
{
    struct stat status;
    if (fstat(folder, &status) != 0)
        return strerror(errno);
    if (status.st_uid != geteuid())
        return "it belongs to another user";
    if ((status.st_mode & 07777) != 0700)
        return "its mode is not 0700, which keeps others out";
    return NULL;
}

/* -1 without one. */
static int folder_open(const char *path, bool is_named)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = open(path, flags);
    if (folder < 0 && errno == ENOENT) {
        folder_make(path);
        folder = open(path, flags);
    }
    if (folder < 0) {
        bool is_wrong = errno == ELOOP || errno == ENOTDIR;
        if (is_named || is_wrong)
            treefork_cache_say(path, "%s is not used: %s", path,
                               is_wrong ? "it is a link or no folder" : strerror(errno));
        return -1;
    }
    const char *why = folder_refuses(folder);
    if (!why)
        return folder;
    treefork_cache_say(path, "%s is not used: %s", path, why);
    close(folder);
    return -1;
}

static uint64_t bytes_max(void)
{
    const char *text = treefork_environment("TREEFORK_CACHE_MIB");
    char *end = NULL;
    if (!text || !*text)
        return (uint64_t)MIB_DEFAULT << 20;
    long long number = strtoll(text, &end, 10);
    if (!*end && number >= 0 && number <= MIB_MAX)
        return (uint64_t)number << 20;
    treefork_cache_say("TREEFORK_CACHE_MIB",
                       "TREEFORK_CACHE_MIB: '%s' is no number of MiB; %d counts", text,
                       MIB_DEFAULT);
    return (uint64_t)MIB_DEFAULT << 20;
}

struct treefork_cache *treefork_cache_at(const char *path, bool is_named)
{
    size_t size = strlen(path) + 1;
    int folder = folder_open(path, is_named);
    if (folder < 0)
        return NULL;
    struct treefork_cache *cache = calloc(1, sizeof *cache);
    char *copy = malloc(size);
    if (!cache || !copy) {
        close(folder);
        free(cache);
        free(copy);
        return NULL;
    }
    memcpy(copy, path, size);
    *cache = (struct treefork_cache){folder, bytes_max(), copy};
    return cache;
}

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

/* A folder below `base`; NULL if that is no absolute path. */
static struct treefork_cache *cache_below(const char *base, const char *below)
{
    struct treefork_text path = {0};
    if (!is_absolute(base))
        return NULL;
    treefork_text_add(&path, "%s/%s", base, below);
    struct treefork_cache *cache = path.text ? treefork_cache_at(path.text, false) : NULL;
    free(path.text);
    return cache;
}

struct treefork_cache *treefork_cache_open(void)
{
    const char *named = treefork_environment("TREEFORK_CACHE_DIR");
    const char *base = treefork_environment("XDG_CACHE_HOME");
    if (named && strcmp(named, "none") == 0)
        return NULL;
    if (named && *named)
        return treefork_cache_at(named, true);
    if (is_absolute(base))
        return cache_below(base, "treefork");
    return cache_below(treefork_environment("HOME"), ".cache/treefork");
}

void treefork_cache_close(struct treefork_cache *cache)
{
    if (!cache)
        return;
    close(cache->folder);
    free(cache->path);
    free(cache);
}
