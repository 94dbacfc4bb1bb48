/* PTX text of kernels.

   In: a kernel, the parameters bound and the target. Out: PTX, cached in the context by everything
   that shapes it. The entry's name does not, so that a kernel measured for its registers is not
   compiled again to be embedded under another name; PTX of a part is printed only where it is
   measured or asked for. Different kernels and attempts often meet in one module: modules that are
   equal before or after the passes are compiled on once. To let them meet, modules hold no names of
   values and their entry is ENTRY, which is replaced where a text is handed out. Per pressure level
   one more attempt is made (passes.c) and the one with the least register estimate is kept, so that
   the estimate never rises with the level. Level 3 also caps: `.maxnreg` at three quarters of the
   estimate, rounded down to the step of allocation, never below the 24 that the assembler accepts
   as a limit; what exceeds it is spilled. Texts that the runtime launches have no cap of their own:
   it gives the level's budget as the limit, and more where the kernel spills and its block fits. */
#include "ir/llvm/lower.h"
#include "ir/async.h"
#include "base/progress.h"
#include "base/str.h"
#include "ir/ptx/ptx.h"
#include <assert.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <string.h>

enum { LEVEL_CAP = 3, REGISTERS_LEAST = 24, REGISTERS_STEP = 8, ESTIMATE_TARGET = 70 };

/* What the entry is called until a text is handed out. */
static const char ENTRY[] = "treefork_entry";

struct compiled {
    LLVMModuleRef module;    /* after passes, before code generation (which changes it) */
    const struct codegen_target *target;
    const char *entry;
    const char *ptx;         /* NULL until compiled_ptx */
    const char *name, *named;   /* the entry's name asked for last, and the text with it; or NULL */
    bool has_figures;        /* else: not read yet, or not understood */
    double figures[PTX_FIGURES_MAX];
    int limit;               /* .maxnreg of the text */
    struct line_origins *lines;   /* source lines of the lines of `ptx`; NULL: nobody asked */
};

struct job {
    struct backend *backend;
    const struct kernel *kernel;
    const struct ptx_options *options;
    const struct codegen_target *target;
    const char *key;
    bool is_named;           /* for `-d llvm`: values keep their names, the entry is the kernel's */
    struct compiled *result;
};

/* `lines`, unless it is NULL, is told where the lines come from. */
static const char *module_ptx(struct backend *backend, LLVMModuleRef module,
                              const struct codegen_target *target, struct line_origins *lines)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *error = NULL;
    LLVMModuleRef copy = LLVMCloneModule(module);
    backend->ctx->counts.texts++;
    progress_tick(backend->ctx);
    bool failed = LLVMTargetMachineEmitToMemoryBuffer(target->machine, copy, LLVMAssemblyFile,
                                                      &error, &buffer);
    LLVMDisposeModule(copy);
    if (failed) {
        diag_error(backend->ctx, loc_none(), "LLVM: %s", error);
        LLVMDisposeMessage(error);
        return NULL;
    }
    const char *text = text_tidy(backend->ctx->arena, LLVMGetBufferStart(buffer), lines);
    LLVMDisposeMemoryBuffer(buffer);
    return text;
}

/* The PTX of a part alone; NULL after a diagnostic. */
static const char *compiled_ptx(struct backend *backend, struct compiled *compiled)
{
    if (!compiled->ptx)
        compiled->ptx = module_ptx(backend, compiled->module, compiled->target, compiled->lines);
    return compiled->ptx;
}

static void annotate_registers(struct backend *backend, LLVMModuleRef module, const char *entry,
                               int registers)
{
    LLVMContextRef context = backend->context;
    LLVMMetadataRef parts[3] = {LLVMValueAsMetadata(LLVMGetNamedFunction(module, entry)),
                                LLVMMDStringInContext2(context, "maxnreg", 7),
                                LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context),
                                                                 (unsigned)registers, false))};
    LLVMAddNamedMetadataOperand(module, "nvvm.annotations",
                                LLVMMetadataAsValue(context,
                                                    LLVMMDNodeInContext2(context, parts, 3)));
}

