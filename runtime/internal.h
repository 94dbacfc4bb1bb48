#ifndef TREEFORK_INTERNAL_H
#define TREEFORK_INTERNAL_H
/* What the files of libtreefork share and nobody else sees. A device is a driver (table of
   functions), its buffers and its loaded programs. Invariant of a buffer: at least one side holds
   the newest contents of every byte (runs.h); a device is the one member, or the first of several
   (group.h), which have drivers and programs of their own. Everything here is called
   with the device's mutex held, except opening and closing; it is recursive, because a region takes
   it around its calls. */
#include "runtime/cache.h"
#include "runtime/runs.h"
#include "runtime/treefork.h"
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct treefork_region;
struct treefork_group;

#pragma GCC visibility push(hidden)

/* message.c (with treefork_fail) */
void treefork_message_clear(void);

/* environment.c: a variable's value, valid until the environment changes; NULL without it and in
   programs with raised privileges. */
const char *treefork_environment(const char *name);
/* Has the variable this value? Another one, but for "" and "0", is reported once. */
bool treefork_environment_is(const char *name, const char *value);
/* Which of the words (NULL at the end) is its value? -1: none, reported as above. */
int treefork_environment_among(const char *name, const char *const *words);
/* TREEFORK_HOST: no serial code in place of launches; it runs as the model says, and nothing is
   measured. */
enum treefork_host { TREEFORK_HOST_NEVER, TREEFORK_HOST_MODEL };
bool treefork_host_is(enum treefork_host host);
/* What a region asks of the environment at each run: is the variable set (then the answer is looked
   up as ever)? */
struct treefork_switches {
    _Alignas(8) bool trace;     /* all of them are copied as one word */
    bool explain, force, set, host;
    bool any;                   /* trace, explain, force or set: no run is as one before */
    bool device;                /* of those that only a device heeds: CHECKED,
                                   COPY, DEVICES, MACHINE */
};
/* As the environment is now; cheap while it does not change. */
struct treefork_switches treefork_switches_now(void);
/* Keeps a region's failure for treefork_failure_take, with the thread's message; false if
   treefork_failures_keep did not ask for failures (failure.c). */
bool treefork_failure_keep(const char *region, int status, bool is_lost);
/* True at the first call with these two. */
bool treefork_failure_is_new(const char *region, int status);

/* clock.c: nanoseconds of a clock of the system. */
double treefork_clock(clockid_t which);

/* setting.c: the number that TREEFORK_FORCE has for a region, TREEFORK_SET for "NAME.TUNABLE"; 0
   if it has none. */
enum treefork_setting { TREEFORK_SETTING_LEAF, TREEFORK_SETTING_TUNABLE, TREEFORK_SETTINGS };
int treefork_setting(enum treefork_setting list, const char *name);

/* A growing text on the heap; `failed` after memory ran out (the text is then NULL). */
struct treefork_text {
    char *text;
    size_t length, room;
    bool failed;
};
void treefork_text_add(struct treefork_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Nanoseconds of what no time is predicted for; a block that does not fit takes longer still. */
#define NO_TIME 1e300

/* json.c: one member of a flat object; the callback returns a status, not OK ends the reading. */
enum treefork_json_kind { TREEFORK_JSON_STRING, TREEFORK_JSON_INTEGER, TREEFORK_JSON_NULL };
struct treefork_json_member {
    enum treefork_json_kind kind;
    const char *key, *string;
    int64_t integer;
    const char *path;
    unsigned line, column;          /* of the key */
};
int treefork_json_flat(const char *text, size_t length, const char *path,
                       int (*member)(void *state, const struct treefork_json_member *member),
                       void *state);

/* machine.c */
void treefork_machine_clear(struct treefork_machine *machine, const char *name);
/* Fills in the coefficients of CPUs for the model of predicted time (host.def). */
void treefork_machine_host(struct treefork_machine *machine);
/* The most registers of a thread that a GPU has. */
enum { TREEFORK_REGISTERS_MOST = 255 };
/* Fills in what the table says of compute capability 10*major + minor; nothing if it is 0. */
void treefork_machine_capability(struct treefork_machine *machine, int64_t capability);
/* The tighter of both in `machine` (of properties that are no limits, warp and partitions,
   the larger). */
void treefork_machine_meet(struct treefork_machine *machine, const struct treefork_machine *other);
bool treefork_parameter_is_limit(int parameter);
/* Do drivers tell it in bytes (and the machine has it in words)? */
bool treefork_parameter_in_bytes(int parameter);
/* NULL if `value` is possible for the parameter, else what is wrong with it. */
const char *treefork_parameter_refuses(int parameter, int64_t value);

/* A driver's object: cl_mem (pointer) or CUdeviceptr (address), programs and functions (pointer).
   All zero: none. */
union treefork_object {
    void *pointer;
    uint64_t address;
};

/* Launches with at most so many arguments need no memory of their own. */
enum { TREEFORK_FEW = 32 };

struct treefork_buffer;

/* An argument of a launch; the bytes of `as` behind a narrow value are 0. */
struct treefork_value {
    enum treefork_type type;
    unsigned access;            /* of arrays: how the launch touches them */
    struct treefork_buffer *buffer;
    struct treefork_value *next;        /* array of the launch; NULL: none */
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32; double f64; union treefork_object buffer;
    } as;
    size_t size;
};

