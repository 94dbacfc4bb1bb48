/* treefork map: plain C as MetaFork C, to be read, edited and given back. */
#include "cli/cli.h"

const struct option_row map_rows[] = {
    {"-o", "FILE", "write to FILE instead of the standard output"},
    {"-I", "DIR", "look for included files in DIR"},
    {"-D", "NAME[=VALUE]", "define a macro"},
};
const size_t map_row_count = sizeof map_rows / sizeof map_rows[0];

enum exit_code command_map(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    struct ast_unit *unit = NULL;
    struct str out = str_new(ctx->arena);
    const char *path = option_text(line, "-o");
    const struct plain_file *mapping = input_mapping(ctx, line, &unit, &code);
    if (mapping)
        mapping_print(&out, mapping);
    if (unit)
        ast_close(unit);
    if (!mapping)
        return code;
    if (path)
        return file_write(ctx, path, out.text, out.length) ? EXIT_DONE : EXIT_INPUT;
    fputs(out.text, stdout);
    return EXIT_DONE;
}
