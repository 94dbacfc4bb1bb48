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
#define X(name, symbol, parameters, needed) int (*name) parameters;
#include "runtime/nvrtc.def"
#undef X
};

/* The loader's own path first, then where toolkits live. */
static void *nvrtc_library(void)
{
    const char *named = getenv("TREEFORK_NVRTC"), *home = getenv("CUDA_HOME");
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

static char *nvrtc_text_of_binding(const struct treefork_binding *binding)
{
    struct treefork_text text = { 0 };
    treefork_text_add(&text, "-DTREEFORK_BIND_%s=%lld", binding->name, (long long)binding->value);
    return text.text;
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

static int nvrtc_image(const struct treefork_nvrtc *nvrtc, void *program, bool cubin, char **image)
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
    *image = bytes;
    return TREEFORK_OK;
}

static int nvrtc_run(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                     const char *text, const char *const *options, int n_options, bool cubin,
                     char **image)
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

int treefork_nvrtc_compile(const struct treefork_nvrtc *nvrtc, const struct treefork_launch *launch,
                           const char *text, int architecture, char **image)
{
    enum { FIXED = 6 };
    char target[48], registers[48], fmad[24], plane[] = "-DTREEFORK_PLANE";
    char index[] = "-DTREEFORK_INDEX=int";
    int chosen = treefork_nvrtc_target(nvrtc, architecture), n = 0, status = TREEFORK_OK;
    bool cubin = chosen == architecture && nvrtc->cubin && nvrtc->cubin_size;
    char **options = calloc(FIXED + launch->n_bindings, sizeof *options);
    if (!options)
        return treefork_fail(TREEFORK_MEMORY, "no memory for build options");
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", cubin ? "sm" : "compute", chosen);
    snprintf(registers, sizeof registers, "--maxrregcount=%d", launch->registers);
    snprintf(fmad, sizeof fmad, "--fmad=%s", launch->module->contract ? "true" : "false");
    options[n++] = fmad;
    options[n++] = (char[]){ "--std=c++17" };
    options[n++] = target;
    if (launch->grid_width)
        options[n++] = plane;
    if (launch->small_arrays)
        options[n++] = index;
    if (launch->registers > 0)
        options[n++] = registers;
    int first = n;
    for (size_t i = 0; i < launch->n_bindings && !status; i++)
        if (!(options[n++] = nvrtc_text_of_binding(&launch->bindings[i])))
            status = treefork_fail(TREEFORK_MEMORY, "no memory for build options");
    if (!status)
        status = nvrtc_run(nvrtc, launch, text, (const char *const *)options, n, cubin, image);
    while (n > first)
        free(options[--n]);
    free(options);
    return status;
}
