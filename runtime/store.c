/* Files of lines in the cache's folder. In: lines; out: the same lines, in whatever process. A
   writer holds the file's lock and writes its line at once, so that lines of several processes
   never mix; a reader that meets half a line waits for its writer. The rest of a line of a killed
   writer ends where the next one begins, and counts as one damaged line; the rest of a header is
   completed. A file is believed only if it is a plain file of the user's in a folder that
   the cache may use (cache_folder.c); no link is followed. */
#include "runtime/store.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 64 << 20 };          /* bytes of a file that is read */

static const char NOT_OWN[] = "it is no plain file of the user's alone",
                  OTHER_FORMAT[] = "it is of another format (of a newer version?): remove it, or "
                                   "set TREEFORK_CACHE_DIR to another folder";

/* Is it a plain file of the user's that nobody else can write to? */
static bool file_is_own(int file, struct stat *status)
{
    return fstat(file, status) == 0 && S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
           !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* --- reading --------------------------------------------------------------------------------- */

/* The bytes of the file as it is, with a NUL behind them; NULL if they cannot be had. */
static char *content_copy(int file, size_t *length)
{
    struct stat status;
    if (!file_is_own(file, &status) || status.st_size > FILE_MOST ||
        lseek(file, 0, SEEK_SET) != 0)
        return NULL;
    char *content = malloc((size_t)status.st_size + 1);
    *length = 0;
    while (content && *length < (size_t)status.st_size) {
        ssize_t n = read(file, content + *length, (size_t)status.st_size - *length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        *length += (size_t)n;
    }
    if (content)
        content[*length] = '\0';
    return content;
}

/* The lock, waited for. */
static bool file_lock(int file, int kind)
{
    int locked;
    do
        locked = flock(file, kind);
    while (locked != 0 && errno == EINTR);
    return locked == 0;
}

/* The whole file. A last line without an end may be one that is being written: then it is read
   again when no writer has the file. */
static char *content_read(int file, size_t *length)
{
    char *content = content_copy(file, length);
    if (!content || *length == 0 || content[*length - 1] == '\n' || !file_lock(file, LOCK_SH))
        return content;
    free(content);
    return content_copy(file, length);
}

/* The length of the line at `at`; *next is the line behind it. A last line without an end is a
   line, too. */
static size_t line_length(const char *at, const char *end, const char **next)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *next = newline ? newline + 1 : end;
    return (size_t)((newline ? newline : end) - at);
}

static bool is_header(const char *line, size_t length, const char *header)
{
    return length == strlen(header) && memcmp(line, header, length) == 0;
}

/* What a writer leaves that is killed within the header. */
static bool is_begun(const char *content, size_t length, const char *header)
{
    return length < strlen(header) && memcmp(content, header, length) == 0;
}

static void content_go_through(const char *path, const char *name, const char *content,
                               size_t length, const char *header, treefork_store_line *line,
                               void *state)
{
    const char *end = content + length, *next;
    size_t damaged = 0, first = line_length(content, end, &next);
    if (is_begun(content, length, header)) {
        damaged += length > 0;
    } else if (!is_header(content, first, header)) {
        treefork_cache_say(name, "%s/%s is of another format and is passed over", path, name);
        return;
    }
    for (const char *at = next; at < end; at = next) {
        size_t n = line_length(at, end, &next);
        if (n && !line(state, at, n))
            damaged++;
    }
    if (damaged)
        treefork_cache_say(name, "%s/%s: %zu damaged line%s passed over", path, name, damaged,
                           damaged == 1 ? " is" : "s are");
}

void treefork_store_read(const char *name, const char *header, treefork_store_line *line,
                         void *state)
{
    struct treefork_cache *cache = treefork_cache_open();
    size_t length = 0;
    if (!cache)
        return;
    /* Not to be held up by a pipe that has the name. */
    int file = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    char *content = file >= 0 ? content_read(file, &length) : NULL;
    if (content)
        content_go_through(cache->path, name, content, length, header, line, state);
    else if (file >= 0 || errno != ENOENT)
        treefork_cache_say(name, "%s/%s is not used: it is no plain file of the user's alone",
                           cache->path, name);
    free(content);
    if (file >= 0)
        close(file);
    treefork_cache_close(cache);
}

/* --- writing --------------------------------------------------------------------------------- */

/* Does the file begin with the header, or is it what a writer left that was killed within it? */
static bool header_fits(int file, off_t size, const char *header)
{
    char begin[128];
    size_t length = strlen(header);
    if (length >= sizeof begin)
        return false;
    size_t n = size > (off_t)length ? length + 1 : (size_t)size;
    return pread(file, begin, n, 0) == (ssize_t)n &&
           (n > length ? begin[length] == '\n' && is_header(begin, length, header)
                       : memcmp(begin, header, n) == 0);
}

/* What has to stand before the new line: the header, what is missing of it, or the end of a line
   that has none. */
static const char *separator(int file, off_t size, const char *header)
{
    char last = '\n';
    if (size <= (off_t)strlen(header))
        return header + size;
    return pread(file, &last, 1, size - 1) == 1 && last != '\n' ? "" : NULL;
}

/* 0 or what went wrong. The file is locked. */
static int line_write(int file, off_t size, const char *text, size_t length)
{
    struct rlimit limit;
    bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (is_limited && (uint64_t)size + length > limit.rlim_cur)
        return EFBIG;
    ssize_t n = write(file, text, length);
    int wrong = n == (ssize_t)length ? 0 : n < 0 ? errno : ENOSPC;
    if (!wrong && fdatasync(file) != 0 && errno != EINVAL && errno != EROFS)
        wrong = errno;
    if (wrong && ftruncate(file, size) != 0)
        return wrong;
    return wrong;
}

/* NULL or what went wrong. */
static const char *file_append(int file, const char *header, const char *line)
{
    struct stat status;
    struct treefork_text text = {0};
    if (!file_lock(file, LOCK_EX))
        return strerror(errno);
    if (!file_is_own(file, &status))
        return NOT_OWN;
    if (!header_fits(file, status.st_size, header))
        return OTHER_FORMAT;
    const char *before = separator(file, status.st_size, header);
    treefork_text_add(&text, "%s%s%s\n", before ? before : "", before ? "\n" : "", line);
    int wrong = text.text ? line_write(file, status.st_size, text.text, text.length) : ENOMEM;
    free(text.text);
    return wrong ? strerror(wrong) : NULL;
}

int treefork_store_append(const char *name, const char *header, const char *line)
{
    const int flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    struct treefork_cache *cache = treefork_cache_open();
    if (!cache)
        return treefork_fail(TREEFORK_FILE, "there is no cache folder that may be used");
    int file = openat(cache->folder, name, flags, 0600);
    const char *wrong = file < 0 ? strerror(errno) : file_append(file, header, line);
    int status = TREEFORK_OK;
    if (wrong)
        status = treefork_fail(TREEFORK_FILE, "cannot write to %s/%s: %s", cache->path, name,
                               wrong);
    if (file >= 0)
        close(file);
    treefork_cache_close(cache);
    return status;
}

const char *treefork_store_refuses(const char *name, const char *header)
{
    const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    struct treefork_cache *cache = treefork_cache_open();
    struct stat status;
    const char *wrong = NULL;
    if (!cache)
        return "there is no cache folder that may be used";
    int file = openat(cache->folder, name, flags);
    if (file < 0)
        wrong = errno == ENOENT ? NULL : strerror(errno);
    else if (!file_is_own(file, &status))
        wrong = NOT_OWN;
    else if (!header_fits(file, status.st_size, header))
        wrong = OTHER_FORMAT;
    if (file >= 0)
        close(file);
    treefork_cache_close(cache);
    return wrong;
}

void treefork_store_remove(const char *name)
{
    struct treefork_cache *cache = treefork_cache_open();
    if (cache)
        unlinkat(cache->folder, name, 0);
    treefork_cache_close(cache);
}

int treefork_store_lock(void)
{
    struct treefork_cache *cache = treefork_cache_open();
    if (!cache)
        return -1;
    int folder = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), lock = folder;
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0) {
        lock = errno == EWOULDBLOCK ? TREEFORK_LOCK_HELD : -1;
        close(folder);
    }
    treefork_cache_close(cache);
    return lock;
}