/* A name for what the module says, preceded by `prefix`. Bitcode says all that the text does, in a
   fifth of the instructions. */
static const char *module_key(struct backend *backend, LLVMModuleRef module, const char *prefix)
{
    LLVMMemoryBufferRef code = LLVMWriteBitcodeToMemoryBuffer(module);
    size_t size = LLVMGetBufferSize(code);
    uint64_t hash = hash_bytes(HASH_START, LLVMGetBufferStart(code), size);
    const char *key = arena_printf(backend->ctx->arena, "%s %zu %016llx", prefix, size,
                                   (unsigned long long)hash);
    LLVMDisposeMemoryBuffer(code);
    return key;
}

/* The lowered kernel with what it needs of libdevice, before the passes; NULL after
   a diagnostic. *next_differs: see lower.h. */
static LLVMModuleRef attempt_lower(const struct job *job, int attempt, bool *next_differs)
{
    struct backend *backend = job->backend;
    struct lowering l = {.ctx = backend->ctx,
                         .backend = backend,
                         .kernel = job->kernel,
                         .bindings = job->options->bindings,
                         .n_bindings = job->options->n_bindings,
                         .has_async = job->target->number >= ASYNC_TARGET,
                         .contract = job->options->contract,
                         .unroll = job->options->unroll,
                         .told = job->options->told,
                         .attempt = attempt};
    const char *entry = job->is_named ? job->kernel->name : ENTRY;
    l.module = backend_module(backend, job->target, entry);
    bool lowered = lower_kernel(&l, entry);
    *next_differs = l.next_differs;
    if (lowered &&
        libdevice_link(backend, l.module, job->options->libdevice, job->options->estimate))
        return l.module;
    LLVMDisposeModule(l.module);
    return NULL;
}

static const char *attempt_key(const struct job *job, int attempt)
{
    return arena_printf(job->backend->ctx->arena, "attempt %d: %s", attempt, job->key);
}

/* Makes one attempt. NULL after a diagnostic. Its module is that of an earlier attempt if both are
   the same before the passes; attempts from 1 on run the same ones. */
static struct compiled *attempt_make(const struct job *job, int attempt, bool *next_differs)
{
    struct backend *backend = job->backend;
    struct arena *arena = backend->ctx->arena;
    LLVMModuleRef module = attempt_lower(job, attempt, next_differs);
    if (!module)
        return NULL;
    bool pairs = job->options->unroll > 1;
    const char *key = module_key(backend, module,
                                 arena_printf(arena, "%s passes%s, sm_%d",
                                              attempt > 0 ? "light" : "full",
                                              pairs ? " with pairs" : "", job->target->number));
    struct compiled *made = map_get(backend->compiled, key);
    if (made || !passes_run(backend, module, job->target, attempt, pairs)) {
        LLVMDisposeModule(module);
        return made;
    }
    made = ARENA_NEW(arena, struct compiled);
    *made = (struct compiled){.module = module, .target = job->target, .entry = ENTRY};
    if (job->is_named)
        made->entry = job->kernel->name;
    if (job->options->told)
        made->lines = ARENA_NEW(arena, struct line_origins);
    map_put(backend->compiled, key, made);
    return made;
}

/* Finds the attempt, or makes it. An attempt that equals the one before it is not lowered. */
static struct compiled *attempt_run(const struct job *job, int attempt)
{
    struct map *known = job->backend->compiled;
    struct compiled *made = map_get(known, attempt_key(job, attempt));
    bool next_differs = false;
    if (made || !(made = attempt_make(job, attempt, &next_differs)))
        return made;
    map_put(known, attempt_key(job, attempt), made);
    if (attempt == 1 && !next_differs)
        map_put(known, attempt_key(job, attempt + 1), made);
    return made;
}

/* The register estimate; -1 after a diagnostic. */
static int compiled_registers(struct backend *backend, struct compiled *compiled)
{
    const char *ptx = compiled->has_figures ? NULL : compiled_ptx(backend, compiled);
    if (ptx)
        compiled->has_figures = ptx_figures(ptx, compiled->entry, compiled->figures,
                                            &compiled->limit);
    if (ptx && !compiled->has_figures)
        diag_error(backend->ctx, loc_none(), "internal: the PTX of `%s` is not understood",
                   compiled->entry);
    return compiled->has_figures ? ptx_weigh(compiled->figures, compiled->limit) : -1;
}

