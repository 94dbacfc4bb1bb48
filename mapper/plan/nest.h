#ifndef MAPPER_NEST_H
#define MAPPER_NEST_H
#include "mapper/forms/choice.h"
#include "mapper/plan/plan.h"

/* Fragments of a file with what became of them: those that are marked, the body of a function, or
   every loop that no other loop of its kind surrounds, with its neighbours. Where a part of a
   fragment is refused, the fragment is cut there (cut.c). */

/* Why the neighbour behind a nest is a fragment of its own. */
struct nest_end {
    const char *text;                /* NULL: there is no neighbour, or nobody tried to join it */
    struct loc loc;                  /* of the statement that is in the way, or of the neighbour */
};
struct nest {
    struct fragment fragment;
    struct scop *scop;               /* NULL: refused */
    struct schedule *plan;           /* NULL: refused, or no loop is independent */
    struct scop_refusal refusal;     /* without a plan: why */
    struct nest_end end;
};
typedef VEC(struct nest *) nest_list;

/* Fills in scop and plan, or the refusal. */
void nest_read(struct ctx *ctx, struct ast_unit *unit, struct nest *nest);
/* cut.c: adds the fragment as one nest if it can be read. Else the statement that is to blame stays
   as it is, a nest without a scop, and what stands before it, in it and behind it are fragments of
   their own, as far as they have loops. By place. */
void nests_cut(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
               nest_list *list);
/* sequence.c: the nest of two neighbours in a block; NULL unless both gain by it: then the first
   one's `end` says why. */
struct nest *sequence_join(struct ctx *ctx, struct ast_unit *unit, struct nest *first,
                           const struct nest *next);
/* Says each refusal once: as errors, or as warnings that name the statement that stays. */
void nests_refuse(struct ctx *ctx, const nest_list *list, bool as_errors);
/* macros.c: refuses those nests of a function, from `first` on, whose text would take the place of
   other statements of a macro. */
void nests_in_macros_refuse(const struct ast *body, const nest_list *list, size_t first);
/* Every nest of the file, by place, read and planned: the outermost loops, and the inner loops of
   each refused one. Nests in a fragment of `marked` are left out. With `joins` neighbours that are
   faster together are one nest. */
void nests_find(struct ctx *ctx, struct ast_unit *unit, const fragment_list *marked, bool joins,
                nest_list *list);
/* The function with a body that the choice names; NULL after a diagnostic. */
const struct ast *function_named(struct ctx *ctx, struct ast_unit *unit,
                                 struct map_choice *choice);
/* The statements of its function from its first loop to its last. False after a diagnostic. */
bool nest_of_function(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                      struct fragment *fragment);
/* Does a region of the plan have threads enough: as many as sizes say, or PAY_THREADS? */
enum { PAY_THREADS = 1024 };
bool nest_pays(const struct nest *nest);
/* pays.c: "meta_pays(1.0 * n * n, 3)" where the source's own loops may be faster on a processor:
   their rounds, and how many times as long the plan's order takes there on one core. Else NULL. */
const char *plan_pays_text(const struct schedule *plan);
/* "for t { region (i, j); region (i, j) }" */
const char *nest_shape(struct arena *arena, const struct schedule *plan);
/* Notes on every nest of a file in which nothing is marked, and on loops elsewhere. */
void nests_suggest(struct ctx *ctx, struct ast_unit *unit);
/* A note on functions with loops whose bodies a macro or an included file writes, if there are. */
void nests_elsewhere(struct ctx *ctx, struct ast_unit *unit);

/* fragments.c: adds the fragments that the choice names. A fragment is read only if reading decided
   the choice. False after diagnostics. */
bool fragments_choose(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                      nest_list *list);
/* fragments.c: reports that the choice is empty, and suggests loops. Returns NULL. */
void *fragments_suggest(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice);
/* fragments.c: adds the nests of a chosen fragment, read and planned. */
void nests_make(struct ctx *ctx, struct ast_unit *unit, struct nest *chosen, nest_list *list);
/* fragments.c: leaves to the host what stands in functions that regions of other nests call, as a
   region cannot start one; a note says so of each. */
void nests_keep_called(struct ctx *ctx, struct ast_unit *unit, const nest_list *list);
/* fragments.c: is the byte one of a statement of the unit? */
bool unit_has_byte(const struct scop_unit *unit, size_t at);
/* fragments.c: warns of directives that contradict the loops' dependences. */
void nests_check(struct ctx *ctx, const nest_list *list);

/* nest.c: a scop from text to dependences, with changes (NULL: none); the scop is complete only if
   the refusal has no text. */
struct scop *scop_make(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
                       const struct change_list *changes);

#endif
