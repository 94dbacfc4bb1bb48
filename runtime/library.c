/* Driver libraries opened at run time. In: file names to try in order and a list of entry points;
   out: a table of function pointers. Libraries stay open until the process ends: drivers keep
   threads and exit handlers of their own, and to unload them is a known way to crash. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dladdr, of glibc, musl and the BSDs */
#endif
#include "runtime/internal.h"
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

void *treefork_library_open(const char *const *names)
{
    for (; *names; names++) {
        void *library = **names ? dlopen(*names, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library)
            return library;
    }
    return NULL;
}

/* A data pointer from dlsym becomes a function pointer by memcpy: POSIX guarantees the sizes, ISO C
   forbids the cast. */
bool treefork_library_fill(void *library, const struct treefork_symbol *symbols, size_t n,
                           void *functions, const char **missing)
{
    for (size_t i = 0; i < n; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol && symbols[i].needed) {
            *missing = symbols[i].name;
            return false;
        }
        memcpy((char *)functions + symbols[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

bool treefork_library_file(void *library, const char *symbol, char *text, size_t room)
{
    Dl_info info;
    struct stat status;
    void *address = dlsym(library, symbol);
    if (!address || !dladdr(address, &info) || !info.dli_fname ||
        stat(info.dli_fname, &status) != 0)
        return false;
    snprintf(text, room, "%lld bytes of %lld.%09ld", (long long)status.st_size,
             (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    return true;
}

struct treefork_file treefork_library_of(const void *address)
{
    Dl_info info;
    struct treefork_file file = {0};
    if (!dladdr(address, &info))
        return file;
    file.base = info.dli_fbase;
    for (const char *at = info.dli_fname; at && *at; at++)
        file.path = 31 * file.path + (unsigned char)*at;
    return file;
}

bool treefork_library_holds(const struct treefork_file *file, const void *address)
{
    struct treefork_file now = treefork_library_of(address);
    return !file->base || (now.base == file->base && now.path == file->path);
}
