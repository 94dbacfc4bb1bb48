/* LLVM tamed, one backend per compilation.

   In: the context of a compilation. Out: its LLVM context, target machines for the GPUs of
   ir/llvm/target.def and for the host, and a guard around everything that LLVM does for it.

   LLVM reports in three ways: a message handed back (the caller's business), a diagnostic of the
   LLVM context (kept by take_diagnostic; without a handler LLVM would leave the process) and a
   fatal error. The handler for the last one has no argument of its own and must not return, so the
   place to go on from is the one thread-local variable of this program: `escape`. After a fatal
   error the backend's LLVM context is given up, not freed, and the next call makes a new one.

   Invariant: an LLVM context belongs to one backend, hence to one thread. */
#include "ir/llvm/backend.h"
#include "base/str.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <setjmp.h>
#include <string.h>
#include <threads.h>
#include <time.h>

struct escape {
    jmp_buf place;
    const char *volatile reason;
    struct arena *arena;
};

static _Thread_local struct escape *escape;

static void escape_fatal(const char *reason)
{
    if (!escape)
        return;
    escape->reason = arena_strdup(escape->arena, reason);
    longjmp(escape->place, 1);
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *state)
{
    struct backend *backend = state;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || backend->message)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    backend->message = arena_strdup(backend->ctx->arena, text);
    LLVMDisposeMessage(text);
}

/* LLVM's vectorisers are switched off by its own options, once per process (default<O3> turns those
   of loops and of sums on again whatever the pass builder's options say): a GPU has no vectors of
   sums and products, and its vector accesses come from the kernel alone, where their alignment is
   known. One pass would take those apart where their elements are used one by one, to be paired
   again by the back end; without either they stay as they are, and the back end does not look for
   pairs in every other kernel, which was a third of its time (passes_run does where they are
   to be expected). Three passes of the back end changed no text of samples, tests/paper and
   tests/programs: those that hoist constants, merge comparisons and colour stack slots.
   Addresses in shared and private memory have 32 bits, as the hardware has them: an element costs
   one addition where 64 bits cost a conversion too. */
static void options_set(void)
{
    static const char *const OPTIONS[] = {"treefork",
                                          "-vectorize-slp=false",
                                          "-vectorize-loops=false",
                                          "-disable-vector-combine",
                                          "-disable-nvptx-load-store-vectorizer",
                                          "-disable-constant-hoisting",
                                          "-disable-mergeicmps",
                                          "-disable-ssc",
                                          "-nvptx-short-ptr"};
    LLVMParseCommandLineOptions(sizeof OPTIONS / sizeof *OPTIONS, OPTIONS, "");
}

static void targets_initialise(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    call_once(&once, options_set);
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMLinkInMCJIT();
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(escape_fatal);
}

static void backend_start(struct backend *backend)
{
    backend->context = LLVMContextCreate();
    LLVMContextSetDiscardValueNames(backend->context, true);
    LLVMContextSetDiagnosticHandler(backend->context, take_diagnostic, backend);
    backend->n_targets = 0;
    backend->compiled = map_new(backend->ctx->arena);
    backend->native = map_new(backend->ctx->arena);
}

static void backend_free(void *object)
{
    struct backend *backend = object;
    for (size_t i = 0; i < backend->n_targets; i++) {
        LLVMDisposeTargetMachine(backend->targets[i].machine);
        LLVMDisposeMessage(backend->targets[i].triple);
        LLVMDisposeMessage(backend->targets[i].layout);
    }
    LLVMContextDispose(backend->context);
}

struct backend *backend_of(struct ctx *ctx)
{
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    struct backend *backend = map_get(ctx->caches, "ir/llvm");
    if (backend)
        return backend;
    targets_initialise();
    backend = ARENA_NEW(ctx->arena, struct backend);
    backend->ctx = ctx;
    backend_start(backend);
    arena_on_free(ctx->arena, backend_free, backend);
    map_put(ctx->caches, "ir/llvm", backend);
    return backend;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double llvm_seconds(const struct ctx *ctx)
{
    const struct backend *backend = ctx->caches ? map_get(ctx->caches, "ir/llvm") : NULL;
    return backend ? backend->seconds : 0;
}

bool backend_guard(struct backend *backend, bool (*work)(void *state), void *state)
{
    struct escape here = {.reason = NULL, .arena = backend->ctx->arena};
    backend->message = NULL;
    backend->seconds -= cpu_seconds();
    volatile bool done = false;
    if (!setjmp(here.place)) {
        escape = &here;
        done = work(state);
    }
    escape = NULL;
    backend->seconds += cpu_seconds();
    const char *reason = here.reason ? here.reason : backend->message;
    if (reason) {
        diag_error(backend->ctx, loc_none(), "LLVM: %s", reason);
        if (here.reason)
            backend_start(backend);
        return false;
    }
    return done;
}

struct target_row {
    int number;
    const char *processor, *features;
};

static const struct target_row target_rows[] = {
#define X(number, features, note) {number, "sm_" #number, features},
#include "ir/llvm/target.def"
#undef X
};

/* LLVM itself only warns about a processor it does not know, and prints PTX for none: hence
   the table. */
static const struct target_row *target_find(struct backend *backend, int number)
{
    struct str known = str_new(backend->ctx->arena);
    for (size_t i = 0; i < sizeof target_rows / sizeof *target_rows; i++) {
        if (target_rows[i].number == number)
            return &target_rows[i];
        str_addf(&known, "%ssm_%d", i ? ", " : "", target_rows[i].number);
    }
    diag_error(backend->ctx, loc_none(), "no PTX for sm_%d: known targets are %s", number,
               known.text);
    return NULL;
}

static bool target_make(struct backend *backend, const struct target_row *row,
                        struct codegen_target *made)
{
    char *error = NULL;
    LLVMTargetRef target;
    made->triple = row ? LLVMCreateMessage("nvptx64-nvidia-cuda") : LLVMGetDefaultTargetTriple();
    if (LLVMGetTargetFromTriple(made->triple, &target, &error)) {
        diag_error(backend->ctx, loc_none(), "LLVM has no code generator for %s: %s", made->triple,
                   error);
        LLVMDisposeMessage(error);
        return false;
    }
    made->machine = LLVMCreateTargetMachine(target, made->triple, row ? row->processor : "",
                                            row ? row->features : "", LLVMCodeGenLevelDefault,
                                            LLVMRelocDefault,
                                            row ? LLVMCodeModelDefault : LLVMCodeModelJITDefault);
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(made->machine);
    made->layout = LLVMCopyStringRepOfTargetData(data);
    LLVMDisposeTargetData(data);
    made->number = row ? row->number : 0;
    return true;
}

const struct codegen_target *backend_target(struct backend *backend, int number)
{
    for (size_t i = 0; i < backend->n_targets; i++)
        if (backend->targets[i].number == number)
            return &backend->targets[i];
    const struct target_row *row = number ? target_find(backend, number) : NULL;
    struct codegen_target *made = &backend->targets[backend->n_targets];
    if ((number && !row) || !target_make(backend, row, made))
        return NULL;
    backend->n_targets++;
    return made;
}

LLVMModuleRef backend_module(struct backend *backend, const struct codegen_target *target,
                             const char *name)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext(name, backend->context);
    LLVMSetTarget(module, target->triple);
    LLVMSetDataLayout(module, target->layout);
    return module;
}
