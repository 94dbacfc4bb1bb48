#ifndef TREEFORK_CUDA_H
#define TREEFORK_CUDA_H
/* The CUDA driver as the runtime sees it: own prototypes (no toolkit header), opened at run time.
   Shared by cuda.c (devices, memory, launches) and cuda_program.c (text to functions). Numbers are
   those of the CUDA driver API. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

struct cuda_api {
#define X(name, symbol, parameters) int (*name) parameters;
#include "runtime/cuda.def"
#undef X
};

struct cuda {
    struct cuda_api api;
    int device;
    void *context;              /* the primary context, retained */
    int architecture;           /* 10*major + minor */
    bool nvrtc_tried;
    struct treefork_nvrtc *nvrtc;   /* NULL until the first CUDA text, and without NVRTC */
    int nvrtc_target;           /* what NVRTC compiles for; 0 = not usable for this device */
};

struct cuda_function {
    void *function;
    int threads_max, static_bytes;
    int dynamic_bytes;          /* what the function was allowed so far */
};

int treefork_cuda_program_new(struct treefork_device *device, const struct treefork_launch *launch,
                              const char *text, union treefork_object *program);
void treefork_cuda_program_free(struct treefork_device *device, union treefork_object program);
int treefork_cuda_function_new(struct treefork_device *device, union treefork_object program,
                               const char *kernel, union treefork_object *function);
void treefork_cuda_function_free(struct treefork_device *device, union treefork_object function);
int treefork_cuda_choose(struct treefork_device *device, const struct treefork_launch *launch,
                         struct treefork_choice *choice);
bool treefork_cuda_choose_instead(struct treefork_device *device,
                                  const struct treefork_launch *launch,
                                  struct treefork_choice *choice);
bool treefork_cuda_is_general(struct treefork_device *device,
                              const struct treefork_launch *launch);

/* nvrtc.c: NULL without NVRTC; free() closes it. The image is malloc'ed. */
struct treefork_nvrtc *treefork_nvrtc_open(void);
int treefork_nvrtc_target(const struct treefork_nvrtc *nvrtc, int architecture);
int treefork_nvrtc_compile(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                           const char *text, int architecture, char **image);

/* The device's context is current between enter and leave; what the caller's thread had
   comes back. */
int treefork_cuda_enter(struct treefork_device *device);
void treefork_cuda_leave(struct treefork_device *device);

#pragma GCC visibility pop
#endif
