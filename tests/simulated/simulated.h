#ifndef TESTS_SIMULATED_H
#define TESTS_SIMULATED_H
/* A stand-in for libcuda.so.1 that needs no GPU: test only, chosen by TREEFORK_CUDA_DRIVER. It
   keeps account of contexts, memory, modules and functions, refuses what a driver refuses, and runs
   a kernel's IR on the CPU (ir/llvm). One device, one thread at a time. Its state is one object
   behind simulated(), because the driver API has no context argument to carry it in. */
#include "ir/llvm/llvm.h"
#include "runtime/treefork.h"

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
    CU_NOT_FOUND = 500,
    CU_ILLEGAL_ADDRESS = 700,
    CU_OUT_OF_RESOURCES = 701
};

struct sim_memory {
    struct sim_memory *next;
    char *data;
    size_t bytes;
};

struct sim_function {
    struct sim_function *next;
    struct sim_module *module;
    char *entry;
    const struct kernel *kernel;        /* what runs; NULL if there is no IR of that name */
    int64_t dynamic_bytes;              /* allowed by cuFuncSetAttribute */
    int registers;                      /* of the assembled code; 0 = not known */
    int static_bytes;
};

struct sim_module {
    struct sim_module *next;
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

enum { SIM_STREAMS = 64 };
struct sim {
    bool started;
    int retained, depth;                /* of the primary context; pushes without a pop */
    struct treefork_machine machine;
    size_t memory_used, memory_limit;
    struct sim_memory *memory;
    struct sim_module *modules;
    struct sim_link *links;
    struct ctx *ctx;                    /* kernels and machine code */
    const char *ir;                     /* text of TREEFORK_SIMULATED_IR, in ctx */
    int lost;                           /* a sticky error */
    int n_streams;
    char streams[SIM_STREAMS];          /* their handles are addresses in it */
    uint64_t seed;
};

struct sim *simulated(void);
/* Prints why, returns `code`. */
int sim_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The error that is injected for this call (TREEFORK_SIMULATED_FAIL="cuLaunchKernel:3=719" fails
   the third call), the sticky one, or the one of a missing context; CU_OK if the call may go on. */
int sim_enter(const char *symbol, bool needs_context);
/* One that cuStreamCreate gave, or the legacy one (NULL). */
bool sim_is_stream(const void *stream);
int cuStreamCreate(void **stream, unsigned flags);
/* The allocation that holds [at, at + bytes); NULL if none does. */
struct sim_memory *sim_memory_of(uint64_t at, size_t bytes);
/* image.c: lines "NAME REGISTERS STATIC-SHARED SIZE …" of an image's entries, malloc'ed; what
   follows the name of an entry in them, NULL if it is not there. */
char *sim_describe(const void *image, bool cubin);
const char *sim_entry(const char *description, const char *entry);
/* module.c: frees everything; returns the number of modules that were left. */
int sim_modules_free(void);
/* CU_OK if the device takes this PTX. */
int sim_ptx_check(const char *text);
/* link.c: frees everything; returns the number of links that were left. A linked image is its PTX
   behind this line. */
int sim_links_free(void);
#define SIM_LINKED "// linked by the simulated driver, registers "
struct sim_function *sim_function_of(const void *handle);
/* kernels.c: the kernel of an entry from the IR text (a binding's suffix __s_4 does not matter);
   NULL if there is none. */
const struct kernel *sim_kernel(const char *entry);

#endif
