/* A file through libclang: headers of our own in memory, clang's diagnostics as ours, the
   unit's life.

   In: the main file's text and compiler arguments. Out: a unit whose declarations of the main file
   are converted (frontend/convert.c). The annotations reach the AST by macros of a header that only
   exists in memory and that metafork.h includes (frontend/marks.c). `assert` becomes a plain call.
   All places are those of the user's files. Source: notes on libclang 19 in frontend/README.md. */
#include "frontend/clang.h"
#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VIRTUAL "/treefork-headers"
#define MARKS VIRTUAL "/metafork_marks.h"
#define EARLY VIRTUAL "/called_early.h"
enum { ERRORS_MAX = 20, PARSE_STACK_BYTES = 256 << 20 };

static const char include_virtual[] = "-I" VIRTUAL;

/* A copy of runtime/metafork.h beside the user's file is found before this text and includes MARKS
   as well. */
static const char metafork_text[] =
    "#ifndef METAFORK_H\n"
    "#define METAFORK_H\n"
    "#include <metafork_marks.h>\n"
    "#endif\n";

static const char assert_text[] =
    "void " AST_ASSERT "(int);\n"
    "#undef assert\n"
    "#ifdef NDEBUG\n"
    "#define assert(e) ((void)0)\n"
    "#else\n"
    "#define assert(e) " AST_ASSERT "(!!(e))\n"
    "#endif\n"
    "#undef static_assert\n"
    "#define static_assert _Static_assert\n";

/* clang's own header where it would take the next one in a hosted environment: that is gcc's, with
   macros whose built-in functions do not take clang's atomic types. */
static const char stdatomic_text[] =
    "#pragma clang system_header\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#pragma push_macro(\"__STDC_HOSTED__\")\n"
    "#undef __STDC_HOSTED__\n"
    "#define __STDC_HOSTED__ 0\n"
    "#include_next <stdatomic.h>\n"
    "#pragma pop_macro(\"__STDC_HOSTED__\")\n";

