/* The texts of kernels, for the files that build writes and for the page. */
#include "cli/texts.h"
#include "emit/emit.h"

static struct kernel_texts texts_new(struct ctx *ctx)
{
    return (struct kernel_texts){str_new(ctx->arena), str_new(ctx->arena), str_new(ctx->arena)};
}

/* A program goes without PTX that could not be made; errors were `before`. */
static void ptx_missed(struct ctx *ctx, struct str *ptx, unsigned before)
{
    if (ctx->errors > before)
        diag_note(ctx, loc_none(),
                  "no PTX is embedded; OpenCL C and CUDA C (with NVRTC at load) are not affected");
    ctx->errors = before;
    *ptx = str_new(ctx->arena);
}

struct kernel_texts kernel_texts_make(struct ctx *ctx, const struct program *program,
                                      const struct tree *const *trees, int target)
{
    struct kernel_texts made = texts_new(ctx);
    emit_cuda(ctx, &made.cuda, NULL, program, trees);
    emit_opencl(ctx, &made.opencl, NULL, program, trees);
    unsigned before = ctx->errors;
    if (!emit_ptx(ctx, &made.ptx, program, trees, target))
        ptx_missed(ctx, &made.ptx, before);
    return made;
}

struct told_texts told_texts_make(struct ctx *ctx, const struct program *program,
                                  const struct tree *const *trees, int target, bool has_ptx)
{
    struct told_texts told = {.texts = texts_new(ctx)};
    emit_cuda(ctx, &told.texts.cuda, &told.cuda, program, trees);
    emit_opencl(ctx, &told.texts.opencl, &told.opencl, program, trees);
    unsigned before = ctx->errors;
    if (has_ptx && !emit_ptx_lines(ctx, &told.texts.ptx, &told.ptx, program, trees, target)) {
        ptx_missed(ctx, &told.texts.ptx, before);
        told.ptx.count = 0;
    }
    return told;
}
