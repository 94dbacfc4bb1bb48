/* treefork map: plain C as MetaFork C, to be read, edited and given back. */
#include "cli/cli.h"
#include <sys/stat.h>

/* The source is never written to. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

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
    const char *source = input_path(ctx, line, &code);
    if (!source)
        return code;
    if (path && is_same_file(path, source)) {
        diag_error(ctx, loc_none(), "-o %s is the source itself; name another file", path);
        return EXIT_USAGE;
    }
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
