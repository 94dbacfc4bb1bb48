/* Binaries of OpenCL programs, for the cache on disk. In: a program or a launch; out: its binary,
   the program of a binary, and what decides a binary: platform, device and driver with their
   versions, limits for which a compiler may choose, the options. Nothing here reports a failure of
   its own but program_load: without a binary a text is compiled. Source: the OpenCL 1.2
   specification, sections 4.2, 5.6.1 and 5.6.6. */
#include "runtime/opencl.h"
#include <stdlib.h>

enum {
    PLATFORM_VERSION = 0x0901,
    PLATFORM_NAME = 0x0902,
    PLATFORM_VENDOR = 0x0903,
    DEVICE_NAME = 0x102B,
    DEVICE_VENDOR = 0x102C,
    DRIVER_VERSION = 0x102D,
    DEVICE_VERSION = 0x102F,
    DEVICE_EXTENSIONS = 0x1030,
    DEVICE_PLATFORM = 0x1031,
    DEVICE_LANGUAGE = 0x103D,
    PROGRAM_DEVICES_COUNT = 0x1162,
    PROGRAM_BINARY_SIZES = 0x1165,
    PROGRAM_BINARIES = 0x1166
};

typedef int32_t (*query_function)(void *object, uint32_t what, size_t size, void *value,
                                  size_t *needed);

/* False if the driver does not tell it. */
static bool key_query(struct treefork_text *key, const char *name, query_function query,
                      void *object, uint32_t what)
{
    size_t size = 0;
    if (query(object, what, 0, NULL, &size) || size == 0 || size > TREEFORK_KEY_MAX)
        return false;
    char *value = calloc(size + 1, 1);
    bool is_told = value && !query(object, what, size, value, NULL);
    if (is_told)
        treefork_key_add(key, name, value);
    free(value);
    return is_told;
}

static bool key_platform(const struct opencl *cl, struct treefork_text *key)
{
    static const struct { const char *name; uint32_t what; } rows[] = {
        {"platform", PLATFORM_NAME},
        {"platform vendor", PLATFORM_VENDOR},
        {"platform version", PLATFORM_VERSION},
    };
    void *platform = NULL;
    bool is_told = !cl->api.clGetDeviceInfo(cl->device, DEVICE_PLATFORM, sizeof platform,
                                            &platform, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && is_told; i++)
        is_told = key_query(key, rows[i].name, cl->api.clGetPlatformInfo, platform, rows[i].what);
    return is_told;
}

static bool key_device(const struct opencl *cl, struct treefork_text *key)
{
    static const struct { const char *name; uint32_t what; } rows[] = {
        {"device", DEVICE_NAME},
        {"device vendor", DEVICE_VENDOR},
        {"device version", DEVICE_VERSION},
        {"device language", DEVICE_LANGUAGE},
        {"device extensions", DEVICE_EXTENSIONS},
        {"driver version", DRIVER_VERSION},
    };
    bool is_told = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && is_told; i++)
        is_told = key_query(key, rows[i].name, cl->api.clGetDeviceInfo, cl->device, rows[i].what);
    return is_told;
}

/* A compiler may make a kernel for the largest work-group and the local memory of the device. */
static void key_limits(const struct treefork_device *device, struct treefork_text *key)
{
    static const int parameters[] = {TREEFORK_T_B, TREEFORK_Z_B, TREEFORK_W_B, TREEFORK_M_D};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        treefork_text_add(key, "%s %lld\n", treefork_parameter_key(parameters[i]),
                          (long long)device->enforced.value[parameters[i]]);
}

bool treefork_opencl_program_key(struct treefork_device *device,
                                 const struct treefork_launch *launch, const char *text,
                                 struct treefork_text *key)
{
    struct opencl *cl = device->state;
    char *options = treefork_opencl_options(cl, launch);
    bool is_told = options && key_platform(cl, key) && key_device(cl, key);
    (void)text;
    key_limits(device, key);
    if (options)
        treefork_key_add(key, "options", options);
    free(options);
    return is_told;
}

/* Building a binary with the options of its text links it; its kernels are compiled already. */
int treefork_opencl_program_load(struct treefork_device *device,
                                 const struct treefork_launch *launch,
                                 const struct treefork_image *image,
                                 union treefork_object *program)
{
    struct opencl *cl = device->state;
    const unsigned char *bytes = image->bytes;
    int32_t code = 0, state = 0;
    char *options = treefork_opencl_options(cl, launch);
    if (!options)
        return treefork_fail(TREEFORK_MEMORY, "no memory for build options");
    void *object = cl->api.clCreateProgramWithBinary(cl->context, 1, &cl->device, &image->size,
                                                     &bytes, &state, &code);
    if (object && !code)
        code = state ? state : cl->api.clBuildProgram(object, 1, &cl->device, options, NULL, NULL);
    free(options);
    if (object && !code) {
        program->pointer = object;
        return TREEFORK_OK;
    }
    if (object)
        cl->api.clReleaseProgram(object);
    return treefork_fail(TREEFORK_BUILD, "OpenCL error %d", (int)code);
}

/* A program is made for one device, so that there is one binary. */
bool treefork_opencl_program_image(struct treefork_device *device, union treefork_object program,
                                   struct treefork_image *image)
{
    struct opencl *cl = device->state;
    uint32_t devices = 0;
    size_t size = 0;
    *image = (struct treefork_image){0};
    if (cl->api.clGetProgramInfo(program.pointer, PROGRAM_DEVICES_COUNT, sizeof devices, &devices,
                                 NULL) ||
        devices != 1 ||
        cl->api.clGetProgramInfo(program.pointer, PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) ||
        size == 0 || size > TREEFORK_IMAGE_MAX)
        return false;
    unsigned char *bytes = calloc(size, 1);
    if (!bytes)
        return false;
    if (cl->api.clGetProgramInfo(program.pointer, PROGRAM_BINARIES, sizeof bytes, &bytes, NULL)) {
        free(bytes);
        return false;
    }
    *image = (struct treefork_image){bytes, size};
    return true;
}
