#ifndef TREEFORK_H
#define TREEFORK_H
#if defined TREEFORK_BARE && defined __INT64_TYPE__
/* Generated files include this before the user's text. A header of the C library would settle there
   what feature macros of the text ask for, and declare names that the text may have itself. */
typedef __SIZE_TYPE__ size_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
#else
#include <stddef.h>
#include <stdint.h>
#endif

/* libtreefork: what generated programs (NAME.tf.c) and their authors call. Needs libc; device
   drivers are opened with dlopen. Every function that can fail returns a treefork_status;
   treefork_message() then says what happened. */

/* Raised when a program compiled against an older header must be compiled again; the number of the
   shared library. */
#define TREEFORK_ABI 9

/* The version, as semantic versioning counts it: MAJOR where programs must be changed (below 1.0
   MINOR), MINOR where there is something new, PATCH where something is mended. */
#define TREEFORK_MAJOR 0
#define TREEFORK_MINOR 2
#define TREEFORK_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, 10000 * MAJOR + 100 * MINOR + PATCH. */
int treefork_version(void);

enum treefork_status {
    TREEFORK_OK = 0,
    TREEFORK_NO_DEVICE,     /* no driver, or none of the wanted kind */
    TREEFORK_NO_LEAF,       /* no leaf accepts the parameters (cannot happen while a safe
                               leaf exists) */
    TREEFORK_OVERFLOW,      /* an extent or condition leaves 64 bits */
    TREEFORK_ARGUMENT,      /* negative size or tunable, NULL array, unknown name */
    TREEFORK_ILLEGAL,       /* the annotation's legality condition is false for these values */
    TREEFORK_BUILD,         /* the driver's compiler refused the text */
    TREEFORK_LAUNCH,        /* the driver refused the launch, or it does not fit */
    TREEFORK_MEMORY,        /* device or host memory exhausted */
    TREEFORK_LOST,          /* the device disappeared */
    TREEFORK_FILE,          /* machine file missing or broken */
    TREEFORK_BOUNDS,        /* checked builds: an array is smaller than promised */
    TREEFORK_IN_PLACE       /* no failure: the serial code is to run here, a launch would take
                               longer */
};
/* "no device"; "unknown status" for what is none. */
const char *treefork_status_name(int status);
/* Text of this thread's last failure; "" if none. Valid until the next call. */
const char *treefork_message(void);
/* Sets this thread's failure text and returns `status`: generated code reports its own refusals
   through it. */
int treefork_fail(int status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* For callers that raise exceptions. 1: from here on a region of this process that fails prints
   nothing and stops nothing; its function goes on as serial code, and treefork_failure_take tells
   afterwards. An array that is too small (BOUNDS, checked builds) stops the process nevertheless,
   since serial code would leave it too. 0: as before. Returns the earlier setting. */
int treefork_failures_keep(int keep);
enum { TREEFORK_FAILURE_TEXT = 1024 };
struct treefork_failure {
    int status;                 /* of the first failure, or of the first that lost results;
                                   TREEFORK_OK without a failure */
    int is_lost;                /* results cannot be brought back, or TREEFORK_ON_ERROR=abort asks
                                   to stop: the results of the function mean nothing */
    char text[TREEFORK_FAILURE_TEXT];
};
/* Takes the failure of functions that this thread has called since the last such call, and returns
   its status. */
int treefork_failure_take(struct treefork_failure *failure);

#define TREEFORK_UNLIMITED 0x7fffffffffffffff
#define TREEFORK_QUERY_TABLE -1

enum treefork_parameter {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) TREEFORK_##symbol,
#include "machine.def"
#undef X
    TREEFORK_PARAMETERS
};