int treefork_store_turn(const char *name)
{
    const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    struct treefork_cache *cache = treefork_cache_open();
    int file = cache ? openat(cache->folder, name, flags, 0600) : -1;
    if (file >= 0 && !file_lock(file, LOCK_EX)) {
        close(file);
        file = -1;
    }
    treefork_cache_close(cache);
    return file;
}

/* Has the open file kept its name? */
static bool has_name(int folder, const char *name, int file)
{
    struct stat named, opened;
    return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

int treefork_store_use(const char *name)
{
    const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    struct treefork_cache *cache = treefork_cache_open();
    int file = -1;
    bool is_removed = cache != NULL;
    while (is_removed) {
        file = openat(cache->folder, name, flags, 0600);
        if (file >= 0 && !file_lock(file, LOCK_SH)) {
            close(file);
            file = -1;
        }
        /* The last user may have removed it before the lock was had. */
        is_removed = file >= 0 && !has_name(cache->folder, name, file);
        if (is_removed)
            close(file);
    }
    treefork_cache_close(cache);
    return file;
}

bool treefork_store_used(int use)
{
    return use >= 0 && flock(use, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool treefork_store_path(char *path, size_t room)
{
    struct treefork_cache *cache = treefork_cache_open();
    if (cache)
        snprintf(path, room, "%s", cache->path);
    treefork_cache_close(cache);
    return cache != NULL;
}

void treefork_store_add(struct treefork_text *object, const char *name, const char *text)
{
    treefork_text_add(object, ", \"%s\": \"", name);
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            treefork_text_add(object, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            treefork_text_add(object, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            treefork_text_add(object, "%c", *c);
    treefork_text_add(object, "\"");
}
