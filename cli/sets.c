/* The values at which `treefork verify` runs the leaves: one or more --set, and the lines of a
   --sets file.

   A --set that names a parameter again begins another set, which keeps the other values: --set
   n=61,B=4 --set B=8 is two sets, --set n=61 --set B=4 is one. A line of the file is `FUNCTION
   NAME=VALUE,…`; `#` begins a comment. With both, each line is run with each --set. */
#include "cli/verify.h"
#include <string.h>

static const char *set_text(struct arena *arena, const struct assignments *values)
{
    struct str text = str_new(arena);
    for (size_t i = 0; i < values->list.count; i++) {
        const struct assignment *a = &values->list.at[i];
        if (assignment_get(values, a->name) != a)
            continue;
        str_addf(&text, "%s%s=", text.length ? "," : "", a->name);
        if (a->is_real)
            str_addf(&text, "%g", a->real);
        else
            str_addf(&text, a->is_large ? "%llu" : "%lld", (long long)a->value);
    }
    return text.text;
}

static struct assignments assignments_join(struct arena *arena, const struct assignments *first,
                                           const struct assignments *second)
{
    struct assignments joined = {0};
    for (size_t i = 0; i < first->list.count; i++)
        vec_push(arena, &joined.list, first->list.at[i]);
    for (size_t i = 0; i < second->list.count; i++)
        vec_push(arena, &joined.list, second->list.at[i]);
    return joined;
}

static bool share_name(const struct assignments *a, const struct assignments *b)
{
    for (size_t i = 0; i < a->list.count; i++)
        if (assignment_get(b, a->list.at[i].name))
            return true;
    return false;
}

/* The assignments of one text as of one --set. */
static bool text_parse(struct ctx *ctx, const char *text, struct assignments *values)
{
    static const struct option_row row = {"--set", "", ""};
    struct command_line only = {0};
    struct option_value value = {&row, text};
    vec_push(ctx->arena, &only.options, value);
    return assignments_parse(ctx, &only, values);
}

/* The sets that the --set options of the line make; at least one, which may be empty. */
static bool options_read(struct ctx *ctx, const struct command_line *line, struct verify_sets *sets)
{
    struct assignments values = {0}, begun = {0};     /* begun: named since the last set began */
    for (size_t i = 0; i < line->options.count; i++) {
        struct assignments given;
        if (strcmp(line->options.at[i].row->name, "--set") != 0)
            continue;
        if (!text_parse(ctx, line->options.at[i].text, &given))
            return false;
        if (share_name(&begun, &given)) {
            vec_push(ctx->arena, sets, ((struct verify_set){.values = values}));
            begun = (struct assignments){0};
        }
        begun = assignments_join(ctx->arena, &begun, &given);
        values = assignments_join(ctx->arena, &values, &given);
    }
    vec_push(ctx->arena, sets, ((struct verify_set){.values = values}));
    return true;
}

/* One line of a --sets file: a set with each of `options`. */
static bool line_read(struct ctx *ctx, const char *text, const struct verify_sets *options,
                      struct verify_sets *sets)
{
    static const char blanks[] = " \t\r";
    size_t name = strcspn(text, blanks), gap = strspn(text + name, blanks);
    size_t length = strcspn(text + name + gap, blanks);
    const char *rest = text + name + gap + length;
    struct assignments values;
    if (!length || rest[strspn(rest, blanks)]) {
        diag_error(ctx, loc_none(), "--sets: '%s' is not FUNCTION NAME=VALUE,…", text);
        return false;
    }
    if (!text_parse(ctx, arena_strndup(ctx->arena, text + name + gap, length), &values))
        return false;
    for (size_t i = 0; i < options->count; i++) {
        struct verify_set set = {.function = arena_strndup(ctx->arena, text, name)};
        set.values = assignments_join(ctx->arena, &values, &options->at[i].values);
        vec_push(ctx->arena, sets, set);
    }
    return true;
}

static bool file_parse(struct ctx *ctx, const char *path, const struct verify_sets *options,
                       struct verify_sets *sets)
{
    size_t length;
    const char *text = file_read(ctx, path, &length);
    if (!text)
        return false;
    for (const char *at = text; *at;) {
        size_t end = strcspn(at, "\n"), begin = strspn(at, " \t\r");
        if (begin < end && at[begin] != '#' &&
            !line_read(ctx, arena_strndup(ctx->arena, at + begin, end - begin), options, sets))
            return false;
        at += end + (at[end] == '\n');
    }
    if (!sets->count)
        diag_error(ctx, loc_none(), "--sets: no line in '%s'", path);
    return sets->count > 0;
}

bool verify_sets_read(struct ctx *ctx, const struct command_line *line, struct verify_sets *sets)
{
    const char *path = option_text(line, "--sets");
    struct verify_sets options = {0};
    *sets = (struct verify_sets){0};
    if (!options_read(ctx, line, &options))
        return false;
    if (!path)
        *sets = options;
    else if (!file_parse(ctx, path, &options, sets))
        return false;
    for (size_t i = 0; i < sets->count; i++)
        sets->at[i].text = set_text(ctx->arena, &sets->at[i].values);
    return true;
}