/* A machine: one value per parameter, TREEFORK_UNLIMITED where nothing limits. */
struct treefork_machine {
    char name[128];
    int64_t value[TREEFORK_PARAMETERS];
};
/* "Z_B", "shared_words_per_block", "words": of a number of enum treefork_parameter. */
const char *treefork_parameter_symbol(int parameter);
const char *treefork_parameter_key(int parameter);
const char *treefork_parameter_unit(int parameter);
/* By symbol or key; -1 if there is none. */
int treefork_parameter_find(const char *name);
/* A machine of which nothing is known. */
void treefork_machine_unknown(struct treefork_machine *machine);
/* {"name": "…", "threads_per_block": 1024, …}; a missing key and null mean that the device does not
   tell (unlimited, for the warp size and the like the table's fallback); an architecture implies
   R_B, Q_B, U_F, U_Z and Z_R; an unknown key is an error. */
int treefork_machine_read(const char *path, struct treefork_machine *machine);
/* The same of a text of `length` bytes; `path` names it in messages. */
int treefork_machine_parse(const char *text, size_t length, const char *path,
                           struct treefork_machine *machine);

/* The number of blocks of a kernel that a multiprocessor holds at once. */
enum {
    TREEFORK_BY_WARPS = 1,
    TREEFORK_BY_BLOCKS = 2,
    TREEFORK_BY_REGISTERS = 4,
    TREEFORK_BY_SHARED = 8
};
struct treefork_occupancy {
    int64_t blocks;             /* 0: such a block cannot run; TREEFORK_UNLIMITED: the machine tells
                                   no limit */
    int64_t by_warps, by_blocks, by_registers, by_shared;   /* what each limit alone would allow */
    unsigned limits;            /* which of them `blocks` comes from */
    int64_t warps, warps_most;  /* active, and as many as there can be; occupancy is
                                   their quotient */
    int percent;                /* of it, rounded down; -1 if the machine does not tell */
};
/* For blocks of `threads` with `registers` per thread and `shared_bytes` of dynamic shared memory,
   by the rules of the vendor's occupancy header (allocation by warps and units, reserved words).
   ARGUMENT if a number is impossible. */
int treefork_occupancy(const struct treefork_machine *machine, int64_t threads, int64_t registers,
                       int64_t shared_bytes, struct treefork_occupancy *occupancy);

/* Predicted time: a model's number (formula in docs/counters.md), which ranks launches of kernels;
   not a measurement. */
enum { TREEFORK_AXES = 4, TREEFORK_ACCESSES = 128 };
/* A reference of a kernel to global or shared memory. */
struct treefork_access {
    int bytes;                  /* that a thread touches at once */
    int shared;                 /* 1: shared memory, 0: global */
    int affine;                 /* 0: axes and loops say nothing, every thread may stand anywhere */
    int leader;                 /* the first access that walks the same array with the same steps;
                                   its own number if none */
    int64_t distance;           /* bytes from the leader's place to its own */
    int phase;                  /* the first access for which threads wait at the same time; its own
                                   number if none */
    int overlaps;               /* copies of the innermost loop's body, for all of which threads
                                   wait at once, or rounds of it for one of which they wait while
                                   they compute the others; 0: not even for two rounds of it */
    int address;                /* instructions that make its address: each time, or where `in_loop`
                                   before the innermost loop */
    int advance;                /* instructions that move it on in each round */
    int in_loop;
    int slopes;                 /* loops around it whose rounds grow with a thread's or a block's
                                   place, as those of a triangle: `rounds` has the longest */
    int64_t rounds;             /* how often a point of its band makes it, per grid point */
    int64_t waits;              /* how often a point waits for it; 0: a store */
    int n_axes, n_loops;
    int64_t extent[TREEFORK_AXES], stride[TREEFORK_AXES];   /* the band's axes, the last fastest:
                                                               points, bytes per step */
    int64_t trip[TREEFORK_AXES], step[TREEFORK_AXES];       /* loops around it, the innermost first:
                                                               rounds, bytes per round */
};
/* What libtreefork keeps of an access: the count of one of a warp, and what a block touches in one
   pass of its innermost loops. */
