/* Pass pipelines.

   The register-pressure levels of a kernel are attempts, each meant to need fewer registers than
   the one before: full optimisation; light optimisation, which moves less code out of loops; the
   same with unrolling only where it turns private arrays into registers (lower_stmt.c). None of
   them is always better, so the caller keeps the best by the estimate: measured on 72 kernels, a
   plain sequence rises for one in six.

   Induction variables are looked at again behind O3, since its last unrolling leaves counters that
   only the loop for the rest reads: one instruction less in the loop of a product's tile.

   Vectorisers are off: a GPU has no vectors, and on the host the same code is to be seen. Loops
   that were unrolled for a text that binds everything bring accesses together that one vector
   access can do: there pairs are looked for. Loads are gathered for GPUs (loads.c). */
#include "ir/llvm/backend.h"
#include "base/progress.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

static bool passes_verify(struct backend *backend, LLVMModuleRef module)
{
    char *error = NULL;
    bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &error);
    if (broken)
        diag_error(backend->ctx, loc_none(), "internal: the lowering made a wrong module: %s",
                   error);
    LLVMDisposeMessage(error);
    return !broken;
}

bool passes_run(struct backend *backend, LLVMModuleRef module, const struct codegen_target *target,
                int attempt, bool pairs)
{
    if (!passes_verify(backend, module))
        return false;
    backend->ctx->counts.passes++;
    progress_tick(backend->ctx);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, false);
    LLVMPassBuilderOptionsSetSLPVectorization(options, false);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, false);
    const char *pipeline = attempt == 0 ? "default<O3>,function(loop(indvars)),globaldce"
                                        : "default<O1>,globaldce";
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, target->machine, options);
    if (!error && pairs)
        error = LLVMRunPasses(module, "function(load-store-vectorizer)", target->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error && target->number)
        loads_first(backend, module);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    diag_error(backend->ctx, loc_none(), "LLVM: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}
