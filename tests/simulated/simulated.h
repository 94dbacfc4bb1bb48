#ifndef TESTS_SIMULATED_H
#define TESTS_SIMULATED_H
/* A stand-in for libcuda.so.1 that needs no GPU: test only, chosen by TREEFORK_CUDA_DRIVER. It
   keeps account of contexts, memory, modules and functions, refuses what a driver refuses, and runs
   a kernel's IR on the CPU (ir/llvm). Several devices, one thread at a time. Its state is one
   object behind simulated(), because the driver API has no context argument to carry it in. */
#include "ir/llvm/llvm.h"
#include "runtime/cuda.h"

#define X(name, symbol, parameters, needed) int symbol parameters;
#include "runtime/cuda.def"
#undef X

/* Results of the driver API used here. */
enum {
    CU_OK = 0,
    CU_INVALID_VALUE = 1,
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_INITIALIZED = 3,
    CU_NO_DEVICE = 100,
    CU_INVALID_DEVICE = 101,
    CU_INVALID_IMAGE = 200,
    CU_INVALID_CONTEXT = 201,
    CU_NO_BINARY = 209,
    CU_INVALID_PTX = 218,
    CU_PEER_UNSUPPORTED = 217,
    CU_NOT_FOUND = 500,
    CU_PEER_ALREADY_ENABLED = 704,
    CU_ILLEGAL_ADDRESS = 700,
    CU_OUT_OF_RESOURCES = 701
};

enum { SIM_STREAMS = 64, SIM_DEVICES = 16 };

struct sim_memory {
    struct sim_memory *next;
    char *data;
    size_t bytes;
    struct sim_access *accesses;        /* order.c */
};

/* Its address is the handle of its primary context. */
struct sim_device {
    int retained;
    size_t memory_used;
    struct sim_memory *memory;
    bool reaches[SIM_DEVICES];          /* peer access is enabled */
    int lost;                           /* a sticky error */
    unsigned launches, from_host, to_host, from_peers, staged;  /* for a report */
};

/* What a stream has run up to an operation, by stream; operations of a stream count from 1. */
struct sim_clock {
    uint32_t seen[SIM_STREAMS];
};

/* An operation of a stream that has not run. After `run` has failed its device is lost; `end` frees
   the state. A wait for another stream has neither. */
struct sim_operation {
    struct sim_operation *next;
    struct sim_stream *stream;
    uint32_t number;
    struct sim_clock clock;
    const char *what;
    int (*run)(const struct sim_operation *operation, void *state);
    void (*end)(void *state);
    void *state;
    struct sim_stream *awaited;         /* up to operation `until` */
    uint32_t until;
};

struct sim_stream {
    struct sim_device *device;          /* NULL: it was destroyed */
    bool is_blocking;                   /* in order with the legacy stream of its context */
    uint32_t given, done;               /* operations */
    struct sim_operation *first, **end;
    struct sim_clock clock;
};

struct sim_function {
    struct sim_function *next;
    struct sim_module *module;
    char *entry;
    const struct kernel *kernel;        /* what runs; NULL if there is no IR of that name */
    bool is_part;                       /* its last two parameters say where its blocks begin */
    int64_t dynamic_bytes;              /* allowed by cuFuncSetAttribute */
    int registers;                      /* of the assembled code; 0 = not known */
    int local_bytes;                    /* of a thread: its arrays and what is spilled */
    int static_bytes;
};

struct sim_module {
    struct sim_module *next;
    struct sim_device *device;
    char *image;                        /* PTX text; NULL for a cubin */
    char *entries;                      /* what sim_describe says */
    int max_registers;
    struct sim_function *functions;
};

/* What cuLinkAddData got, and what cuLinkComplete made of it. */
struct sim_link {
    struct sim_link *next;
    int max_registers;
    char *input, *image;
};

enum { SIM_DEEP = 16 };
struct sim {
    bool started, is_late, is_checked;
    int n_devices;
    struct sim_device devices[SIM_DEVICES];
    int depth;                          /* contexts that are pushed */
    struct sim_device *current[SIM_DEEP];
    struct treefork_machine machine;
    size_t memory_limit;                /* of each device */
    struct sim_module *modules;
    struct sim_link *links;
    struct ctx *ctx;                    /* kernels and machine code */
    const char *ir;                     /* text of TREEFORK_SIMULATED_IR, in ctx */
    int lost;                           /* a sticky error of all devices */
    int n_streams;
    struct sim_stream streams[SIM_STREAMS];     /* the first are the legacy ones, by device */
    struct sim_clock host;              /* what the program has waited for */
    int events;                         /* that were not destroyed */
    uint64_t seed;
    FILE *cycles;                       /* launches are timed by tests/cycles: a line each */
};

