#ifndef MAPPER_REFUSE_H
#define MAPPER_REFUSE_H
#include "frontend/refusal.h"
#include "frontend/ast.h"

/* Why a fragment is refused. */

struct scop;

/* Why a fragment cannot be mapped, and what of it is to blame. */
struct scop_refusal {
    const char *text;                /* NULL: the fragment can be mapped */
    enum refusal row;
    struct loc loc;
    size_t culprit;                  /* a byte of the statement that must stay on the host;
                                        NOBODY: no single one */
    bool is_note;                    /* the loop stays unchanged, which needs no warning */
};
#define NOBODY SIZE_MAX

/* Refuses the fragment, unless an earlier refusal stands; `words` takes the place of %s in the
   row's text. The statement at the place is to blame. Returns NULL. */
void *scop_refuse(struct scop *scop, enum refusal refusal, struct loc loc, const char *words);
/* The same where something else is to blame; NULL: nobody. */
void *scop_refuse_for(struct scop *scop, enum refusal refusal, struct loc loc, const char *words,
                      const struct ast *culprit);
/* By the row that bears the kind of the node. Returns NULL. */
void *scop_refuse_kind(struct scop *scop, const struct ast *node);
/* "f`, which may return before its end,": words for REFUSE_KEPT_CALL; NULL where the call
   that begins at a byte is none of the unit's `kept_calls`. */
const char *kept_call_words(struct arena *arena, const struct ast_unit *unit, size_t begin);
/* blame.c: because of a write to the array with a subscript that is no sum of iterators and
   parameters, by a row that names the culprit. Returns NULL. */
void *refuse_write(struct scop *scop, const struct ast *subscript, const char *name);

#endif
