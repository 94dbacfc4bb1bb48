/* Refusals: what a fragment may not contain, said at its place, by its name, with what to do
   instead.

   In: a place, a row of refusal.def and words in place of %s, if the row's text has %s. Out: the
   fragment's refusal; the first refusal stays. The caller decides after reading the whole file
   whether refusals are errors or warnings (nests_refuse). */
#include "mapper/scop/scop.h"
#include <string.h>

static const struct {
    const char *name, *what, *advice;
} refusals[] = {
#define X(name, what, advice) {#name, what, advice},
#include "mapper/scop/refusal.def"
#undef X
};

static const char *const kind_names[] = {
#define X(NAME, text, cursor) #NAME,
#include "frontend/ast.def"
#undef X
};

/* The text with `words` in place of each %s. */
static char *with_words(struct arena *arena, const char *text, const char *words)
{
    struct str out = str_new(arena);
    for (const char *at = text; *at; at++) {
        if (at[0] != '%' || at[1] != 's') {
            str_char(&out, *at);
            continue;
        }
        str_add(&out, words ? words : "?");
        at++;
    }
    return out.text;
}

static void *refuse(struct scop *scop, enum refusal refusal, struct loc loc, const char *words,
                    size_t culprit)
{
    if (scop->refusal.text)
        return NULL;
    scop->refusal.text = arena_printf(scop->arena, "%s cannot be mapped; %s",
                                      with_words(scop->arena, refusals[refusal].what, words),
                                      with_words(scop->arena, refusals[refusal].advice, words));
    scop->refusal.row = (int)refusal;
    scop->refusal.loc = loc;
    scop->refusal.culprit = culprit;
    return NULL;
}

/* The byte of the file at a place; NOBODY if it is not of the file. */
static size_t byte_at(const struct source *source, struct loc loc)
{
    size_t at = 0;
    if (loc.source != source || !loc.line)
        return NOBODY;
    for (unsigned line = 1; line < loc.line && at < source->length; at++)
        line += source->text[at] == '\n';
    return at + loc.column - 1;
}

void *scop_refuse(struct scop *scop, enum refusal refusal, struct loc loc, const char *words)
{
    bool is_whole = refusal == REFUSE_LIMIT || refusal == REFUSE_SERIAL;
    return refuse(scop, refusal, loc, words,
                  is_whole ? NOBODY : byte_at(scop->unit->source, loc));
}

void *scop_refuse_for(struct scop *scop, enum refusal refusal, struct loc loc, const char *words,
                      const struct ast *culprit)
{
    return refuse(scop, refusal, loc, words, culprit && culprit->end ? culprit->begin : NOBODY);
}

void *scop_refuse_kind(struct scop *scop, const struct ast *node)
{
    for (int i = 0; i < REFUSALS; i++)
        if (!strcmp(refusals[i].name, kind_names[node->kind]))
            return scop_refuse(scop, (enum refusal)i, node->loc, node->name);
    const char *name = node->name && *node->name ? node->name : ast_kind_text(node->kind);
    return scop_refuse(scop, REFUSE_OTHER, node->loc, name);
}