struct treefork_warp {
    int lanes, units, cycles;   /* lanes 0: nothing is known */
    double sectors[TREEFORK_AXES + 1];   /* by number of loops; 0: not known */
};
/* On devices without warps: the accesses tell whether threads run long loops; the points of a row
   are lanes that run them in step (-DTREEFORK_ROWS); there is a loop without accesses; a block is
   one thread, and the points of each band are lanes; from JOINT on: the last two axes are one row,
   where the last one has JOINT less points or more. */
enum treefork_loops {
    TREEFORK_LOOPS_TOLD,
    TREEFORK_LOOPS_LANES,
    TREEFORK_LOOPS_BARE,
    TREEFORK_LOOPS_BLOCK,
    TREEFORK_LOOPS_JOINT
};
struct treefork_figures {
    int64_t blocks;             /* grid points; everything below is of one of them, all
                                   threads together */
    int64_t threads, registers, shared_bytes;
    int64_t width;              /* threads of the block's fastest axis; 0 = all are in a line */
    int64_t floats, doubles;    /* instructions on them */
    int64_t instructions;       /* all but accesses and their addresses */
    int64_t barriers;           /* of each thread */
    int64_t alone;              /* rounds of loops of threads whose points run one after the other,
                                   since a condition parts them */
    int64_t footprint;          /* bytes of the arrays of the region, 0 = unknown */
    int64_t loops;              /* of threads: an enum treefork_loops, or more */
    size_t n_accesses;
    const struct treefork_access *accesses;
    const uint16_t *order;      /* n_accesses times four numbers: of an access in `accesses`, its
                                   leader's and its phase's place in this order, its distance in
                                   `values`; NULL: the accesses as they stand, with the leaders,
                                   phases and distances that they name */
    const int64_t *values;
    struct treefork_warp *warps;           /* for each of `accesses`; NULL: nothing is kept */
};
struct treefork_prediction {
    double nanoseconds;         /* launch + the root of the sum of the three's squares */
    double memory, compute, latency, launch;   /* ns */
    double behind;              /* ns that a queued launch takes for `launch` */
    double sum;                 /* of everything that takes time, as if nothing went on at once, and
                                   a cycle for each block: what decides between equals */
    int64_t memory_bytes;       /* that come from device memory */
    int64_t sectors;            /* of 32 bytes that all warps ask for */
    double instructions;        /* of one thread, references and their addresses included */
    double waits;               /* cycles that one thread waits for memory */
    int64_t resident;           /* blocks of a multiprocessor; 0: a block does not fit */
    const char *bound;          /* "memory", "compute" or "latency" */
};
/* ARGUMENT if a figure is impossible; a block that does not fit takes for ever (HUGE_VAL). */
int treefork_predict(const struct treefork_machine *machine, const struct treefork_figures *figures,
                     struct treefork_prediction *prediction);
/* One launch after another: what `more` takes, queued behind, is added to `sum`. `resident` and
   `behind` stay. */
void treefork_prediction_add(struct treefork_prediction *sum,
                             const struct treefork_prediction *more);
/* What the model knows too little of is taken only where it is clearly better: the leaf of last
   resort, which runs its blocks as loops, with a quarter more on its time, blocks of less than a
   warp with twice their time. */
void treefork_handicap(const struct treefork_machine *machine, int64_t threads, int is_safe,
                       struct treefork_prediction *prediction);
/* Is a better than b? By time; where that is equal by the sum. */
int treefork_faster(const struct treefork_prediction *a, const struct treefork_prediction *b);

/* Devices. Any number of threads may use a device, and a process any number of devices. Each call
   is one step of its device, a region with its copies and launches is one too, and launches run in
   the order of their steps. Threads that use one array order themselves as for any data of C: what
   one has launched before it gives a lock away the other's launches and treefork_host find after it
   has taken the lock. treefork_limit and treefork_close are for times when no other thread uses the
   device. */
