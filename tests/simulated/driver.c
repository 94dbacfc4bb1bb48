/* Start, devices and contexts of the simulated driver. Environment:
   TREEFORK_SIMULATED_MACHINE (a machine file, the limits of each device; by default only compute
   capability 8.0 is told), TREEFORK_SIMULATED_DEVICES (how many there are),
   TREEFORK_SIMULATED_MEMORY (bytes of memory of each), TREEFORK_SIMULATED_PEERS (which of them
   reach each other), TREEFORK_SIMULATED_LATE and _CHECK (streams.c, order.c),
   TREEFORK_SIMULATED_FAIL (an injected error), TREEFORK_SIMULATED_SEED (order of threads).
   Invariant: every handle that comes in is looked up in what was given out. Source: CUDA driver API
   reference. */
#include "tests/simulated/simulated.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTE_SHARED_DEFAULT = 8,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    SHARED_DEFAULT = 49152
};

/* The runtime asks for this name to know that no device stands behind the numbers. */
int treefork_simulated_driver(void);
int treefork_simulated_driver(void)
{
    return 1;
}

struct sim *simulated(void)
{
    static struct sim state;
    return &state;
}

int sim_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "simulated driver: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (error %d)\n", code);
    va_end(arguments);
    return code;
}

int sim_lost(const struct sim_device *device)
{
    int all = simulated()->lost;
    return all || !device ? all : device->lost;
}

void sim_lose(struct sim_device *device, int code)
{
    int *lost = device ? &device->lost : &simulated()->lost;
    if (!*lost)
        *lost = code;
}

/* "SYMBOL:CALL=CODE", or "SYMBOL@DEVICE:CALL=CODE". */
static int injected(const char *symbol, const struct sim_device *device)
{
    static int seen;
    const char *text = getenv("TREEFORK_SIMULATED_FAIL");
    size_t length = strlen(symbol);
    char *rest;
    if (!text || strncmp(text, symbol, length) != 0)
        return CU_OK;
    text += length;
    if (*text == '@' && (!device || strtol(text + 1, &rest, 10) != sim_number(device)))
        return CU_OK;
    text = *text == '@' ? rest : text;
    if (*text != ':')
        return CU_OK;
    long when = strtol(text + 1, &rest, 10);
    return ++seen == when && *rest == '=' ? (int)strtol(rest + 1, NULL, 10) : CU_OK;
}

int sim_enter_for(const char *symbol, struct sim_device *device)
{
    int code = sim_lost(device);
    if (code)
        return code;
    code = injected(symbol, device);
    if (code >= CU_ILLEGAL_ADDRESS && code != CU_OUT_OF_RESOURCES)
        sim_lose(device, code);
    if (code)
        return sim_fail(code, "%s fails as asked", symbol);
    if (!simulated()->started)
        return sim_fail(CU_NOT_INITIALIZED, "%s before cuInit", symbol);
    return CU_OK;
}

int sim_enter(const char *symbol, bool needs_context)
{
    int code = sim_enter_for(symbol, sim_device());
    if (!code && needs_context && !sim_device())
        return sim_fail(CU_INVALID_CONTEXT, "%s without a current context", symbol);
    return code;
}

static bool is_set(const char *name)
{
    const char *text = getenv(name);
    return text && strcmp(text, "1") == 0;
}

static void devices_make(struct sim *sim)
{
    const char *text = getenv("TREEFORK_SIMULATED_DEVICES");
    int wanted = text ? atoi(text) : 1;
    sim->n_devices = wanted < 1 ? 1 : wanted > SIM_DEVICES ? SIM_DEVICES : wanted;
    sim->n_streams = sim->n_devices;
    for (int i = 0; i < sim->n_devices; i++)
        sim->streams[i].device = &sim->devices[i];
}

