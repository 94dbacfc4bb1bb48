/* Devices: opening by name, the process's default device, listing, limits, closing. In: "cuda",
   "opencl:1", … or the environment; out: a device with the machine that dispatch uses. Invariant:
   machine <= enforced in every limit, so that what dispatch takes for possible the driver does not
   refuse. Order of preference: CUDA, OpenCL GPUs, other OpenCL devices. Any number of threads may
   use a device: each call holds its mutex, and a region holds it from the first of its arrays to
   its last launch, so that another thread's calls do not come between. The default device is the
   one global state: generated functions have the serial prototype and nowhere to carry a device
   in. */
#include "runtime/choice.h"
#include "runtime/group.h"
#include "runtime/stays.h"
#include "runtime/treefork-tables.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct opener {
    const char *kind;
    int (*open)(int index, struct treefork_device *device);
    int (*open_queue)(void *queue, struct treefork_device *device);
    int (*count)(void);
};

static const struct opener openers[] = {
    { "cuda", treefork_cuda_open, treefork_cuda_open_queue, treefork_cuda_count },
    { "opencl", treefork_opencl_open, treefork_opencl_open_queue, treefork_opencl_count },
};
enum { OPENERS = sizeof openers / sizeof *openers };

/* "cuda:1" to opener and index; "simulated" is a CUDA driver too, which must say so itself. */
static bool device_parse(const char *which, const struct opener **opener, int *index,
                         bool *simulated)
{
    const char *colon = strchr(which, ':');
    size_t length = colon ? (size_t)(colon - which) : strlen(which);
    char *end = NULL;
    long number = colon ? strtol(colon + 1, &end, 10) : 0;
    *opener = NULL;
    *simulated = length == 9 && memcmp(which, "simulated", 9) == 0;
    for (int i = 0; i < OPENERS; i++)
        if (length == strlen(openers[i].kind) && memcmp(which, openers[i].kind, length) == 0)
            *opener = &openers[i];
    if (*simulated)
        *opener = &openers[0];
    if (!*opener || (colon && (end == colon + 1 || *end || number < 0 || number > 4095)))
        return false;
    *index = (int)number;
    return true;
}

/* Behind the colon of "opencl:0,1" or "opencl:all"; NULL: a single device, or none, is named. */
static const char *list_of(const char *which)
{
    const char *colon = strchr(which, ':');
    return colon && (strcmp(colon, ":all") == 0 || strchr(colon, ',')) ? colon + 1 : NULL;
}

static struct treefork_device *device_new(void)
{
    struct treefork_device *device = calloc(1, sizeof *device);
    if (!device) {
        treefork_fail(TREEFORK_MEMORY, "no memory for a device");
        return NULL;
    }
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&device->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return device;
}

static void device_free(struct treefork_device *device)
{
    pthread_mutex_destroy(&device->mutex);
    free(device);
}

static int device_limit_by_file(struct treefork_device *device)
{
    const char *path = treefork_environment("TREEFORK_MACHINE");
    struct treefork_machine file;
    if (!path || !*path)
        return TREEFORK_OK;
    int status = treefork_machine_read(path, &file);
    if (!status)
        treefork_machine_meet(&device->machine, &file);
    return status;
}

/* Of the memory that the driver tells of, as much as its limits leave. */
static void memory_limit(struct treefork_device *device)
{
    int64_t words = device->machine.value[TREEFORK_Z_D];
    if (words <= INT64_MAX / 4)
        device->memory_all = 4 * (uint64_t)words;
}

/* After the opener's attempt: what does not depend on the driver. */
static int device_finish(struct treefork_device *device, int status, bool simulated,
                         struct treefork_device **result)
{
    if (status) {
        device_free(device);
        return status;
    }
    device->machine = device->enforced;
    device->checked = treefork_environment_is("TREEFORK_CHECKED", "1");
    if (treefork_environment_is("TREEFORK_COPY", "1"))
        device->shares = false;
    status = device_limit_by_file(device);
    memory_limit(device);
    if (!status && simulated && strcmp(device->kind, "simulated") != 0)
        status = treefork_fail(TREEFORK_NO_DEVICE,
                               "the CUDA driver is a real one, not the simulated driver");
    if (status) {
        treefork_close(device);
        return status;
    }
    *result = device;
    return TREEFORK_OK;
}

static int device_try(const struct opener *opener, int index, bool simulated,
                      struct treefork_device **result)
{
    struct treefork_device *device = device_new();
    return device ? device_finish(device, opener->open(index, device), simulated, result)
                  : TREEFORK_MEMORY;
}

static void devices_close(struct treefork_device **devices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        treefork_close(devices[i]);
}

/* Several devices of a kind, as one. */
static int devices_try(const struct opener *opener, const char *list, bool simulated,
                       struct treefork_device **result)
{
    struct treefork_device *devices[TREEFORK_MEMBERS_MAX] = {NULL};
    int numbers[TREEFORK_MEMBERS_MAX];
    size_t count = 0, opened = 0;
    int status = treefork_group_numbers(list, opener->count(), numbers, &count);
    while (opened < count && !status) {
        status = device_try(opener, numbers[opened], simulated, &devices[opened]);
        opened += status == TREEFORK_OK;
    }
    if (!status && count > 1)
        status = treefork_group_new(devices, count);
    if (status)
        devices_close(devices, opened);
    else
        *result = devices[0];
    return status;
}