/* A launch after all checks that need no driver. */
struct treefork_call {
    const char *kernel;
    union treefork_object function;
    uint64_t blocks, grid_width;       /* as in a launch, but no width is 0; of more blocks in a
                                          line than a driver takes there are fewer here */
    uint32_t threads, block_width;
    size_t shared_bytes;
    size_t n_values;
    struct treefork_value *values;
};

/* The text that a device loads for a launch. It belongs to the module. */
struct treefork_choice {
    const char *text;
    char entry[512];            /* the kernel's name in it */
    bool bound;                 /* compiling it binds the launch's values; else they are bound in
                                   the text already */
};

/* Device memory that an array is to be attached to. */
struct treefork_foreign {
    uint64_t base, offset;      /* two that overlap have one base and ranges that overlap */
    const void *address;        /* by which host code would know it; NULL: it has none */
    bool host_reaches;          /* and host code can use it there */
};

/* Queues of a member; a device alone has but the first. */
enum treefork_queue { TREEFORK_LAUNCHES, TREEFORK_COPIES };

struct treefork_driver {
    const char *kind;
    int64_t rows_max, threads_max;  /* of a grid launched as a plane: rows of blocks; threads of all
                                       blocks */
    void (*close)(struct treefork_device *device);
    int (*memory_new)(struct treefork_device *device, size_t bytes, union treefork_object *memory);
    void (*memory_free)(struct treefork_device *device, union treefork_object memory);
    /* The bytes of a row of the memory; on the host its pieces begin at `host`, `pitch` bytes
       apart. */
    int (*memory_write)(struct treefork_device *device, union treefork_object memory,
                        const struct treefork_row *row, const void *host, size_t pitch);
    int (*memory_read)(struct treefork_device *device, union treefork_object memory,
                       const struct treefork_row *row, void *host, size_t pitch);
    /* Gives the target's queue of copies the bytes of a row of the source's memory, which go to the
       target's from `at` on, on another member or the same, and does not wait. *done is an event
       that happens when they are there. Called only where `join` said so. */
    int (*memory_copy)(struct treefork_device *to, union treefork_object target, size_t at,
                       struct treefork_device *from, union treefork_object source,
                       const struct treefork_row *row, union treefork_object *done);
    /* Memory is an address, and kernels may be given one before it; else the text of a part takes
       another argument for each array. */
    bool memory_is_address;
    /* Prepares devices for memory_copy, before anything has been made on them: each gets a queue
       of copies. False if these devices cannot copy directly. NULL: the driver's devices cannot be
       members together. */
    bool (*join)(struct treefork_device *const *devices, size_t count);
    /* Memory that is the host's own range, for a device that `shares`. */
    int (*memory_share)(struct treefork_device *device, void *host, size_t bytes,
                        union treefork_object *memory);
    /* When the device has been waited for, the host sees what was written to shared memory. */
    int (*memory_settle)(struct treefork_device *device, union treefork_object memory,
                         size_t bytes);
    /* For memory of the program's own: ARGUMENT or BOUNDS, with a message, if it cannot serve. */
    int (*memory_describe)(struct treefork_device *device, union treefork_object memory,
                           size_t bytes, struct treefork_foreign *foreign);
    /* The memory from `offset` on, without contents of its own. */
    int (*memory_part)(struct treefork_device *device, union treefork_object memory, size_t offset,
                       size_t bytes, union treefork_object *part);
    /* Memory of the program's own stays at least until memory_leave, which parts end with, too. */
    int (*memory_keep)(struct treefork_device *device, union treefork_object memory);
    void (*memory_leave)(struct treefork_device *device, union treefork_object memory);
    /* Bytes that are free; false if that is not known. NULL: it never is. */
    bool (*memory_left)(struct treefork_device *device, uint64_t *bytes);
    /* The queue of launches and copies; NULL: the one of opening the device. */
    int (*queue_set)(struct treefork_device *device, void *queue);
    int (*choose)(struct treefork_device *device, const struct treefork_launch *launch,
                  struct treefork_choice *choice);
    /* Another text for a launch whose chosen one does not compile; false, without a message, if
       there is none. NULL: there never is. */
    bool (*choose_instead)(struct treefork_device *device, const struct treefork_launch *launch,
                           struct treefork_choice *choice);
    /* Would the launch (of which module and bindings count) run a text for any values, although the
       module has some for single values? NULL: never. */
    bool (*is_general)(struct treefork_device *device, const struct treefork_launch *launch);
    /* Lines with everything besides the text that decides which binary a launch gets; false if its
       binary is not to be kept on disk. */
    bool (*program_key)(struct treefork_device *device, const struct treefork_launch *launch,
                        const char *text, struct treefork_text *key);
    /* Compiled. Nothing is kept after a failure. *image is the binary where it is at hand. */
    int (*program_new)(struct treefork_device *device, const struct treefork_launch *launch,
                       const char *text, struct treefork_image *image,
                       union treefork_object *program);
    /* From a binary that the driver gave; a failure says nothing about the text. */
    int (*program_load)(struct treefork_device *device, const struct treefork_launch *launch,
                        const struct treefork_image *image, union treefork_object *program);
    /* The binary of a compiled program that has run, where program_new gave none. NULL: there
       is none. */
    bool (*program_image)(struct treefork_device *device, union treefork_object program,
                          struct treefork_image *image);
    void (*program_free)(struct treefork_device *device, union treefork_object program);
    int (*function_new)(struct treefork_device *device, union treefork_object program,
                        const char *kernel, union treefork_object *function);
    void (*function_free)(struct treefork_device *device, union treefork_object function);
    /* Registers of one of its threads, as compiled. NULL: that is not known. */
    int (*function_registers)(union treefork_object function);
    /* Bytes of memory that each thread has for itself: arrays, and registers that were spilled.
       NULL where function_registers is. */
    int (*function_local)(union treefork_object function);
    /* Gives the kernel to the device, behind everything given to it before, and does not wait. */
    int (*call)(struct treefork_device *device, const struct treefork_call *call);
    /* An event that happens when everything is done that was given to the queue of launches. */
    int (*event_new)(struct treefork_device *device, union treefork_object *event);
    void (*event_free)(struct treefork_device *device, union treefork_object event);
    /* Later operations of the queue run after the event, which may be of any member. */
    int (*event_await)(struct treefork_device *device, enum treefork_queue queue,
                       union treefork_object event);
    /* Until everything given to the device is done; `what` is named if that fails. */
    int (*wait)(struct treefork_device *device, const char *what);
};

