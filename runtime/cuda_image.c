/* Texts to binaries for CUDA. In: the text that was chosen for a launch, CUDA C or PTX; out: an
   image to load, and what decides it. CUDA C is compiled by NVRTC. PTX, an embedded text or what
   NVRTC makes for a device that it does not know, is linked to a cubin where the driver has a
   linker: the compilation that loading PTX would be, but with a result that can be kept on disk.
   Where linking fails the text is loaded as it is, and the driver says what is wrong with it.
   Source: CUDA driver API reference, module management. */
#include "runtime/cuda.h"
#include <stdlib.h>
#include <string.h>

enum { INPUT_PTX = 1 };

/* Option values travel in the bits of a pointer, as the driver API wants them. */
void *treefork_cuda_option(uintptr_t number)
{
    void *pointer;
    memcpy(&pointer, &number, sizeof pointer);
    return pointer;
}

static bool has_linker(const struct cuda *cuda)
{
    return cuda->api.link_create && cuda->api.link_add && cuda->api.link_complete &&
           cuda->api.link_destroy;
}

static bool image_copy(struct treefork_image *image, const void *bytes, size_t size)
{
    *image = (struct treefork_image){malloc(size), size};
    if (!image->bytes) {
        image->size = 0;
        return false;
    }
    memcpy(image->bytes, bytes, size);
    return true;
}

/* The context is current. The state owns the cubin. */
static bool link_run(const struct cuda *cuda, const struct treefork_launch *launch,
                     const char *ptx, struct treefork_image *image)
{
    int option = JIT_MAX_REGISTERS;
    void *state = NULL, *cubin = NULL, *value = treefork_cuda_option((uintptr_t)launch->registers);
    size_t size = 0;
    struct treefork_image input = {0};
    if (!image_copy(&input, ptx, strlen(ptx) + 1))
        return false;
    bool is_linked = !cuda->api.link_create(launch->registers > 0, &option, &value, &state);
    if (is_linked) {
        is_linked = !cuda->api.link_add(state, INPUT_PTX, input.bytes, input.size, "kernels.ptx",
                                        0, NULL, NULL) &&
                    !cuda->api.link_complete(state, &cubin, &size) && size > 0 &&
                    size <= TREEFORK_IMAGE_MAX && image_copy(image, cubin, size);
        cuda->api.link_destroy(state);
    }
    free(input.bytes);
    return is_linked;
}

/* False, without a message, if the driver does not link it. */
static bool ptx_link(struct treefork_device *device, const struct treefork_launch *launch,
                     const char *ptx, struct treefork_image *image)
{
    const struct cuda *cuda = device->state;
    if (!has_linker(cuda))
        return false;
    if (treefork_cuda_enter(device)) {
        treefork_message_clear();
        return false;
    }
    bool is_linked = link_run(cuda, launch, ptx, image);
    treefork_cuda_leave(device);
    return is_linked;
}

/* PTX from NVRTC stays what is loaded where it cannot be linked. */
static int text_compile(struct treefork_device *device, const struct treefork_launch *launch,
                        const char *text, struct treefork_image *image)
{
    struct cuda *cuda = device->state;
    struct treefork_image linked;
    int status = treefork_nvrtc_compile(cuda->nvrtc, launch, text, cuda->architecture, image);
    if (!status && cuda->nvrtc_target != cuda->architecture &&
        ptx_link(device, launch, image->bytes, &linked)) {
        free(image->bytes);
        *image = linked;
    }
    return status;
}

int treefork_cuda_image(struct treefork_device *device, const struct treefork_launch *launch,
                        const char *text, struct treefork_image *image)
{
    *image = (struct treefork_image){0};
    if (text == launch->module->cuda)
        return text_compile(device, launch, text, image);
    ptx_link(device, launch, text, image);
    return TREEFORK_OK;
}

/* PTX that is loaded as it is is no binary: the driver itself keeps what it makes of it. */
bool treefork_cuda_program_key(struct treefork_device *device,
                               const struct treefork_launch *launch, const char *text,
                               struct treefork_text *key)
{
    const struct cuda *cuda = device->state;
    int version = 0;
    char file[64];
    if (cuda->api.driver_version(&version) ||
        !treefork_library_file(cuda->api.library, "cuInit", file, sizeof file))
        return false;
    treefork_key_add(key, "device", device->name);
    treefork_text_add(key, "architecture %d\ndriver version %d\n", cuda->architecture, version);
    treefork_key_add(key, "driver library", file);
    treefork_text_add(key, "registers %d\n", launch->registers);
    if (launch->part)
        treefork_text_add(key, "part\n");
    if (text != launch->module->cuda)
        return has_linker(cuda);
    return treefork_nvrtc_key(cuda->nvrtc, launch, cuda->architecture, key);
}
