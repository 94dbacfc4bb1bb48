/* Embedded kernel texts. In: the variants. Out: one struct treefork_module each, with the OpenCL C and CUDA C of that
   variant alone and a row of PTX for every binding of its private sizes, the symbolic form last. */
#include "emit/device.h"
#include "emit/host.h"
#include "emit/names.h"
#include <string.h>

/* A string literal over as many lines as the text has. */
static void write_literal(struct str *out, const char *text)
{
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        str_add(out, "\n    ");
        str_quote(out, arena_strndup(out->arena, line, length));
        line += length;
    }
}

static void write_text(struct host *host, const struct tree *tree, const struct variant *variant, const char *language,
                       const struct dialect *dialect)
{
    struct str text = str_new(host->arena);
    device_unit(host->ctx, &text, dialect, tree, variant);
    str_addf(host->out, "static const char tf_%s_%s[] =", language, variant_entry(host->arena, tree, variant));
    write_literal(host->out, text.text);
    str_add(host->out, ";\n");
}

static size_t write_ptx_rows(struct host *host, const struct tree *tree, const struct variant *variant)
{
    size_t rows = 0;
    str_addf(host->out, "static const struct treefork_ptx tf_ptx_%s[] = {", variant_entry(host->arena, tree, variant));
    for (int i = 0; i < PTX_BINDINGS; i++) {
        const char *binding = variant_binding(host->arena, variant, ptx_bindings[i]);
        if (!*binding || !strstr(host->ptx, variant_bound_entry(host->arena, tree, variant, binding)))
            continue;
        str_addf(host->out, "\n    {tf_ptx, %d, \"%s\"},", host->ptx_target, binding);
        rows++;
    }
    str_addf(host->out, "\n    {tf_ptx, %d, \"\"}\n};\n", host->ptx_target);
    return rows + 1;
}

void modules_write(struct host *host, const struct tree *tree)
{
    for (size_t v = 0; v < tree->n_variants; v++) {
        const struct variant *variant = &tree->variants[v];
        const char *entry = variant_entry(host->arena, tree, variant);
        size_t rows = 0;
        write_text(host, tree, variant, "opencl", &dialect_opencl);
        write_text(host, tree, variant, "cuda", &dialect_cuda);
        if (host->ptx)
            rows = write_ptx_rows(host, tree, variant);
        str_addf(host->out, "static const struct treefork_module tf_module_%s = {\"%s\", tf_opencl_%s, tf_cuda_%s, %zu, ",
                 entry, entry, entry, entry, rows);
        str_addf(host->out, "%s%s};\n\n", rows ? "tf_ptx_" : "NULL", rows ? entry : "");
    }
}
