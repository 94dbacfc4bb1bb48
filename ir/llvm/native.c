/* Kernels compiled for the host.

   In: a kernel and its parameters' values. Out: a function of a thread's lane and the argument
   slots. Only parameters that size private arrays are bound, the others stay arguments, as in PTX;
   so one compilation serves many runs. Where the context asks for contraction, products and sums
   are fused as on a GPU, if this processor has the operation.

   Invariant: the code refers to nothing of this process but the C library's mathematical functions
   and base/half.h's, mapped by address, and the fault records of its checks, which live as long as
   the context. */
#include "ir/llvm/native.h"
#include "ir/walk.h"
#include "base/half.h"
#include "base/str.h"
#include "base/vec.h"
#include "ir/function.h"
#include <llvm-c/ExecutionEngine.h>
#include <string.h>

enum { STACK_LEAST = 64 << 10, PAGE = 4096 };

struct native_build {
    struct backend *backend;
    const struct kernel *kernel;
    VEC(struct binding) bindings;
    const union value *params;
    struct native *result;
};

static void dispose_engine(void *engine)
{
    LLVMDisposeExecutionEngine(engine);
}

static void bind_var(struct native_build *build, const struct var *var)
{
    for (size_t i = 0; i < build->bindings.count; i++)
        if (!strcmp(build->bindings.at[i].name, var->name))
            return;
    for (int i = 0; i < build->kernel->n_params; i++)
        if (build->kernel->params[i]->var == var)
            vec_push(build->backend->ctx->arena, &build->bindings,
                     ((struct binding){var->name, build->params[i].integer}));
}

static void bind_extent(struct native_build *build, const struct expr *extent)
{
    struct expr_walk walk;
    struct arena *arena = build->backend->ctx->arena;
    for (const struct expr *e = expr_first(&walk, arena, extent); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR)
            bind_var(build, e->var);
}

/* Binds what sizes private arrays. */
static void bind_sizes(struct native_build *build)
{
    for (int i = 0; i < build->kernel->n_arrays; i++) {
        const struct array *array = build->kernel->arrays[i];
        if (array->space != SPACE_PRIVATE)
            continue;
        for (int k = 0; k < array->n_dims; k++)
            bind_extent(build, array->dims[k]);
    }
}

static size_t private_bytes(struct lowering *l)
{
    size_t sum = 0;
    for (int i = 0; i < l->kernel->n_arrays; i++) {
        const struct array *array = l->kernel->arrays[i];
        int64_t bytes = array->space == SPACE_PRIVATE ? type_bytes(array->element) : 0, extent = 1;
        for (int k = 0; bytes && k < array->n_dims; k++)
            bytes *= lower_constant(l, array->dims[k], &extent) && extent > 1 ? extent : 1;
        sum += (size_t)bytes;
    }
    return sum;
}

/* The address of one of base/half.h's functions; false for other names. */
static bool half_function(const char *name, void **address)
{
    unsigned (*const bits)(double) = half_bits;
    double (*const value)(unsigned) = half_value;
    bool is_bits = !strcmp(name, "half_bits");
    memcpy(address, is_bits ? (const void *)&bits : (const void *)&value, sizeof *address);
    return is_bits || !strcmp(name, "half_value");
}

static void map_functions(LLVMExecutionEngineRef engine, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        const struct function_row *row = LLVMIsDeclaration(f) ? function_find(name) : NULL;
        void *address = NULL;
        if (LLVMIsDeclaration(f) && half_function(name, &address))
            LLVMAddGlobalMapping(engine, f, address);
        if (!row)
            continue;
        const void *of_type[2][3] = {{&row->real1, &row->real2, &row->real3},
                                     {&row->single1, &row->single2, &row->single3}};
        const void *pointer = of_type[row->type == TYPE_F32][row->n_arguments - 1];
        if (row->reali)
            pointer = &row->reali;
        else if (row->singlei)
            pointer = &row->singlei;
        memcpy(&address, pointer, sizeof address);
        LLVMAddGlobalMapping(engine, f, address);
    }
}

/* The engine owns the module. */
static bool jit(struct native_build *build, struct lowering *l, const char *name)
{
    LLVMExecutionEngineRef engine;
    struct LLVMMCJITCompilerOptions options;
    char *error = NULL;
    struct ctx *ctx = build->backend->ctx;
    LLVMInitializeMCJITCompilerOptions(&options, sizeof options);
    options.OptLevel = 1;
    if (LLVMCreateMCJITCompilerForModule(&engine, l->module, &options, sizeof options, &error)) {
        diag_error(ctx, loc_none(), "LLVM cannot compile for this machine: %s", error);
        LLVMDisposeMessage(error);
        return false;
    }
    arena_on_free(ctx->arena, dispose_engine, engine);
    map_functions(engine, l->module);
    uint64_t address = LLVMGetFunctionAddress(engine, arena_printf(ctx->arena, "%s.entry", name));
    memcpy(&build->result->entry, &address, sizeof build->result->entry);
    return address;
}

/* Lets the module's functions use the fused operation of this processor, which compilers do not
   expect of every x86. Other processors that LLVM knows have it always. */
static void functions_may_fuse(struct lowering *l)
{
    static const char NAME[] = "target-features", VALUE[] = "+fma";
    char *features = LLVMGetHostCPUFeatures();
    LLVMAttributeRef fma = LLVMCreateStringAttribute(l->backend->context, NAME, sizeof NAME - 1,
                                                     VALUE, sizeof VALUE - 1);
    bool has_fma = strstr(features, "+fma,") != NULL;
    LLVMDisposeMessage(features);
    if (!has_fma)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, fma);
}

static bool build_run(void *state)
{
    struct native_build *build = state;
    const struct codegen_target *host = backend_target(build->backend, 0);
    if (!host)
        return false;
    struct ctx *ctx = build->backend->ctx;
    struct lowering l = {.ctx = ctx,
                         .backend = build->backend,
                         .kernel = build->kernel,
                         .bindings = build->bindings.at,
                         .n_bindings = build->bindings.count,
                         .contract = ctx->contract,
                         .host = true};
    build->result = ARENA_NEW(ctx->arena, struct native);
    l.module = backend_module(build->backend, host, build->kernel->name);
    bool lowered = lower_kernel(&l, build->kernel->name);
    if (lowered && l.contract)
        functions_may_fuse(&l);
    if (!lowered || !passes_run(build->backend, l.module, host, 1, false)) {
        LLVMDisposeModule(l.module);
        return false;
    }
    build->result->barriers = l.n_barriers > 0;
    build->result->stack = (STACK_LEAST + 2 * private_bytes(&l) + PAGE - 1) / PAGE * PAGE;
    return jit(build, &l, build->kernel->name);
}

const struct native *native_of(struct ctx *ctx, const struct kernel *kernel,
                               const union value *params)
{
    struct native_build build = {.backend = backend_of(ctx), .kernel = kernel, .params = params};
    bind_sizes(&build);
    struct str key = str_new(ctx->arena);
    str_addf(&key, "%s %016llx contract %d", kernel->name, (unsigned long long)kernel_hash(kernel),
             ctx->contract);
    for (size_t i = 0; i < build.bindings.count; i++)
        str_addf(&key, " %s=%lld", build.bindings.at[i].name,
                 (long long)build.bindings.at[i].value);
    struct native *kept = map_get(build.backend->native, key.text);
    if (kept || !backend_guard(build.backend, build_run, &build))
        return kept;
    map_put(build.backend->native, key.text, build.result);
    return build.result;
}
