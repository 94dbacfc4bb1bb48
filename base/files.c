/* A file written by rename, and a set of files that changes as a whole.

   In: paths with their new contents. Out: all of them written, or the folder as it was. Everything
   that can run out of space or be refused happens beside the files: contents go to temporary names
   and reach the disk, old files get a second name; only then are the new ones renamed into place,
   and if that fails the old ones come back. */
#include "base/ctx.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands beside one file meanwhile. */
struct file_change {
    const char *temporary; /* the new content; NULL if the file is to vanish */
    const char *old;       /* a second name of the old file; NULL if there is none */
    bool is_done;
};

static bool text_write(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

/* The whole text, and the access that a new file has. */
static bool descriptor_write(int fd, const char *text, size_t length)
{
    mode_t mask = umask(0);
    umask(mask);
    return text_write(fd, text, length) && fchmod(fd, 0666 & ~mask) == 0;
}

static bool temporary_write(struct ctx *ctx, const struct file_text *file,
                            struct file_change *change)
{
    if (!file->text)
        return true;
    char *name = arena_printf(ctx->arena, "%s.XXXXXX", file->path);
    int fd = mkstemp(name);
    if (fd < 0)
        return false;
    change->temporary = name;
    /* Some file systems cannot synchronise; what matters then is close. */
    bool filled = descriptor_write(fd, file->text, file->length) &&
                  (fsync(fd) == 0 || errno == EINVAL);
    int error = errno;
    bool closed = close(fd) == 0;
    if (!filled)
        errno = error;
    return filled && closed;
}

/* A second name for the file as it is. Where the file system has none the file goes without. */
static bool old_keep(struct ctx *ctx, const struct file_text *file, struct file_change *change)
{
    struct stat status;
    if (lstat(file->path, &status) != 0)
        return errno == ENOENT;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    char *name = arena_printf(ctx->arena, "%s.old.XXXXXX", file->path);
    int fd = mkstemp(name);
    if (fd < 0)
        return false;
    close(fd);
    unlink(name);
    if (link(file->path, name) == 0)
        change->old = name;
    return change->old || errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK;
}

static bool change_do(const struct file_text *file, struct file_change *change)
{
    if (change->temporary)
        change->is_done = rename(change->temporary, file->path) == 0;
    else
        change->is_done = unlink(file->path) == 0 || errno == ENOENT;
    return change->is_done;
}

static void change_undo(const struct file_text *file, const struct file_change *change)
{
    if (change->is_done && change->old)
        rename(change->old, file->path);
    else if (change->is_done && change->temporary)
        unlink(file->path);
    else if (change->old)
        unlink(change->old);
    if (change->temporary && !change->is_done)
        unlink(change->temporary);
}

bool files_write(struct ctx *ctx, const struct file_text *files, size_t n)
{
    struct file_change *changes = ARENA_ARRAY(ctx->arena, struct file_change, n + 1);
    size_t failed = n;
    for (size_t i = 0; i < n && failed == n; i++)
        if (!temporary_write(ctx, &files[i], &changes[i]))
            failed = i;
    for (size_t i = 0; i < n && failed == n; i++)
        if (!old_keep(ctx, &files[i], &changes[i]))
            failed = i;
    for (size_t i = 0; i < n && failed == n; i++)
        if (!change_do(&files[i], &changes[i]))
            failed = i;
    int error = errno;
    for (size_t i = 0; i < n; i++) {
        if (failed < n)
            change_undo(&files[i], &changes[i]);
        else if (changes[i].old)
            unlink(changes[i].old);
    }
    if (failed < n)
        diag_error(ctx, loc_none(), "cannot write '%s': %s; no file was changed",
                   files[failed].path, strerror(error));
    return failed == n;
}

/* A device or a pipe, /dev/null or /dev/stdout, is written to and keeps its place. */
static bool stream_write(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_WRONLY);
    bool ok = fd >= 0 && text_write(fd, text, length);
    return (fd < 0 || close(fd) == 0) && ok;
}

bool file_write(struct ctx *ctx, const char *path, const char *text, size_t length)
{
    struct stat state;
    if (stat(path, &state) == 0 && !S_ISREG(state.st_mode) && !S_ISDIR(state.st_mode)) {
        bool written = stream_write(path, text, length);
        if (!written)
            diag_error(ctx, loc_none(), "cannot write '%s': %s", path, strerror(errno));
        return written;
    }
    char *temporary = arena_printf(ctx->arena, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    if (fd < 0) {
        diag_error(ctx, loc_none(), "cannot write '%s': %s", path, strerror(errno));
        return false;
    }
    bool ok = descriptor_write(fd, text, length);
    ok = close(fd) == 0 && ok;
    ok = ok && rename(temporary, path) == 0;
    if (!ok) {
        diag_error(ctx, loc_none(), "cannot write '%s': %s", path, strerror(errno));
        unlink(temporary);
    }
    return ok;
}
