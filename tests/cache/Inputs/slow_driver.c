/* The OpenCL library with a compiler that takes half a second more. Linked against libOpenCL, so that all other entry points are found
   behind it. */
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

typedef int32_t (*build)(void *, uint32_t, void *const *, const char *, void (*)(void *, void *), void *);

int32_t clBuildProgram(void *program, uint32_t count, void *const *devices, const char *options, void (*done)(void *, void *), void *data)
{
    struct timespec nap = {0, 500000000};
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    nanosleep(&nap, NULL);
    return ((build)(uintptr_t)dlsym(library, "clBuildProgram"))(program, count, devices, options, done, data);
}
