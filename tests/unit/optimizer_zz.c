#include "optimizer_test.h"
int main(int argc, char **argv)
{
    static const struct tree_options options = {0};
    struct ctx *ctx = ctx_new();
    if (argc > 2) {
        struct program *program = sample_read(ctx, argv[1]);
        struct optimizer *o = optimizer_new(ctx, program->regions[0], &options);
        uint64_t set = 0;
        for (int i = 2; i < argc; i++) set |= (uint64_t)1 << strategy_find(argv[i]);
        struct str text = str_new(ctx->arena);
        kernel_print(&text, kernel_build(o, set, false)->kernel);
        fputs(text.text, stdout);
        return 0;
    }
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        struct program *program = sample_read(ctx, SAMPLES[i]);
        struct optimizer *o = optimizer_new(ctx, program->regions[0], &options);
        printf("%s:", SAMPLES[i]);
        for (int s = 0; s < STRATEGY_COUNT; s++)
            if (strcmp(kernel_build(o, 0, false)->text, kernel_build(o, (uint64_t)1 << s, false)->text)) printf(" %s", strategy_table(s)->name);
        printf("\n");
    }
}
