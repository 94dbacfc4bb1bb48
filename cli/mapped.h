#ifndef CLI_MAPPED_H
#define CLI_MAPPED_H
#include "cli/cli.h"

/* The program of plain C of which CHOICE is mapped first; `options` get `stem_of`, the file that
   the user wrote. Where all marked loops stay on the host with a note: the file as it stands, after
   a warning, if that serves, too. NULL after a diagnostic; *code is the exit code then. */
struct program *mapped_program(struct ctx *ctx, const struct source *source,
                               struct program_options *options, struct map_choice *choice,
                               bool may_be_serial, enum exit_code *code);

#endif