int cuInit(unsigned flags)
{
    struct sim *sim = simulated();
    const char *path = getenv("TREEFORK_SIMULATED_MACHINE"),
               *memory = getenv("TREEFORK_SIMULATED_MEMORY");
    const char *seed = getenv("TREEFORK_SIMULATED_SEED"),
               *cycles = getenv("TREEFORK_SIMULATED_CYCLES"),
               *plain = "{\"name\": \"simulated device\", \"architecture\": 80}";
    if (flags)
        return sim_fail(CU_INVALID_VALUE, "cuInit with flags");
    int status = path ? treefork_machine_read(path, &sim->machine)
                      : treefork_machine_parse(plain, strlen(plain), "simulated", &sim->machine);
    if (status)
        return sim_fail(CU_NO_DEVICE, "%s", treefork_message());
    sim->memory_limit = memory ? strtoull(memory, NULL, 10) : (size_t)1 << 30;
    sim->seed = seed ? strtoull(seed, NULL, 10) : 0;
    sim->is_checked = is_set("TREEFORK_SIMULATED_CHECK");
    sim->is_late = sim->is_checked || is_set("TREEFORK_SIMULATED_LATE");
    if (cycles && !sim->cycles && !(sim->cycles = fopen(cycles, "a")))
        return sim_fail(CU_NO_DEVICE, "%s cannot be written", cycles);
    if (!sim->started)
        devices_make(sim);
    sim->started = true;
    return CU_OK;
}

/* TREEFORK_SIMULATED_VERSION, so that tests see what another driver changes. */
int cuDriverGetVersion(int *version)
{
    const char *text = getenv("TREEFORK_SIMULATED_VERSION");
    *version = text ? atoi(text) : 13000;
    return CU_OK;
}

int cuDeviceGetCount(int *count)
{
    int code = sim_enter("cuDeviceGetCount", false);
    *count = code ? 0 : simulated()->n_devices;
    return code;
}

static int device_check(int device)
{
    return device >= 0 && device < simulated()->n_devices
               ? CU_OK : sim_fail(CU_INVALID_DEVICE, "device %d", device);
}

int cuDeviceGet(int *device, int index)
{
    int code = sim_enter("cuDeviceGet", false);
    *device = index;
    return code ? code : device_check(index);
}

int cuDeviceGetName(char *name, int room, int device)
{
    int code = sim_enter("cuDeviceGetName", false);
    if (!code)
        code = device_check(device);
    if (code || room < 1)
        return code ? code : CU_INVALID_VALUE;
    snprintf(name, (size_t)room, "%s", simulated()->machine.name);
    return CU_OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const int attributes[TREEFORK_PARAMETERS] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) [TREEFORK_##symbol] = cuda,
#include "runtime/machine.def"
#undef X
    };
    const int64_t *machine = simulated()->machine.value;
    int64_t told = TREEFORK_UNLIMITED;
    int code = sim_enter("cuDeviceGetAttribute", false);
    if (!code)
        code = device_check(device);
    if (code)
        return code;
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        if (attributes[i] == attribute && machine[i] != TREEFORK_UNLIMITED)
            told = i == TREEFORK_Z_B || i == TREEFORK_Z_M || i == TREEFORK_Z_R ? 4 * machine[i]
                                                                               : machine[i];
    if (attribute == ATTRIBUTE_SHARED_DEFAULT)
        told =
            machine[TREEFORK_Z_B] < SHARED_DEFAULT / 4 ? 4 * machine[TREEFORK_Z_B] : SHARED_DEFAULT;
    if (attribute == ATTRIBUTE_MAJOR || attribute == ATTRIBUTE_MINOR)
        told =
            attribute == ATTRIBUTE_MAJOR ? machine[TREEFORK_A_D] / 10 : machine[TREEFORK_A_D] % 10;
    if (told > INT32_MAX)
        return CU_INVALID_VALUE;
    *value = (int)told;
    return CU_OK;
}

/* --- contexts --------------------------------------------------------------------------------- */

struct sim_device *sim_device(void)
{
    const struct sim *sim = simulated();
    return sim->depth > 0 ? sim->current[sim->depth - 1] : NULL;
}

int sim_number(const struct sim_device *device)
{
    return (int)(device - simulated()->devices);
}

static struct sim_device *device_of(const void *context)
{
    struct sim *sim = simulated();
    struct sim_device *device = NULL;
    for (int i = 0; i < sim->n_devices; i++)
        if (context == &sim->devices[i] && sim->devices[i].retained > 0)
            device = &sim->devices[i];
    return device;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    int code = sim_enter("cuDevicePrimaryCtxRetain", false);
    if (!code)
        code = device_check(device);
    if (code)
        return code;
    simulated()->devices[device].retained++;
    *context = &simulated()->devices[device];
    return CU_OK;
}

static void device_report(const struct sim_device *device)
{
    if (is_set("TREEFORK_SIMULATED_COUNTS"))
        fprintf(stderr, "simulated device %d: %u launches, copies: %u from the host, %u home, "
                        "%u from other devices, %u of them staged\n",
                sim_number(device), device->launches, device->from_host, device->to_host,
                device->from_peers, device->staged);
}

