/* Checked builds: is an array as large as a region says? In: a host range before it is copied; out:
   BOUNDS with both sizes instead of a crash in the driver. Three witnesses, each of which can only
   find a true fault: what the program declared, whether all pages of the range are mapped (msync
   reports a hole), and in programs with AddressSanitizer its exact answer. A range that none of
   them refuses may still be too large: without a declaration C does not know. */
#include "runtime/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma weak __asan_region_is_poisoned
extern void *__asan_region_is_poisoned(void *start, size_t size);

static struct treefork_extent **extent_place(struct treefork_device *device, const void *host)
{
    struct treefork_extent **place = &device->extents;
    while (*place && (*place)->host != host)
        place = &(*place)->next;
    return place;
}

static int extent_set(struct treefork_device *device, const void *host, size_t bytes)
{
    struct treefork_extent **place = extent_place(device, host), *extent = *place;
    if (bytes == 0) {
        if (extent)
            *place = extent->next;
        free(extent);
        return TREEFORK_OK;
    }
    if (!extent) {
        extent = calloc(1, sizeof *extent);
        if (!extent)
            return treefork_fail(TREEFORK_MEMORY, "no memory to declare an array");
        extent->host = host;
        *place = extent;
    }
    extent->bytes = bytes;
    return TREEFORK_OK;
}

int treefork_declare(struct treefork_device *device, const void *host, size_t bytes)
{
    if (!device || !host)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_declare: no device or no array");
    pthread_mutex_lock(&device->mutex);
    int status = extent_set(device, host, bytes);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

void treefork_extent_free_all(struct treefork_device *device)
{
    while (device->extents)
        extent_set(device, device->extents->host, 0);
}

static bool range_mapped(const void *host, size_t bytes)
{
    long size = sysconf(_SC_PAGESIZE);
    size_t before = (uintptr_t)host % (size > 0 ? (size_t)size : 4096);
    return msync((char *)host - before, before + bytes, MS_ASYNC) == 0 || errno != ENOMEM;
}

int treefork_extent_check(struct treefork_device *device, const void *host, size_t bytes)
{
    struct treefork_extent *extent = *extent_place(device, host);
    if (extent && extent->bytes < bytes)
        return treefork_fail(TREEFORK_BOUNDS, "the array at %p has %zu bytes, the region needs %zu",
                             host, extent->bytes, bytes);
    if (!range_mapped(host, bytes))
        return treefork_fail(
            TREEFORK_BOUNDS,
            "the array at %p has fewer than the %zu bytes the region needs: memory ends before",
            host, bytes);
    void *bad = __asan_region_is_poisoned ? __asan_region_is_poisoned((void *)host, bytes) : NULL;
    if (bad)
        return treefork_fail(TREEFORK_BOUNDS, "the array at %p has %zu bytes, the region needs %zu",
                             host, (size_t)((uintptr_t)bad - (uintptr_t)host), bytes);
    return TREEFORK_OK;
}
