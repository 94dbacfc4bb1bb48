/* Groups of the preprocessor, `#if` to `#endif`, in a part of the main file.

   In: bytes of the text, and which of them the preprocessor skipped. Out: the directives one after
   the other, and lines that test whether the preprocessor still chooses as it did when the text was
   read, with which mapped text means what its source means under any macros:

       #ifdef DAMP
       #else
       #define OTHERWISE0
       #endif

   Groups that choose between comments, or pragmas that say how loops run, are left out. */
#include "base/vec.h"
#include "frontend/groups.h"

static enum directive_class class_of(const struct token *directive)
{
    static const struct {
        const char *word;
        enum directive_class class;
    } rows[] = {{"if", OPENS},   {"ifdef", OPENS},    {"ifndef", OPENS},    {"else", TURNS_LAST},
                {"elif", TURNS}, {"elifdef", TURNS}, {"elifndef", TURNS}, {"endif", CLOSES}};
    struct scanner inner = scanner_make(directive->text + 1, directive->length - 1);
    struct token word;
    if (scanner_next(&inner, &word))
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (token_equal(&word, rows[i].word))
                return rows[i].class;
    return OTHER;
}

struct directives directives_from(const struct ast_unit *unit, size_t begin, size_t end)
{
    struct directives d = {.unit = unit};
    d.scanner = scanner_make(unit->source->text + begin, end - begin);
    d.scanner.gives_directives = true;
    return d;
}

bool directive_next(struct directives *d)
{
    do
        if (!scanner_next(&d->scanner, &d->token))
            return false;
    while (d->token.kind != TOKEN_DIRECTIVE);
    d->class = class_of(&d->token);
    d->begin = (size_t)(d->token.text - d->unit->source->text);
    d->end = d->begin + d->token.length;
    return true;
}

bool is_advice_at(const struct ast_unit *unit, size_t at)
{
    for (size_t i = 0; i < ast_n_pragmas(unit); i++)
        if (ast_pragma_at(unit, i)->begin == at)
            return ast_pragma_at(unit, i)->kind >= PRAGMA_LOOP;
    return false;
}

size_t empty_group_end(const struct ast_unit *unit, size_t at)
{
    const struct source *source = unit->source;
    struct scanner scanner = scanner_make(source->text + at, source->length - at);
    struct token token;
    int depth = 0;
    scanner.gives_directives = true;
    while (scanner_next(&scanner, &token) && token.kind == TOKEN_DIRECTIVE) {
        enum directive_class class = class_of(&token);
        depth += (class == OPENS) - (class == CLOSES);
        if (class == OTHER && is_advice_at(unit, (size_t)(token.text - source->text)))
            continue;
        if (depth <= 0 || class == OTHER)
            return class == CLOSES && !depth ? (size_t)(token.text + token.length - source->text)
                                             : 0;
    }
    return 0;
}

/* --- the test --------------------------------------------------------------------------------- */

/* The next directive that groups consist of; the directives of groups without code are left out. */
static bool part_next(struct directives *d)
{
    while (directive_next(d)) {
        size_t end = d->class == OPENS ? empty_group_end(d->unit, d->begin) : 0;
        while (end && d->end < end)
            directive_next(d);
        if (!end && d->class != OTHER)
            return true;
    }
    return false;
}

bool groups_choose(const struct ast_unit *unit, size_t begin, size_t end)
{
    struct directives d = directives_from(unit, begin, end);
    return part_next(&d);
}

/* Goes to the directive that ends the branch of the one at hand: the next one on its level. */
static void branch_pass(struct directives *d)
{
    size_t depth = 0;
    while (part_next(d) && (depth || d->class == OPENS)) {
        depth += d->class == OPENS;
        depth -= d->class == CLOSES;
    }
}

static void line_print(struct str *out, const struct token *token)
{
    str_add_n(out, token->text, token->length);
    str_char(out, '\n');
}

/* Groups that were opened and not yet closed: was a branch chosen that has no `#else` behind it
   yet? */
typedef VEC(bool) open_list;

/* Prints the directive at hand, and in its branch, where that is not chosen, the macro. Goes to the
   next directive; false if there is none. */
static bool part_print(struct str *out, struct directives *d, open_list *open, const char *name)
{
    bool is_chosen = !ast_is_skipped(d->unit, d->end);
    if (d->class == CLOSES) {
        if (vec_pop(open))
            str_addf(out, "#else\n#define %s\n", name);
        line_print(out, &d->token);
        return part_next(d);
    }
    line_print(out, &d->token);
    if (d->class == OPENS)
        vec_push(out->arena, open, false);
    vec_last(open) = (vec_last(open) || is_chosen) && d->class != TURNS_LAST;
    if (is_chosen)
        return part_next(d);
    str_addf(out, "#define %s\n", name);
    branch_pass(d);
    return true;
}

void groups_print(struct str *out, const struct ast_unit *unit, size_t begin, size_t end,
                  const char *name)
{
    struct directives d = directives_from(unit, begin, end);
    open_list open = {0};
    bool more = part_next(&d);
    while (more)
        more = part_print(out, &d, &open, name);
}