/* The same with a limit of registers, which changes nothing but that line of the text; NULL after
   a diagnostic. */
static struct compiled *compiled_limited(struct backend *backend, struct compiled *from, int limit)
{
    struct arena *arena = backend->ctx->arena;
    struct compiled *made = ARENA_NEW(arena, struct compiled);
    const char *ptx = compiled_ptx(backend, from);
    const char *limited = ptx ? ptx_limited(arena, ptx, from->entry, limit) : NULL;
    if (!limited)
        return NULL;
    *made = *from;
    made->name = made->named = NULL;
    made->module = LLVMCloneModule(from->module);
    annotate_registers(backend, made->module, from->entry, limit);
    made->ptx = limited;
    made->limit = limit;
    return made;
}

/* The limit written into the entry; 0 = none. The cap of the last level is never below what every
   kernel may have. */
static int register_limit(const struct job *job, int estimate)
{
    int limit = job->options->registers;
    if (job->kernel->pressure >= LEVEL_CAP && !job->options->is_launched) {
        int cap = estimate * 3 / 4 / REGISTERS_STEP * REGISTERS_STEP;
        cap = cap < PTX_BOUND_LEAST ? PTX_BOUND_LEAST : cap;
        limit = limit && limit < cap ? limit : cap;
    }
    return limit && limit < REGISTERS_LEAST ? REGISTERS_LEAST : limit;
}

/* The best attempt of the kernel's level, limited. Attempts are shared by the levels of one kernel;
   a single one need not be measured. */
static bool job_run(void *state)
{
    struct job *job = state;
    struct backend *backend = job->backend;
    struct compiled *best = NULL;
    int level = job->kernel->pressure, least = -1;
    for (int attempt = 0; attempt <= level && attempt < LEVEL_CAP; attempt++) {
        struct compiled *made = attempt_run(job, attempt);
        if (!made)
            return false;
        int registers = level ? compiled_registers(backend, made) : 0;
        if (registers < 0)
            return false;
        if (!best || registers < least) {
            best = made;
            least = registers;
        }
    }
    assert(best);
    int limit = register_limit(job, least);
    job->result = limit ? compiled_limited(backend, best, limit) : best;
    return job->result;
}

/* All that shapes the code of an attempt: the name of the kernel does so only where it is the
   entry's. */
static const char *job_key(const struct job *job)
{
    const struct ptx_options *o = job->options;
    struct str key = str_new(job->backend->ctx->arena);
    struct kernel *plain = kernel_copy(job->backend->ctx->arena, job->kernel);
    plain->pressure = 0;
    if (!job->is_named)
        plain->name = ENTRY;
    str_addf(&key, "%s%s%016llx sm_%d contract %d unroll %d estimate %d libdevice %s",
             job->is_named ? "named " : "", o->told ? "with lines " : "",
             (unsigned long long)kernel_hash(plain), o->target, o->contract, o->unroll, o->estimate,
             o->libdevice ? o->libdevice : "");
    for (size_t i = 0; i < o->n_bindings; i++)
        str_addf(&key, " %s=%lld", o->bindings[i].name, (long long)o->bindings[i].value);
    return key.text;
}

/* An estimate is made for one target whichever is asked for (the text for the others differs in its
   head only: see the table of tests/unit/ir-llvm_registers.c), that of a kernel with asynchronous
   copies for the first GPUs that have them, and is the real text where libdevice is at hand. */
static struct ptx_options options_normalise(struct backend *backend, const struct kernel *kernel,
                                            const struct ptx_options *options)
{
    struct ptx_options usual = *options;
    if (options->estimate)
        usual.target = kernel_has_async(backend->ctx->arena, kernel) ? ASYNC_TARGET
                                                                     : ESTIMATE_TARGET;
    usual.estimate = options->estimate && !libdevice_path(backend, options->libdevice);
    return usual;
}

