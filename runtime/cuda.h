#ifndef TREEFORK_CUDA_H
#define TREEFORK_CUDA_H
/* The CUDA driver as the runtime sees it: own prototypes (no toolkit header), opened at run time.
   Shared by cuda.c (devices, memory, launches), cuda_program.c (text to functions) and cuda_image.c
   (text to binaries). Numbers are those of the CUDA driver API. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

/* Two-dimensional copies, laid out as CUDA_MEMCPY2D and CUDA_MEMCPY3D_PEER are: an end is on the
   host or in device memory, where its lines lie `pitch` bytes apart. */
struct cuda_end {
    size_t x, y;
    int type;
    const void *host;
    uint64_t device;
    void *array;
    size_t pitch;
};

struct cuda_lines {
    struct cuda_end from, to;
    size_t width, height;       /* bytes of a line, lines */
};

struct cuda_peer_end {
    size_t x, y, z, level;
    int type;
    const void *host;
    uint64_t device;
    void *array, *context;
    size_t pitch, height;
};

struct cuda_peer_lines {
    struct cuda_peer_end from, to;
    size_t width, height, depth;
};

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
    void *copies;               /* a member's stream of copies from others; NULL: it is alone */
    int architecture;           /* 10*major + minor */
    bool nvrtc_tried;
    struct treefork_nvrtc *nvrtc;   /* NULL until the first CUDA text, and without NVRTC */
    int nvrtc_target;           /* what NVRTC compiles for; 0 = not usable for this device */
};

struct cuda_function {
    void *function;
    int threads_max, static_bytes, registers, local_bytes;
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
int treefork_cuda_function_local(union treefork_object function);
int treefork_cuda_choose(struct treefork_device *device, const struct treefork_launch *launch,
                         struct treefork_choice *choice);
bool treefork_cuda_choose_instead(struct treefork_device *device,
                                  const struct treefork_launch *launch,
                                  struct treefork_choice *choice);
bool treefork_cuda_is_general(struct treefork_device *device,
                              const struct treefork_launch *launch);

/* cuda_memory.c; what they do stands in struct treefork_driver. */
int treefork_cuda_memory_new(struct treefork_device *device, size_t bytes,
                             union treefork_object *memory);
void treefork_cuda_memory_free(struct treefork_device *device, union treefork_object memory);
int treefork_cuda_memory_write(struct treefork_device *device, union treefork_object memory,
                               const struct treefork_row *row, const void *host, size_t pitch);
int treefork_cuda_memory_read(struct treefork_device *device, union treefork_object memory,
                              const struct treefork_row *row, void *host, size_t pitch);
int treefork_cuda_memory_describe(struct treefork_device *device, union treefork_object memory,
                                  size_t bytes, struct treefork_foreign *foreign);
int treefork_cuda_memory_part(struct treefork_device *device, union treefork_object memory,
                              size_t offset, size_t bytes, union treefork_object *part);
int treefork_cuda_memory_keep(struct treefork_device *device, union treefork_object memory);
void treefork_cuda_memory_leave(struct treefork_device *device, union treefork_object memory);
bool treefork_cuda_memory_left(struct treefork_device *device, uint64_t *bytes);
/* cuda_group.c */
int treefork_cuda_memory_copy(struct treefork_device *to, union treefork_object target, size_t at,
                              struct treefork_device *from, union treefork_object source,
                              const struct treefork_row *row, union treefork_object *done);
int treefork_cuda_event_new(struct treefork_device *device, union treefork_object *event);
void treefork_cuda_event_free(struct treefork_device *device, union treefork_object event);
int treefork_cuda_event_await(struct treefork_device *device, enum treefork_queue queue,
                              union treefork_object event);
bool treefork_cuda_join(struct treefork_device *const *devices, size_t count);

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
