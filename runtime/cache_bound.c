/* The cache's size is bounded. In: the folder after an entry was written; out: entries that were
   used longest ago are gone until the rest fits. What is left is a quarter below the bound, so that
   a cache that is full is not cleared at every write. The time of an entry's last change is that of
   its last use: reading sets it. Several processes may clear at once; a file that another one took
   away is gone all the same. Other files in the folder are left alone, but for those that a writer
   left unfinished more than an hour ago. */
#include "runtime/cache.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { UNFINISHED_SECONDS = 3600 };

struct cache_file {
    char name[TREEFORK_ENTRY_NAME];
    struct timespec used;
    uint64_t bytes;
};

struct cache_list {
    struct cache_file *files;
    size_t count, room;
    uint64_t bytes;             /* of all of them */
};

static int used_compare(const void *left, const void *right)
{
    const struct cache_file *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Without memory the file is not listed and stays. */
static void list_add(struct cache_list *list, const char *name, const struct stat *status)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        struct cache_file *grown = realloc(list->files, room * sizeof *grown);
        if (!grown)
            return;
        list->files = grown;
        list->room = room;
    }
    struct cache_file *file = &list->files[list->count++];
    memcpy(file->name, name, TREEFORK_ENTRY_NAME);
    file->used = status->st_mtim;
    file->bytes = (uint64_t)status->st_size;
    list->bytes += file->bytes;
}

static void list_fill(struct cache_list *list, const struct treefork_cache *cache, DIR *folder)
{
    time_t now = time(NULL);
    for (struct dirent *item = readdir(folder); item; item = readdir(folder)) {
        struct stat status;
        bool is_unfinished = strncmp(item->d_name, TREEFORK_CACHE_UNFINISHED,
                                     strlen(TREEFORK_CACHE_UNFINISHED)) == 0;
        if ((!is_unfinished && !treefork_entry_is_name(item->d_name)) ||
            fstatat(cache->folder, item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!is_unfinished)
            list_add(list, item->d_name, &status);
        else if (status.st_mtime < now - UNFINISHED_SECONDS)
            unlinkat(cache->folder, item->d_name, 0);
    }
}

static void list_clear(struct cache_list *list, const struct treefork_cache *cache,
                       const char *keep)
{
    uint64_t wanted = cache->bytes_max - cache->bytes_max / 4;
    qsort(list->files, list->count, sizeof *list->files, used_compare);
    for (size_t i = 0; i < list->count && list->bytes > wanted; i++) {
        const struct cache_file *file = &list->files[i];
        if (strcmp(file->name, keep) == 0)
            continue;
        unlinkat(cache->folder, file->name, 0);
        list->bytes -= file->bytes;
    }
}

/* The folder is opened again, since a place in a list of files is shared by copies of a
   descriptor. */
void treefork_cache_bound(const struct treefork_cache *cache, const char *keep)
{
    struct cache_list list = {0};
    int again = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    if (!folder) {
        if (again >= 0)
            close(again);
        return;
    }
    list_fill(&list, cache, folder);
    closedir(folder);
    if (list.bytes > cache->bytes_max)
        list_clear(&list, cache, keep);
    free(list.files);
}