static struct compiled *compile_job(struct backend *backend, const struct kernel *kernel,
                                    const struct ptx_options *options, bool is_named)
{
    struct ptx_options usual = options_normalise(backend, kernel, options);
    struct job job = {
        .backend = backend, .kernel = kernel, .options = &usual, .is_named = is_named};
    job.target = backend_target(backend, usual.target);
    if (!job.target)
        return NULL;
    job.key = job_key(&job);
    const char *key = arena_printf(backend->ctx->arena, "level %d registers %d launched %d: %s",
                                   kernel->pressure, options->registers, options->is_launched,
                                   job.key);
    struct compiled *kept = map_get(backend->compiled, key);
    if (kept || !backend_guard(backend, job_run, &job))
        return kept;
    map_put(backend->compiled, key, job.result);
    return job.result;
}

static struct compiled *compile(struct backend *backend, const struct kernel *kernel,
                                const struct ptx_options *options)
{
    return compile_job(backend, kernel, options, false);
}

/* Printing PTX and estimating may fail inside LLVM like everything else. */
struct text_job {
    struct backend *backend;
    struct compiled *compiled;
};

static bool text_run(void *state)
{
    struct text_job *job = state;
    return compiled_ptx(job->backend, job->compiled);
}

static struct compiled *compile_text(struct ctx *ctx, const struct kernel *kernel,
                                     const struct ptx_options *options)
{
    struct text_job job = {backend_of(ctx), NULL};
    job.compiled = compile(job.backend, kernel, options);
    return job.compiled && backend_guard(job.backend, text_run, &job) ? job.compiled : NULL;
}

/* The text with `by` wherever `what` stands. */
static const char *text_replace(struct arena *arena, const char *text, const char *what,
                                const char *by)
{
    struct str result = str_new(arena);
    for (const char *next = strstr(text, what); next; next = strstr(text, what)) {
        str_add_n(&result, text, (size_t)(next - text));
        str_add(&result, by);
        text = next + strlen(what);
    }
    str_add(&result, text);
    return result.text;
}

const char *llvm_ptx(struct ctx *ctx, const struct kernel *kernel,
                     const struct ptx_options *options)
{
    struct compiled *compiled = compile_text(ctx, kernel, options);
    if (!compiled)
        return NULL;
    if (!compiled->named || strcmp(compiled->name, kernel->name) != 0) {
        compiled->name = kernel->name;
        compiled->named = text_replace(ctx->arena, compiled->ptx, ENTRY, kernel->name);
    }
    return compiled->named;
}

const char *llvm_ptx_lines(struct ctx *ctx, const struct kernel *kernel, const char *entry,
                           const struct ptx_options *options, struct line_origins *lines)
{
    assert(options->told && options->is_launched && !options->registers);
    const struct compiled *compiled = compile_text(ctx, kernel, options);
    if (!compiled)
        return NULL;
    *lines = *compiled->lines;
    return text_replace(ctx->arena, compiled->ptx, ENTRY, entry);
}

int llvm_registers(struct ctx *ctx, const struct kernel *kernel, const struct ptx_options *options)
{
    struct compiled *compiled = compile_text(ctx, kernel, options);
    return compiled ? compiled_registers(backend_of(ctx), compiled) : -1;
}

const char *llvm_text(struct ctx *ctx, const struct kernel *kernel,
                      const struct ptx_options *options)
{
    struct backend *backend = backend_of(ctx);
    LLVMContextSetDiscardValueNames(backend->context, false);
    const struct compiled *compiled = compile_job(backend, kernel, options, true);
    LLVMContextSetDiscardValueNames(backend->context, true);
    if (!compiled)
        return NULL;
    char *text = LLVMPrintModuleToString(compiled->module);
    const char *kept = arena_strdup(ctx->arena, text);
    LLVMDisposeMessage(text);
    return kept;
}

/* Several parts as one module. */
struct link_job {
    struct backend *backend;
    const struct codegen_target *target;
    struct compiled **parts;
    const char **names;          /* entry of each part */
    size_t count;
    const char *ptx;
};

static const char GLOBAL_MARK[] = "\t// .globl\t";
static const char SHARED_LINES[] = ".extern .shared .align 16 .b8 treefork_shared[];\n\n";

