/* Members of OpenCL: those of one platform share a context, so that they copy to each other. In:
   devices that were just opened, each with a context of its own; out: all devices in one context,
   with new queues of launches and of copies, or unchanged. Source: the OpenCL 1.2 specification,
   sections 4.4, 5.2.2 and 5.10. */
#include "runtime/group.h"
#include "runtime/opencl.h"
#include <string.h>

enum { DEVICE_PLATFORM = 0x1031 };

static void *platform_of(const struct opencl *cl)
{
    void *platform = NULL;
    return cl->api.clGetDeviceInfo(cl->device, DEVICE_PLATFORM, sizeof platform, &platform, NULL)
               ? NULL
               : platform;
}

/* One device may be several members. */
static uint32_t devices_among(struct treefork_device *const *devices, size_t count, void **distinct)
{
    uint32_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct opencl *cl = devices[i]->state;
        uint32_t at = 0;
        while (at < n && distinct[at] != cl->device)
            at++;
        distinct[at] = cl->device;
        n += at == n;
    }
    return n;
}

/* Queues of the context, for each device one of launches and one of copies; how many could be
   made. */
static size_t queues_make(struct treefork_device *const *devices, size_t count, void *context,
                          void **queues)
{
    size_t made = 0;
    int32_t code = 0;
    while (made < 2 * count && !code) {
        const struct opencl *cl = devices[made / 2]->state;
        queues[made] = cl->api.clCreateCommandQueue(context, cl->device, 0, &code);
        made += code == 0;
    }
    return made;
}

/* The queue of launches gets a second reference, as that of opening the device. */
static void member_move(struct opencl *cl, void *context, void *const *queues)
{
    cl->api.clRetainCommandQueue(queues[0]);
    cl->api.clReleaseCommandQueue(cl->queue);
    cl->api.clReleaseCommandQueue(cl->own_queue);
    cl->api.clReleaseContext(cl->context);
    cl->api.clRetainContext(context);
    cl->context = context;
    cl->queue = cl->own_queue = queues[0];
    cl->copies = queues[1];
}

static bool members_move(struct treefork_device *const *devices, size_t count, void *context)
{
    const struct opencl *first = devices[0]->state;
    void *queues[2 * TREEFORK_MEMBERS_MAX];
    size_t made = queues_make(devices, count, context, queues);
    bool are_all = made == 2 * count;
    for (size_t i = 0; i < (are_all ? count : 0); i++)
        member_move(devices[i]->state, context, &queues[2 * i]);
    for (size_t i = 0; i < (are_all ? 0 : made); i++)
        first->api.clReleaseCommandQueue(queues[i]);
    return are_all;
}

bool treefork_opencl_join(struct treefork_device *const *devices, size_t count)
{
    struct opencl *first = devices[0]->state;
    void *distinct[TREEFORK_MEMBERS_MAX], *platform = platform_of(first);
    int32_t code = 0;
    for (size_t i = 1; i < count; i++)
        if (!platform || platform_of(devices[i]->state) != platform)
            return false;
    uint32_t n = devices_among(devices, count, distinct);
    void *context = first->api.clCreateContext(NULL, n, distinct, NULL, NULL, &code);
    if (!context || code)
        return false;
    bool has_moved = members_move(devices, count, context);
    first->api.clReleaseContext(context);
    return has_moved;
}

/* Another queue waits for an event only of a queue that was flushed. */
int treefork_opencl_event_new(struct treefork_device *device, union treefork_object *event)
{
    struct opencl *cl = device->state;
    int32_t code = cl->api.clEnqueueMarkerWithWaitList(cl->queue, 0, NULL, &event->pointer);
    if (!code)
        cl->api.clFlush(cl->queue);         /* if it fails, so does waiting */
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "marking a queue")
                : TREEFORK_OK;
}

void treefork_opencl_event_free(struct treefork_device *device, union treefork_object event)
{
    struct opencl *cl = device->state;
    cl->api.clReleaseEvent(event.pointer);
}

int treefork_opencl_event_await(struct treefork_device *device, enum treefork_queue queue,
                                union treefork_object event)
{
    struct opencl *cl = device->state;
    void *behind = queue == TREEFORK_COPIES ? cl->copies : cl->queue;
    int32_t code = cl->api.clEnqueueBarrierWithWaitList(behind, 1, &event.pointer, NULL);
    return code ? treefork_driver_error(device, TREEFORK_OPENCL, code, "putting queues in order")
                : TREEFORK_OK;
}
