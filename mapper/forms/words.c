/* Words of a file, and names that are none of them.

   In: the text of a file, the macros of its headers. Out: new names, unlike all words and macros;
   an error if the file has a name of metafork.h. */
#include "base/map.h"
#include "frontend/scan.h"
#include "mapper/forms/words.h"
#include <string.h>

struct word_list {
    struct arena *arena;
    struct map *words, *given;       /* given: names by their base, for scopes of their own */
    struct map *variables;           /* names of variables that forms make of a function */
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
    list->variables = map_new(arena);
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

struct word_list *words_again(struct arena *arena, const struct word_list *list)
{
    struct word_list *again = ARENA_NEW(arena, struct word_list);
    *again = *list;
    again->given = map_new(arena);
    return again;
}

struct word_list *words_of_function(struct arena *arena, const struct word_list *list)
{
    struct word_list *own = words_again(arena, list);
    own->variables = map_new(arena);
    return own;
}

bool words_have(const struct word_list *list, const char *word)
{
    return map_get(list->words, word) || map_get(list->macros, word);
}

bool unit_has_marks(const struct ast_unit *unit)
{
    return map_get(unit->macros, "METAFORK_H") != NULL;
}

/* Does a directive name metafork.h, in whichever group? */
static bool names_header(const struct source *source)
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
static unsigned token_column(const struct source *source, const struct token *token)
{
    const char *line = token->text;
    while (line > source->text && line[-1] != '\n')
        line--;
    return (unsigned)(token->text - line) + 1;
}

static bool mark_refuse(struct ctx *ctx, const struct source *source, const struct token *token)
{
    static const char *const marks[] = {"meta_schedule", "meta_for", "meta_tunable", "meta_threads",
                                        "meta_pays", "meta_paid", "meta_cache", "meta_reduce"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (token_equal(token, marks[i])) {
            struct loc loc = {source, token->line, token_column(source, token)};
            diag_error(ctx, loc, "`%s` is a mark of metafork.h, which the mapped text includes; "
                                 "rename it", marks[i]);
            return false;
        }
    return true;
}

bool words_check(struct ctx *ctx, const struct ast_unit *unit)
{
    const struct source *source = unit->source;
    struct scanner scanner = scanner_make(source->text, source->length);
    struct token token;
    bool good = true;
    if (unit_has_marks(unit) || names_header(source))
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

const char *words_variable(struct word_list *list, const char *base)
{
    bool is_free = !words_have(list, base) && !map_get(list->variables, base);
    const char *name = is_free ? base : words_fresh(list, base, 2);
    map_put(list->variables, name, list);
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

/* Does the directive's name begin so? */
static bool directive_is(const struct token *token, const char *name)
{
    const char *at = token->text + 1;
    return token->kind == TOKEN_DIRECTIVE &&
           !strncmp(at + strspn(at, " \t"), name, strlen(name));
}

enum { DEPTH_MAX = 63 };             /* conditionals in each other; deeper ones count as one */

/* Each branch of a conditional has a place of its own, and what stands behind the conditional has
   the place behind it, if it includes anything. */
size_t include_place(const struct source *source, size_t before)
{
    size_t places[DEPTH_MAX + 1] = {0}, place = 0;
    bool includes[DEPTH_MAX + 1] = {0};
    int depth = 0;
    struct scanner scanner = scanner_make(source->text, source->length);
    struct token token;
    scanner.gives_directives = true;
    while (scanner_next(&scanner, &token) && token.text < source->text + before) {
        bool opens = directive_is(&token, "if"), closes = directive_is(&token, "endif") && depth;
        int level = depth < DEPTH_MAX ? depth : DEPTH_MAX, inner = level + opens;
        const char *end = token.text + token.length;
        size_t next = (size_t)(end - source->text) + (*end == '\n');
        depth += opens - closes;
        if ((opens || directive_is(&token, "el")) && inner <= DEPTH_MAX)
            places[inner] = 0;
        if (opens && inner <= DEPTH_MAX)
            includes[inner] = false;
        if (directive_is(&token, "include") || (closes && includes[level])) {
            places[level - closes] = next;
            includes[level - closes] = true;
        }
    }
    for (int i = 0; i <= depth && i <= DEPTH_MAX; i++)
        place = places[i] > place ? places[i] : place;
    return place;
}
