#ifndef IR_PTX_H
#define IR_PTX_H
#include "base/ctx.h"

/* Figures that are read from PTX text. */

/* With so many 2048 threads share the 65536 registers of a multiprocessor, and none has more
   threads: fewer buy nothing. */
enum { PTX_BOUND_LEAST = 32 };
/* The 32-bit registers within which an entry spills nothing, on any GPU: an upper bound, as far as
   one can be given; at least PTX_BOUND_LEAST. -1 if the text is not understood. */
int ptx_registers(const char *ptx, const char *entry);
/* What it is made of: one number per row of figure.def, and the limit that the text itself sets,
   0 = none. False if the text is not understood. */
enum { PTX_FIGURES_MAX = 32 };   /* never fewer than there are rows */
bool ptx_figures(const char *ptx, const char *entry, double *figures, int *limit);
/* ptx_registers from them. */
int ptx_weigh(const double *figures, int limit);
/* The name of figure i; NULL beyond the last. */
const char *ptx_figure_name(int i);
/* The text with a limit of registers in the entry (.maxnreg), unless it has one there already; NULL
   if there is no such entry. */
const char *ptx_limited(struct arena *arena, const char *ptx, const char *entry, int limit);
/* max(24, ceil8(registers)) and at most `limit`. */
int ptx_budget(int registers, int limit);

struct ptx_measure {
    int registers, spill_bytes, stack_bytes, shared_bytes;
};
/* Two assemblers of one toolkit, which take different numbers of registers. */
enum ptx_assembler {
    PTX_LINKER,    /* nvJitLink, a library: the compiler that drivers have, too */
    PTX_PROGRAM    /* ptxas */
};
struct ptx_source {
    const char *ptx, *entry;
    int target;
};
/* 1 done, 0 this assembler is not there, -1 failed (log in *message). */
int ptx_measure_by(struct ctx *ctx, enum ptx_assembler assembler, const struct ptx_source *source,
                   struct ptx_measure *measure, const char **message);
/* By nvJitLink, or by ptxas where it is not there. */
int ptx_measure(struct ctx *ctx, const char *ptx, const char *entry, int target,
                struct ptx_measure *measure, const char **message);

#endif
