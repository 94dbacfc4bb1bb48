/* The texts of kernels, for the files that build writes and for the page. */
#include "cli/texts.h"
#include "emit/emit.h"

struct kernel_texts kernel_texts_make(struct ctx *ctx, const struct program *program,
                                      const struct tree *const *trees, int target)
{
    struct kernel_texts made = {str_new(ctx->arena), str_new(ctx->arena), str_new(ctx->arena)};
    emit_cuda(ctx, &made.cuda, program, trees);
    emit_opencl(ctx, &made.opencl, program, trees);
    unsigned before = ctx->errors;
    if (emit_ptx(ctx, &made.ptx, program, trees, target))
        return made;
    if (ctx->errors > before)
        diag_note(ctx, loc_none(),
                  "no PTX is embedded; OpenCL C and CUDA C (with NVRTC at load) are not affected");
    ctx->errors = before;
    made.ptx = str_new(ctx->arena);
    return made;
}