/* The device of that number; with a list the devices of the list, as one. */
static int opener_try(const struct opener *opener, int index, const char *list, bool simulated,
                      struct treefork_device **device)
{
    return list ? devices_try(opener, list, simulated, device)
                : device_try(opener, index, simulated, device);
}

static int device_try_named(const char *which, const char *list, struct treefork_device **device)
{
    const struct opener *opener;
    const char *named = list_of(which);
    char kind[16];
    int index = 0;
    bool simulated = false;
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(which, ":"), which);
    if (!device_parse(named ? kind : which, &opener, &index, &simulated))
        return treefork_fail(TREEFORK_ARGUMENT,
                             "unknown device \"%s\": use cuda, opencl, cuda:NUMBER or "
                             "opencl:NUMBER",
                             which);
    return opener_try(opener, index, list ? list : named, simulated, device);
}

int treefork_open_queue(const char *kind, void *queue, struct treefork_device **device)
{
    const struct opener *opener;
    int index = 0;
    bool simulated = false;
    *device = NULL;
    treefork_message_clear();
    if (!kind || strchr(kind, ':') || !device_parse(kind, &opener, &index, &simulated))
        return treefork_fail(TREEFORK_ARGUMENT, "a queue is one of \"cuda\" or \"opencl\"");
    struct treefork_device *fresh = device_new();
    return fresh ? device_finish(fresh, opener->open_queue(queue, fresh), simulated, device)
                 : TREEFORK_MEMORY;
}

int treefork_set_queue(struct treefork_device *device, void *queue)
{
    if (!device)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_set_queue: no device");
    pthread_mutex_lock(&device->mutex);
    int status = device->driver->queue_set(device, queue);
    pthread_mutex_unlock(&device->mutex);
    return status;
}

/* The first kind that there is. */
static int device_try_best(const char *list, struct treefork_device **device)
{
    struct treefork_text messages = { 0 };
    int status = TREEFORK_NO_DEVICE;
    for (int i = 0; i < OPENERS && status == TREEFORK_NO_DEVICE; i++) {
        status = opener_try(&openers[i], 0, list, false, device);
        if (status)
            treefork_text_add(&messages, "%s%s", i ? "; " : "", treefork_message());
    }
    if (status)
        treefork_fail(status, "%s", messages.text ? messages.text : "no device");
    else
        treefork_message_clear();    /* what was tried first and is not there */
    free(messages.text);
    return status;
}

int treefork_open(const char *which, struct treefork_device **device)
{
    const char *list = NULL;
    *device = NULL;
    treefork_message_clear();
    if (!which || !*which) {
        which = treefork_environment("TREEFORK_DEVICE");
        list = treefork_environment("TREEFORK_DEVICES");
    }
    list = list && *list ? list : NULL;
    return which && *which ? device_try_named(which, list, device) : device_try_best(list, device);
}

/* What treefork_make_current chose for this thread; NULL: the process's device. */
static _Thread_local struct treefork_device *thread_device;

void treefork_close(struct treefork_device *device)
{
    if (!device)
        return;
    treefork_runs_forget(device);
    treefork_repeats_forget(device);
    treefork_device_is_home(device);
    if (thread_device == device)
        thread_device = NULL;
    if (!device->lost)
        treefork_launches_wait(device);
    treefork_buffer_free_all(device);
    treefork_counter_free(device);
    treefork_program_free_all(device);
    treefork_extent_free_all(device);
    treefork_cache_close(device->cache);
    treefork_tune_end(device);
    treefork_group_end(device);
    device->driver->close(device);
    device_free(device);
}

static struct treefork_device *_Atomic default_device;
static char *default_failure;
static atomic_bool default_tried;
static atomic_bool default_is_parents;      /* it was opened before this process was forked */
static pthread_mutex_t default_mutex = PTHREAD_MUTEX_INITIALIZER;

static void default_forked(void)
{
    atomic_store(&default_is_parents, true);
}

/* The process's device if it is open here. */
static struct treefork_device *default_opened(void)
{
    struct treefork_device *device = atomic_load_explicit(&default_device, memory_order_acquire);
    return atomic_load_explicit(&default_is_parents, memory_order_relaxed) ? NULL : device;
}

static void default_close(void)
{
    treefork_close(default_opened());
    atomic_store(&default_device, NULL);
    free(default_failure);
    default_failure = NULL;
}

/* The exit handler is registered after the driver was opened, hence runs before the driver's own. A
   failure is kept: a program without a device asks before every region. Drivers do not survive
   fork: a child has no device. */
