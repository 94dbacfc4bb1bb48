/* The OpenCL library with a clFinish that fails at its FAILING_FINISH-th call, after everything has been done: what kernels wrote
   is written. Linked against libOpenCL, so that all other entry points are found behind it. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

int32_t clFinish(void *queue);
int32_t clFinish(void *queue)
{
    enum { OUT_OF_RESOURCES = -5 };
    static int calls;
    const char *failing = getenv("FAILING_FINISH");
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    int32_t (*finish)(void *) = library ? (int32_t (*)(void *))(uintptr_t)dlsym(library, "clFinish") : NULL;
    int32_t code = finish ? finish(queue) : OUT_OF_RESOURCES;
    calls++;
    return failing && calls == atoi(failing) ? OUT_OF_RESOURCES : code;
}
