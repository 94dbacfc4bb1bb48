/* The marks of metafork.h: what they mean to the tool, and functions that bear their names.

   In: the main file's text and clang's record of its macros. Out: the text of the header that
   metafork.h includes for the tool, and diagnostics. The marks reach the AST by macros:
   `meta_schedule` and `meta_for` become labels, `meta_cache(a, b)` a loop around the region whose
   condition is a call with the names as arguments, `meta_tunable(d)`, `meta_threads()`,
   `meta_pays(r, t)` and `meta_paid()` calls, so that clang itself checks nesting and names. A
   C compiler erases marks, and with them the call of a function that bears such a name, without a
   word; so a function that does is refused here, before what clang says about the text after the
   macros. Whether a word is our mark is taken from clang's record; whether it stands where a mark
   stands, from the tokens beside it. */
#include "frontend/clang.h"
#include "frontend/scan.h"
#include <string.h>

enum { REPORTS_MAX = 20 };

const char marks_text[] =
    "int __treefork_cache(int, ...);\n"
    "int __treefork_tunable(int);\n"
    "int __treefork_threads(void);\n"
    "int __treefork_pays(double, int);\n"
    "void __treefork_paid(void);\n"
    "#define __treefork_paste_(a, b) a##b\n"
    "#define __treefork_paste(a, b) __treefork_paste_(a, b)\n"
    "#define meta_schedule __treefork_paste(__treefork_schedule_, __COUNTER__) :\n"
    "#define meta_for __treefork_paste(__treefork_for_, __COUNTER__) : for\n"
    "#define meta_tunable(d) __treefork_tunable(d)\n"
    "#define meta_threads(...) __treefork_threads()\n"
    "#define meta_pays(rounds, times) __treefork_pays(rounds, times)\n"
    "#define meta_paid(...) __treefork_paid()\n"
    "#define meta_cache(...) while (__treefork_cache(0, ##__VA_ARGS__))\n"
    "#ifndef METAFORK_LONG_NAMES\n"
    "#define cache(...) meta_cache(__VA_ARGS__)\n"
    "#endif\n";

typedef VEC(struct token) token_list;

/* Index of the closing parenthesis of the one at `open`; the list's end if there is none. */
static size_t find_close(const token_list *tokens, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < tokens->count; i++) {
        depth += token_equal(&tokens->at[i], "(");
        depth -= token_equal(&tokens->at[i], ")");
        if (!depth)
            return i;
    }
    return tokens->count;
}

static bool is_token(const token_list *tokens, size_t i, const char *text)
{
    return i < tokens->count && token_equal(&tokens->at[i], text);
}

static bool begins_statement(const token_list *tokens, size_t i)
{
    static const char *const before[] = {";", "{", "}", ")", ":", "else", "do", "meta_schedule"};
    if (!i)
        return true;
    for (size_t k = 0; k < sizeof before / sizeof *before; k++)
        if (token_equal(&tokens->at[i - 1], before[k]))
            return true;
    return false;
}

static bool schedule_is_function(const token_list *tokens, size_t i)
{
    return is_token(tokens, i + 1, "(");
}

/* The head of a loop holds semicolons, or is a macro that does: then the loop's body follows it. */
static bool for_is_function(const token_list *tokens, size_t i)
{
    if (!is_token(tokens, i + 1, "("))
        return false;
    size_t close = find_close(tokens, i + 1);
    for (size_t k = i + 1; k < close; k++)
        if (token_equal(&tokens->at[k], ";"))
            return false;
    bool statement = close + 1 < tokens->count && tokens->at[close + 1].kind == TOKEN_WORD;
    bool body = statement || is_token(tokens, close + 1, "{");
    return !body || !begins_statement(tokens, i);
}

static bool cache_is_function(const token_list *tokens, size_t i)
{
    if (tokens->at[i].after_directive)
        return false;
    return i == 0 || !token_equal(&tokens->at[i - 1], "meta_schedule");
}

static bool tunable_is_function(const token_list *tokens, size_t i)
{
    return i > 0 && tokens->at[i - 1].kind == TOKEN_WORD;
}

/* Behind a word that is no `return` it is declared. */
static bool threads_is_function(const token_list *tokens, size_t i)
{
    return tunable_is_function(tokens, i) && !is_token(tokens, i - 1, "return");
}

static const struct {
    const char *name;
    const char *place;               /* where the mark stands */
    const char *advice;
    bool (*is_function)(const token_list *tokens, size_t i);
} marks[] = {
    {"meta_schedule", "before the braces of a region", "rename it", schedule_is_function},
    {"meta_for", "in place of `for`", "rename it", for_is_function},
    {"meta_tunable", "as the initial value of a const local", "rename it", tunable_is_function},
    {"meta_threads", "in expressions of host code", "rename it", threads_is_function},
    {"meta_pays", "in conditions of host code", "rename it", threads_is_function},
    {"meta_paid", "as a statement of host code", "rename it", tunable_is_function},
    {"meta_cache", "directly behind meta_schedule", "rename it", cache_is_function},
    {"cache", "directly behind meta_schedule",
     "rename it, or define METAFORK_LONG_NAMES above `#include <metafork.h>` (the mark is then "
     "meta_cache)",
     cache_is_function},
};

enum { N_MARKS = sizeof marks / sizeof *marks };

/* The marks as clang recorded them. */
struct marks_record {
    struct ast_unit *unit;
    CXFile header;                   /* that defines them */
    bool known[N_MARKS];             /* defined by it */
    cursor_list uses, functions;     /* with a mark's name */
};

