#ifndef TREEFORK_OPENCL_H
#define TREEFORK_OPENCL_H
/* The OpenCL driver as the runtime sees it: own prototypes (no toolkit header), opened at run time.
   Shared by opencl.c (devices, launches), opencl_memory.c, opencl_program.c (text to kernels) and
   opencl_binary.c (binaries). Numbers are those of the OpenCL specification. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

struct opencl_api {
#define X(result, name, parameters) result (*name) parameters;
#include "runtime/opencl.def"
#undef X
};

struct opencl {
    struct opencl_api api;
    void *device, *context, *queue;
    void *copies;               /* a member's queue of copies from others; NULL: it is alone */
    void *own_queue;            /* that of opening the device; `queue` has a reference of its own */
    bool correct_division;      /* the build option for correctly rounded float division
                                   is accepted */
    bool register_option;       /* cl_nv_compiler_options */
    bool is_gpu;                /* whose registers have 32 bits */
    bool is_cpu;
    bool in_place;              /* what is written to a buffer over host memory is there at once */
    uint64_t released;          /* memory objects given back so far */
};

/* An argument that a kernel has. */
struct opencl_argument {
    uint64_t bits;              /* of a scalar; of a memory object its address */
    size_t size;                /* 0: it has none */
    bool is_memory;
};

/* A kernel object of the driver with what launching it needs besides. */
struct opencl_kernel {
    void *kernel;
    uint32_t n_arguments;
    size_t threads_max;         /* CL_KERNEL_WORK_GROUP_SIZE */
    uint64_t static_bytes;      /* local memory without that of arguments */
    bool has_rows;              /* its text says that one thread does a block's work in loops */
    struct opencl_argument *arguments;     /* n_arguments of them */
    uint64_t released;          /* memory objects, when they were set last */
};

int treefork_opencl_program_new(struct treefork_device *device,
                                const struct treefork_launch *launch, const char *text,
                                struct treefork_image *image, union treefork_object *program);
/* The options of a launch's program; NULL if memory ran out. */
char *treefork_opencl_options(const struct opencl *cl, const struct treefork_launch *launch);
/* opencl_memory.c; what they do stands in struct treefork_driver. */
int treefork_opencl_memory_new(struct treefork_device *device, size_t bytes,
                               union treefork_object *memory);
int treefork_opencl_memory_share(struct treefork_device *device, void *host, size_t bytes,
                                 union treefork_object *memory);
bool treefork_opencl_in_place(struct treefork_device *device);
int treefork_opencl_memory_settle(struct treefork_device *device, union treefork_object memory,
                                  size_t bytes);
void treefork_opencl_memory_free(struct treefork_device *device, union treefork_object memory);
int treefork_opencl_memory_write(struct treefork_device *device, union treefork_object memory,
                                 const struct treefork_row *row, const void *host, size_t pitch);
int treefork_opencl_memory_read(struct treefork_device *device, union treefork_object memory,
                                const struct treefork_row *row, void *host, size_t pitch);
int treefork_opencl_memory_copy(struct treefork_device *to, union treefork_object target, size_t at,
                                struct treefork_device *from, union treefork_object source,
                                const struct treefork_row *row, union treefork_object *done);
int treefork_opencl_memory_describe(struct treefork_device *device, union treefork_object memory,
                                    size_t bytes, struct treefork_foreign *foreign);
int treefork_opencl_memory_part(struct treefork_device *device, union treefork_object memory,
                                size_t offset, size_t bytes, union treefork_object *part);
int treefork_opencl_memory_keep(struct treefork_device *device, union treefork_object memory);
/* opencl_group.c */
bool treefork_opencl_join(struct treefork_device *const *devices, size_t count);
int treefork_opencl_event_new(struct treefork_device *device, union treefork_object *event);
void treefork_opencl_event_free(struct treefork_device *device, union treefork_object event);
int treefork_opencl_event_await(struct treefork_device *device, enum treefork_queue queue,
                                union treefork_object event);
/* opencl_binary.c */
bool treefork_opencl_program_key(struct treefork_device *device,
                                 const struct treefork_launch *launch, const char *text,
                                 struct treefork_text *key);
int treefork_opencl_program_load(struct treefork_device *device,
                                 const struct treefork_launch *launch,
                                 const struct treefork_image *image,
                                 union treefork_object *program);
bool treefork_opencl_program_image(struct treefork_device *device, union treefork_object program,
                                   struct treefork_image *image);
void treefork_opencl_program_free(struct treefork_device *device, union treefork_object program);
int treefork_opencl_function_new(struct treefork_device *device, union treefork_object program,
                                 const char *kernel, union treefork_object *function);
void treefork_opencl_function_free(struct treefork_device *device, union treefork_object function);
int treefork_opencl_choose(struct treefork_device *device, const struct treefork_launch *launch,
                           struct treefork_choice *choice);

#pragma GCC visibility pop
#endif
