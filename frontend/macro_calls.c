/* The macros of a file, and where they are used.

   In: a parsed unit. Out: the names of all macros, those of headers too, and the byte ranges of the
   outermost uses in the main file. clang gives a node whose last token is an argument of a macro an
   end at the beginning of the macro's call, and one whose last token is of the macro's body the end
   of the call; the ranges tell both. Also whether the main file uses `__LINE__` or `__FILE__`, by
   itself or in a macro. */
#include "frontend/clang.h"
#include "frontend/scan.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Is a word of the text `__LINE__`, `__FILE__` or a macro that uses one of them? */
static bool text_places(const struct ast_unit *unit, const char *text, size_t length)
{
    struct scanner scanner = scanner_make(text, length);
    struct token token;
    while (scanner_next(&scanner, &token)) {
        if (token_equal(&token, "__LINE__") || token_equal(&token, "__FILE__"))
            return true;
        if (token.kind == TOKEN_WORD && unit->state->has_placing &&
            map_get(unit->state->placing,
                    arena_strndup(unit->ctx->arena, token.text, token.length)))
            return true;
    }
    return false;
}

/* Notes a macro whose text uses `__LINE__` or `__FILE__`, perhaps by macros that are defined before
   it. */
static void placing_take(struct ast_unit *unit, CXCursor definition, const char *name)
{
    struct ast_state *state = unit->state;
    CXSourceRange range = clang_getCursorExtent(definition);
    CXFile file;
    unsigned begin, end;
    size_t length;
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    const char *text = file ? clang_getFileContents(state->tu, file, &length) : NULL;
    if (text && begin < end && end <= length && text_places(unit, text + begin, end - begin)) {
        map_put(state->placing, name, unit);
        state->has_placing = true;
    }
}

static void name_take(struct ast_unit *unit, CXCursor definition)
{
    CXString string = clang_getCursorSpelling(definition);
    const char *name = clang_getCString(string);
    void *value = map_get(unit->macros, name) ? (void *)unit->state : unit;
    map_put((struct map *)unit->macros, name, value);
    placing_take(unit, definition, name);
    clang_disposeString(string);
}

bool macro_is_fixed(const struct ast_unit *unit, size_t offset)
{
    const char *text = unit->source->text + offset;
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    const char *name = arena_strndup(unit->ctx->arena, text, length);
    return map_get(unit->macros, name) == unit;
}

static void call_take(struct ast_unit *unit, CXCursor use)
{
    struct ast_state *state = unit->state;
    CXSourceRange range = clang_getCursorExtent(use);
    CXFile file;
    struct macro_call call;
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &call.begin);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &call.end);
    if (!file || !clang_File_isEqual(file, state->file) || call.end <= call.begin)
        return;
    vec_push(unit->ctx->arena, &state->calls, call);
    CXString name = clang_getCursorSpelling(use);
    const char *word = clang_getCString(name);
    unit->tells_places |= text_places(unit, word, strlen(word));
    clang_disposeString(name);
}

static enum CXChildVisitResult macro_take(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_MacroDefinition)
        name_take(data, cursor);
    else if (kind == CXCursor_MacroExpansion)
        call_take(data, cursor);
    return CXChildVisit_Continue;
}

/* By place, longer ones first. */
static int calls_compare(const void *a, const void *b)
{
    const struct macro_call *first = a, *second = b;
    if (first->begin != second->begin)
        return first->begin < second->begin ? -1 : 1;
    return first->end > second->end ? -1 : first->end < second->end;
}

void macros_find(struct ast_unit *unit)
{
    struct ast_state *state = unit->state;
    size_t kept = 0;
    unit->macros = map_new(unit->ctx->arena);
    state->placing = map_new(unit->ctx->arena);
    clang_visitChildren(clang_getTranslationUnitCursor(state->tu), macro_take, unit);
    if (state->calls.count)
        qsort(state->calls.at, state->calls.count, sizeof *state->calls.at, calls_compare);
    for (size_t i = 0; i < state->calls.count; i++)
        if (!kept || state->calls.at[i].begin >= state->calls.at[kept - 1].end)
            state->calls.at[kept++] = state->calls.at[i];
    state->calls.count = kept;
}

const struct macro_call *macro_call_at(const struct ast_unit *unit, unsigned offset, bool at_end)
{
    const struct macro_call *calls = unit->state->calls.at;
    size_t first = 0, end = unit->state->calls.count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (calls[middle].end + at_end > offset)
            end = middle;
        else
            first = middle + 1;
    }
    bool found = first < unit->state->calls.count && calls[first].begin <= offset;
    return found ? &calls[first] : NULL;
}
