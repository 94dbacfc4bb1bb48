#ifndef IR_LLVM_BACKEND_H
#define IR_LLVM_BACKEND_H
#include "base/map.h"
#include "ir/llvm/llvm.h"
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

/* LLVM as one compilation sees it: a context of its own, target machines, what was
   compiled already. */

struct codegen_target {
    int number;                /* sm_XX; 0 = the host */
    LLVMTargetMachineRef machine;
    char *triple, *layout;
};

struct backend {
    struct ctx *ctx;
    LLVMContextRef context;
    struct codegen_target targets[8];  /* the rows of target.def and the host */
    size_t n_targets;
    struct map *compiled;      /* options and hash -> struct compiled of ptx.c */
    struct map *native;        /* bindings and hash -> struct native of native.c */
    const char *libdevice;     /* the path found by the search; NULL = not searched yet */
    double seconds;            /* CPU time of guarded work */
    const char *message;       /* the first error LLVM reported in the guarded work, or NULL */
};

/* The backend of the compilation, made at the first call. */
struct backend *backend_of(struct ctx *ctx);
/* The target machine for sm_`number` (0: the host); NULL after a diagnostic if the target
   is unknown. */
const struct codegen_target *backend_target(struct backend *backend, int number);
/* An empty module for a target. */
LLVMModuleRef backend_module(struct backend *backend, const struct codegen_target *target,
                             const char *name);

/* Runs work(state). Whatever LLVM calls a fatal error ends the work, not the process: false after a
   diagnostic. Also false if work returned false or LLVM reported an error. Not to be nested. */
bool backend_guard(struct backend *backend, bool (*work)(void *state), void *state);

/* Adds what the module needs of libdevice, as internal functions. False after a diagnostic that
   names the function and the remedy where libdevice is missing; `path` NULL = search the toolkit,
   "" = there is none; with `optional` the calls of what is missing stay calls. */
bool libdevice_link(struct backend *backend, LLVMModuleRef module, const char *path, bool optional);

/* The path that libdevice_link takes for `path`; NULL if there is no libdevice. */
const char *libdevice_path(struct backend *backend, const char *path);

/* The passes of an attempt at lower register pressure: attempt 0 is default<O3>, the others
   are default<O1>, less the passes without effect. `pairs`: accesses that meet where loops were
   unrolled become vectors. False after a diagnostic. */
bool passes_run(struct backend *backend, LLVMModuleRef module, const struct codegen_target *target,
                int attempt, bool pairs);

/* text.c: the text of a module without what says nothing, in the arena. Of a module that tells
   places (origins.c), `lines`, else NULL, gets the source lines of those of the text. */
char *text_tidy(struct arena *arena, const char *text, struct line_origins *lines);

/* loads.c: moves loads before the arithmetic of their blocks, in all functions of the module. */
void loads_first(struct backend *backend, LLVMModuleRef module);

#endif
