/* libFuzzer target for the readers: C programs (program_read_text), kernel text (kernel_read), constraints, machine files.
   The first byte chooses the reader. Built and run by `make fuzz`. Invariant: no crash, whatever the input. */
#include "constraints/sas.h"
#include "metafork/region.h"
#include "runtime/treefork.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_constraint(struct ctx *ctx, const char *text)
{
    struct constraint c;
    const char *error;
    struct str out = str_new(ctx->arena);
    if (constraint_read(ring_new(ctx->arena), text, &c, &error))
        constraint_print(&out, c, 0);
}

static void read_kernel(struct ctx *ctx, const char *text, size_t length)
{
    struct source source = {"fuzz.kernel", text, length};
    struct kernel *kernel = kernel_read(ctx, &source);
    if (kernel)
        kernel_verify(ctx, kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 20000)
        return 0;
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    struct program_options options = {0};
    struct treefork_machine machine;
    const char *text = arena_strndup(ctx->arena, (const char *)data + 1, size - 1);
    switch (data[0] % 8) {
    case 0:
        read_kernel(ctx, text, size - 1);
        break;
    case 1:
        read_constraint(ctx, text);
        break;
    case 2:
        treefork_machine_parse(text, size - 1, "fuzz.json", &machine);
        break;
    default:
        program_read_text(ctx, "fuzz.c", text, size - 1, &options);
        break;
    }
    ctx_free(ctx);
    return 0;
}