struct treefork_device;
/* `which`: NULL (environment TREEFORK_DEVICE, else the best: CUDA before OpenCL; of its kind those
   that TREEFORK_DEVICES lists), "cuda", "cuda:1", "opencl", "opencl:0". "opencl:0,1,2" and
   "opencl:all" are one device of several members (docs/devices.md). */
int treefork_open(const char *which, struct treefork_device **device);
/* The device of a queue of the program's own, which a device opened so works in: a CUstream or
   cudaStream_t (kind "cuda"; NULL: the legacy stream of the context that is current), a
   cl_command_queue in order ("opencl"). The queue's context is the device's. It must stay until the
   device is closed, as must a CUDA context; what is OpenCL's is retained. ARGUMENT for a queue that
   cannot serve (out of order, CUDA's stream per thread). */
int treefork_open_queue(const char *kind, void *queue, struct treefork_device **device);
/* From here on launches and copies of the device go into this queue of its context, NULL: the one
   that it was opened with. Launches that are under way in the other one are waited for. */
int treefork_set_queue(struct treefork_device *device, void *queue);
/* Waits for its launches, frees its copies and programs. Results that the host has not taken back
   are lost: treefork_host or treefork_release before it. NULL does nothing. */
void treefork_close(struct treefork_device *device);
/* The device on which regions of this thread run: that of treefork_make_current, else the
   process's, opened at first use as by treefork_open(NULL) and closed at exit. NULL after a
   failure. Regions alone do not open it while their serial code costs less (docs/runtime.md). */
struct treefork_device *treefork_default(void);
/* From here on regions of this thread run on `device`, which must stay open; NULL: on the
   process's again. What the thread's device had of newer data is back on the host then; LOST if it
   cannot come back, and nothing changes. */
int treefork_make_current(struct treefork_device *device);
/* NULL for no device (NULL). */
const struct treefork_machine *treefork_device_machine(const struct treefork_device *device);
/* "cuda", "opencl" or "simulated". */
const char *treefork_device_kind(const struct treefork_device *device);
const char *treefork_device_name(const struct treefork_device *device);
/* Overrides single machine parameters of a device for dispatch (never raises what the
   driver enforces). */
int treefork_limit(struct treefork_device *device, int parameter, int64_t value);

/* Buffers: the device copy of a host range, made at first use, copied only when the other side
   touched it since.
   OVERWRITE, with WRITE: the launches up to the next use write every byte before they read it, so
   that nothing is copied to the device.
   SCRATCH: only regions touch the array, and it has no values before its first use: it is copied
   neither way as long as no region runs serially; for generated code, which tells its end
   (treefork-tables.h).
   OPTIONAL: the array may be NULL; then the kernel gets NULL, and touches no element of it.
   PARTIAL: of a region: memory of the device alone, whatever was in it, for what a run's launches
   hand on to each other; the array has no address.
   HOME: of a region, whose launches are waited for: the array comes back right behind them, and
   goes to the device again at the next run; for scalars, which host code touches freely. */
enum {
    TREEFORK_READ = 1,
    TREEFORK_WRITE = 2,
    TREEFORK_OVERWRITE = 4,
    TREEFORK_SCRATCH = 8,
    TREEFORK_OPTIONAL = 16,
    TREEFORK_HOME = 32,
    TREEFORK_PARTIAL = 64
};
/* Before a launch that touches `bytes` from `host` so; the handle goes into treefork_argument. A
   checked build fills what is not copied with 0xA5. */
int treefork_use(struct treefork_device *device, const void *host, size_t bytes, unsigned access,
                 uint64_t *handle);
/* Before host code touches the array at `host` (NULL: every buffer): device results come back; with
   TREEFORK_WRITE the device copy is stale afterwards. An array reaches as far as its last use said;
   of one that launches use in pieces beyond that, each piece is named. */
int treefork_host(struct treefork_device *device, const void *host, unsigned access);
/* Drops the device copy (after treefork_host if it is newer). NULL: all. */
int treefork_release(struct treefork_device *device, const void *host);
/* The memory at `host` is about to become something else (a local array at the end of its block):
   device copies that begin in it are dropped as they are. */
