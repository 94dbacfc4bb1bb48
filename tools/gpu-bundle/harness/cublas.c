/* Products by cuBLAS and copies by the driver, timed by the driver's events where it has them, else
   by the clock from an idle device to an idle one. In: host arrays; out: seconds. Entry points as
   the CUDA driver API and the cuBLAS v2 API document them. */
#include "cublas.h"
#include "parts.h"
#include "spread.h"
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct driver {
    int (*init)(unsigned);
    int (*version)(int *);
    int (*device)(int *, int);
    int (*retain)(void **, int);
    int (*unretain)(int);
    int (*push)(void *);
    int (*pop)(void **);
    int (*allocate)(uint64_t *, size_t);
    int (*release)(uint64_t);
    int (*write)(uint64_t, const void *, size_t);
    int (*copy)(uint64_t, uint64_t, size_t);
    int (*synchronize)(void);
    int (*event_new)(void **, unsigned);
    int (*event_record)(void *, void *);
    int (*event_wait)(void *);
    int (*event_between)(float *, void *, void *);
    int (*event_free)(void *);
};

/* Arrays on the device are addresses of the driver's type, which are passed as pointers are. */
struct cublas {
    int (*create)(void **);
    int (*destroy)(void *);
    int (*floats)(void *, int, int, int, int, int, const float *, uint64_t, int, uint64_t, int,
                  const float *, uint64_t, int);
    int (*doubles)(void *, int, int, int, int, int, const double *, uint64_t, int, uint64_t, int,
                   const double *, uint64_t, int);
};

struct entry {
    const char *symbol;
    size_t offset;
    bool needed;
};

static const struct entry driver_entries[] = {
    {"cuInit", offsetof(struct driver, init), true},
    {"cuDriverGetVersion", offsetof(struct driver, version), true},
    {"cuDeviceGet", offsetof(struct driver, device), true},
    {"cuDevicePrimaryCtxRetain", offsetof(struct driver, retain), true},
    {"cuDevicePrimaryCtxRelease_v2", offsetof(struct driver, unretain), true},
    {"cuCtxPushCurrent_v2", offsetof(struct driver, push), true},
    {"cuCtxPopCurrent_v2", offsetof(struct driver, pop), true},
    {"cuMemAlloc_v2", offsetof(struct driver, allocate), true},
    {"cuMemFree_v2", offsetof(struct driver, release), true},
    {"cuMemcpyHtoD_v2", offsetof(struct driver, write), true},
    {"cuMemcpyDtoD_v2", offsetof(struct driver, copy), false},
    {"cuCtxSynchronize", offsetof(struct driver, synchronize), true},
    {"cuEventCreate", offsetof(struct driver, event_new), false},
    {"cuEventRecord", offsetof(struct driver, event_record), false},
    {"cuEventSynchronize", offsetof(struct driver, event_wait), false},
    {"cuEventElapsedTime", offsetof(struct driver, event_between), false},
    {"cuEventDestroy_v2", offsetof(struct driver, event_free), false},
};

static const struct entry cublas_entries[] = {
    {"cublasCreate_v2", offsetof(struct cublas, create), true},
    {"cublasDestroy_v2", offsetof(struct cublas, destroy), true},
    {"cublasSgemm_v2", offsetof(struct cublas, floats), true},
    {"cublasDgemm_v2", offsetof(struct cublas, doubles), true},
};

/* --- libraries ------------------------------------------------------------------------------- */

static void *library_open(const char *variable, const char *const *names, const char **opened)
{
    const char *named = getenv(variable), *const only[] = {named, NULL};
    *opened = "";
    for (names = named && *named ? only : names; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            continue;
        *opened = *names;
        return library;
    }
    return NULL;
}

