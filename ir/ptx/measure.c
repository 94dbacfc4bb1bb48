/* What the assembler makes of PTX: registers, spills, stack, shared bytes.

   In: a PTX module, an entry, a target. The assembler is nvJitLink (a library, loaded when first
   needed) or else the program ptxas; both print the same lines with their verbose option, which are
   read here. No GPU is needed. Where the toolkit has given up on the target, the oldest GPU that it
   knows assembles the same text.

   nvJitLink's functions carry the toolkit's version in their names (__nvJitLinkCreate_13_0), hence
   the search. */
#include "base/str.h"
#include "ir/ptx/ptx.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEWEST_MAJOR = 15, OLDEST_MAJOR = 12, NEWEST_MINOR = 9, INPUT_PTX = 2, TARGET_OLDEST = 75 };

struct linker {
    void *library;
    int (*create)(void **handle, uint32_t n, const char *const *options);
    int (*destroy)(void **handle);
    int (*add)(void *handle, int type, const void *data, size_t size, const char *name);
    int (*complete)(void *handle);
    int (*info_size)(void *handle, size_t *size);
    int (*info)(void *handle, char *log);
    int (*error_size)(void *handle, size_t *size);
    int (*error)(void *handle, char *log);
};

/* POSIX lets dlsym's pointer be a function; C has no cast for it, a copy does. */
static bool symbol(void *library, const char *stem, const char *version, void *function)
{
    char name[80];
    snprintf(name, sizeof name, "__nvJitLink%s_%s", stem, version);
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static bool symbols(struct linker *l, const char *version)
{
    return symbol(l->library, "Create", version, &l->create) &&
           symbol(l->library, "Destroy", version, &l->destroy) &&
           symbol(l->library, "AddData", version, &l->add) &&
           symbol(l->library, "Complete", version, &l->complete) &&
           symbol(l->library, "GetInfoLogSize", version, &l->info_size) &&
           symbol(l->library, "GetInfoLog", version, &l->info) &&
           symbol(l->library, "GetErrorLogSize", version, &l->error_size) &&
           symbol(l->library, "GetErrorLog", version, &l->error);
}

static bool symbols_of_version(struct linker *l, int major)
{
    char version[32];
    for (int minor = NEWEST_MINOR; minor >= 0; minor--) {
        snprintf(version, sizeof version, "%d_%d", major, minor);
        if (symbols(l, version))
            return true;
    }
    return false;
}

/* The toolkit that the environment names; NULL = none is named. Where one is, no other is
   looked for. */
static const char *toolkit_named(void)
{
    const char *home = getenv("CUDA_HOME"), *path = getenv("CUDA_PATH");
    if (home && *home)
        return home;
    return path && *path ? path : NULL;
}

static void *library_open(struct arena *arena, int major)
{
    const char *root = toolkit_named();
    void *library = root ? NULL
                         : dlopen(arena_printf(arena, "libnvJitLink.so.%d", major), RTLD_NOW);
    root = root ? root : "/usr/local/cuda";
    if (!library)
        library = dlopen(arena_printf(arena, "%s/lib64/libnvJitLink.so.%d", root, major), RTLD_NOW);
    return library
               ? library
               : dlopen(arena_printf(arena, "%s/lib/libnvJitLink.so.%d", root, major), RTLD_NOW);
}

static bool linker_open(struct arena *arena, struct linker *l)
{
    for (int major = NEWEST_MAJOR; major >= OLDEST_MAJOR; major--) {
        l->library = library_open(arena, major);
        if (l->library && symbols_of_version(l, major))
            return true;
        if (l->library)
            dlclose(l->library);
    }
    return false;
}

struct assembly {
    struct arena *arena;
    const char *ptx;
    int target;
    const char *log;   /* what the assembler printed */
};

static const char *log_read(struct assembly *a, void *handle, int (*size_of)(void *, size_t *),
                            int (*read)(void *, char *))
{
    size_t size = 0;
    if (size_of(handle, &size) || size == 0)
        return "";
    char *text = arena_alloc(a->arena, size + 1);
    return read(handle, text) ? "" : text;
}

/* 1 done, 0 no library, -1 refused. */
static int assemble_linked(struct assembly *a)
{
    struct linker l;
    void *handle = NULL;
    if (!linker_open(a->arena, &l))
        return 0;
    const char *options[] = {arena_printf(a->arena, "-arch=sm_%d", a->target), "-verbose"};
    if (l.create(&handle, 2, options)) {
        a->log = arena_printf(a->arena, "nvJitLink does not take sm_%d", a->target);
        return -1;
    }
    bool failed = l.add(handle, INPUT_PTX, a->ptx, strlen(a->ptx) + 1, "kernel.ptx") ||
                  l.complete(handle);
    a->log = failed ? log_read(a, handle, l.error_size, l.error)
                    : log_read(a, handle, l.info_size, l.info);
    l.destroy(&handle);
    return failed ? -1 : 1;
}

static const char *ptxas_path(struct arena *arena)
{
    const char *named = toolkit_named(), *const roots[] = {named ? named : "/usr/local/cuda",
                                                           named ? named : "/usr"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        const char *path = arena_printf(arena, "%s/bin/ptxas", roots[i]);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

/* The child: ptxas with its output in a pipe. */
static void ptxas_exec(const char *path, struct assembly *a, const char *input, int out)
{
    const char *arch = arena_printf(a->arena, "-arch=sm_%d", a->target);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl(path, path, "-v", arch, "-o", "/dev/null", input, (char *)NULL);
    _exit(127);
}

static void drain(struct assembly *a, int in)
{
    struct str log = str_new(a->arena);
    char part[4096];
    ssize_t n = read(in, part, sizeof part);
    while (n > 0) {
        str_add_n(&log, part, (size_t)n);
        n = read(in, part, sizeof part);
    }
    a->log = log.text;
}

static int ptxas_run(struct assembly *a, const char *path, const char *input)
{
    int ends[2], status = -1;
    if (pipe(ends))
        return 0;
    pid_t child = fork();
    if (child == 0)
        ptxas_exec(path, a, input, ends[1]);
    close(ends[1]);
    drain(a, ends[0]);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : -1;
}

/* As assemble_linked, by the program. */
static int assemble_program(struct assembly *a)
{
    const char *path = ptxas_path(a->arena), *folder = getenv("TMPDIR");
    if (!path)
        return 0;
    char *input = arena_printf(a->arena, "%s/treefork-ptx-XXXXXX", folder ? folder : P_tmpdir);
    int file = mkstemp(input);
    if (file < 0)
        return 0;
    size_t length = strlen(a->ptx);
    int done = write(file, a->ptx, length) == (ssize_t)length ? ptxas_run(a, path, input) : 0;
    close(file);
    unlink(input);
    return done;
}

/* The number before (or after, with before = false) the first `word` of text[0 .. n). */
static int number_near(const char *text, size_t n, const char *word, bool before)
{
    const char *found = strstr(text, word), *digit = found;
    if (!found || found >= text + n)
        return 0;
    if (!before)
        return atoi(found + strlen(word));
    while (digit > text && strchr("0123456789 ", digit[-1]))
        digit--;
    return atoi(digit);
}

/* Lines of the entry: from "Compiling entry function 'NAME'" to the next such line. */
static bool log_parse(struct assembly *a, const char *entry, struct ptx_measure *measure)
{
    const char *start = strstr(a->log, arena_printf(a->arena, "entry function '%s'", entry));
    if (!start)
        return false;
    const char *next = strstr(start + 1, "entry function '");
    size_t n = next ? (size_t)(next - start) : strlen(start);
    const char *properties = strstr(a->log, arena_printf(a->arena, "properties for %s", entry));
    measure->registers = number_near(start, n, "Used ", false);
    measure->shared_bytes = number_near(start, n, " bytes smem", true);
    measure->stack_bytes = number_near(properties ? properties : start, n, " bytes stack frame",
                                       true);
    measure->spill_bytes = number_near(properties ? properties : start, n, " bytes spill stores",
                                       true);
    return measure->registers > 0;
}

int ptx_measure_by(struct ctx *ctx, enum ptx_assembler assembler, const struct ptx_source *source,
                   struct ptx_measure *measure, const char **message)
{
    int target = source->target < TARGET_OLDEST ? TARGET_OLDEST : source->target;
    struct assembly a = {ctx->arena, source->ptx, target, ""};
    int done = assembler == PTX_LINKER ? assemble_linked(&a) : assemble_program(&a);
    *message = a.log;
    if (done == 1 && !log_parse(&a, source->entry, measure))
        done = -1;
    return done;
}

int ptx_measure(struct ctx *ctx, const char *ptx, const char *entry, int target,
                struct ptx_measure *measure, const char **message)
{
    struct ptx_source source = {ptx, entry, target};
    int done = ptx_measure_by(ctx, PTX_LINKER, &source, measure, message);
    return done ? done : ptx_measure_by(ctx, PTX_PROGRAM, &source, measure, message);
}
