#ifndef CLI_MAPPED_H
#define CLI_MAPPED_H
#include "metafork/region.h"

/* The program of plain C whose fragments are mapped first; `options` get `stem_of`, the file that
   the user wrote. Where all marked loops stay on the host with a note: the file as it stands, after
   a warning, if that serves, too. NULL after a diagnostic. */
struct program *mapped_program(struct ctx *ctx, const char *path, const char *text, size_t length,
                               struct program_options *options, bool may_be_serial);

#endif