void treefork_discard(struct treefork_device *device, const void *host, size_t bytes);
/* Checked builds: the array that begins at `host` has `bytes`; 0 forgets it. */
int treefork_declare(struct treefork_device *device, const void *host, size_t bytes);
/* Like treefork_use, but BOUNDS if the array is smaller than `bytes`, as far as can be seen: by
   treefork_declare, by the memory that is mapped, in a program with AddressSanitizer exactly.
   treefork_use does the same with TREEFORK_CHECKED=1. */
int treefork_use_checked(struct treefork_device *device, const void *host, size_t bytes,
                         unsigned access, uint64_t *handle);
#ifdef TREEFORK_CHECKED
#define treefork_use treefork_use_checked
#endif

/* Device memory of the program's own, and the library's handed out. Both are in order with the
   device's queue: what else works on them is given to that queue too, or waited for before, and
   treefork_wait comes before it goes on (docs/runtime.md). */
/* From here on `bytes` at *array live on the device, in `memory`: an address of CUDA or a cl_mem;
   NULL: memory of the library's, which ends with treefork_detach. *array is what functions of
   `build` and treefork_use get: a range of the host's that can take the contents where host code
   needs them; NULL: the library reserves addresses, which take memory of the host's only then; on
   CUDA the address of `memory` itself, which host code can use only if it is managed. The contents
   are those of `memory`, without it those of *array. They are copied only where host code of
   generated functions or the serial program touches arrays, or treefork_host asks; when a function
   returns they are in `memory` again. Pieces may be used: in OpenCL they begin where the device
   allows a sub-buffer to. ARGUMENT if the range or the memory is attached already, or cannot serve;
   BOUNDS if a cl_mem has fewer bytes. */
int treefork_attach(struct treefork_device *device, void **array, size_t bytes, void *memory);
/* Ends that; the newest contents are in the memory, behind the launches in the queue. ARGUMENT if
   no array is attached there. */
int treefork_detach(struct treefork_device *device, const void *array);
/* The device memory of an array, with its newest contents, for device code of the program's own,
   which touches it as treefork_use says: an address of CUDA, a cl_mem. Asked for before each such
   use. It is valid until treefork_release, treefork_discard or treefork_detach names the array, or
   the device is closed; until then an array cannot grow beyond it. */
int treefork_device_memory(struct treefork_device *device, const void *array, size_t bytes,
                           unsigned access, void **memory);
/* Brings everything home and waits: results of arrays are on the host, those that are attached in
   their memory. */
int treefork_sync(struct treefork_device *device);

/* Kernels as generated. */
struct treefork_ptx {
    const char *text;
    int target;                 /* 70, 75, … */
    const char *binding;        /* "s=4": entries are KERNEL__s_4 ("s=4,u=2": KERNEL__s_4__u_2); "":
                                   KERNEL, symbolic */
};
/* The kernels of a file in text form. NULL where a form was not generated. Every form of a kernel
   has the same arguments, bound values included. */
