/* NAME.starpu.c: NAME.tf.c with its regions run as tasks of StarPU (docs/starpu.md).

   In: a program and its trees. Out: a text that includes NAME.tf.c under the word by which
   treefork-tables.h gives the calls of the runtime to libtreefork-starpu; behind it, for up to two
   leaves of each region, every launch as a function of C that runs blocks of it, one after the
   other, each as one thread (emit/blocks.c, as in sums for the host), and the table of these. The
   first leaf is the one with the fewest tiles, whose copies cost a processor time; the safe one
   stands behind it, since it runs with any parameters. A region that cannot be printed so has no
   row: the library says so, and its serial code runs. */
#include "emit/device.h"
#include "emit/emit.h"
#include "emit/host.h"

struct starpu {
    struct host *host;
    struct str kernels, rows;
    size_t count;
};

/* Arrays of shared memory in all launches. */
static size_t tiles_of(const struct variant *variant)
{
    size_t count = 0;
    for (size_t i = 0; i < variant->n_launches; i++)
        for (int k = 0; k < variant->launches[i].kernel->n_arrays; k++)
            count += variant->launches[i].kernel->arrays[k]->space == SPACE_SHARED;
    return count;
}

static const char *function_name(struct starpu *s, const struct tree *tree,
                                 const struct variant *variant, size_t launch)
{
    return arena_printf(s->host->arena, "tf_starpu_%s_%d_%zu", tree->region->name, variant->id,
                        launch + 1);
}

/* The call of the function that runs the block `tf_block`. */
static void print_block_call(struct str *out, const struct kernel *k, const char *name)
{
    int array = 0;
    str_addf(out, "            %s_block(", name);
    for (int i = 0; i < k->n_params; i++)
        str_addf(out, "%s, ", k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL)
            str_addf(out, "(%s *)tf_arrays[%d], ", device_type(k->arrays[i]->element), array++);
    str_addf(out, "%stf_block);\n", device_uses_shared(k) ? "tf_tiles, " : "");
}

static void print_launch(struct starpu *s, struct str *out, const struct tree *tree,
                         const struct kernel *k, const char *name)
{
    str_addf(out,
             "static void %s(const struct treefork_argument *tf_arguments,\n"
             "    const void *const *tf_arrays,\n"
             "    const struct treefork_starpu_blocks *tf_blocks)\n{\n",
             name);
    serial_arguments(out, tree->region);
    if (device_uses_shared(k))
        str_addf(out, "    void *const tf_tiles = treefork_starpu_tiles(%s);\n",
                 serial_expr(s->host, k, k->shared_bytes));
    str_add(out,
            "    for (long tf_row = 0; tf_row < tf_blocks->rows; tf_row++) {\n"
            "        const long tf_from = tf_blocks->first + tf_row * tf_blocks->pitch;\n"
            "        for (long tf_block = tf_from; tf_block < tf_from + tf_blocks->count; "
            "tf_block++)\n");
    print_block_call(out, k, name);
    str_add(out, "    }\n");
    if (device_uses_shared(k))
        str_add(out, "    treefork_starpu_tiles_end(tf_tiles);\n");
    str_add(out, "}\n\n");
}

/* Functions of C for the launches of a leaf; NULL if a launch cannot be a function. */
static const char *launches_text(struct starpu *s, const struct tree *tree,
                             const struct variant *variant)
{
    struct str out = str_new(s->host->arena);
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        const char *name = function_name(s, tree, variant, i);
        struct device device = {.arena = s->host->arena,
                                .out = &out,
                                .dialect = &dialect_c,
                                .kernel = kernel,
                                .is_serial = true,
                                .step = "    "};
        if (kernel->n_divisible || !device_serial_block(&device, name))
            return NULL;
        print_launch(s, &out, tree, kernel, name);
    }
    return out.text;
}

static void leaf_add(struct starpu *s, const struct tree *tree, const struct variant *variant,
                     const char *text)
{
    str_addf(&s->kernels, "/* Region %s: blocks of the launches of leaf %d. */\n%s",
             tree->region->name, variant->id, text);
    for (size_t i = 0; i < variant->n_launches; i++)
        str_addf(&s->rows, "    {&tf_region_%s, %d, %zu, %s},\n", tree->region->name, variant->id,
                 i, function_name(s, tree, variant, i));
    s->count += variant->n_launches;
}

static void tree_add(struct starpu *s, const struct tree *tree)
{
    const struct variant *first = NULL;
    const char *text = NULL;
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        bool is_better = !variant->safe && (!first || tiles_of(variant) < tiles_of(first));
        const char *own = is_better ? launches_text(s, tree, variant) : NULL;
        if (!own)
            continue;
        first = variant;
        text = own;
    }
    if (first)
        leaf_add(s, tree, first, text);
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        text = variant->safe ? launches_text(s, tree, variant) : NULL;
        if (text)
            leaf_add(s, tree, variant, text);
    }
}

static void print_front(struct str *out, const struct program *program)
{
    str_addf(out,
             "/* Generated by treefork from %s.c: %s.tf.c with its regions run as tasks of StarPU; "
             "behind it functions that run blocks of\n"
             "   their launches, and the table by which libtreefork-starpu finds them. It is "
             "compiled in place of %s.tf.c. */\n"
             "#define TREEFORK_STARPU tf_starpu_table\n#include \"%s.tf.c\"\n\n",
             program->stem, program->stem, program->stem, program->stem);
}

void emit_starpu(struct ctx *ctx, struct str *out, const struct program *program,
                 const struct tree *const *trees)
{
    struct host host = {.ctx = ctx,
                        .arena = ctx->arena,
                        .program = program,
                        .trees = trees,
                        .arrays = map_new(ctx->arena),
                        .serials = map_new(ctx->arena)};
    struct starpu s = {.host = &host,
                       .kernels = str_new(ctx->arena),
                       .rows = str_new(ctx->arena)};
    for (size_t r = 0; r < program->n_regions; r++)
        tree_add(&s, trees[r]);
    print_front(out, program);
    host_undefs(&host, out, s.kernels.text);
    str_add(out, "#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
                 "#pragma GCC diagnostic ignored \"-Wredundant-decls\"\n#endif\n");
    serial_declare(&host, out, s.kernels.text);
    serial_words(out);
    serial_halves(&host, out);
    str_addf(out,
             "%sstatic const struct treefork_starpu_function tf_starpu_functions[] = {\n%s"
             "    {0, 0, 0, 0}};\n"
             "static const struct treefork_starpu_table TREEFORK_STARPU = {%zu, "
             "tf_starpu_functions};\n"
             "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n",
             s.kernels.text, s.rows.text, s.count);
}
