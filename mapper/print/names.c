/* Names that the printed text needs: iterators of axes, blocks and threads, tunables.

   In: the words of the file, the macros of its headers. Out: names that none of them is. The
   iterator of an axis keeps the source's name where all its loops have one name and nothing hides
   it; else it gets a new one. */
#include "frontend/scan.h"
#include "mapper/print/names.h"
#include <string.h>

struct word_list {
    struct arena *arena;
    struct map *words, *given;       /* given: names by their base, for scopes of their own */
    const struct map *macros;
};

struct word_list *words_of(struct arena *arena, const struct ast_unit *unit)
{
    const struct source *source = unit->source;
    struct word_list *list = ARENA_NEW(arena, struct word_list);
    struct scanner scanner = scanner_make(source->text, source->length);
    struct token token;
    scanner.gives_directives = true;
    list->arena = arena;
    list->words = map_new(arena);
    list->given = map_new(arena);
    list->macros = unit->macros;
    while (scanner_next(&scanner, &token)) {
        struct scanner inner = scanner_make(token.text + 1, token.length - 1);
        struct token word;
        if (token.kind == TOKEN_WORD)
            map_put(list->words, arena_strndup(arena, token.text, token.length), list);
        while (token.kind == TOKEN_DIRECTIVE && scanner_next(&inner, &word))
            map_put(list->words, arena_strndup(arena, word.text, word.length), list);
    }
    return list;
}

bool words_have(const struct word_list *list, const char *word)
{
    return map_get(list->words, word) || map_get(list->macros, word);
}

bool source_has_marks(const struct source *source)
{
    static const char name[] = "metafork.h";
    struct scanner scanner = scanner_make(source->text, source->length);
    struct token token;
    scanner.gives_directives = true;
    while (scanner_next(&scanner, &token))
        for (size_t i = 0; token.kind == TOKEN_DIRECTIVE && i + sizeof name <= token.length; i++)
            if (strncmp(token.text + i, name, strlen(name)) == 0)
                return true;
    return false;
}

/* The column of a token. */
static unsigned column_of(const struct source *source, const struct token *token)
{
    const char *line = token->text;
    while (line > source->text && line[-1] != '\n')
        line--;
    return (unsigned)(token->text - line) + 1;
}

