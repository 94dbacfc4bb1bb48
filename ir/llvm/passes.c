/* Pass pipelines.

   A lone kernel, without functions of libdevice, goes through those passes of default<O3> and
   default<O1>, in their order, that change a text: of 113 passes 48 are left. Without the rest all
   texts of 1,365 modules are the same (samples, tests/paper, tests/programs, tests/polybench,
   tests/bench), for a tenth of the instructions less. Where copies of loops are asked for, the
   others have an effect, too, so that such a text goes through all of them. The lists are for LLVM
   19.

   The register-pressure levels of a kernel are attempts, each meant to need fewer registers than
   the one before: full optimisation; light optimisation, which moves less code out of loops; the
   same with unrolling only where it turns private arrays into registers, and of literal rounds
   (lower_loop.c). None of them is always better, so the caller keeps the best by the estimate:
   measured on 72 kernels, a plain sequence rises for one in six.

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

/* Passes of both lists of a lone kernel: the first ones, and those behind the loops. */
#define COMBINE "instcombine<no-verify-fixpoint>,"
#define LONE_FIRST                                                                                 \
    "function<eager-inv>(simplifycfg,sroa,early-cse),ipsccp,"                                      \
    "function<eager-inv>(" COMBINE "simplifycfg<switch-range-to-icmp>),"                           \
    "cgscc(devirt<4>(function-attrs<skip-non-recursive-function-attrs>,"                           \
    "function<eager-inv;no-rerun>(sroa,early-cse<memssa>,"
#define LONE_LATE                                                                                  \
    "function<eager-inv>(loop(loop-rotate),loop-load-elim," COMBINE                                \
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"         \
    "hoist-common-insts;sink-common-insts>," COMBINE

static const char FULL[] = "default<O3>,function(loop(indvars)),globaldce",
                  LIGHT[] = "default<O1>,globaldce";

static const char FULL_LONE[] =
    LONE_FIRST "speculative-execution<only-if-divergent-target>,correlated-propagation,"
    "simplifycfg<switch-range-to-icmp>," COMBINE "aggressive-instcombine,"
    "simplifycfg<switch-range-to-icmp>,reassociate,constraint-elimination,"
    "loop-mssa(licm<no-allowspeculation>,loop-rotate,licm),"
    "simplifycfg<switch-range-to-icmp>," COMBINE "loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa,mldst-motion<no-split-footer-bb>,gvn,sccp," COMBINE
    "correlated-propagation,adce,dse,loop-mssa(licm),"
    "simplifycfg<switch-range-to-icmp;hoist-common-insts;sink-common-insts>)))," LONE_LATE
    "loop-unroll<O3>," COMBINE "loop-mssa(licm),div-rem-pairs,tailcallelim,"
    "simplifycfg<switch-range-to-icmp;speculate-unpredictables>),"
    "function(loop(indvars)),globaldce";

static const char LIGHT_LONE[] =
    LONE_FIRST "simplifycfg<switch-range-to-icmp>," COMBINE "reassociate,"
    "loop-mssa(loop-instsimplify,licm<no-allowspeculation>,loop-rotate,licm),"
    "simplifycfg<switch-range-to-icmp>," COMBINE "loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa,sccp," COMBINE "adce,simplifycfg<switch-range-to-icmp>)))," LONE_LATE
    "loop-unroll<O1>," COMBINE "loop-mssa(licm),instsimplify,div-rem-pairs,tailcallelim,"
    "simplifycfg<switch-range-to-icmp;speculate-unpredictables>),globaldce";

/* Does the module define one function? */
static bool is_lone(LLVMModuleRef module)
{
    int count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count += !LLVMIsDeclaration(f);
    return count == 1;
}

static const char *pipeline_of(LLVMModuleRef module, int attempt, bool pairs)
{
    bool listed = is_lone(module) && !pairs;
    if (attempt > 0)
        return listed ? LIGHT_LONE : LIGHT;
    return listed ? FULL_LONE : FULL;
}

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
    LLVMErrorRef error = LLVMRunPasses(module, pipeline_of(module, attempt, pairs), target->machine,
                                       options);
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