/* Memory of a member for some bytes of an array, from `begin` on. */
struct treefork_window {
    union treefork_object memory;
    size_t begin, bytes;
};

struct treefork_buffer {
    struct treefork_buffer *next;
    uint64_t id;                /* from 1 */
    char *host;
    size_t bytes, capacity;     /* of the host range; of the device memory */
    bool grows;                 /* the range has become longer than its memory before */
    size_t begin;               /* the device memory begins with this byte of the range */
    union treefork_object memory;
    struct treefork_window *others;     /* memory on members 2 and on, by number less 2; NULL: none
                                           has any */
    uint64_t used;              /* device->uses at its last use */
    struct treefork_runs runs;  /* sides with the newest bytes; those by which a range has grown
                                   are the host's until the device needs them */
    bool is_shared;             /* the device works in the host's range: nothing is copied, a side
                                   has the bytes where it may touch them */
    bool is_settling;           /* the host sees it when the device has been waited for */
    void *saved;                /* what a launch that may fail could destroy; NULL: nothing */
    bool is_scratch;            /* of a function that `owner` runs: TREEFORK_SCRATCH */
    pthread_t owner;
    size_t partial;             /* partial.c: an array without a host side: its place from the end
                                   of a region's arrays, from 1; 0: none */
    bool is_lent;               /* the program has its device memory, which stays */
    /* attach.c: an attached array has pieces, by which launches know it. */
    bool is_attached;
    bool is_foreign;            /* its memory is the program's */
    bool is_reserved;           /* its range is the library's, without memory until it is needed */
    struct treefork_foreign place;
    struct treefork_buffer *whole;      /* of a piece: the attached array; both sides of a piece
                                           count as having it; NULL: it is none */
};

