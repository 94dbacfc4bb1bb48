/* CUDA C to a binary at load time, by NVRTC where it is installed. In: text, bindings, register
   budget, the device's architecture; out: a cubin for exactly that architecture, or PTX for the
   newest one below that NVRTC knows. Floating point is compiled as the serial C program was: no
   fused multiply-add, unless the module was built with --contract. The dialect is C++17, the first
   one with the hexadecimal floating-point literals that kernels hold: NVRTC up to 11 reads C++14
   unless told. TREEFORK_NVRTC names another library; "none" switches NVRTC off. Source:
   NVRTC documentation. */
#include "runtime/cuda.h"
#include <stdlib.h>
#include <string.h>

struct treefork_nvrtc {
    void *library;
#define X(name, symbol, parameters, needed) int (*name) parameters;
#include "runtime/nvrtc.def"
#undef X
};

/* The loader's own path first, then where toolkits live. */
static void *nvrtc_library(void)
{
    const char *named = treefork_environment("TREEFORK_NVRTC");
    const char *home = treefork_environment("CUDA_HOME");
    char path[512];
    int n = snprintf(path, sizeof path, "%s/lib64/libnvrtc.so", home ? home : "/usr/local/cuda");
    const char *const only[] = { named, NULL };
    const char *const usual[] = {"libnvrtc.so.13",
                                 "libnvrtc.so.12",
                                 "libnvrtc.so.11.2",
                                 "libnvrtc.so",
                                 n > 0 && (size_t)n < sizeof path ? path : NULL,
                                 NULL};
    if (named && *named)
        return strcmp(named, "none") == 0 ? NULL : treefork_library_open(only);
    return treefork_library_open(usual);
}

