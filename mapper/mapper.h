#ifndef MAPPER_MAPPER_H
#define MAPPER_MAPPER_H
#include "base/str.h"
#include "frontend/ast.h"

/* Plain C to MetaFork C: what `#pragma scop` and `#pragma target` mark is printed again with
   regions whose threads run at once what is independent. */

/* The fragments of one file, each with its schedule. */
struct plain_file;

/* What of a file is looked at. Nothing set: what the pragmas mark. */
struct map_choice {
    const char *function;            /* the loops of its body; NULL: of all functions */
    bool all;                        /* also every loop that is independent and pays */
    const char *loop;                /* that is asked about: "i", "12" (its line) or "12:i" */
    const char *request;             /* a change: "interchange 12 0 1" */
    bool is_unknown;                 /* set with a diagnostic: it names what the file lacks */
};

/* NULL after diagnostics: what is chosen cannot be mapped, or nothing is. */
struct plain_file *mapping_make(struct ctx *ctx, struct ast_unit *unit,
                             struct map_choice *choice);
/* The file with its fragments mapped. It has the marks of metafork.h and no such pragma. */
void mapping_print(struct str *out, const struct plain_file *mapping);
/* The same, and which part of the source each part of the text was made of. */
void mapping_print_parts(struct str *out, const struct plain_file *mapping,
                         struct source_origin *origin);
/* Is nothing mapped? The text is the source's then: its loops stay as they are, as notes say. */
bool mapping_is_empty(const struct plain_file *mapping);
/* Regions are counted from 0 by their place in the mapped text. What the judge does not prove is
   printed as loops of the host: the region, or the whole fragment as its source, where two threads
   were found to conflict. So is a region of which nobody knows how much of an array it touches,
   after a diagnostic at the array's declaration. False where no region is left. */
struct map_verdict {
    size_t region;
    bool is_conflict;
    const char *array;               /* how much of it is touched is not known; NULL: it is */
};
/* Does the text of a fragment leave open how much of an array is touched, so that its regions must
   be read to know? */
bool mapping_is_open(const struct plain_file *mapping);
bool mapping_judge(struct plain_file *mapping, const struct map_verdict *verdicts, size_t n);
/* `-d scop`: loops, statements, domains and accesses of each fragment. */
void mapping_print_scops(struct str *out, const struct plain_file *mapping);
/* `-d schedule`: regions and host loops of each fragment, in their order. */
void mapping_print_schedules(struct str *out, const struct plain_file *mapping);

/* Questions about the fragments that the choice names; where it names none and nothing is marked,
   about every loop of the file. False after diagnostics. */

/* Each loop with its place: is it independent, what becomes of it, and what blocks it. */
bool mapping_list_loops(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                        struct map_choice *choice);
/* Why the loop is not independent: two iterations and the element where they meet. */
bool mapping_explain_loop(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                          struct map_choice *choice);
/* apply.c: the source with the change that the choice requests, if that keeps what it computes. */
bool mapping_apply(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                   struct map_choice *choice);
/* Graphs for Graphviz; of all functions, or of the one that is chosen. */
bool mapping_draw_calls(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                        struct map_choice *choice);
bool mapping_draw_flow(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                       struct map_choice *choice);
bool mapping_draw_dependences(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                              struct map_choice *choice);

#endif