/* Do 32 bits hold every position in an array of so many bytes, and what leads to it? */
static inline bool treefork_bytes_are_few(size_t bytes)
{
    return bytes <= INT32_MAX;
}

/* The extents that the program declared for an array. */
struct treefork_extent {
    struct treefork_extent *next;
    const void *host;
    size_t bytes;
};

struct treefork_function {
    struct treefork_function *next;
    char *name;
    struct treefork_program *program;
    union treefork_object object;
    bool has_run;               /* a launch was waited for, and the device could run it */
};

struct treefork_program {
    struct treefork_program *next;
    char *text;
    int registers;              /* what else decides the binary: these, and the values bound */
    bool is_plane, is_part, has_small_arrays, is_contracted;
    size_t n_bindings;
    struct treefork_binding *bindings;   /* with names of its own */
    bool is_compiled;           /* here, and not found in the cache */
    bool is_refused;            /* it does not compile; another text stands in for it */
    union treefork_object object;
    struct treefork_function *functions;
    struct treefork_text key;   /* of the binary that is to be kept after the first launch; NULL:
                                   none is */
};

/* Which launch of which region it is, as far as the library gives regions numbers: texts of a
   region never change, so that its launches are known again without comparing them. */
struct treefork_origin {
    uint64_t region;            /* 0: none, a launch by hand */
    size_t launch;              /* of a part PART_ORIGIN more than of the whole launch, of one whose
                                   last block does what the next one does JOINED_ORIGIN more */
};
enum { TREEFORK_PART_ORIGIN = 1 << 16, TREEFORK_JOINED_ORIGIN = 1 << 17 };
/* A launch of a region that has run, and what else decided its function. */
enum { TREEFORK_KNOWN = 64, TREEFORK_KNOWN_BINDINGS = 8 };
struct treefork_known_launch {
    struct treefork_origin origin;
    struct treefork_function *function;
    int registers;
    bool is_plane, has_small_arrays;
    size_t n_bindings;
    int64_t bindings[TREEFORK_KNOWN_BINDINGS];
};

