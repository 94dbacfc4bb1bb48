#ifndef EMIT_NAMES_H
#define EMIT_NAMES_H
#include "optimizer/tree.h"

/* Names that several outputs share. */

/* Entry of a launch's kernel: region name, underscore, variant number ("jacobi1d_1"); where the
   variant has several launches, "_k" and the launch's number behind it ("jacobi1d_1_k2"), a form
   that no other region's entry has; where its last block runs the next launch, too, both numbers
   ("jacobi1d_1_k1k2"). */
const char *launch_entry(struct arena *arena, const struct tree *tree,
                         const struct variant *variant, const struct launch *launch);
/* "jacobi1d_1__s_4": the entry of a PTX kernel bound by "s=4"; `entry` itself for "". */
const char *entry_bound(struct arena *arena, const char *entry, const char *binding);
/* ", launch 2 of 3", to be read behind the variant's name; "" if it is the only one. */
const char *launch_place(struct arena *arena, const struct variant *variant,
                         const struct launch *launch);
/* The values of s for which PTX is embedded: those that `treefork rank` puts first on machine files
   that take it (tools/granularities). */
enum { PTX_BINDINGS = 1 };
extern const int ptx_bindings[PTX_BINDINGS];
/* "s=4" for the parameters that size private arrays of the kernel, each with the value; "" if none
 * does. */
const char *kernel_binding(struct arena *arena, const struct kernel *kernel, int value);
/* Readable text of a system's constraints, "a <= b, c <= d". */
void sas_describe(struct arena *arena, struct str *out, struct sas sas, uint64_t machine);
/* The next identifier of a C text at or behind *at, outside literals, comments, numbers and
   directives; *at moves behind it. NULL at the end. */
const char *word_next(const char **at, size_t *length);
/* Does the identifier stand in the text? */
bool text_mentions(const char *text, const char *word);
char *constraint_text(struct arena *arena, struct constraint c, uint64_t machine);

#endif
