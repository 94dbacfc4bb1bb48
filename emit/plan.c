/* Launch plans and the functions that run regions. In: a tree. Out:
   - tf_plan_NAME: blocks, threads, bytes of dynamic shared memory and register budget of a variant for given parameters,
     from the same expressions as the kernel's text, in checked arithmetic; zero blocks where an extent is not positive;
   - tf_run_NAME: choose (or obey TREEFORK_FORCE), plan, hand over the buffers, launch. Any failure has brought the data
     back to the host when it returns, so that the serial elision may run.
   Registers per thread are a budget for the driver's compiler: min(R_B, max(24, ceil8(estimate))). A kernel whose bands
   are all strided takes any block and is clamped to the device; a forced variant must still have what its fits asks of
   the parameters (not of the machine). */
#include "emit/checked.h"
#include "emit/device.h"
#include "emit/host.h"
#include "emit/names.h"
#include "ir/access/access.h"
#include "ir/walk.h"

static void write_expr(struct host *host, const struct tree *tree, const struct expr *e, const char *what)
{
    struct str text = str_new(host->arena);
    if (checked_expr(&text, e, "&tf_error")) {
        str_add(host->out, text.text);
        return;
    }
    diag_error(host->ctx, tree->region->loc, "the host cannot compute %s of region %s: %s", what, tree->region->name,
               expr_text(host->arena, e));
    host->failed = true;
}

static void write_extents(struct host *host, const struct tree *tree, const char *name, const struct axis *axes, int n)
{
    str_addf(host->out, "        const int64_t %s[] = {", name);
    for (int i = 0; i < n; i++) {
        str_addf(host->out, "\n            /* %s */ ", expr_text(host->arena, axes[i].extent));
        write_expr(host, tree, axes[i].extent, "an extent");
        str_char(host->out, ',');
    }
    str_add(host->out, n ? "\n        };\n" : "1};\n");
}

/* Can the host compute the extents of the band? */
static bool band_is_sized(const struct stmt *band)
{
    for (int i = 0; i < band->n_axes; i++) {
        const struct expr *extent = band->axes[i].extent;
        if (!expr_reads_only_params(extent) || expr_contains(extent, EXPR_CALL))
            return false;
    }
    return true;
}

/* The points of a strided band are counted in int on the device. */
static void write_strided_check(struct host *host, const struct tree *tree, const struct kernel *kernel)
{
    struct stmt_walk walk;
    int n_strided = 0;
    for (const struct stmt *band = stmt_first(&walk, host->arena, kernel->body); band; band = stmt_next(&walk)) {
        if (band->kind != STMT_BAND || !band->strided)
            continue;
        char *name = arena_printf(host->arena, "tf_points_%d", n_strided++);
        if (!band_is_sized(band))
            continue;
        write_extents(host, tree, name, band->axes, band->n_axes);
        str_addf(host->out, "        if (tf_product(%s, %d, &tf_error) > INT32_MAX - 65536)\n            tf_error = 1;\n",
                 name, band->n_axes);
    }
}

static void write_registers(struct host *host, const struct variant *variant)
{
    struct str *out = host->out;
    int64_t scale = variant->registers ? poly_denominator(variant->registers) : 0;
    if (scale == 0)
        return;
    str_add(out, "        tf_launch->registers = tf_budget(tf_machine, ");
    checked_poly(out, poly_scale(variant->registers, scale, 1), "&tf_error");
    str_addf(out, ", %lld);\n", (long long)scale);
}

static void write_plan_case(struct host *host, const struct tree *tree, const struct variant *variant)
{
    struct str *out = host->out;
    const struct kernel *k = variant->kernel;
    const char *entry = variant_entry(host->arena, tree, variant);
    str_addf(out, "    case %d: {\n", variant->id);
    write_extents(host, tree, "tf_grid", k->grid, k->n_grid);
    write_extents(host, tree, "tf_block", k->block, k->n_block);
    str_addf(out, "        tf_launch->module = &tf_module_%s;\n        tf_launch->kernel = \"%s\";\n", entry, entry);
    str_addf(out, "        tf_launch->blocks = tf_product(tf_grid, %d, &tf_error);\n", k->n_grid > 0 ? k->n_grid : 1);
    str_addf(out, "        tf_launch->threads = tf_product(tf_block, %d, &tf_error);\n", k->n_block > 0 ? k->n_block : 1);
    str_add(out, "        if (tf_launch->threads == 0)\n            tf_launch->blocks = 0;\n");
    write_registers(host, variant);
    if (k->shared_bytes) {
        str_add(out, "        tf_launch->shared_bytes = ");
        write_expr(host, tree, k->shared_bytes, "the shared memory");
        str_add(out, ";\n        if (tf_launch->shared_bytes < 4)\n            tf_launch->shared_bytes = 4;\n");
    }
    write_strided_check(host, tree, k);
    if (kernel_all_strided(k))
        str_add(out, "        tf_launch->threads = tf_clamped(tf_machine, tf_launch->threads, tf_launch->registers);\n");
    str_add(out, "        break;\n    }\n");
}

void plan_write(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const char *name = tree->region->name;
    str_addf(out, "/* Launch of leaf tf_variant of %s. */\nstatic int tf_plan_%s(const struct treefork_machine *tf_machine, ",
             name, name);
    host_parameters(out, tree, true);
    str_add(out, "int tf_variant,\n    struct treefork_launch *tf_launch)\n{\n    int tf_error = 0;\n");
    str_add(out, "    (void)tf_machine;\n");
    host_unused(out, tree, true);
    str_add(out, "    switch (tf_variant) {\n");
    for (size_t v = 0; v < tree->n_variants; v++)
        write_plan_case(host, tree, &tree->variants[v]);
    str_add(out, "    default:\n        return treefork_fail(TREEFORK_ARGUMENT, \"there is no leaf %d\", tf_variant);\n    }\n"
                 "    if (tf_error)\n        return treefork_fail(TREEFORK_OVERFLOW, \"an extent of leaf %d is too large\", "
                 "tf_variant);\n    return TREEFORK_OK;\n}\n\n");
}