enum { TREEFORK_REPEATS = 64 };
struct treefork_device {
    const struct treefork_driver *driver;
    void *state;                /* the driver's */
    struct treefork_group *group;         /* with further members; NULL: it is alone */
    const char *kind;
    char name[256];
    struct treefork_machine machine;      /* for dispatch */
    struct treefork_machine enforced;     /* what the driver said */
    pthread_mutex_t mutex;
    struct treefork_buffer *buffers;
    size_t n_attached;
    bool is_away;               /* stays.c: it may have arrays of the host's */
    struct treefork_program *programs;
    struct treefork_repeat *repeats[TREEFORK_REPEATS];      /* repeat.c: by region's number */
    struct treefork_known_launch known[TREEFORK_KNOWN];     /* by origin; one place for several */
    struct treefork_cache *cache;         /* on disk; NULL: none, or nothing was compiled yet */
    bool cache_tried;
    struct treefork_extent *extents;
    uint64_t buffer_count;      /* ids given out */
    uint64_t uses;              /* of buffers so far */
    unsigned in_flight;         /* launches since the device was last waited for */
    uint64_t first_launches;    /* of kernels: they are waited for, and may compile */
    bool lost;
    char loss[256];             /* what was said when it was lost under launches in flight; "" */
    bool checked;               /* TREEFORK_CHECKED=1 */
    bool prepares;              /* launch.c: nothing is launched now */
    union treefork_object counter;      /* launch.c: a word that is 0 between launches; none: no
                                           joined launch has run */
    bool shares;                /* kernels may work in the host's arrays */
    uint64_t memory_all, memory_one;    /* bytes within its limits, that one array may have; 0: not
                                           told */
    struct treefork_statistics statistics;
    struct treefork_watch *watch;         /* tune.c: a region that is timed; NULL: none */
};

/* A loaded file: where it is, and a digest of its path; all zero: none. */
struct treefork_file {
    const void *base;
    uint64_t path;
};

/* A region whose runs are timed: what they took, and the longest of them. */
struct treefork_watch {
    char *region;
    uint64_t runs;
    double nanoseconds;         /* of all of them */
    double longest;
    const struct treefork_region *table;       /* of the first run; others of that name are not
                                                  timed */
    struct treefork_file file;                 /* that it is in */
    int64_t *integers;          /* of the longest run */
    int automatic, leaf, devices;
    struct treefork_text record, parameters;   /* once they were asked for */
};

/* repeat.c: limits changed, or the device is about to close. */
void treefork_repeats_forget(struct treefork_device *device);

/* explain.c: the device is about to close. */
void treefork_runs_forget(const struct treefork_device *device);

/* device.c; the mutex is not held. */
void treefork_choice_count(struct treefork_device *device);
/* device.c: was this thread given a device, or has anybody asked for the process's? */
bool treefork_default_is_asked(void);
/* device.c: the device of treefork_default if it is open, else NULL. */
struct treefork_device *treefork_default_open(void);

/* launch.c: bytes of the device's counter, and the end of it. */
enum { TREEFORK_COUNTER = 16 };
void treefork_counter_free(struct treefork_device *device);

/* tune.c: the device is closed. */
void treefork_tune_end(struct treefork_device *device);

/* opencl.c, cuda.c: open device number `index` into a zeroed `device`; number of devices there are
   (0 without a driver). NO_DEVICE if the index is too high. */
int treefork_opencl_open(int index, struct treefork_device *device);
int treefork_opencl_count(void);
int treefork_cuda_open(int index, struct treefork_device *device);
int treefork_cuda_count(void);
/* The same by a queue of the program's own. */
int treefork_opencl_open_queue(void *queue, struct treefork_device *device);
int treefork_cuda_open_queue(void *queue, struct treefork_device *device);

/* buffer.c */
/* MEMORY, before anything is copied, if the device cannot hold arrays of so many bytes together,
   the largest of `largest`. `what` needs them. */
int treefork_buffers_fit(const struct treefork_device *device, const char *what, uint64_t bytes,
                         uint64_t largest);
/* The same, and asks the driver what others, such as the program itself, have left. */
int treefork_buffers_find_room(struct treefork_device *device, const char *what, uint64_t bytes,
                               uint64_t largest);
/* treefork_use of arguments that are right, and treefork_use_checked. */
int treefork_buffer_take(struct treefork_device *device, const void *host, size_t bytes,
                         unsigned access, bool checked, uint64_t *handle);
struct treefork_buffer *treefork_buffer_find(struct treefork_device *device, uint64_t handle);
unsigned treefork_buffer_access(uint64_t handle);
uint64_t treefork_buffer_handle(const struct treefork_buffer *buffer, unsigned access);
/* Fills its memory, so that an element that is read before it is written does not look right by
   chance. */