static bool is_used(const struct sim *sim)
{
    int retained = 0;
    for (int i = 0; i < sim->n_devices; i++)
        retained += sim->devices[i].retained;
    return retained > 0;
}

static bool is_any_lost(const struct sim *sim)
{
    bool lost = sim->lost != 0;
    for (int i = 0; i < sim->n_devices; i++)
        lost = lost || sim->devices[i].lost;
    return lost;
}

/* The last release says what the program forgot to free. */
int cuDevicePrimaryCtxRelease_v2(int number)
{
    struct sim *sim = simulated();
    struct sim_device *device = &sim->devices[number];
    if (device_check(number) || device->retained < 1)
        return sim_fail(CU_INVALID_CONTEXT, "a context is released that is not retained");
    if (--device->retained > 0)
        return CU_OK;
    device_report(device);
    sim_streams_forget(device);
    int arrays = sim_memory_free(device), modules = sim_modules_free(device);
    bool is_last = !is_used(sim);
    int links = is_last ? sim_links_free() : 0, events = is_last ? sim->events : 0;
    if (!is_any_lost(sim) && (arrays || modules || links || events || sim->depth))
        sim_fail(CU_OK,
                 "left behind: %d arrays, %d modules, %d links, %d events, %d pushed contexts",
                 arrays, modules, links, events, sim->depth);
    if (!is_last)
        return CU_OK;
    if (sim->ctx)
        ctx_free(sim->ctx);
    sim->ctx = NULL;
    sim->ir = NULL;
    return CU_OK;
}

int cuCtxPushCurrent_v2(void *context)
{
    struct sim *sim = simulated();
    struct sim_device *device = device_of(context);
    int code = sim_enter_for("cuCtxPushCurrent_v2", device);
    if (code || !device || sim->depth == SIM_DEEP)
        return code ? code : sim_fail(CU_INVALID_CONTEXT, "an unknown context is pushed");
    sim->current[sim->depth++] = device;
    return CU_OK;
}

int cuCtxPopCurrent_v2(void **context)
{
    struct sim *sim = simulated();
    *context = sim_device();
    if (sim->depth < 1)
        return sim_fail(CU_INVALID_CONTEXT, "no context to pop");
    sim->depth--;
    return CU_OK;
}

int cuCtxGetCurrent(void **context)
{
    int code = sim_enter("cuCtxGetCurrent", false);
    *context = sim_device();
    return code;
}

int cuCtxGetDevice(int *device)
{
    int code = sim_enter("cuCtxGetDevice", true);
    *device = code ? 0 : sim_number(sim_device());
    return code;
}

int cuCtxSynchronize(void)
{
    int code = sim_enter("cuCtxSynchronize", true);
    return code ? code : sim_run_device(sim_device());
}

/* --- peers ------------------------------------------------------------------------------------ */

/* TREEFORK_SIMULATED_PEERS: "none" of the devices reach each other, "pairs" do (0 and 1, 2 and 3),
   by default all do. */
static bool can_reach(int from, int to)
{
    const char *text = getenv("TREEFORK_SIMULATED_PEERS");
    if (text && strcmp(text, "pairs") == 0)
        return from != to && from / 2 == to / 2;
    return from != to && (!text || strcmp(text, "none") != 0);
}

int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    int code = sim_enter("cuDeviceCanAccessPeer", false);
    if (!code)
        code = device_check(device);
    if (!code)
        code = device_check(peer);
    *can = !code && can_reach(device, peer);
    return code;
}

int cuCtxEnablePeerAccess(void *context, unsigned flags)
{
    struct sim_device *device = sim_device(), *peer = device_of(context);
    int code = sim_enter("cuCtxEnablePeerAccess", true);
    if (code || !peer || flags)
        return code ? code : sim_fail(CU_INVALID_VALUE, "access to an unknown context");
    if (!can_reach(sim_number(device), sim_number(peer)))
        return sim_fail(CU_PEER_UNSUPPORTED, "device %d cannot reach device %d",
                        sim_number(device), sim_number(peer));
    if (device->reaches[sim_number(peer)])
        return CU_PEER_ALREADY_ENABLED;
    device->reaches[sim_number(peer)] = true;
    return CU_OK;
}