static bool mark_refuse(struct ctx *ctx, const struct source *source, const struct token *token)
{
    static const char *const marks[] = {"meta_schedule", "meta_for", "meta_tunable", "meta_threads",
                                        "meta_cache"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (token_equal(token, marks[i])) {
            struct loc loc = {source, token->line, column_of(source, token)};
            diag_error(ctx, loc, "`%s` is a mark of metafork.h, which the mapped text includes; "
                                 "rename it", marks[i]);
            return false;
        }
    return true;
}

bool words_check(struct ctx *ctx, const struct source *source)
{
    struct scanner scanner = scanner_make(source->text, source->length);
    struct token token;
    bool good = true;
    if (source_has_marks(source))
        return true;
    scanner.gives_directives = true;
    while (good && scanner_next(&scanner, &token)) {
        struct scanner inner = scanner_make(token.text + 1, token.length - 1);
        struct token word = token;
        inner.line = token.line;
        while (token.kind == TOKEN_DIRECTIVE && good && scanner_next(&inner, &word))
            good = mark_refuse(ctx, source, &word);
        good = good && mark_refuse(ctx, source, &word);
    }
    return good;
}

const char *words_fresh(struct word_list *list, const char *base, int first)
{
    const char *name = arena_printf(list->arena, "%s%d", base, first);
    for (int i = first + 1; words_have(list, name); i++)
        name = arena_printf(list->arena, "%s%d", base, i);
    map_put(list->words, name, list);
    return name;
}

const char *words_local(struct word_list *list, const char *base)
{
    char *name = map_get(list->given, base);
    if (name)
        return name;
    name = words_have(list, base) ? (char *)words_fresh(list, base, 2)
                                  : arena_strdup(list->arena, base);
    map_put(list->words, name, list);
    map_put(list->given, base, name);
    return name;
}

bool stmt_means_other(struct arena *arena, const struct scop_stmt *stmt, const char *name,
                      const struct scop_loop *loop)
{
    struct ast_walk walk;
    for (int at = 0; at < stmt->depth; at++)
        if (stmt->loops[at] != loop && !strcmp(stmt->loops[at]->name, name))
            return true;
    for (const struct ast *n = ast_first(&walk, arena, stmt->ast); n; n = ast_next(&walk)) {
        const struct ast *decl = n->kind == AST_REF ? n->decl : n->kind == AST_VARIABLE ? n : NULL;
        if (decl && (!loop || decl != loop->iterator) && !strcmp(decl->name, name))
            return true;
    }
    return false;
}

/* Does a statement mean something by the name that its loops from `depth` on do not declare? */
static bool stmt_needs(struct arena *arena, const struct scop_stmt *stmt, int depth,
                       const char *name)
{
    struct ast_walk walk;
    for (int at = 0; at < depth; at++)
        if (!strcmp(stmt->loops[at]->name, name))
            return true;
    for (const struct ast *n = ast_first(&walk, arena, stmt->ast); n; n = ast_next(&walk)) {
        bool is_iterator = false;
        for (int at = depth; at < stmt->depth; at++)
            is_iterator |= n->decl == stmt->loops[at]->iterator;
        if (n->kind == AST_REF && n->decl && !is_iterator && !strcmp(n->decl->name, name))
            return true;
    }
    return false;
}

/* What names of a part's axes are looked for in. */
struct name_search {
    struct word_list *words;
    const struct scop *scop;
    const struct plan_region *region;
    int depth, part;
    const char *outer[AXES_MAX];     /* the first part's names in another one, else NULL */
};

static bool member_allows(const struct name_search *s, const struct plan_member *member, int axis,
                          const char *name)
{
    const struct scop_loop *loop = member_loop(member, axis);
    struct arena *arena = s->words->arena;
    for (size_t k = 0; k < member->unit->stmts.count; k++) {
        const struct scop_stmt *stmt = member->unit->stmts.at[k];
        if (member->part == s->part ? stmt_means_other(arena, stmt, name, loop)
                                    : !s->part && stmt_needs(arena, stmt, s->depth, name))
            return false;
    }
    return true;
}

/* May the axis bear the name? */
static bool is_free(const struct name_search *s, int axis, const char *name)
{
    for (int k = 0; k < s->region->n_axes; k++) {
        const char *other = k < axis ? s->region->axes[k].name : NULL;
        if (k != axis && ((other && !strcmp(other, name)) ||
                          (s->outer[k] && !strcmp(s->outer[k], name))))
            return false;
    }
    for (size_t i = 0; i < s->scop->symbols.count; i++)
        if (!s->scop->symbols.at[i].loop && !strcmp(s->scop->symbols.at[i].text, name))
            return false;
    for (size_t i = 0; i < s->region->members.count; i++)
        if (!member_allows(s, &s->region->members.at[i], axis, name))
            return false;
    return true;
}

static const char *name_new(const struct name_search *s, const char *base)
{
    base = arena_printf(s->words->arena, "%s_", base);
    return s->part ? words_fresh(s->words, base, 2) : words_local(s->words, base);
}

void region_names(struct word_list *words, const struct scop *scop, struct plan_region *region,
                  int depth, int part)
{
    struct name_search s = {words, scop, region, depth, part, {NULL}};
    for (int axis = 0; axis < region->n_axes; axis++)
        s.outer[axis] = part ? region->axes[axis].name : NULL;
    for (int axis = 0; axis < region->n_axes; axis++) {
        struct plan_axis *a = &region->axes[axis];
        const struct scop_loop *last = NULL;
        a->name = NULL;
        a->type = "int";
        for (size_t i = 0; i < region->members.count; i++) {
            const struct plan_member *member = &region->members.at[i];
            if (member->part != part || member->axes[axis] == AT_POINT)
                continue;
            last = member_loop(member, axis);
            if (strcmp(last->type, "int") != 0)
                a->type = last->type;
            if (!a->name && is_free(&s, axis, last->name))
                a->name = last->name;
        }
        if (!a->name && last)
            a->name = name_new(&s, last->name);
    }
}