int treefork_buffer_poison(struct treefork_device *device, struct treefork_buffer *buffer,
                           size_t bytes);
/* Makes the device copy the newest one, whatever overlapping buffers did; with OVERWRITE it only
   gets its memory. */
int treefork_buffer_ready(struct treefork_device *device, struct treefork_buffer *buffer,
                          unsigned access);
/* Before host code reads: everything comes back but scratch arrays. */
int treefork_host_reads(struct treefork_device *device);
/* Before the thread's regions run on another device: everything comes back, for reading and
   writing, but attached arrays, whose contents go into their memory. */
int treefork_host_leaves(struct treefork_device *device);
/* Before a function returns: everything comes back, for reading and writing, but the calling
   thread's scratch arrays, which are dropped. */
int treefork_host_returns(struct treefork_device *device);
/* After a launch that wrote the buffer. */
void treefork_buffer_written(struct treefork_device *device, struct treefork_buffer *buffer);
/* A shared buffer that a launch writes keeps its contents until the launch is known to have worked;
   where it has not they come back. */
int treefork_buffer_save(struct treefork_device *device, struct treefork_buffer *buffer);
void treefork_buffer_saved(struct treefork_device *device, struct treefork_buffer *buffer,
                           bool has_failed);
bool treefork_buffer_overlaps(const struct treefork_buffer *a, const struct treefork_buffer *b);
/* Frees the device copies whose contents the host has too; true if there were any. */
bool treefork_buffer_evict(struct treefork_device *device, const struct treefork_buffer *keep);
void treefork_buffer_free_all(struct treefork_device *device);
/* The buffer that knows which side is newest: of a piece the attached array. */
static inline struct treefork_buffer *treefork_buffer_holder(struct treefork_buffer *b)
{
    return b->whole ? b->whole : b;
}
/* The newest contents come to the host, or to the device. */
int treefork_buffer_download(struct treefork_device *device, struct treefork_buffer *buffer);
int treefork_buffer_upload(struct treefork_device *device, struct treefork_buffer *buffer);
/* Does the device work in the array that begins there without a copy, unless the program attached
   it? */
bool treefork_may_share(const struct treefork_device *device, const void *host);
/* Has the host the newest contents of all arrays that the address lies in? */
bool treefork_host_has(const struct treefork_device *device, const void *host);
/* Unlinks and frees it; its device memory too, unless that is the program's. */
void treefork_buffer_drop(struct treefork_device *device, struct treefork_buffer **place);
void treefork_buffer_memory_free(struct treefork_device *device, struct treefork_buffer *buffer);
/* The host has newer contents. */
void treefork_buffer_stale(struct treefork_device *device, struct treefork_buffer *buffer);
/* Asks for what the device wrote to shared memory: treefork_buffers_wait then has it. */
int treefork_buffer_settle(struct treefork_device *device, struct treefork_buffer *buffer);
/* Waits for the device; what it worked on in the host's memory is there then. */
int treefork_buffers_wait(struct treefork_device *device);
/* home.c: does the address lie in its range? */
bool treefork_buffer_holds(const struct treefork_buffer *buffer, const void *host);

/* partial.c: treefork_buffer_take of the array that has this place from the end of a region's
   arrays, from 1: memory without contents. */
int treefork_partial_take(struct treefork_device *device, size_t place, size_t bytes, bool checked,
                          uint64_t *handle);
/* Behind the launches of a run that members shared: what they have of partial arrays counts no
   more. */
void treefork_partials_end(struct treefork_device *device);

/* attach.c */
/* The attached array that this address lies in; NULL if there is none. */
struct treefork_buffer *treefork_attached_search(const struct treefork_device *device,
                                                 const void *host);
static inline struct treefork_buffer *treefork_attached_find(const struct treefork_device *device,
                                                             const void *host)
{
    return device->n_attached ? treefork_attached_search(device, host) : NULL;
}
/* The piece of it that begins there and has so many bytes, new if need be. BOUNDS if the array is
   shorter. */
