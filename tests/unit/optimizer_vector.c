/* Vector copies of tiles: where they are made, that either branch of their condition gives what the serial reading gives,
   and that a wrong condition is noticed. With an argument FILE.c and strategies: prints the kernels of that set. */
#include "optimizer_test.h"
#include "ir/llvm/llvm.h"

static struct optimizer *open_file(struct ctx *ctx, const char *path, size_t region)
{
    static const struct tree_options options = {0};
    static const char *const ARGUMENTS[] = {"-Iruntime"};
    struct program_options reading = {1, ARGUMENTS};
    struct program *program = program_read(ctx, path, &reading);
    return program && region < program->n_regions ? optimizer_new(ctx, program->regions[region], &options) : NULL;
}

static int print_kernels(char **arguments)
{
    uint64_t set = 0;
    struct ctx *ctx = ctx_new();
    for (char **name = arguments + 1; *name; name++)
        if (strategy_find(*name) >= 0)
            set |= (uint64_t)1 << strategy_find(*name);
    struct optimizer *optimizer = open_file(ctx, arguments[0], 0);
    struct build *build = optimizer ? kernel_build(optimizer, set, false) : NULL;
    if (build)
        fputs(build->text, stdout);
    ctx_free(ctx);
    return build == NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return print_kernels(argv + 1);
    struct check check = {0};
    return check_end(&check, "optimizer_vector");
}