struct treefork_nvrtc *treefork_nvrtc_open(void)
{
    static const struct treefork_symbol symbols[] = {
#define X(name, symbol, parameters, needed)                                                        \
    {#symbol, offsetof(struct treefork_nvrtc, name), needed},
#include "runtime/nvrtc.def"
#undef X
    };
    const char *missing;
    void *library = nvrtc_library();
    struct treefork_nvrtc *nvrtc = library ? calloc(1, sizeof *nvrtc) : NULL;
    if (nvrtc && !treefork_library_fill(library, symbols, sizeof symbols / sizeof *symbols, nvrtc,
                                        &missing)) {
        free(nvrtc);
        nvrtc = NULL;
    }
    if (nvrtc)
        nvrtc->library = library;
    return nvrtc;
}

/* The supported architecture to compile for: the device's own or the newest below; 0 if all
   are newer. */
int treefork_nvrtc_target(const struct treefork_nvrtc *nvrtc, int architecture)
{
    int count = 0, best = 0;
    if (!nvrtc->arch_count || !nvrtc->archs)
        return architecture;
    if (nvrtc->arch_count(&count) || count <= 0)
        return 0;
    int *list = calloc((size_t)count, sizeof *list);
    if (list && !nvrtc->archs(list))
        for (int i = 0; i < count; i++)
            if (list[i] <= architecture && list[i] > best)
                best = list[i];
    free(list);
    return best;
}

static int nvrtc_failed(const struct treefork_nvrtc *nvrtc, void *program,
                        const struct treefork_launch *launch, int code)
{
    size_t size = 0;
    char *log = nvrtc->log_size(program, &size) || size < 2 ? NULL : calloc(size + 1, 1);
    if (log && nvrtc->log(program, log))
        log[0] = '\0';
    treefork_fail(TREEFORK_BUILD, "%s: NVRTC refused module %s (error %d)%s%s", launch->kernel,
                  launch->module->name ? launch->module->name : "?", code, log && *log ? ":\n" : "",
                  log ? log : "");
    free(log);
    return TREEFORK_BUILD;
}

/* With a zero behind it, which the size of PTX counts. */
static int nvrtc_image(const struct treefork_nvrtc *nvrtc, void *program, bool cubin,
                       struct treefork_image *image)
{
    size_t size = 0;
    int code = cubin ? nvrtc->cubin_size(program, &size) : nvrtc->ptx_size(program, &size);
    char *bytes = code || !size ? NULL : calloc(size + 1, 1);
    if (bytes)
        code = cubin ? nvrtc->cubin(program, bytes) : nvrtc->ptx(program, bytes);
    if (!bytes || code) {
        free(bytes);
        return treefork_fail(code ? TREEFORK_BUILD : TREEFORK_MEMORY,
                             "NVRTC gave no binary (error %d)", code);
    }
    *image = (struct treefork_image){bytes, size};
    return TREEFORK_OK;
}

static int nvrtc_run(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                     const char *text, const char *const *options, int n_options, bool cubin,
                     struct treefork_image *image)
{
    void *program = NULL;
    int code = nvrtc->create(&program, text, "kernels.cu", 0, NULL, NULL);
    if (code)
        return treefork_fail(TREEFORK_BUILD, "%s: NVRTC cannot start (error %d)", launch->kernel,
                             code);
    code = nvrtc->compile(program, n_options, options);
    int status = code ? nvrtc_failed(nvrtc, program, launch, code)
                      : nvrtc_image(nvrtc, program, cubin, image);
    nvrtc->destroy(&program);
    return status;
}

/* A cubin for exactly this architecture, or PTX for an older one? */
static bool nvrtc_makes_cubin(const struct treefork_nvrtc *nvrtc, int architecture)
{
    return treefork_nvrtc_target(nvrtc, architecture) == architecture && nvrtc->cubin &&
           nvrtc->cubin_size;
}

/* One to a line; NULL if memory ran out. */
static char *nvrtc_options(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                           int architecture)
{
    struct treefork_text text = {0};
    treefork_text_add(&text, "--fmad=%s\n--std=c++17\n--gpu-architecture=%s_%d",
                      launch->module->contract ? "true" : "false",
                      nvrtc_makes_cubin(nvrtc, architecture) ? "sm" : "compute",
                      treefork_nvrtc_target(nvrtc, architecture));
    if (launch->grid_width)
        treefork_text_add(&text, "\n-DTREEFORK_PLANE");
    if (launch->part)
        treefork_text_add(&text, "\n-DTREEFORK_PART");
    if (launch->small_arrays)
        treefork_text_add(&text, "\n-DTREEFORK_INDEX=int");
    if (launch->registers > 0)
        treefork_text_add(&text, "\n--maxrregcount=%d", launch->registers);
    for (size_t i = 0; i < launch->n_bindings; i++)
        treefork_text_add(&text, "\n-DTREEFORK_BIND_%s=%lld", launch->bindings[i].name,
                          (long long)launch->bindings[i].value);
    return text.text;
}

/* The lines of `text`, which become strings of their own; NULL if memory ran out. */
static const char **lines_split(char *text, int *count)
{
    size_t n = 1;
    for (const char *c = text; *c; c++)
        n += *c == '\n';
    const char **lines = calloc(n, sizeof *lines);
    *count = (int)n;
    if (!lines)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        lines[i] = text;
        text += strcspn(text, "\n");
        *text++ = '\0';
    }
    return lines;
}

int treefork_nvrtc_compile(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                           const char *text, int architecture, struct treefork_image *image)
{
    int count = 0;
    bool cubin = nvrtc_makes_cubin(nvrtc, architecture);
    char *options = nvrtc_options(nvrtc, launch, architecture);
    const char **lines = options ? lines_split(options, &count) : NULL;
    int status = lines ? nvrtc_run(nvrtc, launch, text, lines, count, cubin, image)
                       : treefork_fail(TREEFORK_MEMORY, "no memory for build options");
    free(lines);
    free(options);
    return status;
}

/* A library that is replaced by another build of its version has another size or time. */
bool treefork_nvrtc_key(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                        int architecture, struct treefork_text *key)
{
    int major = 0, minor = 0;
    char *options = nvrtc_options(nvrtc, launch, architecture), file[64];
    bool is_told = options && nvrtc->version && !nvrtc->version(&major, &minor) &&
                   treefork_library_file(nvrtc->library, "nvrtcVersion", file, sizeof file);
    if (is_told) {
        treefork_text_add(key, "nvrtc %d.%d\n", major, minor);
        treefork_key_add(key, "nvrtc library", file);
        treefork_key_add(key, "options", options);
    }
    free(options);
    return is_told;
}