struct treefork_module {
    const char *name;
    const char *opencl, *cuda;
    size_t n_ptx;
    const struct treefork_ptx *ptx;
    int contract;               /* 1: a*b + c may be one operation (treefork build --contract); 0:
                                   every product and every sum is rounded, as in the serial
                                   program */
};
enum treefork_type {
    TREEFORK_I8,
    TREEFORK_U8,
    TREEFORK_I16,
    TREEFORK_U16,
    TREEFORK_I32,
    TREEFORK_U32,
    TREEFORK_I64,
    TREEFORK_U64,
    TREEFORK_F32,
    TREEFORK_F64,
    TREEFORK_BUFFER
};
struct treefork_argument {
    enum treefork_type type;
    union { int64_t i; uint64_t u; double f; uint64_t buffer; } value;
};
/* A value bound when the kernel is loaded: the text is compiled with -DTREEFORK_BIND_name=value. */
struct treefork_binding {
    const char *name;
    int64_t value;
};
struct treefork_launch {
    const struct treefork_module *module;
    const char *kernel;                         /* entry name */
    int64_t blocks, threads;                    /* blocks: product of the grid extents; may exceed
                                                   the grid limit */
    int64_t grid_width, block_width;            /* the extents of the last axes of grid and block,
                                                   which divide blocks and threads: they are
                                                   launched as rows of these lengths, where the
                                                   driver can count the rows. grid_width 0: all
                                                   blocks and threads in a line */
    int64_t shared_bytes;
    int registers;                              /* budget per thread, 0 = none */
    size_t n_arguments, n_bindings;
    const struct treefork_argument *arguments;  /* OpenCL: a kernel with one argument more gets the
                                                   dynamic local memory there */
    const struct treefork_binding *bindings;
    int small_arrays;                           /* filled in by treefork_run: every array has fewer
                                                   than 2^31 bytes, so that texts may count
                                                   elements in 32 bits */
    int part;                                   /* 1: a part of a launch, its text compiled with
                                                   -DTREEFORK_PART. The last arguments are two ints,
                                                   added to the coordinates of its blocks in the
                                                   plane that blocks and grid_width say, and, of
                                                   OpenCL, a 64-bit integer for each array, the
                                                   bytes of it before its memory: 0. The whole
                                                   launch has to be a plane that the driver counts,
                                                   too */
};
/* Compiles (cached by text and bindings), checks against the device's limits and launches.
   blocks = 0 does nothing. An array passed twice, or two that overlap, with one of them written, is
   ARGUMENT: run the serial elision. Launches run in their order, and the call does not wait for
   them, but for a kernel's first launch: a device that cannot run the kernel is found out here, and
   nothing has happened then. */
int treefork_run(struct treefork_device *device, const struct treefork_launch *launch);
/* Until all launches are done; whoever reads results through treefork_host need not ask. LOST if
   one of them failed while it ran. */
int treefork_wait(struct treefork_device *device);

struct treefork_statistics {
    uint64_t launches;
    uint64_t builds, loads;         /* programs compiled; taken from the cache on disk */
    uint64_t copies_to_device, copies_to_host, bytes_to_device, bytes_to_host;
    uint64_t choices;               /* of tunables that no earlier choice served */
};
/* All 0 for no device (NULL). */
struct treefork_statistics treefork_statistics(const struct treefork_device *device);
/* Of a device with members (docs/devices.md): how many there are (1 of any other), and what was
   copied from one to another, which the statistics do not count. */
struct treefork_exchanged {
    int members;
    uint64_t copies, bytes;
};
struct treefork_exchanged treefork_exchanged(const struct treefork_device *device);
/* Bytes of device memory that arrays have on a member now, by its number from 0; 0 if there is no
   such member. */
uint64_t treefork_member_bytes(const struct treefork_device *device, int member);

/* Tuning (docs/tuning.md): what a choice of a region takes is measured, and the best one is kept in
   the folder of the cache, where regions look before they ask the model. `treefork tune` does it by
   these functions; TREEFORK_FORCE and TREEFORK_SET make a region take a certain choice. */
/* From here on the runs of this region (NULL: of none) are timed: before and after its launches the
   device is waited for. What was timed before is forgotten. Of several regions of that name (static
   functions of several files) it is the one that runs first. */
int treefork_tune_watch(struct treefork_device *device, const char *region);
struct treefork_tune_runs {
    uint64_t runs;              /* on the device since then */
    double nanoseconds;         /* of the launches of all of them, without copies */
    int leaf;                   /* of the longest run; 0: there was none */
    const char *parameters;     /* of that run: "n=512,B0=16", all that are integers */
    const char *record;         /* of that run, for treefork_tune_keep; "" if the region chooses
                                   nothing */
};
/* The texts are valid until the region is watched again or the device is closed. */
int treefork_tune_watched(struct treefork_device *device, struct treefork_tune_runs *runs);
/* Keeps the choice of a record: a line more in the store. One run of it takes `median`
   nanoseconds, between `low` and `high` with 95 % confidence. `generic`: it may serve on any
   device. Regions of this process take it from their next run on, other processes when they first
   choose. ARGUMENT if it is no record; FILE if it cannot be written, with nothing changed. */
