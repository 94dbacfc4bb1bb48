#ifndef CLI_GATE_H
#define CLI_GATE_H
#include "mapper/mapper.h"
#include "replay/replay.h"

/* What the mapper prints is read back and compared with the user's source (replay/README.md) before
   anybody uses it: a difference is an internal error. */
struct gate;

/* Keeps what the source does, before the mapper changes its nodes. */
struct gate *gate_open(struct ctx *ctx, struct ast_unit *unit);
/* Prints the mapping and reads it back; false after a diagnostic if it is no C. */
bool gate_text(struct gate *gate, struct str *out, const struct plain_file *mapping);
/* Keeps what a mapped text does that somebody else has read: for program_options.look, with the gate
   as the looker. */
void gate_look(void *gate, struct ast_unit *unit);
/* Has a text been looked at since the gate was opened? */
bool gate_has_looked(const struct gate *gate);
/* False after a diagnostic if the text looked at last differs from the source. */
bool gate_pass(struct gate *gate);
/* Of the same two. */
const struct replay_report *gate_report(struct gate *gate);
/* Reads a file that the user says is the source mapped, perhaps edited since, and prints how it
   compares; false after a diagnostic if it differs. */
bool gate_file(struct gate *gate, struct str *out, const char *path);
/* Says that a text that the mapper printed is not accepted, as the last error says; false. */
bool gate_refuse(struct gate *gate);

/* mapped.c: "dir/app.mapped.c" of dir/app.c: what diagnostics about the mapped text say. */
const char *mapped_path(struct arena *arena, const char *path);

#endif