static bool entries_fill(void *library, const struct entry *entries, size_t n, void *table)
{
    for (size_t i = 0; i < n; i++) {
        void *symbol = dlsym(library, entries[i].symbol);
        if (!symbol && entries[i].needed)
            return false;
        memcpy((char *)table + entries[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

/* With the primary context of device 0 current in this thread, until it is closed. */
static bool driver_open(struct driver *driver)
{
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    const char *opened;
    void *library = library_open("TREEFORK_CUDA_DRIVER", names, &opened), *context = NULL;
    int device = 0;
    return library &&
           entries_fill(library, driver_entries, sizeof driver_entries / sizeof *driver_entries,
                        driver) &&
           driver->init(0) == 0 && driver->device(&device, 0) == 0 &&
           driver->retain(&context, device) == 0 && driver->push(context) == 0;
}

static void driver_close(const struct driver *driver)
{
    void *context;
    driver->pop(&context);
    driver->unretain(0);
}

static bool cublas_open(struct cublas *cublas, const char **opened)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};
    void *library = library_open("BUNDLE_CUBLAS", names, opened);
    return library && entries_fill(library, cublas_entries,
                                   sizeof cublas_entries / sizeof *cublas_entries, cublas);
}

int driver_version(void)
{
    struct driver driver;
    int version = 0;
    if (!driver_open(&driver))
        return 0;
    driver.version(&version);
    driver_close(&driver);
    return version;
}

const char *cublas_name(void)
{
    struct driver driver;
    struct cublas cublas;
    const char *opened;
    if (!driver_open(&driver))
        return "";
    bool is_open = cublas_open(&cublas, &opened);
    driver_close(&driver);
    return is_open ? opened : "";
}

/* --- times ----------------------------------------------------------------------------------- */

struct timer {
    const struct driver *driver;
    void *from, *to;            /* events; NULL: there are none */
};

static struct timer timer_new(const struct driver *driver)
{
    struct timer t = {.driver = driver};
    bool has_events = driver->event_new && driver->event_record && driver->event_wait &&
                      driver->event_between && driver->event_free;
    if (has_events && driver->event_new(&t.from, 0) == 0 && driver->event_new(&t.to, 0) != 0)
        t.to = NULL;
    return t;
}

/* Seconds of `work` on the device. */
static double timer_run(const struct timer *t, int (*work)(void *state), void *state)
{
    const struct driver *driver = t->driver;
    float milliseconds = 0;
    if (driver->synchronize() != 0)
        return NAN;
    double start = seconds_now();
    int code = t->to ? driver->event_record(t->from, NULL) : 0;
    if (code == 0)
        code = work(state);
    if (code == 0 && t->to)
        code = driver->event_record(t->to, NULL);
    if (code == 0)
        code = t->to ? driver->event_wait(t->to) : driver->synchronize();
    double wall = seconds_now() - start;
    if (code == 0 && t->to)
        code = driver->event_between(&milliseconds, t->from, t->to);
    if (code != 0)
        return NAN;
    return t->to ? (double)milliseconds / 1e3 : wall;
}

/* The median after a run that warms up. */
static double timer_median(const struct timer *t, int (*work)(void *state), void *state, int runs)
{
    struct samples samples = {0};
    if (isnan(timer_run(t, work, state)))
        return NAN;
    for (int i = 0; i < runs; i++)
        samples_add(&samples, timer_run(t, work, state));
    return samples_spread(&samples).median;
}

static void timer_free(const struct timer *t)
{
    if (t->to)
        t->driver->event_free(t->to);
    if (t->from)
        t->driver->event_free(t->from);
}

static void array_free(const struct driver *driver, uint64_t at)
{
    if (at)
        driver->release(at);
}

/* --- copies ---------------------------------------------------------------------------------- */

struct copying {
    const struct driver *driver;
    uint64_t from, to;
    size_t bytes;
};

static int copy_run(void *state)
{
    struct copying *c = state;
    return c->driver->copy(c->to, c->from, c->bytes);
}

double driver_copy_rate(size_t bytes)
{
    struct driver driver;
    struct copying c = {.driver = &driver, .bytes = bytes};
    double time = NAN;
    if (!driver_open(&driver))
        return NAN;
    if (driver.copy && driver.allocate(&c.from, bytes) == 0 && driver.allocate(&c.to, bytes) == 0) {
        struct timer timer = timer_new(&driver);
        time = timer_median(&timer, copy_run, &c, 15);
        timer_free(&timer);
    }
    array_free(&driver, c.from);
    array_free(&driver, c.to);
    driver_close(&driver);
    return 2 * (double)bytes / time;
}

/* --- products -------------------------------------------------------------------------------- */

struct multiplying {
    const struct cublas *cublas;
    const struct product *product;
    void *handle;
    uint64_t a, b, c;
};

/* cuBLAS counts in columns: what it sees as B' A' is our A B, transposed. */
static int product_run(void *state)
{
    struct multiplying *x = state;
    const struct product *p = x->product;
    float alpha = (float)p->alpha, beta = (float)p->beta;
    if (p->is_double)
        return x->cublas->doubles(x->handle, 0, 0, p->n, p->m, p->k, &p->alpha, x->b, p->n, x->a,
                                  p->k, &p->beta, x->c, p->n);
    return x->cublas->floats(x->handle, 0, 0, p->n, p->m, p->k, &alpha, x->b, p->n, x->a, p->k,
                             &beta, x->c, p->n);
}

static bool array_put(const struct driver *driver, uint64_t *at, const void *host, size_t bytes)
{
    return driver->allocate(at, bytes) == 0 && driver->write(*at, host, bytes) == 0;
}

double cublas_time(const struct product *p, int runs)
{
    struct driver driver;
    struct cublas cublas;
    const char *opened;
    if (!driver_open(&driver))
        return NAN;
    struct multiplying x = {.cublas = &cublas, .product = p};
    size_t size = p->is_double ? sizeof(double) : sizeof(float), m = (size_t)p->m;
    size_t n = (size_t)p->n, k = (size_t)p->k;
    double time = NAN;
    if (cublas_open(&cublas, &opened) && array_put(&driver, &x.a, p->a, m * k * size) &&
        array_put(&driver, &x.b, p->b, k * n * size) &&
        array_put(&driver, &x.c, p->c, m * n * size) && cublas.create(&x.handle) == 0) {
        struct timer timer = timer_new(&driver);
        time = timer_median(&timer, product_run, &x, runs);
        timer_free(&timer);
    }
    if (x.handle)
        cublas.destroy(x.handle);
    array_free(&driver, x.a);
    array_free(&driver, x.b);
    array_free(&driver, x.c);
    driver_close(&driver);
    return time;
}