char *clang_text(struct arena *arena, CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = arena_strdup(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}

static const struct source *source_of(struct ast_unit *unit, CXFile file)
{
    struct ast_state *state = unit->state;
    if (clang_File_isEqual(file, state->file))
        return unit->source;
    struct source *source = map_get_pointer(state->sources, file);
    if (source)
        return source;
    struct arena *arena = unit->ctx->arena;
    size_t length = 0;
    const char *text = clang_getFileContents(state->tu, file, &length);
    source = ARENA_NEW(arena, struct source);
    source->path = clang_text(arena, clang_getFileName(file));
    source->text = arena_strndup(arena, text ? text : "", length);
    source->length = length;
    map_put_pointer(state->sources, file, source);
    return source;
}

struct loc clang_place(struct ast_unit *unit, CXSourceLocation location)
{
    CXFile file;
    unsigned line, column;
    clang_getFileLocation(location, &file, &line, &column, NULL);
    if (!file)
        return loc_none();
    return (struct loc){source_of(unit, file), line, column};
}

static bool is_error(CXDiagnostic diagnostic)
{
    return clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
}

static void report_notes(struct ast_unit *unit, CXDiagnostic diagnostic)
{
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
    unsigned n = clang_getNumDiagnosticsInSet(notes);
    for (unsigned i = 0; i < n && i < 4; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        diag_note(unit->ctx, clang_place(unit, clang_getDiagnosticLocation(note)), "%s",
                  clang_text(unit->ctx->arena, clang_getDiagnosticSpelling(note)));
        clang_disposeDiagnostic(note);
    }
}

/* clang does not know the pragmas that ask for mapping. */
static bool is_about_pragma(const struct ast_unit *unit, CXDiagnostic diagnostic, struct loc loc)
{
    CXString option = clang_getDiagnosticOption(diagnostic, NULL);
    bool unknown = !strcmp(clang_getCString(option), "-Wunknown-pragmas");
    clang_disposeString(option);
    if (!unknown || loc.source != unit->source)
        return false;
    for (size_t i = 0; i < unit->n_pragmas; i++)
        if (unit->pragmas[i].loc.line == loc.line)
            return true;
    return false;
}

/* The word that clang's text names in quotes; NULL if there is none. */
static const char *quoted_word(struct arena *arena, const char *text)
{
    const char *begin = strchr(text, '\''), *end = begin ? strchr(begin + 1, '\'') : NULL;
    return end ? arena_printf(arena, "%.*s", (int)(end - begin - 1), begin + 1) : NULL;
}

static bool is_bool_word(const char *word)
{
    static const char *const words[] = {"bool", "true", "false"};
    return str_is_one_of(word, words, sizeof words / sizeof *words);
}

/* Says where headers are looked for, and that C++ is no C. False if the error has other causes. */
static bool report_hint(struct ctx *ctx, struct loc loc, const char *text)
{
    static const char *const cpp[] = {"using", "template", "class",    "namespace", "new",
                                      "delete", "std",     "typename", "virtual",   "this"};
    const char *word = quoted_word(ctx->arena, text);
    bool is_file = word && strstr(text, "file not found");
    if (!word)
        return false;
    if (is_file && strchr(word, '.'))
        diag_note(ctx, loc, "-I DIR names a folder with headers");
    else if (is_file || str_is_one_of(word, cpp, sizeof cpp / sizeof *cpp))
        diag_note(ctx, loc, "this is C++, and treefork reads C: move the loops to a file in C");
    else if (is_bool_word(word))
        diag_note(ctx, loc, "in C `%s` stands in <stdbool.h>", word);
    else
        return false;
    return true;
}

/* Errors of any file; warnings of the main file only. `is_hinted`: a hint was given before. */
static void report(struct ast_unit *unit, CXDiagnostic diagnostic, bool *is_hinted)
{
    struct ctx *ctx = unit->ctx;
    struct loc loc = clang_place(unit, clang_getDiagnosticLocation(diagnostic));
    char *text = clang_text(ctx->arena, clang_getDiagnosticSpelling(diagnostic));
    if (is_about_pragma(unit, diagnostic, loc))
        return;
    if (is_error(diagnostic))
        diag_error(ctx, loc, "%s", text);
    else if (clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Warning &&
             loc.source == unit->source)
        diag_warning(ctx, loc, "%s", text);
    else
        return;
    report_notes(unit, diagnostic);
    if (is_error(diagnostic) && !*is_hinted)
        *is_hinted = report_hint(ctx, loc, text);
}

/* False if there was an error. */
static bool report_all(struct ast_unit *unit)
{
    unsigned n = clang_getNumDiagnostics(unit->state->tu), errors = 0;
    bool is_hinted = false;
    for (unsigned i = 0; i < n && errors < ERRORS_MAX; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit->state->tu, i);
        errors += is_error(diagnostic);
        report(unit, diagnostic, &is_hinted);
        clang_disposeDiagnostic(diagnostic);
    }
    return !errors;
}

typedef VEC(const char *) text_list;

const char *const ast_bool_words[BOOL_WORDS] = {"-Dbool=_Bool", "-Dtrue=1", "-Dfalse=0"};

/* clang's own headers: beside the library that the build was told of; libclang looks for them
   itself otherwise. */
static void add_resources(struct arena *arena, text_list *list)
{
    char *path = arena_printf(arena, "%s/lib/clang/%d", TREEFORK_LLVM, 19);
    if (access(path, R_OK))
        return;
    vec_push(arena, list, "-resource-dir");
    vec_push(arena, list, path);
}

/* The number of a folder of gcc's headers: /usr/lib/gcc/MACHINE/NUMBER/include. */
static double gcc_number(const char *path)
{
    const char *end = strrchr(path, '/');
    while (end > path && end[-1] != '/')
        end--;
    return strtod(end, NULL);
}

/* Headers that only gcc has (omp.h, openacc.h, quadmath.h), of the newest gcc: behind all others,
   as clang has its own of most names. */
static void add_gcc_headers(struct arena *arena, text_list *list)
{
    glob_t found;
    size_t newest = 0;
    if (glob("/usr/lib*/gcc/*/*/include", 0, NULL, &found) == 0) {
        for (size_t i = 1; i < found.gl_pathc; i++)
            if (gcc_number(found.gl_pathv[i]) > gcc_number(found.gl_pathv[newest]))
                newest = i;
        vec_push(arena, list, arena_printf(arena, "-idirafter%s", found.gl_pathv[newest]));
    }
    globfree(&found);
}

