#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H
#include "base/ctx.h"
#include "base/vec.h"
#include <stdint.h>

/* Command lines described by tables. */

/* One row: "--mode", its argument's name in the help (NULL: a flag) and one line of help (NULL: the
   row is not listed). A name with one dash such as "-I" takes its argument joined or apart; if the
   argument's name is in brackets, it is joined or lacks. "-name=value", "--name=value" and
   "--name value" are the same. */
struct option_row {
    const char *name, *argument, *help;
};

struct option_value {
    const struct option_row *row;
    const char *text;                  /* "" for a flag */
};

struct command_line {
    VEC(const char *) positional;
    VEC(struct option_value) options;  /* in the order given */
    bool help;                         /* --help or -h was among them */
};

/* False after a usage error (an unknown name comes with a suggestion). Everything after "--"
   is positional. */
bool options_parse(struct ctx *ctx, const struct option_row *rows, size_t n_rows, int argc,
                   char *const *argv, struct command_line *line);
/* The last value given to `name`, NULL if it was not given. */
const char *option_text(const struct command_line *line, const char *name);
bool option_flag(const struct command_line *line, const char *name);
void options_help(FILE *out, const struct option_row *rows, size_t n_rows);
/* A whole number in [lo, hi]; false after a usage error that names the option. */
bool option_integer(struct ctx *ctx, const char *name, const char *text, int64_t lo, int64_t hi,
                    int64_t *value);
/* Error "unknown NOUN 'word'", with the nearest candidate or all of them. */
void option_unknown(struct ctx *ctx, const char *noun, const char *word,
                    const char *const *candidates, size_t count);

#endif
