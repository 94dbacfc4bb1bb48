#ifndef TESTS_BENCH_ASSEMBLED_H
#define TESTS_BENCH_ASSEMBLED_H
#include "ir/ptx/ptx.h"

/* What the assembler made of texts, remembered in a file: a line per text, assembler and target. */
struct assembled;
/* Reads the file if there is one; NULL (`path` NULL): remembers within the process alone. Lives as
   long as the context. */
struct assembled *assembled_open(struct ctx *ctx, const char *path);
/* As ptx_measure_by; what is remembered is not measured again. Failures are not remembered. */
int assembled_measure(struct assembled *assembled, struct ctx *ctx, enum ptx_assembler assembler,
                      const struct ptx_source *source, struct ptx_measure *measure,
                      const char **message);

#endif
