/* The table of what is refused: rows by kinds of nodes, and their texts.

   In: a node or a row, and the place, a fragment or a region. Out: how the construct is called and
   what to do instead. Who refuses reports that in its own way: the lowering at once
   (metafork/refuse.c), the mapper when all of a file is read (mapper/scop/refuse.c). */
#include "frontend/refusal.h"
#include <assert.h>
#include <string.h>

static const char same[] = "";
#define SAME same
#define NONE NULL

static const struct {
    const char *name, *called, *instead[2];   /* instead: by place; NULL: not refused there */
} rows[] = {
#define X(NAME, called, in_fragment, in_region) {#NAME, called, {in_fragment, in_region}},
#include "frontend/refusal.def"
#undef X
};

static const char *const kind_names[] = {
#define X(NAME, text, cursor) #NAME,
#include "frontend/ast.def"
#undef X
};

enum refusal refusal_of_node(const struct ast *node, enum refusal_place place)
{
    for (int i = 0; i < REFUSALS; i++)
        if (!strcmp(rows[i].name, kind_names[node->kind]) && rows[i].instead[place])
            return (enum refusal)i;
    return REFUSE_OTHER;
}

const char *refusal_name(const struct ast *node)
{
    return node->name && *node->name ? node->name : ast_kind_text(node->kind);
}

static const char *with_words(struct arena *arena, const char *text, const char *words)
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

struct refusal_text refusal_text(struct arena *arena, enum refusal row, enum refusal_place place,
                                 const char *words)
{
    const char *instead = rows[row].instead[place];
    if (instead == same)
        instead = rows[row].instead[REFUSED_IN_FRAGMENT];
    assert(instead);
    return (struct refusal_text){with_words(arena, rows[row].called, words),
                                 with_words(arena, instead, words)};
}