static LLVMModuleRef part_named(const struct compiled *part, const char *name)
{
    LLVMModuleRef module = LLVMCloneModule(part->module);
    LLVMSetValueName2(LLVMGetNamedFunction(module, part->entry), name, strlen(name));
    return module;
}

/* Internal functions of the parts (libdevice) get new names where they meet; the shared buffer
   is one. */
static const char *parts_link(const struct link_job *job)
{
    LLVMModuleRef module = backend_module(job->backend, job->target, "treefork");
    bool failed = false;
    for (size_t i = 0; i < job->count && !failed; i++)
        failed = LLVMLinkModules2(module, part_named(job->parts[i], job->names[i]));
    const char *ptx = failed ? NULL : module_ptx(job->backend, module, job->target, NULL);
    LLVMDisposeModule(module);
    return ptx;
}

/* Is the text a head and one entry, with nothing else than the declaration of shared memory? */
static bool text_is_plain(const char *ptx)
{
    const char *mark = strstr(ptx, GLOBAL_MARK);
    return mark && !strstr(mark + 1, GLOBAL_MARK) && !strstr(ptx, "\n.func") &&
           !strstr(ptx, "\n.global");
}

/* What follows the mark's line in a plain part's text, without the declaration of shared memory:
   the entry, renamed, with its labels and its stack numbered as the module's function `number`. */
static const char *part_body(struct arena *arena, const char *text, const char *name, size_t number)
{
    const char *body = strchr(strstr(text, GLOBAL_MARK), '\n') + 1;
    body = text_replace(arena, body, SHARED_LINES, "");
    if (*body == '\n')
        body++;
    body = text_replace(arena, body, ENTRY, name);
    body = text_replace(arena, body, "$L__BB0_", arena_printf(arena, "$L__BB%zu_", number));
    return text_replace(arena, body, "__local_depot0",
                        arena_printf(arena, "__local_depot%zu", number));
}

/* The texts of plain parts put together as LLVM prints their module: one head, and after the first
   mark the declaration of shared memory or an empty line. */
static const char *parts_join(const struct link_job *job)
{
    struct arena *arena = job->backend->ctx->arena;
    struct str out = str_new(arena);
    const char *first = job->parts[0]->ptx, *opening = "\n";
    for (size_t i = 0; i < job->count; i++)
        if (strstr(job->parts[i]->ptx, SHARED_LINES))
            opening = SHARED_LINES;
    str_addf(&out, "%.*s", (int)(strstr(first, GLOBAL_MARK) - first), first);
    for (size_t i = 0; i < job->count; i++) {
        str_addf(&out, "%s%s\n%s", GLOBAL_MARK, job->names[i], opening);
        str_add(&out, part_body(arena, job->parts[i]->ptx, job->names[i], i));
        opening = "";
    }
    return out.text;
}

static bool link_run(void *state)
{
    struct link_job *job = state;
    bool plain = job->count > 0;
    for (size_t i = 0; i < job->count && plain; i++) {
        const char *ptx = compiled_ptx(job->backend, job->parts[i]);
        if (!ptx)
            return false;
        plain = text_is_plain(ptx);
    }
    job->ptx = plain ? parts_join(job) : parts_link(job);
    return job->ptx;
}

const char *llvm_ptx_module(struct ctx *ctx, const struct kernel *const *kernels,
                            const char *const *names, const struct ptx_options *options,
                            size_t count)
{
    struct backend *backend = backend_of(ctx);
    struct link_job job = {.backend = backend, .count = count};
    job.parts = ARENA_ARRAY(ctx->arena, struct compiled *, count + 1);
    job.names = ARENA_ARRAY(ctx->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        job.parts[i] = compile(backend, kernels[i], &options[i]);
        job.names[i] = names && names[i] ? names[i] : kernels[i]->name;
        if (!job.parts[i])
            return NULL;
    }
    job.target = backend_target(backend, count ? options[0].target : 70);
    if (!job.target || !backend_guard(backend, link_run, &job))
        return NULL;
    return job.ptx;
}