static size_t mark_find(CXCursor cursor)
{
    CXString name = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(name);
    size_t mark = 0;
    while (mark < N_MARKS && strcmp(marks[mark].name, text ? text : "") != 0)
        mark++;
    clang_disposeString(name);
    return mark;
}

static bool is_ours(const struct marks_record *record, CXCursor definition)
{
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(definition), &file, NULL, NULL, NULL);
    return file && record->header && clang_File_isEqual(file, record->header);
}

static enum CXChildVisitResult record_cursor(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct marks_record *record = data;
    struct arena *arena = record->unit->ctx->arena;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool asked = kind == CXCursor_MacroDefinition || kind == CXCursor_MacroExpansion ||
                 kind == CXCursor_FunctionDecl;
    size_t mark = asked ? mark_find(cursor) : N_MARKS;
    if (mark == N_MARKS)
        return CXChildVisit_Continue;
    if (kind == CXCursor_MacroDefinition)
        record->known[mark] |= is_ours(record, cursor);
    else if (kind == CXCursor_FunctionDecl)
        vec_push(arena, &record->functions, cursor);
    else if (is_ours(record, clang_getCursorReferenced(cursor)))
        vec_push(arena, &record->uses, cursor);
    return CXChildVisit_Continue;
}

static void report_function(struct ast_unit *unit, CXCursor cursor)
{
    size_t mark = mark_find(cursor);
    diag_error(unit->ctx, clang_place(unit, clang_getCursorLocation(cursor)),
               "`%s` is a mark of metafork.h and stands %s, so no function can bear this name: %s",
               marks[mark].name, marks[mark].place, marks[mark].advice);
}

static token_list tokens_of(struct ast_unit *unit, CXFile file)
{
    token_list tokens = {0};
    size_t length = 0;
    const char *text = clang_getFileContents(unit->state->tu, file, &length);
    struct scanner scanner = scanner_make(text, text ? length : 0);
    struct token token;
    while (scanner_next(&scanner, &token))
        vec_push(unit->ctx->arena, &tokens, token);
    return tokens;
}

/* Index of the token at an offset of the text; the list's end if none begins there. */
static size_t token_at(const token_list *tokens, const char *text, unsigned offset)
{
    size_t low = 0, high = tokens->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)(tokens->at[middle].text - text) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < tokens->count && tokens->at[low].text == text + offset;
    return found ? low : tokens->count;
}

/* False after a diagnostic for each use of a mark that is a function's declaration or call. */
static bool uses_check(struct ast_unit *unit, const struct marks_record *record)
{
    CXFile scanned = NULL;
    token_list tokens = {0};
    unsigned errors = unit->ctx->errors;
    for (size_t i = 0; i < record->uses.count; i++) {
        CXCursor use = record->uses.at[i];
        CXFile file;
        unsigned offset;
        if (unit->ctx->errors == errors + REPORTS_MAX)
            break;
        clang_getFileLocation(clang_getCursorLocation(use), &file, NULL, NULL, &offset);
        if (!file)
            continue;
        if (!scanned || !clang_File_isEqual(file, scanned))
            tokens = tokens_of(unit, file);
        scanned = file;
        size_t at = token_at(&tokens, clang_getFileContents(unit->state->tu, file, NULL), offset);
        if (at < tokens.count && marks[mark_find(use)].is_function(&tokens, at))
            report_function(unit, use);
    }
    return unit->ctx->errors == errors;
}

/* False after a diagnostic for each function of the main file that is declared by a mark's name. */
static bool functions_check(struct ast_unit *unit, const struct marks_record *record)
{
    unsigned errors = unit->ctx->errors;
    for (size_t i = 0; i < record->functions.count; i++) {
        CXCursor function = record->functions.at[i];
        CXSourceLocation place = clang_getCursorLocation(function);
        if (record->known[mark_find(function)] && clang_Location_isFromMainFile(place))
            report_function(unit, function);
    }
    return unit->ctx->errors == errors;
}

static bool has_errors(CXTranslationUnit tu)
{
    bool found = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        found |= clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

/* A file that clang refuses, and that uses marks without the header, is told of the header first.
   */
static bool header_check(struct ast_unit *unit, const struct marks_record *record)
{
    struct scanner scanner = scanner_make(unit->source->text, unit->source->length);
    struct token token;
    if (record->known[0] || !has_errors(unit->state->tu))
        return true;
    while (scanner_next(&scanner, &token)) {
        if (!token_equal(&token, "meta_schedule") && !token_equal(&token, "meta_for"))
            continue;
        const char *line = token.text;
        while (line > unit->source->text && line[-1] != '\n')
            line--;
        struct loc loc = {unit->source, token.line, (unsigned)(token.text - line) + 1};
        diag_error(unit->ctx, loc,
                   "`%.*s` means nothing without `#include <metafork.h>`; include it above",
                   (int)token.length, token.text);
        return false;
    }
    return true;
}

bool marks_check(struct ast_unit *unit, const char *header)
{
    CXTranslationUnit tu = unit->state->tu;
    struct marks_record record = {.unit = unit, .header = clang_getFile(tu, header)};
    clang_visitChildren(clang_getTranslationUnitCursor(tu), record_cursor, &record);
    bool functions = functions_check(unit, &record);
    bool uses = uses_check(unit, &record);
    return functions && uses && header_check(unit, &record);
}
