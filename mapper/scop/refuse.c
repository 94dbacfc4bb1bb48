/* Refusals: what a fragment may not contain, said at its place, by its name, with what to do
   instead.

   In: a place, a row of frontend/refusal.def and words in place of %s, if the row's text has %s.
   Out: the fragment's refusal; the first refusal stays. The caller decides after reading the whole
   file whether refusals are errors or warnings (nests_refuse). */
#include "mapper/scop/scop.h"

static void *refuse(struct scop *scop, enum refusal refusal, struct loc loc, const char *words,
                    size_t culprit)
{
    if (scop->refusal.text)
        return NULL;
    struct refusal_text text = refusal_text(scop->arena, refusal, REFUSED_IN_FRAGMENT, words);
    scop->refusal.text =
        arena_printf(scop->arena, "%s cannot be mapped; %s", text.called, text.instead);
    scop->refusal.row = refusal;
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
    bool is_whole = refusal == REFUSE_LIMIT || refusal == REFUSE_SERIAL ||
                    refusal == REFUSE_FEW;
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
    return scop_refuse(scop, refusal_of_node(node, REFUSED_IN_FRAGMENT), node->loc,
                       refusal_name(node));
}

const char *kept_call_words(struct arena *arena, const struct ast_unit *unit, size_t begin)
{
    const struct ast_kept_call *kept = unit->kept_calls;
    while (kept && kept->begin != begin)
        kept = kept->next;
    return kept ? arena_printf(arena, "%s`, which %s,", kept->name, kept->reason) : NULL;
}
