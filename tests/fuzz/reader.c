/* libFuzzer target for the readers: C programs (program_read_text), kernel text (kernel_read),
   constraints, machine files, SMT-LIB scripts (executed with a small budget), certificates (of one
   fixed question). The first byte chooses the reader. Built and run by `make fuzz`. Invariant: no
   crash, whatever the input. */
#include "constraints/check/check.h"
#include "constraints/sas.h"
#include "constraints/smt/smt.h"
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

static void write_nowhere(void *self, const char *text, size_t length)
{
    (void)self, (void)text, (void)length;
}

static void read_script(struct ctx *ctx, const char *text, size_t length)
{
    struct smt_host host = {.write = write_nowhere};
    struct solver_options options = {.steps = 2000};
    smt_run_text(smt_new(ctx->arena, &host, &options), text, length);
}

static void read_certificate(struct ctx *ctx, const char *text)
{
    static const char *const CONSTRAINTS[] = {"x^2 + y^2 < 1", "x*y > 1", "x^2 == y", "2*s*B <= Z",
                                              "B >= 1"};
    enum { COUNT = sizeof CONSTRAINTS / sizeof *CONSTRAINTS };
    struct ring *ring = ring_new(ctx->arena);
    const struct formula *assertions[COUNT];
    struct check_question question = {ring, assertions, COUNT, NULL, 2000};
    const char *error;
    for (size_t i = 0; i < COUNT; i++) {
        struct constraint c;
        if (constraint_read(ring, CONSTRAINTS[i], &c, &error))
            assertions[i] = formula_atom(ctx->arena, c);
    }
    check_certificate(ctx->arena, &question, text, &error);
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
    case 3:
        read_script(ctx, text, size - 1);
        break;
    case 4:
        read_certificate(ctx, text);
        break;
    default:
        program_read_text(ctx, "fuzz.c", text, size - 1, &options);
        break;
    }
    ctx_free(ctx);
    return 0;
}
