/* NAME.texts.h: the texts of the kernels. In: the variants. Out: of each launch's kernel alone one
   text that is OpenCL C and CUDA C, the program's PTX once, and per region a table of modules, one
   for each launch of each variant, with a row of PTX for every binding of the kernel's private
   sizes, the symbolic form last. Each text stands once, those of variants that differ in a limit of
   registers alone under the first one's entry; what all begin with is a macro. */
#include "emit/device.h"
#include "emit/emit.h"
#include "emit/host.h"
#include "emit/names.h"
#include <string.h>

/* A character in a string literal that spans lines: a tab is itself, a line's end is both in the
   text and in the literal. */
static void text_char(struct str *out, char c)
{
    if (c == '\n')
        str_add(out, "\\n\\\n");
    else if (c == '"' || c == '\\')
        str_addf(out, "\\%c", c);
    else
        str_char(out, c);
}

static void text_literal(struct str *out, const char *text)
{
    str_add(out, "\"\\\n");
    for (const char *c = text; *c; c++)
        text_char(out, *c);
    str_char(out, '"');
}

void text_write(struct str *out, const char *name, const char *text)
{
    str_addf(out, "static const char %s[] = ", name);
    text_literal(out, text);
    str_add(out, ";\n");
}

void modules_begin(struct host *host)
{
    struct str words = str_new(host->arena);
    device_words(host->ctx, &words);
    str_add(host->out, "#define TREEFORK_WORDS ");
    text_literal(host->out, words.text);
    str_char(host->out, '\n');
}

/* One kernel under its entry, and where it stands. */
struct module {
    const struct tree *tree;
    const struct variant *variant;
    const struct launch *launch;
    const char *entry;
};

static void write_text(struct host *host, const struct module *module)
{
    struct str text = str_new(host->arena);
    device_unit(host->ctx, &text, &dialect_either, module->tree, module->variant, module->launch);
    str_addf(host->out, "static const char tf_text_%s[] = TREEFORK_WORDS ", module->entry);
    text_literal(host->out, text.text);
    str_add(host->out, ";\n");
}

static int module_target(const struct host *host, const struct module *module)
{
    return launch_target(host->ctx, module->launch, host->ptx_target);
}

/* The values of private sizes for which the kernel's PTX is embedded; "" is the symbolic form. */
static size_t ptx_rows(struct host *host, const struct module *module, const char **bindings)
{
    size_t rows = 0;
    bool is_later = module_target(host, module) != host->ptx_target;
    const char *text = is_later ? host->ptx_later : host->ptx;
    for (int i = 0; i < PTX_BINDINGS; i++) {
        const char *binding = kernel_binding(host->arena, module->launch->kernel, ptx_bindings[i]);
        if (*binding && strstr(text, entry_bound(host->arena, module->entry, binding)))
            bindings[rows++] = binding;
    }
    bindings[rows++] = "";
    return rows;
}

static void write_ptx_rows(struct host *host, const struct module *module)
{
    const char *bindings[PTX_BINDINGS + 1];
    size_t n = host->ptx ? ptx_rows(host, module, bindings) : 0;
    if (n == 0)
        return;
    str_addf(host->out, "static const struct treefork_ptx tf_ptx_%s[] = {", module->entry);
    int target = module_target(host, module);
    const char *text = target == host->ptx_target ? "tf_ptx"
                                                  : arena_printf(host->arena, "tf_ptx_%d", target);
    for (size_t i = 0; i < n; i++)
        str_addf(host->out, "%s{%s, %d, \"%s\"}", i ? ", " : "", text, target, bindings[i]);
    str_add(host->out, "};\n");
}

/* The texts of a module. */
static void write_texts(struct host *host, const struct module *module)
{
    write_text(host, module);
    write_ptx_rows(host, module);
}

/* The row of a module with the texts of `module`. */
static void write_row(struct host *host, const struct module *module, struct str *table)
{
    const char *entry = module->entry, *bindings[PTX_BINDINGS + 1];
    size_t rows = host->ptx ? ptx_rows(host, module, bindings) : 0;
    const char *opencl = arena_printf(host->arena, "tf_text_%s", entry);
    if (module->launch->is_joined)
        opencl = "0";
    str_addf(table, "    {\"%s\", %s, tf_text_%s, %zu, %s%s, %d},\n", entry, opencl, entry, rows,
              rows ? "tf_ptx_" : "0", rows ? entry : "", host->ctx->contract);
}

static void write_module(struct host *host, struct str *table, const struct tree *tree,
                         const struct variant *variant, const struct variant *owner,
                         const struct launch *launch)
{
    struct module module = {tree, owner, launch, launch_entry(host->arena, tree, owner, launch)};
    if (owner == variant)
        write_texts(host, &module);
    write_row(host, &module, table);
}

/* Behind those of all launches, in the order in which tables.c numbers them. */
static void write_joined(struct host *host, struct str *table, const struct tree *tree,
                         const struct variant *variant)
{
    int target = host->ptx ? host->ptx_target : 0;
    for (size_t i = 0; i < variant->n_launches; i++) {
        if (!variant->launches[i].joined)
            continue;
        const struct variant *owner = joined_owner(host->ctx, tree, variant, i, target);
        const struct launch joined = launch_joined(&owner->launches[i]);
        write_module(host, table, tree, variant, owner, &joined);
    }
}

void modules_write(struct host *host, const struct tree *tree)
{
    struct str table = str_new(host->arena);
    int target = host->ptx ? host->ptx_target : 0;
    str_addf(&table, "static const struct treefork_module tf_modules_%s[] = {\n",
             tree->region->name);
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        for (size_t i = 0; i < variant->n_launches; i++) {
            const struct variant *owner = launch_owner(host->ctx, tree, variant, i, target);
            write_module(host, &table, tree, variant, owner, &owner->launches[i]);
        }
    }
    for (size_t v = 0; v < tree->n_variants; v++)
        write_joined(host, &table, tree, &tree->variants[v]);
    str_addf(host->out, "%s};\n\n", table.text);
}
