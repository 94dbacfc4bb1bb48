/* The trace of a launch on a device with members. In: the launch; out: a line on standard error
   with its parts and the bytes that were copied for it, or the reason why one member ran it. */
#include "runtime/parts.h"
#include <inttypes.h>

void treefork_whole_trace(const struct parts_launch *p, const char *reason)
{
    fprintf(stderr, "%s: on the first of %zu devices alone, since %s\n", p->whole.kernel,
            p->l.device->group->count, reason);
}

void treefork_parts_trace(const struct parts_launch *p, const struct treefork_statistics *before,
                          uint64_t across)
{
    const struct treefork_device *device = p->l.device;
    fprintf(stderr, "%s: %zu parts of %" PRId64 " blocks along the %s axis:", p->whole.kernel,
            p->count, p->cut.extent, p->cut.is_last ? "last" : "first");
    for (size_t i = 0; i < p->count; i++)
        fprintf(stderr, " %" PRId64 " to %" PRId64 " on device %zu%s", p->part[i].from,
                p->part[i].to - 1, p->part[i].member + 1, i + 1 < p->count ? "," : "");
    fprintf(stderr, "; %" PRIu64 " bytes from the host, %" PRIu64 " between devices\n",
            device->statistics.bytes_to_device - before->bytes_to_device,
            device->group->bytes - across);
}
