/* The pragmas that ask for mapping, and those that advise compilers about loops.

   In: a text as written, and clang's record of what the preprocessor skipped. Out: `#pragma scop`,
   `#pragma endscop`, `#pragma target`, directives and advice by place, and the bytes skipped. clang
   gives pragmas that it does not know no cursor, so they are found by our own scanner. */
#include "frontend/clang.h"
#include "frontend/scan.h"
#include <string.h>

static const char *const pragma_words[] = {
    [PRAGMA_SCOP] = "scop",
    [PRAGMA_ENDSCOP] = "endscop",
    [PRAGMA_TARGET] = "target",
};

/* What a word of a directive says: it begins threads, shares a loop out, lets its rounds run side
   by side, tells of a statement, or makes a directive that stands alone (`target update`). */
enum { BEGINS = 1, SHARES = 2, SIDES = 4, BINDS = 8, STANDS = 16 };
static const struct {
    const char *word;
    unsigned says;
} directive_words[] = {
    {"parallel", BEGINS}, {"target", BEGINS}, {"teams", BEGINS}, {"kernels", BEGINS},
    {"distribute", SHARES}, {"for", SHARES}, {"loop", SHARES},
    {"simd", SIDES}, {"serial", BINDS}, {"data", BINDS},
    {"update", STANDS}, {"enter", STANDS}, {"exit", STANDS},
};

/* The words of pragmas that have a meaning for gcc or clang, and what must follow in one that is
   advice about a loop all the same. */
static const struct {
    const char *word, *advice[4];
} meant_words[] = {
    {"GCC", {"ivdep", "unroll", "novector"}}, {"clang", {"loop"}}, {"STDC", {NULL}},
    {"pack", {NULL}}, {"weak", {NULL}}, {"redefine_extname", {NULL}}, {"push_macro", {NULL}},
    {"pop_macro", {NULL}}, {"scalar_storage_order", {NULL}}, {"ms_struct", {NULL}},
    {"align", {NULL}}, {"options", {NULL}}, {"message", {NULL}}, {"once", {NULL}},
    {"scop", {NULL}}, {"endscop", {NULL}}, {"target", {NULL}},
};

/* The first words of a pragma that is no directive have been read; `more` has no text where there
   is one word alone. */
static bool is_advice(const struct token *word, const struct token *more)
{
    enum { N = sizeof meant_words / sizeof *meant_words };
    size_t i = 0;
    while (i < N && !token_equal(word, meant_words[i].word))
        i++;
    if (i == N)
        return true;
    for (const char *const *advice = meant_words[i].advice; *advice; advice++)
        if (more->text && token_equal(more, *advice))
            return true;
    return false;
}

/* `omp` or `acc` has been read. */
static enum ast_pragma_kind directive_kind(struct scanner *scanner)
{
    enum { N = sizeof directive_words / sizeof *directive_words };
    struct token token;
    unsigned says = 0;
    while (scanner_next(scanner, &token)) {
        size_t i = 0;
        while (i < N && !token_equal(&token, directive_words[i].word))
            i++;
        if (i == N)
            break;
        says |= directive_words[i].says;
    }
    if (!says || says & STANDS)
        return PRAGMA_HINT;
    if (says & BEGINS && says & (SHARES | SIDES))
        return PRAGMA_LOOP;
    if (says & SHARES)
        return PRAGMA_SHARE;
    if (says & SIDES)
        return PRAGMA_SIMD;
    return says & BEGINS && !(says & BINDS) ? PRAGMA_REGION : PRAGMA_BOUND;
}