/* A line `# 12 "file.h"` says where the next ones come from. */
static bool is_line_marker(const char *line)
{
    return line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]);
}

bool ast_text_is_preprocessed(const char *text)
{
    const char *line = text;
    while (line && !is_line_marker(line)) {
        const char *end = strstr(line, "\n#");
        line = end ? end + 1 : NULL;
    }
    return line != NULL;
}

/* Types that gcc has as words and clang from headers, where gcc has left the headers out. */
static void add_gcc_types(struct arena *arena, const char *text, text_list *list)
{
    static const char *const types[][2] = {{"_Float32", "float"},
                                           {"_Float64", "double"},
                                           {"_Float32x", "double"},
                                           {"_Float64x", "long double"},
                                           {"_Float128", "__float128"}};
    if (!ast_text_is_preprocessed(text))
        return;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strstr(text, arena_printf(arena, " %s;", types[i][0])))
            vec_push(arena, list, arena_printf(arena, "-D%s=%s", types[i][0], types[i][1]));
}

static text_list make_arguments(struct ctx *ctx, const char *text,
                                const char *const *arguments, int n_arguments)
{
    struct arena *arena = ctx->arena;
    /* gcc warns of C89 that clang takes for errors, and mapped C89 declares variables in `for`. The
       attribute `malloc` of gcc names the function that frees; clang's has no argument. */
    static const char *const fixed[] = {
        "-xc", "-D__TREEFORK__=1", "-ferror-limit=20", "-Wno-unknown-attributes",
        "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
        "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=return-mismatch", "-Wno-deprecated-non-prototype",
        "-Wno-gcc-compat", "-D__malloc__(...)=__malloc__", include_virtual};
    text_list list = {0};
    add_resources(arena, &list);
    add_gcc_headers(arena, &list);
    add_gcc_types(arena, text, &list);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(arena, &list, fixed[i]);
    size_t n_words = ctx->bool_words ? BOOL_WORDS : 0;
    for (size_t i = 0; i < n_words; i++)
        vec_push(arena, &list, ast_bool_words[i]);
    if (ctx->early)
        vec_push(arena, &list, "-include" EARLY);
    for (int i = 0; i < n_arguments; i++)
        vec_push(arena, &list, arguments[i]);
    return list;
}

/* libclang takes a name that begins with - for an option. */
static const char *safe_path(struct arena *arena, const char *path)
{
    if (!*path)
        return "input.c";
    return *path == '-' ? arena_printf(arena, "./%s", path) : path;
}

struct parsing {
    struct ast_unit *unit;
    const char *const *arguments;
    int n_arguments;
    enum CXErrorCode code;
};

/* On a thread of its own, whose stack suits what nesting_check lets through. */
static void parse(void *data)
{
    struct parsing *parsing = data;
    struct ast_unit *unit = parsing->unit;
    struct arena *arena = unit->ctx->arena;
    const char *path = safe_path(arena, unit->source->path);
    text_list list =
        make_arguments(unit->ctx, unit->source->text, parsing->arguments, parsing->n_arguments);
    const char *early = unit->ctx->early ? unit->ctx->early : "";
    struct CXUnsavedFile files[] = {
        {path, unit->source->text, (unsigned long)unit->source->length},
        {MARKS, marks_text, strlen(marks_text)},
        {EARLY, early, strlen(early)},
        {VIRTUAL "/metafork.h", metafork_text, sizeof metafork_text - 1},
        {VIRTUAL "/assert.h", assert_text, sizeof assert_text - 1},
        {VIRTUAL "/stdatomic.h", stdatomic_text, sizeof stdatomic_text - 1},
    };
    struct ast_state *state = unit->state;
    parsing->code = clang_parseTranslationUnit2(state->index, path, list.at, (int)list.count, files,
                                                sizeof files / sizeof *files,
                                                CXTranslationUnit_DetailedPreprocessingRecord,
                                                &state->tu);
    if (parsing->code == CXError_Success)
        state->file = clang_getFile(state->tu, path);
}

