#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H
#include "base/ctx.h"

/* A line on a terminal that tells what is being done, for work of more than a second.

   It is written to stderr and overwritten in place. Diagnostics clear it first; whoever prints to
   stdout ends the work at hand before. Without progress_open the other functions do nothing. */

/* Work may be shown from a second after this call on, if stderr is a terminal that can overwrite
   a line (TERM is neither missing nor "dumb"). */
void progress_open(struct ctx *ctx);
/* Work begins: "matmul", "leaf 3 of matmul by threads". The line has what ctx->counts gained since,
   too. */
void progress_begin(struct ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* To be called as often as is convenient: the line is written ten times a second at most. */
void progress_tick(struct ctx *ctx);
/* The line vanishes until the next tick. */
void progress_clear(struct ctx *ctx);
/* The work is done, and the line vanishes. */
void progress_end(struct ctx *ctx);

#endif
