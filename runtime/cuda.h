#ifndef TREEFORK_CUDA_H
#define TREEFORK_CUDA_H
/* The CUDA driver as the runtime sees it: own prototypes (no toolkit header), opened at run time.
   Shared by cuda.c (devices, memory, launches), cuda_program.c (text to functions) and cuda_image.c
   (text to binaries). Numbers are those of the CUDA driver API. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

struct cuda_api {
    void *library;
#define X(name, symbol, parameters, needed) int (*name) parameters;
#include "runtime/cuda.def"
#undef X
};

struct cuda {
    struct cuda_api api;
    int device;
    void *context;              /* the primary context, retained, unless it `is_foreign` */
    bool is_foreign;
    void *queue, *own_queue;    /* streams: of launches and copies; of opening the device */
    int architecture;           /* 10*major + minor */
    bool nvrtc_tried;
    struct treefork_nvrtc *nvrtc;   /* NULL until the first CUDA text, and without NVRTC */
    int nvrtc_target;           /* what NVRTC compiles for; 0 = not usable for this device */
};

struct cuda_function {
    void *function;
    int threads_max, static_bytes, registers;
    int dynamic_bytes;          /* what the function was allowed so far */
};

int treefork_cuda_program_new(struct treefork_device *device, const struct treefork_launch *launch,
                              const char *text, struct treefork_image *image,
                              union treefork_object *program);
int treefork_cuda_program_load(struct treefork_device *device,
                               const struct treefork_launch *launch,
                               const struct treefork_image *image, union treefork_object *program);
void treefork_cuda_program_free(struct treefork_device *device, union treefork_object program);
int treefork_cuda_function_new(struct treefork_device *device, union treefork_object program,
                               const char *kernel, union treefork_object *function);
void treefork_cuda_function_free(struct treefork_device *device, union treefork_object function);
int treefork_cuda_function_registers(union treefork_object function);
int treefork_cuda_choose(struct treefork_device *device, const struct treefork_launch *launch,
                         struct treefork_choice *choice);
bool treefork_cuda_choose_instead(struct treefork_device *device,
                                  const struct treefork_launch *launch,
                                  struct treefork_choice *choice);
bool treefork_cuda_is_general(struct treefork_device *device,
                              const struct treefork_launch *launch);

/* Options of the driver's compiler, and what one of them gets. */
enum { JIT_MAX_REGISTERS = 0, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6 };
void *treefork_cuda_option(uintptr_t number);
/* ptx_part.c: the part form of PTX, which the caller frees; NULL after a failure. */
char *treefork_ptx_part(const char *text);
/* cuda_image.c: the image of a text, compiled as far as it can be without the device: a cubin, or
   PTX where the driver has to go on. No image and OK: the text is loaded as it is. */
int treefork_cuda_image(struct treefork_device *device, const struct treefork_launch *launch,
                        const char *text, struct treefork_image *image);
bool treefork_cuda_program_key(struct treefork_device *device,
                               const struct treefork_launch *launch, const char *text,
                               struct treefork_text *key);

/* nvrtc.c: NULL without NVRTC; free() closes it. The image is malloc'ed. */
struct treefork_nvrtc *treefork_nvrtc_open(void);
int treefork_nvrtc_target(const struct treefork_nvrtc *nvrtc, int architecture);
int treefork_nvrtc_compile(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                           const char *text, int architecture, struct treefork_image *image);
/* Lines with everything besides the text that decides its image; false if not all is known. */
bool treefork_nvrtc_key(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                        int architecture, struct treefork_text *key);

/* The device's context is current between enter and leave; what the caller's thread had
   comes back. */
int treefork_cuda_enter(struct treefork_device *device);
void treefork_cuda_leave(struct treefork_device *device);

#pragma GCC visibility pop
#endif
