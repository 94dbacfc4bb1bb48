/* Where arrays live: what the host takes back of the device, and what goes back to it. In: a range
   that host code is about to touch, or the end of a function, of an array, of a device's turn; out:
   the newest contents stand where the array lives (on the host, or, attached, in its memory) or
   where they were asked for. Copies are buffer.c's. */
#include "runtime/stays.h"
#include <stdlib.h>
#include <string.h>

bool treefork_buffer_holds(const struct treefork_buffer *b, const void *host)
{
    uintptr_t at = (uintptr_t)host, start = (uintptr_t)b->host;
    return at >= start && at - start < b->bytes && !b->partial;
}

/* Does host code that touches `host` touch the buffer? Its own range may tell, or that of another
   buffer, which says how far the array reaches. NULL stands for everything. */
static bool buffer_touched(const struct treefork_device *device, const struct treefork_buffer *b,
                           const void *host)
{
    if (!host)
        return true;
    for (const struct treefork_buffer *c = device->buffers; c; c = c->next)
        if (treefork_buffer_holds(c, host) && treefork_buffer_overlaps(b, c))
            return true;
    return false;
}

/* What stays where it is when the host takes arrays back. */
enum keeping { KEEP_NONE = 0, KEEP_OWN_SCRATCH = 1, KEEP_SCRATCH = 2, KEEP_ATTACHED = 4 };

static bool is_own_scratch(const struct treefork_buffer *b)
{
    return b->is_scratch && pthread_equal(b->owner, pthread_self());
}

static bool is_kept(const struct treefork_buffer *b, unsigned keeping)
{
    return (keeping & KEEP_SCRATCH && b->is_scratch) ||
           (keeping & KEEP_OWN_SCRATCH && is_own_scratch(b)) ||
           (keeping & KEEP_ATTACHED && b->is_attached);
}

/* The host takes over shared buffers with one wait: those that the device wrote, and where the host
   may write also those that launches in flight read. */
static void buffers_settle(struct treefork_device *device, const void *host, unsigned access,
                           unsigned keeping)
{
    bool waits = false;
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (!b->is_shared || is_kept(b, keeping) || !buffer_touched(device, b, host))
            continue;
        if (!treefork_runs_has(&b->runs, SIDE_OF_HOST) && !device->lost)
            treefork_buffer_settle(device, b);
        waits |= b->is_settling || access & TREEFORK_WRITE;
    }
    if (waits)
        treefork_buffers_wait(device);
}

/* A shared buffer that could not settle is tried once more, and says then why it cannot. */
static int buffers_return(struct treefork_device *device, const void *host, unsigned access,
                          unsigned keeping)
{
    int result = TREEFORK_OK;
    buffers_settle(device, host, access, keeping);
    for (struct treefork_buffer *b = device->buffers; b; b = b->next) {
        if (is_kept(b, keeping) || !buffer_touched(device, b, host))
            continue;
        int status = treefork_buffer_download(device, b);
        if (status)
            result = status;
        else if (access & TREEFORK_WRITE)
            treefork_buffer_stale(device, b);
    }
    return result;
}

/* The host has all arrays, and may write them. Scratch arrays still have to be dropped at their
   end, and attached ones live on the device. */
static void host_has_all(struct treefork_device *device)
{
    bool any = device->n_attached > 0;
    for (const struct treefork_buffer *b = device->buffers; b; b = b->next)
        any |= b->is_scratch;
    if (!any)
        treefork_device_is_home(device);
}

static int host_return(struct treefork_device *device, const void *host, unsigned access,
                       unsigned keeping)
{
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    int status = buffers_return(device, host, access, keeping);
    if (!status && !host && access & TREEFORK_WRITE)
        host_has_all(device);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_host(struct treefork_device *device, const void *host, unsigned access)
{
    return host_return(device, host, access, KEEP_NONE);
}

/* Arrays go where they live: those that are attached into their memory, all others to the host. */
static int buffers_home(struct treefork_device *device, unsigned access, unsigned keeping)
{
    int status = buffers_return(device, NULL, access, keeping | KEEP_ATTACHED);
    int home = treefork_attached_home(device);
    return status ? status : home;
}

int treefork_host_leaves(struct treefork_device *device)
{
    pthread_mutex_lock(&device->mutex);
    int status = buffers_home(device, TREEFORK_READ | TREEFORK_WRITE, KEEP_NONE);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_sync(struct treefork_device *device)
{
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    int status = buffers_home(device, TREEFORK_READ, KEEP_OWN_SCRATCH);
    int done = treefork_launches_wait(device);
    pthread_mutex_unlock(&device->mutex);
    return status ? status : done;
}

int treefork_host_reads(struct treefork_device *device)
{
    return host_return(device, NULL, TREEFORK_READ, KEEP_SCRATCH);
}

/* Launches in flight may work in an array that is about to end. If one of them fails the device is
   lost, and whoever needs its results will see that. */
static void buffer_end(struct treefork_device *device, struct treefork_buffer **place)
{
    if ((*place)->is_shared)
        treefork_launches_wait(device);
    treefork_buffer_drop(device, place);
}

int treefork_host_returns(struct treefork_device *device)
{
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    int status = buffers_home(device, TREEFORK_READ | TREEFORK_WRITE, KEEP_OWN_SCRATCH);
    for (struct treefork_buffer **place = &device->buffers; *place;)
        if (is_own_scratch(*place))
            buffer_end(device, place);
        else
            place = &(*place)->next;
    if (!status)
        host_has_all(device);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

/* A buffer that cannot be copied back stays, unless the device is lost for good. */
int treefork_release(struct treefork_device *device, const void *host)
{
    int result = TREEFORK_OK;
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    buffers_settle(device, host, TREEFORK_READ | TREEFORK_WRITE, KEEP_NONE);
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        bool mine = !(*place)->is_attached && (!host || treefork_buffer_holds(*place, host));
        int status = mine ? treefork_buffer_download(device, *place) : TREEFORK_OK;
        if (status)
            result = status;
        if (mine && !status && (*place)->is_scratch)
            treefork_buffer_memory_free(device, *place);
        if (mine && (!status || device->lost) && !(*place)->is_scratch)
            treefork_buffer_drop(device, place);
        else
            place = &(*place)->next;
    }
    pthread_mutex_unlock(&device->mutex);
    return result;
}

void treefork_discard(struct treefork_device *device, const void *host, size_t bytes)
{
    if (!device)
        return;
    pthread_mutex_lock(&device->mutex);
    treefork_attached_discard(device, host, bytes);
    for (struct treefork_buffer **place = &device->buffers; *place;) {
        uintptr_t at = (uintptr_t)(*place)->host, start = (uintptr_t)host;
        if (!(*place)->partial && at >= start && at - start < bytes)
            buffer_end(device, place);
        else
            place = &(*place)->next;
    }
    pthread_mutex_unlock(&device->mutex);
}
