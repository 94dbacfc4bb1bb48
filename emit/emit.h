#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H
#include "base/lines.h"
#include "metafork/exported.h"
#include "metafork/region.h"
#include "optimizer/tree.h"

/* Text of everything that `treefork build` writes. */

/* One printer, two dialect tables. `out` is empty at first; `lines`, unless it is NULL, is told
   where each line of the text comes from. */
void emit_opencl(struct ctx *ctx, struct str *out, struct line_origins *lines,
                 const struct program *program, const struct tree *const *trees);
void emit_cuda(struct ctx *ctx, struct str *out, struct line_origins *lines,
               const struct program *program, const struct tree *const *trees);
/* The last line of the user's own source that a statement of the region comes from. */
unsigned region_last_line(struct arena *arena, const struct source *own,
                          const struct region *region);
/* PTX for `target` of every variant: bound to each of ptx_bindings (emit/names.h) and symbolic.
   NULL after a diagnostic. */
bool emit_ptx(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees, int target);
/* The same without the texts that differ from an earlier one of their region in a limit of
   registers alone, which is given at load: what host code embeds. */
bool emit_ptx_once(struct ctx *ctx, struct str *out, const struct program *program,
                   const struct tree *const *trees, int target);
/* The launches that emit_ptx_once leaves out, for the first target that they run on; nothing if
   emit_ptx_once leaves out none. */
bool emit_ptx_later(struct ctx *ctx, struct str *out, const struct program *program,
                    const struct tree *const *trees, int target);
/* The symbolic texts alone, one behind the other, and where their lines come from. */
bool emit_ptx_lines(struct ctx *ctx, struct str *out, struct line_origins *lines,
                    const struct program *program, const struct tree *const *trees, int target);
/* The target of a launch's PTX where that of others is `target`: a later one if it cannot run on
   devices of that. */
int launch_target(const struct ctx *ctx, const struct launch *launch, int target);
/* The first variant of the tree whose launch number `launch` has the same code, also as PTX for
   `target` (0: PTX does not matter), but for a limit of registers; the variant itself if no
   earlier one has. */
const struct variant *launch_owner(struct ctx *ctx, const struct tree *tree,
                                   const struct variant *variant, size_t launch, int target);
/* The same of the kernel that joins a launch with the next one (launch_joined). */
const struct variant *joined_owner(struct ctx *ctx, const struct tree *tree,
                                   const struct variant *variant, size_t launch, int target);
/* NAME.tf.c: the translation unit with each region replaced by select and launch; NAME.texts.h,
   which it includes: the texts of its kernels; NAME.tf.h for callers. */
struct host_texts {
    struct str source, texts, header;
};
struct host_texts host_texts_new(struct arena *arena);
/* ptx: the program's, of which each text is embedded once; NULL for none. False after
   a diagnostic. */
bool emit_host(struct ctx *ctx, struct host_texts *texts, const struct program *program,
               const struct tree *const *trees, const char *ptx);
/* NAME.starpu.c, which is compiled in place of NAME.tf.c where tasks of StarPU run the regions. */
void emit_starpu(struct ctx *ctx, struct str *out, const struct program *program,
                 const struct tree *const *trees);
/* tree.json: everything written out, or compact as `treefork build` writes it. */
void emit_json(struct ctx *ctx, struct str *out, const struct program *program,
               const struct tree *const *trees, bool compact);
/* NAME.interface.json: how `count` functions are called from other languages; `trees` are those of
   the program's regions. */
void emit_interface(struct ctx *ctx, struct str *out, const struct program *program,
                    const struct tree *const *trees, const struct exported *exported,
                    size_t count);
/* The rows of every region's tables and what NAME_select asks, as one array
   (emit/tables_json.c). False after a diagnostic. */
bool emit_tables_json(struct ctx *ctx, struct str *out, const struct program *program,
                      const struct tree *const *trees);
/* A picture that needs no Graphviz. */
void emit_svg(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees);
void emit_dot(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees);

#endif
