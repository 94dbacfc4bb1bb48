/* Command lines: goes over argv once, finds each option in the caller's table, keeps values in
   order. Errors are usage errors with a suggestion; the caller exits with status 2. */
#include "base/options.h"
#include "base/str.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Is the argument joined to the name, or lacking? */
static bool is_joined_only(const struct option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

/* Tells whether a word belongs to a row; *value is set to the text that is joined to the name
   ("--name=value", "-Ipath", "-std=c99"), NULL if there is none. */
static bool row_takes(const struct option_row *row, const char *word, const char **value)
{
    size_t length = strlen(row->name);
    bool is_long = row->name[1] == '-';
    *value = NULL;
    if (strncmp(word, row->name, length) != 0)
        return false;
    if (!word[length])
        return true;
    if (!row->argument || (is_long && word[length] != '='))
        return false;
    *value = word + length + (length > 2 && word[length] == '=');
    return true;
}

/* The row of a word; *value is set to what is joined to it, else NULL. */
static const struct option_row *row_find(const struct option_row *rows, size_t n_rows,
                                         const char *word, const char **value)
{
    for (size_t i = 0; i < n_rows; i++)
        if (row_takes(&rows[i], word, value))
            return &rows[i];
    return NULL;
}

/* "-machine", where "-m" with anything joined is an option, but "--machine" one of its own. */
static bool lacks_dash(struct ctx *ctx, const struct option_row *rows, size_t n_rows,
                       const struct option_row *row, const char *word)
{
    const char *value, *name = arena_printf(ctx->arena, "-%s", word);
    return is_joined_only(row) && row_find(rows, n_rows, name, &value);
}

void option_unknown(struct ctx *ctx, const char *noun, const char *word,
                    const char *const *candidates, size_t count)
{
    const char *near = str_nearest(word, candidates, count);
    if (near) {
        diag_error(ctx, loc_none(), "unknown %s '%s'; did you mean '%s'?", noun, word, near);
        return;
    }
    struct str all = str_new(ctx->arena);
    for (size_t i = 0; i < count; i++)
        if (!str_is_one_of(candidates[i], candidates, i))
            str_addf(&all, "%s%s", i ? ", " : "", candidates[i]);
    diag_error(ctx, loc_none(), "unknown %s '%s'; there are: %s", noun, word, all.text);
}

static void unknown_option(struct ctx *ctx, const struct option_row *rows, size_t n_rows,
                           const char *word)
{
    const char **names = ARENA_ARRAY(ctx->arena, const char *, n_rows + 1);
    size_t n = 0;
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].help)
            names[n++] = rows[i].name;
    names[n++] = "--help";
    option_unknown(ctx, "option", arena_strndup(ctx->arena, word, strcspn(word, "=")), names, n);
}

/* One word that begins with '-'; returns how many words of argv it took, 0 after an error. */
static int parse_option(struct ctx *ctx, const struct option_row *rows, size_t n_rows,
                        char *const *words, struct command_line *line)
{
    const char *value;
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        line->help = true;
        return 1;
    }
    const struct option_row *row = row_find(rows, n_rows, words[0], &value);
    if (!row || lacks_dash(ctx, rows, n_rows, row, words[0])) {
        unknown_option(ctx, rows, n_rows, words[0]);
        return 0;
    }
    bool apart = row->argument && !value && !is_joined_only(row);
    if (apart && !words[1]) {
        diag_error(ctx, loc_none(), "option '%s' needs %s", row->name, row->argument);
        return 0;
    }
    const char *none;
    const struct option_row *next = apart ? row_find(rows, n_rows, words[1], &none) : NULL;
    if (next && next->help) {
        diag_error(ctx, loc_none(), "option '%s' needs %s, and option '%s' follows", row->name,
                   row->argument, words[1]);
        return 0;
    }
    struct option_value option = {row, value ? value : ""};
    if (apart)
        option.text = words[1];
    vec_push(ctx->arena, &line->options, option);
    return apart ? 2 : 1;
}

bool options_parse(struct ctx *ctx, const struct option_row *rows, size_t n_rows, int argc,
                   char *const *argv, struct command_line *line)
{
    *line = (struct command_line){0};
    bool only_positional = false;
    for (int i = 0; i < argc;) {
        if (only_positional || argv[i][0] != '-' || !argv[i][1]) {
            vec_push(ctx->arena, &line->positional, argv[i++]);
        } else if (strcmp(argv[i], "--") == 0) {
            only_positional = true;
            i++;
        } else {
            int taken = parse_option(ctx, rows, n_rows, argv + i, line);
            if (!taken)
                return false;
            i += taken;
        }
    }
    return true;
}

const char *option_text(const struct command_line *line, const char *name)
{
    for (size_t i = line->options.count; i-- > 0;)
        if (strcmp(line->options.at[i].row->name, name) == 0)
            return line->options.at[i].text;
    return NULL;
}

bool option_flag(const struct command_line *line, const char *name)
{
    return option_text(line, name) != NULL;
}

void options_help(FILE *out, const struct option_row *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        if (!rows[i].help)
            continue;
        const char *argument = rows[i].argument ? rows[i].argument : "";
        fprintf(out, "  %s%s%s", rows[i].name, *argument ? " " : "", argument);
        int width = 2 + str_width(rows[i].name) + (*argument != '\0') + str_width(argument);
        fprintf(out, "%*s%s\n", width < 28 ? 28 - width : 1, "", rows[i].help);
    }
    fprintf(out, "  --help                    this text\n");
}

bool option_integer(struct ctx *ctx, const char *name, const char *text, int64_t lo, int64_t hi,
                    int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || end == text || *end || number < lo || number > hi) {
        diag_error(ctx, loc_none(), "%s: '%s' is not a whole number from %lld to %lld", name, text,
                   (long long)lo, (long long)hi);
        return false;
    }
    *value = number;
    return true;
}