int treefork_tune_keep(const char *record, double median, double low, double high, int generic);
/* Regions of this process choose anew at their next run, by the records that other processes have
   kept meanwhile. */
void treefork_tune_forget(void);

/* Dispatch traces: filled by NAME_select, printed by treefork_trace_print. */
enum { TREEFORK_TRACE_MAX = 128 };
struct treefork_trace_entry {
    const char *text;           /* "2*s*B + 2 <= Z_B" */
    int64_t left, right;        /* values of both sides */
    int unlimited;              /* the right side is an infinite limit */
    int holds;
};
struct treefork_trace {
    size_t count;
    struct treefork_trace_entry entry[TREEFORK_TRACE_MAX];
    int variant;                /* number of the chosen leaf, from 1; 0 none */
};

/* Explanations: the path through the case tree with its numbers, the leaf with its codes, what was
   chosen, predicted times and the runner-up with what excluded it; treefork_explain below. */
enum { TREEFORK_TEXT, TREEFORK_JSON };

/* Overflow-checked arithmetic of generated code: 0 and *error set on overflow, the
   value otherwise. */
int64_t treefork_add(int64_t a, int64_t b, int *error);
int64_t treefork_sub(int64_t a, int64_t b, int *error);
int64_t treefork_mul(int64_t a, int64_t b, int *error);
int64_t treefork_div(int64_t a, int64_t b, int *error);   /* C's truncation; division by zero is
                                                             an error */
int64_t treefork_rem(int64_t a, int64_t b, int *error);

/* Functions that the generated host functions call around a region. */
/* Leaf forced for region `name` by TREEFORK_FORCE ("jacobi1d=2,transpose=1"; `tree` numbers), 0
   = none. */
int treefork_forced(const char *name);
/* Reports the failure of a region (once per status on stderr unless TREEFORK_QUIET=1) and says what
   to do: 1 run the serial elision, 0 stop the program (TREEFORK_ON_ERROR=abort; BOUNDS, because the
   serial program would leave the array too). */
int treefork_failed(const char *region, int status);
/* The results of earlier regions cannot be brought back: says so and ends the program by abort(),
   unless treefork_failures_keep wants to hear of it. */
void treefork_stop(const char *function, int status);
/* Is TREEFORK_TRACE=1? */
int treefork_tracing(void);
/* Prints "NAME: predicted 12.3 us (a model's number: …)". */
void treefork_predicted(const char *region, const struct treefork_prediction *prediction);
/* Prints "NAME: leaf 2 on <device> …" and the trace if TREEFORK_TRACE=1. */
void treefork_chosen(const char *region, const struct treefork_device *device,
                     const struct treefork_trace *trace);

#ifdef __cplusplus
}
#endif
#endif

/* The functions that print to a FILE. */
#if !defined TREEFORK_BARE && !defined TREEFORK_FILES
#define TREEFORK_FILES
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Number of devices found; prints one paragraph per device with its machine parameters to `out`
   unless NULL. */
int treefork_devices(FILE *out);
/* A line for each condition, and the leaf. */
void treefork_trace_print(FILE *out, const struct treefork_trace *trace);
/* Explains to `out` the last run of the region `name` of this process, or of each region of the
   function of that name; NULL: of all that have run. JSON: one object per line (docs/runtime.md).
   ARGUMENT, and nothing is written, if none has run on a device that is open. TREEFORK_EXPLAIN=1
   (or json) does it on stderr for each new choice. */
int treefork_explain(const char *name, int format, FILE *out);
#ifdef __cplusplus
}
#endif
#endif