/* A launch as tests/cycles takes it. */
struct sim_timed {
    unsigned grid[2], block[2], bytes;
    void **arguments;
};

struct sim *simulated(void);
/* Prints why, returns `code`. */
int sim_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The error that is injected for this call (TREEFORK_SIMULATED_FAIL="cuLaunchKernel:3=719" fails
   the third call, "cuLaunchKernel@1:3=719" the third one of device 1), the sticky one, or the one
   of a missing context; CU_OK if the call may go on. */
int sim_enter(const char *symbol, bool needs_context);
/* The same of a call that is for this device, whatever context is current. */
int sim_enter_for(const char *symbol, struct sim_device *device);
/* The sticky error of the device (NULL: of all of them); CU_OK: it has none. */
int sim_lost(const struct sim_device *device);
void sim_lose(struct sim_device *device, int code);
/* The device whose context is current; NULL without one. */
struct sim_device *sim_device(void);
int sim_number(const struct sim_device *device);
/* memory.c: the allocation of a device that holds [at, at + bytes); NULL, with the reason on
   standard error, if none does. Frees everything; the number of arrays that were left. */
struct sim_memory *sim_memory_of(const struct sim_device *device, uint64_t at, size_t bytes);
int sim_memory_free(struct sim_device *device);
/* The same for the address of an array of which the allocation may be a window: it may lie before
   it. */
struct sim_memory *sim_window_of(const struct sim_device *device, uint64_t at);

/* streams.c: the stream that cuStreamCreate gave in the current context, or its legacy one (NULL);
   NULL, with the reason on standard error, for anything else. */
struct sim_stream *sim_stream_of(const void *handle);
/* Gives the stream an operation, which runs now, or late (TREEFORK_SIMULATED_LATE): when somebody
   waits for it. The status of running it. */
int sim_give(struct sim_stream *stream, struct sim_operation operation);
/* The stream's later operations run behind that operation of another one, after which it knows what
   the other one did. */
void sim_await(struct sim_stream *stream, struct sim_stream *awaited, uint32_t until,
               const struct sim_clock *clock);
/* The program waits, and knows what the clock knows from then on. */
int sim_run(struct sim_stream *stream, uint32_t until, const struct sim_clock *clock);
int sim_run_device(const struct sim_device *device);
/* Forgets what has not run on the device. */
void sim_streams_forget(const struct sim_device *device);

/* order.c: an operation touches bytes; with TREEFORK_SIMULATED_CHECK everything is compared with
   what touched them before: ILLEGAL_ADDRESS if one of the two writes and neither is known to be
   behind the other. */
int sim_touch(const struct sim_operation *operation, struct sim_memory *memory, size_t begin,
              size_t end, bool writes);
void sim_accesses_free(struct sim_memory *memory);
/* image.c: lines "NAME REGISTERS STATIC-SHARED SIZE …" of an image's entries, malloc'ed; what
   follows the name of an entry in them, NULL if it is not there. */
char *sim_describe(const void *image, bool cubin);
const char *sim_entry(const char *description, const char *entry);
/* module.c: frees everything; returns the number of the device's modules that were left. */
int sim_modules_free(const struct sim_device *device);
/* CU_OK if the device takes this PTX. */
int sim_ptx_check(const char *text);
/* link.c: frees everything; returns the number of links that were left. A linked image is its PTX
   behind this line. */
int sim_links_free(void);
#define SIM_LINKED "// linked by the simulated driver, registers "
struct sim_function *sim_function_of(const void *handle);
/* cycles.c: runs the PTX of the launch and writes what it took. */
int sim_time(const struct sim_function *f, const struct sim_timed *timed);
/* kernels.c: the kernel of an entry from the IR text (a binding's suffix __s_4 does not matter);
   NULL if there is none. */
const struct kernel *sim_kernel(const char *entry);

#endif