int treefork_attached_piece(struct treefork_device *device, struct treefork_buffer *whole,
                            char *host, size_t bytes, struct treefork_buffer **piece);
/* Its range takes contents: a reserved one gets memory. */
int treefork_attached_open(struct treefork_buffer *b);
/* Their contents come into the memory of all attached arrays. */
int treefork_attached_home(struct treefork_device *device);
/* Those that begin in the range end as they are. */
void treefork_attached_discard(struct treefork_device *device, const void *host, size_t bytes);
/* Can serial code work on the array at this address? ARGUMENT, with a message, if only the device
   can. */
int treefork_attached_serves(struct treefork_device *device, const void *host);

/* launch.c: until all launches are done. If one of them failed the device is lost, since nobody
   knows what it left undone; LOST then. */
int treefork_launches_wait(struct treefork_device *device);
/* After the driver has reported that a launch in flight failed: LOST. */
int treefork_launches_lost(struct treefork_device *device);

/* checked.c: BOUNDS if the array is certainly smaller than `bytes`. */
int treefork_extent_check(struct treefork_device *device, const void *host, size_t bytes);
void treefork_extent_free_all(struct treefork_device *device);

/* binary.c: the program's driver object, from the cache on disk or compiled. */
int treefork_binary_get(struct treefork_device *device, const struct treefork_launch *launch,
                        const char *text, struct treefork_program *program);
/* Has the cache on disk the binary that the launch would take? */
bool treefork_binary_is_kept(struct treefork_device *device, const struct treefork_launch *launch,
                             const char *text);
/* After the first launch of one of its kernels: the program's binary goes into the cache, unless it
   came from there or is there already. */
void treefork_binary_keep(struct treefork_device *device, struct treefork_program *program);
/* A line of a key. */
void treefork_key_add(struct treefork_text *key, const char *name, const char *value);

/* launch.c: treefork_run of a launch of a region; the mutex is held. */
int treefork_run_region(struct treefork_device *device, const struct treefork_launch *launch,
                        struct treefork_origin origin);
/* Compiles what it would launch, and looks up its arguments: what fails there fails before anything
   has run. */
int treefork_prepare_region(struct treefork_device *device, const struct treefork_launch *launch,
                            struct treefork_origin origin);

/* program.c: the entry of a launch, compiled or from the cache. */
int treefork_program_function(struct treefork_device *device, const struct treefork_launch *launch,
                              struct treefork_origin origin, struct treefork_function **function);
/* Is the launch's program loaded, or in the cache on disk, so that nothing would be compiled? */
bool treefork_program_is_kept(struct treefork_device *device, const struct treefork_launch *launch);
void treefork_program_free_all(struct treefork_device *device);
/* Would the device run a text for any values of what the launch binds, although there are some for
   single values? The mutex is not held. */
bool treefork_text_is_general(struct treefork_device *device, const struct treefork_launch *launch);

/* library.c: the first that opens of `names` (NULL at the end); fills `n` function pointers by name
   into `functions`. NULL if none opens or a needed function is missing; what was missing is
   in *missing. */
struct treefork_symbol {
    const char *name;
    size_t offset;              /* of the pointer in the table of functions */
    bool needed;
};
void *treefork_library_open(const char *const *names);
bool treefork_library_fill(void *library, const struct treefork_symbol *symbols, size_t n,
                           void *functions, const char **missing);
/* library.c: the file that an address lies in. Does it lie in that one still? In none it is taken
   to. */
struct treefork_file treefork_library_of(const void *address);
bool treefork_library_holds(const struct treefork_file *file, const void *address);
/* Size and time of the file that a symbol of the library comes from; false if they are not
   known. */
bool treefork_library_file(void *library, const char *symbol, char *text, size_t room);

/* error.c: what a driver's error number means; sets device->lost where it means that. `what`: what
   was tried. */
enum treefork_api { TREEFORK_OPENCL, TREEFORK_CUDA };
int treefork_driver_error(struct treefork_device *device, enum treefork_api api, int code,
                          const char *what);

#pragma GCC visibility pop
#endif
