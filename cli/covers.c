/* treefork map --covers: the loops that may share launches, as text or JSON, with the times of the
   mapper or those of case trees on a machine. */
#include "cli/covers.h"

static void texts_print(struct str *out, const covers_answers *list, const char *machine)
{
    for (size_t i = 0; i < list->count; i++)
        covers_print(out, &list->at[i], machine);
}

bool covers_answer_print(struct ctx *ctx, const struct command_line *line, struct ast_unit *unit,
                         struct map_choice *choice, struct str *out)
{
    covers_answers list = {0};
    struct treefork_machine machine;
    const struct program_options options = input_options(ctx, line);
    bool is_timed = option_text(line, "--machine") != NULL;
    const char *name = is_timed ? machine.name : NULL;
    if ((is_timed && !machine_option(ctx, line, &machine)) ||
        !covers_ask(ctx, unit, choice, &list))
        return false;
    if (is_timed)
        covers_time(ctx, &options, &machine, &list);
    if (option_flag(line, "--json"))
        covers_json(out, &list, name);
    else
        texts_print(out, &list, name);
    return true;
}
