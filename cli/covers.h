#ifndef CLI_COVERS_H
#define CLI_COVERS_H
#include "cli/cli.h"
#include "mapper/ask/covers.h"

/* `treefork map --covers`. */

/* The answer to the options of the line, as text or as JSON. False after a diagnostic. */
bool covers_answer_print(struct ctx *ctx, const struct command_line *line, struct ast_unit *unit,
                         struct map_choice *choice, struct str *out);
/* covers_time.c: fills in the times on the machine, and puts the covers in their order. */
void covers_time(struct ctx *ctx, const struct program_options *options,
                 const struct treefork_machine *machine, const covers_answers *list);
/* covers_json.c: the answers as an array. `machine`: its name, or NULL. */
void covers_json(struct str *out, const covers_answers *list, const char *machine);

#endif
