/* The OpenCL library with a device or platform that answers otherwise: OTHER="driver 4.0" changes the string of that query. Linked
   against libOpenCL, so that all other entry points are found behind it. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t (*query)(void *object, uint32_t what, size_t size, void *value, size_t *needed);

static query real(const char *name)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return (query)(uintptr_t)dlsym(library, name);
}

static int32_t answer(const char *text, size_t size, void *value, size_t *needed)
{
    if (needed)
        *needed = strlen(text) + 1;
    if (value && size > strlen(text))
        strcpy(value, text);
    return 0;
}

static const char *other(const char *prefix)
{
    const char *text = getenv("OTHER");
    size_t length = strlen(prefix);
    return text && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t size, void *value, size_t *needed)
{
    enum { NAME = 0x102B, DRIVER_VERSION = 0x102D };
    const char *text = what == NAME ? other("device ") : what == DRIVER_VERSION ? other("driver ") : NULL;
    return text ? answer(text, size, value, needed) : real("clGetDeviceInfo")(device, what, size, value, needed);
}

int32_t clGetPlatformInfo(void *platform, uint32_t what, size_t size, void *value, size_t *needed)
{
    enum { VERSION = 0x0901 };
    const char *text = what == VERSION ? other("platform ") : NULL;
    return text ? answer(text, size, value, needed) : real("clGetPlatformInfo")(platform, what, size, value, needed);
}
