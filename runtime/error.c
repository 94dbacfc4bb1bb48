/* Driver errors to statuses. In: the number an entry point of OpenCL or CUDA returned and what was
   being done; out: the status of error.def with a message that names both. A lost device is
   remembered: nothing on it can work any more, and every later call says so at once. */
#include "runtime/internal.h"

struct error {
    enum treefork_api api;
    int code, status;
    const char *name;
};

static const struct error errors[] = {
#define X(api, code, status, name) { TREEFORK_##api, code, TREEFORK_##status, #name },
#include "runtime/error.def"
#undef X
};

int treefork_driver_error(struct treefork_device *device, enum treefork_api api, int code,
                          const char *what)
{
    const char *system = api == TREEFORK_CUDA ? "CUDA" : "OpenCL";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].api == api && errors[i].code == code) {
            if (errors[i].status == TREEFORK_LOST)
                device->lost = true;
            return treefork_fail(errors[i].status, "%s: %s: %s (%d)%s",
                                 device->name[0] ? device->name : system, what, errors[i].name,
                                 code, device->lost ? ": the device is lost" : "");
        }
    return treefork_fail(TREEFORK_LAUNCH, "%s: %s: %s error %d",
                         device->name[0] ? device->name : system, what, system, code);
}