struct treefork_device *treefork_default(void)
{
    struct treefork_device *device = thread_device ? thread_device : default_opened();
    if (device)
        return device;
    pthread_mutex_lock(&default_mutex);
    if (!default_tried) {
        default_tried = true;
        pthread_atfork(NULL, NULL, default_forked);
        int status = treefork_open(NULL, &device);
        treefork_stays_forget();
        atomic_store_explicit(&default_device, device, memory_order_release);
        if (status) {
            size_t size = strlen(treefork_message()) + 1;
            default_failure = malloc(size);
            if (default_failure)
                memcpy(default_failure, treefork_message(), size);
        }
        atexit(default_close);
    }
    device = default_opened();
    if (atomic_load(&default_device) && !device)
        treefork_fail(TREEFORK_NO_DEVICE,
                      "the device belongs to the process that this one was forked from");
    else if (!device)
        treefork_fail(TREEFORK_NO_DEVICE, "%s", default_failure ? default_failure : "no device");
    pthread_mutex_unlock(&default_mutex);
    return device;
}

bool treefork_default_is_asked(void)
{
    return thread_device || atomic_load_explicit(&default_tried, memory_order_relaxed);
}

struct treefork_device *treefork_default_open(void)
{
    return thread_device ? thread_device : default_opened();
}

/* What regions computed on the device before comes back, since the next ones will not find it. */
int treefork_make_current(struct treefork_device *device)
{
    struct treefork_device *old = thread_device ? thread_device : default_opened();
    int status = old && old != device ? treefork_host_leaves(old) : TREEFORK_OK;
    if (!status)
        thread_device = device;
    treefork_stays_forget();
    return status;
}

int treefork_threads(void)
{
    const struct treefork_machine *machine = treefork_device_machine(treefork_default());
    if (!machine)
        return 1;
    int64_t own = machine->value[TREEFORK_T_M];
    if (own == TREEFORK_UNLIMITED)
        own = machine->value[TREEFORK_V_L];
    int64_t many = machine->value[TREEFORK_M_D];
    return many < INT_MAX / own ? (int)(many * own) : INT_MAX;
}

const struct treefork_machine *treefork_device_machine(const struct treefork_device *device)
{
    return device ? &device->machine : NULL;
}

const char *treefork_device_kind(const struct treefork_device *device)
{
    return device ? device->kind : NULL;
}

const char *treefork_device_name(const struct treefork_device *device)
{
    return device ? device->name : NULL;
}

void treefork_choice_count(struct treefork_device *device)
{
    pthread_mutex_lock(&device->mutex);
    device->statistics.choices++;
    pthread_mutex_unlock(&device->mutex);
}

struct treefork_statistics treefork_statistics(const struct treefork_device *device)
{
    struct treefork_statistics statistics = {0};
    if (!device)
        return statistics;
    pthread_mutex_t *mutex = &((struct treefork_device *)device)->mutex;
    pthread_mutex_lock(mutex);
    statistics = device->statistics;
    for (size_t i = 1; i < treefork_members(device); i++) {
        statistics.builds += device->group->member[i]->statistics.builds;
        statistics.loads += device->group->member[i]->statistics.loads;
    }
    pthread_mutex_unlock(mutex);
    return statistics;
}

static void device_print(FILE *out, const struct opener *opener, int index,
                         const struct treefork_device *device)
{
    fprintf(out, "%s:%d: %s (%s)\n", opener->kind, index, device->name, device->kind);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
        fprintf(out, "  %s  %-32s ", treefork_parameter_symbol(i), treefork_parameter_key(i));
        if (device->machine.value[i] == TREEFORK_UNLIMITED)
            fprintf(out, "not told (unlimited)\n");
        else
            fprintf(out, "%lld %s\n", (long long)device->machine.value[i],
                    treefork_parameter_unit(i));
    }
}

int treefork_devices(FILE *out)
{
    int total = 0;
    for (int i = 0; i < OPENERS; i++) {
        int count = openers[i].count();
        total += count;
        if (out)
            for (int k = 0; k < count; k++) {
                struct treefork_device *device = NULL;
                if (device_try(&openers[i], k, false, &device))
                    fprintf(out, "%s:%d: %s\n", openers[i].kind, k, treefork_message());
                else
                    device_print(out, &openers[i], k, device);
                treefork_close(device);
            }
    }
    return total;
}

int treefork_limit(struct treefork_device *device, int parameter, int64_t value)
{
    if (!device || parameter < 0 || parameter >= TREEFORK_PARAMETERS)
        return treefork_fail(TREEFORK_ARGUMENT, "no such machine parameter");
    const char *wrong = treefork_parameter_refuses(parameter, value);
    if (wrong)
        return treefork_fail(TREEFORK_ARGUMENT, "%s %s", treefork_parameter_symbol(parameter),
                             wrong);
    struct treefork_machine limited = device->enforced;
    limited.value[parameter] = value;
    pthread_mutex_lock(&device->mutex);
    struct treefork_machine met = device->enforced;
    treefork_machine_meet(&met, &limited);
    device->machine.value[parameter] = met.value[parameter];
    memory_limit(device);
    treefork_repeats_forget(device);
    treefork_choice_forget();
    pthread_mutex_unlock(&device->mutex);
    return TREEFORK_OK;
}
