/* Parts of a launch in both interpreters: parts along either axis, in any order, leave together
   what the launch leaves; a part touches what it may, and an element less is seen, whichever it
   is and however the access is made. */
#include "ir/interpret.h"
#include "tests/unit/check.h"
#include "tests/unit/ir_check.h"

enum { ROWS = 6, COLUMNS = 8, ELEMENTS = ROWS * COLUMNS };

static const char *const text =
    "kernel f {\nring n;\nparam data size int n >= 1;\nglobal const int x[6][8];\n"
    "global int y[6][8];\ngrid int g < 3;\ngrid int h < 2;\nblock int i < 2;\nblock int j < 4;\n"
    "body {\nband (int i < 2, int j < 4) {\n"
    "y[g * 2 + i][h * 4 + j] = x[g * 2 + i][h * 4 + j] * 3 + g * 10 + h;\n}\n}\n}\n";

struct run {
    int32_t x[ELEMENTS], y[ELEMENTS];
    unsigned char may_read[ELEMENTS], may_write[ELEMENTS];
};

static void run_begin(struct run *run)
{
    memset(run, 0, sizeof *run);
    for (int i = 0; i < ELEMENTS; i++)
        run->x[i] = i * 7 % 11;
}

/* The elements of blocks from .. to - 1 of the axis. */
static void run_allow(struct run *run, int axis, int64_t from, int64_t to)
{
    for (int i = 0; i < ELEMENTS; i++) {
        int64_t block = axis ? i % COLUMNS / 4 : i / COLUMNS / 2;
        bool is_own = block >= from && block < to;
        run->may_read[i] = is_own ? INTERPRET_MAY_READ : 0;
        run->may_write[i] = is_own ? INTERPRET_MAY_WRITE : 0;
    }
}

static struct interpret_result run_part(struct ctx *ctx, const struct kernel *kernel,
                                        struct run *run, const struct interpret_part *part,
                                        bool is_serial)
{
    union value n = {.integer = 1};
    struct interpret_array arrays[2] = {{run->x, ELEMENTS}, {run->y, ELEMENTS}};
    struct interpret_input input = {.params = &n, .arrays = arrays, .part = part, .seed = 3};
    return is_serial ? interpret_serial(ctx->arena, kernel, &input)
                     : interpret_threads(ctx->arena, kernel, &input);
}

static void parts_equal(struct check *check, struct ctx *ctx, const struct kernel *kernel,
                        int axis, bool is_serial)
{
    struct run whole, cut;
    const unsigned char *may[2] = {cut.may_read, cut.may_write};
    int64_t blocks = axis ? 2 : 3;
    run_begin(&whole);
    run_begin(&cut);
    check_test(check);
    check_that(check, run_part(ctx, kernel, &whole, NULL, is_serial).status == INTERPRET_DONE,
               "the launch fails");
    for (int64_t g = blocks; g-- > 0;) {
        struct interpret_part part = {axis, g, g + 1, may};
        run_allow(&cut, axis, g, g + 1);
        struct interpret_result result = run_part(ctx, kernel, &cut, &part, is_serial);
        check_that(check, result.status == INTERPRET_DONE, "%s", result.message);
    }
    check_that(check, memcmp(whole.y, cut.y, sizeof cut.y) == 0, "parts along axis %d differ",
               axis);
    struct interpret_part beyond = {axis, -2, blocks + 5, NULL};
    run_begin(&cut);
    run_part(ctx, kernel, &cut, &beyond, is_serial);
    check_that(check, memcmp(whole.y, cut.y, sizeof cut.y) == 0, "a part of everything differs");
}

/* Every element of a part is missed. */
static void parts_checked(struct check *check, struct ctx *ctx, const struct kernel *kernel,
                          bool is_serial)
{
    struct run run;
    const unsigned char *may[2] = {run.may_read, run.may_write};
    struct interpret_part part = {0, 1, 3, may};
    check_test(check);
    for (int i = 0; i < 2 * ELEMENTS; i++) {
        run_begin(&run);
        run_allow(&run, 0, 1, 3);
        unsigned char *flag = i < ELEMENTS ? &run.may_read[i] : &run.may_write[i - ELEMENTS];
        bool is_needed = *flag;
        *flag = 0;
        struct interpret_result result = run_part(ctx, kernel, &run, &part, is_serial);
        check_that(check, (result.status == INTERPRET_BOUNDS) == is_needed, "element %d: %s", i,
                   result.message);
    }
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    check_test(&check);
    if (check_that(&check, kernel != NULL, "the kernel cannot be read: %s", ctx->last))
        for (int is_serial = 0; is_serial <= 1; is_serial++) {
            parts_equal(&check, ctx, kernel, 0, is_serial);
            parts_equal(&check, ctx, kernel, 1, is_serial);
            parts_checked(&check, ctx, kernel, is_serial);
        }
    ctx_free(ctx);
    return check_end(&check, "ir_parts");
}