/* The errors of a first reading, and what a second one may be given to have none. */
struct lack {
    unsigned errors;
    bool words;                      /* `bool`, `true` or `false` mean nothing */
    struct str early;                /* declarations of functions that are called too early */
    VEC(struct loc) places;          /* of their definitions */
};

/* Is the error that a function was called before a declaration that does not fit such a call? */
static bool is_called_early(struct arena *arena, CXDiagnostic diagnostic, const char *text)
{
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
    if (strncmp(text, "conflicting types for ", 22) != 0 || !clang_getNumDiagnosticsInSet(notes))
        return false;
    CXDiagnostic note = clang_getDiagnosticInSet(notes, 0);
    const char *said = clang_text(arena, clang_getDiagnosticSpelling(note));
    clang_disposeDiagnostic(note);
    return strstr(said, "previous implicit declaration") != NULL;
}

static void lack_find(CXTranslationUnit tu, struct ast_unit *unit, struct lack *lack)
{
    struct arena *arena = unit->ctx->arena;
    unsigned n = clang_getNumDiagnostics(tu);
    *lack = (struct lack){.early = str_new(arena)};
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        const char *text = clang_text(arena, clang_getDiagnosticSpelling(diagnostic));
        const char *word = quoted_word(arena, text);
        bool counts = is_error(diagnostic);
        lack->errors += counts;
        lack->words |= counts && word && is_bool_word(word);
        if (counts && word && is_called_early(arena, diagnostic, text)) {
            str_addf(&lack->early, "void %s();\n", word);
            vec_push(arena, &lack->places,
                     clang_place(unit, clang_getDiagnosticLocation(diagnostic)));
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

/* A text in which `bool`, `true` or `false` mean nothing is read as one of C23, and one that calls
   functions before they are declared, which return nothing, as if it declared them before, as gcc
   reads it: if there is no error then. */
static void parse_again(struct parsing *parsing)
{
    struct ast_unit *unit = parsing->unit;
    struct ast_state *state = unit->state;
    struct ctx *ctx = unit->ctx;
    CXTranslationUnit first = state->tu;
    const bool had_words = ctx->bool_words;
    const char *early = ctx->early;
    struct lack lack = {0}, left = {0};
    if (parsing->code == CXError_Success)
        lack_find(first, unit, &lack);
    bool gives_words = lack.words && !had_words, gives_early = lack.early.length && !early;
    if (!gives_words && !gives_early)
        return;
    ctx->bool_words |= gives_words;
    ctx->early = gives_early ? lack.early.text : early;
    clang_executeOnThread(parse, parsing, PARSE_STACK_BYTES);
    if (parsing->code == CXError_Success)
        lack_find(state->tu, unit, &left);
    bool good = parsing->code == CXError_Success && !left.errors;
    if (good || parsing->code == CXError_Success)
        clang_disposeTranslationUnit(good ? first : state->tu);
    size_t n_said = good ? lack.places.count : 0;
    for (size_t i = 0; i < n_said; i++)
        diag_warning(ctx, lack.places.at[i], "the function is called before it is declared, and "
                                             "returns nothing: declare it before the call");
    if (good)
        return;
    ctx->bool_words = had_words;
    ctx->early = early;
    parsing->code = CXError_Success;
    state->tu = first;
    state->file = clang_getFile(first, safe_path(ctx->arena, unit->source->path));
}

static void convert_declarations(struct ast_unit *unit)
{
    struct arena *arena = unit->ctx->arena;
    VEC(const struct ast *) list = {0}, elsewhere = {0};
    struct map *listed = map_new(arena);
    cursor_list top = cursor_children(unit, clang_getTranslationUnitCursor(unit->state->tu));
    for (size_t i = 0; i < top.count; i++) {
        CXSourceLocation place = clang_getCursorLocation(top.at[i]);
        bool here = in_main_file(unit, place, NULL);
        bool defined = clang_isCursorDefinition(top.at[i]) != 0;
        bool is_body = defined && clang_getCursorKind(top.at[i]) == CXCursor_FunctionDecl;
        if (!here && (!is_body || clang_Location_isInSystemHeader(place)))
            continue;
        /* A function stands where it is defined, whatever was declared before; everything once. */
        const struct ast *node = cursor_declaration(unit, top.at[i]);
        if (!node || map_get_pointer(listed, node) || (node->has_body && !defined))
            continue;
        map_put_pointer(listed, node, (void *)node);
        if (is_body && (!here || node->is_macro_end))
            vec_push(arena, &elsewhere, node);
        else
            vec_push(arena, &list, node);
    }
    unit->declarations = list.at;
    unit->n_declarations = list.count;
    unit->elsewhere = elsewhere.at;
    unit->n_elsewhere = elsewhere.count;
}

static void state_clean(void *object)
{
    struct ast_state *state = object;
    if (state->tu)
        clang_disposeTranslationUnit(state->tu);
    if (state->index)
        clang_disposeIndex(state->index);
    state->tu = NULL;
    state->index = NULL;
}

void ast_close(struct ast_unit *unit)
{
    state_clean(unit->state);
}

const char *ast_text_read(struct ctx *ctx, const char *path, size_t *length)
{
    static const char MARK[] = "\xEF\xBB\xBF";
    const size_t size = sizeof MARK - 1;
    const char *text = file_read(ctx, path, length);
    if (!text || *length < size || memcmp(text, MARK, size) != 0)
        return text;
    *length -= size;
    return text + size;
}

/* A file with null characters is no text: those who print parts of it would lose what follows. */
static bool text_check(struct ctx *ctx, const struct source *source)
{
    const char *null = memchr(source->text, '\0', source->length);
    struct loc loc = {source, 1, 1};
    if (!null)
        return true;
    for (const char *at = source->text; at < null; at++) {
        loc.line += *at == '\n';
        loc.column = *at == '\n' ? 1 : loc.column + 1;
    }
    diag_error(ctx, loc, "a null character: %s is no C text (ASCII or UTF-8)", source->path);
    return false;
}

const char *ast_host_argument(const char *argument)
{
    static const char *const before[] = {"-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990",
                                         "-std=iso9899:199409"};
    if (str_is_one_of(argument, before, sizeof before / sizeof before[0]))
        return "-std=c99";
    if (strcmp(argument, "-std=gnu89") == 0 || strcmp(argument, "-std=gnu90") == 0)
        return "-std=gnu99";
    return argument;
}

const char *const *ast_host_arguments(struct arena *arena, const char *const *arguments, int n)
{
    const char **list = ARENA_ARRAY(arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        list[i] = ast_host_argument(arguments[i]);
    return list;
}

struct ast_unit *ast_parse(struct ctx *ctx, const struct source *source,
                           const char *const *arguments, int n_arguments)
{
    struct arena *arena = ctx->arena;
    if (source->origin)
        arguments = ast_host_arguments(arena, arguments, n_arguments);
    if (!text_check(ctx, source) || !nesting_check(ctx, source))
        return NULL;
    struct ast_unit *unit = ARENA_NEW(arena, struct ast_unit);
    struct ast_state *state = ARENA_NEW(arena, struct ast_state);
    unit->ctx = ctx;
    unit->source = source;
    unit->arguments = arguments;
    unit->n_arguments = n_arguments;
    unit->state = state;
    unit->facts = map_new(arena);
    state->sources = map_new(arena);
    state->decls = map_new(arena);
    state->bodies = map_new(arena);
    state->types = map_new(arena);
    state->index = clang_createIndex(0, 0);
    arena_on_free(arena, state_clean, state);
    struct parsing parsing = {unit, arguments, n_arguments, CXError_Failure};
    setenv("LIBCLANG_NOTHREADS", "1", 0); /* or libclang would parse on a small stack of its own */
    clang_executeOnThread(parse, &parsing, PARSE_STACK_BYTES);
    parse_again(&parsing);
    if (parsing.code != CXError_Success || !state->file) {
        diag_error(ctx, loc_none(), "%s: clang cannot read this as C%s", source->path,
                   parsing.code == CXError_Crashed
                       ? " (it crashed)"
                       : "; check the file and the arguments passed to it");
        ast_close(unit);
        return NULL;
    }
    unsigned errors = ctx->errors;
    pragmas_find(unit);
    bool good = marks_check(unit, MARKS) && report_all(unit);
    macros_find(unit);
    if (good)
        convert_declarations(unit);
    if (!good || ctx->errors > errors) {
        ast_close(unit);
        return NULL;
    }
    return unit;
}