/* A directive's words are those of its text behind the sign. */
static enum ast_pragma_kind pragma_kind(const struct token *directive)
{
    struct scanner scanner = scanner_make(directive->text + 1, directive->length - 1);
    struct token first, second, more = {.text = NULL};
    if (!scanner_next(&scanner, &first) || !token_equal(&first, "pragma") ||
        !scanner_next(&scanner, &second))
        return PRAGMA_NONE;
    if (token_equal(&second, "omp") || token_equal(&second, "acc"))
        return directive_kind(&scanner);
    bool is_word = !scanner_next(&scanner, &more);
    if (is_advice(&second, &more))
        return PRAGMA_ADVICE;
    if (!is_word)
        return PRAGMA_NONE;
    for (int kind = PRAGMA_SCOP; kind <= PRAGMA_TARGET; kind++)
        if (token_equal(&second, pragma_words[kind]))
            return (enum ast_pragma_kind)kind;
    return PRAGMA_NONE;
}

static struct scanner directives_of(const char *text, size_t length)
{
    struct scanner scanner = scanner_make(text, length);
    scanner.gives_directives = true;
    return scanner;
}

enum ast_marks ast_text_marks(const char *text, size_t length)
{
    struct scanner scanner = directives_of(text, length);
    struct token token;
    enum ast_marks marks = MARKS_NONE;
    while (scanner_next(&scanner, &token)) {
        if (token_equal(&token, "meta_schedule"))
            return MARKS_REGIONS;
        if (token.kind != TOKEN_DIRECTIVE)
            continue;
        enum ast_pragma_kind kind = pragma_kind(&token);
        if (kind != PRAGMA_NONE && kind <= PRAGMA_SHARE)
            marks = MARKS_FRAGMENTS;
    }
    return marks;
}

size_t ast_n_pragmas(const struct ast_unit *unit)
{
    return unit->n_pragmas + unit->n_hidden;
}

const struct ast_pragma *ast_pragma_at(const struct ast_unit *unit, size_t i)
{
    return i < unit->n_pragmas ? &unit->pragmas[i] : &unit->hidden[i - unit->n_pragmas];
}

bool ast_is_skipped(const struct ast_unit *unit, size_t at)
{
    for (size_t i = 0; i < unit->n_skipped; i++)
        if (unit->skipped[i].begin <= at && at < unit->skipped[i].end)
            return true;
    return false;
}

static void skipped_find(struct ast_unit *unit)
{
    CXSourceRangeList *ranges = clang_getSkippedRanges(unit->state->tu, unit->state->file);
    unsigned n = ranges ? ranges->count : 0, begin, end;
    struct ast_skipped *skipped = ARENA_ARRAY(unit->ctx->arena, struct ast_skipped, n + 1);
    for (unsigned i = 0; i < n; i++) {
        clang_getFileLocation(clang_getRangeStart(ranges->ranges[i]), NULL, NULL, NULL, &begin);
        clang_getFileLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, NULL, NULL, &end);
        skipped[i] = (struct ast_skipped){begin, end};
    }
    if (ranges)
        clang_disposeSourceRangeList(ranges);
    unit->n_skipped = n;
    unit->skipped = skipped;
}

void pragmas_find(struct ast_unit *unit)
{
    VEC(struct ast_pragma) list = {0}, hidden = {0};
    const struct source *source = unit->source;
    struct scanner scanner = directives_of(source->text, source->length);
    struct token token;
    skipped_find(unit);
    while (scanner_next(&scanner, &token)) {
        size_t begin = (size_t)(token.text - source->text);
        enum ast_pragma_kind kind = token.kind == TOKEN_DIRECTIVE ? pragma_kind(&token)
                                                                  : PRAGMA_NONE;
        if (kind == PRAGMA_NONE)
            continue;
        size_t line = begin;
        while (line > 0 && source->text[line - 1] != '\n')
            line--;
        struct loc loc = {source, token.line, (unsigned)(begin - line) + 1};
        struct ast_pragma pragma = {kind, loc, begin, begin + token.length};
        if (ast_is_skipped(unit, begin))
            vec_push(unit->ctx->arena, &hidden, pragma);
        else
            vec_push(unit->ctx->arena, &list, pragma);
    }
    unit->n_hidden = hidden.count;
    unit->hidden = hidden.at;
    unit->n_pragmas = list.count;
    unit->pragmas = list.at;
}
