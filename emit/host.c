/* NAME.tf.c, NAME.texts.h and NAME.tf.h. In: the program and the trees of its regions. Out: the
   whole translation unit with each region replaced by select and launch, to be compiled instead of
   the original, the texts of its kernels, which it includes, and a header for its callers.

   Order of the source, so that what a reader looks for comes first:
   1. the include of NAME.texts.h, which includes no header of the C library: feature macros of the
      user's are in force wherever they stand, and so are names like those of a header that the file
      does not include;
   2. declarations of the functions that run regions, then the user's file with its regions replaced
   (unit.c);
   3. NAME_auto, whose prototype may need the user's macros;
   4. NAME_select, what runs regions, the tables.
   The user's macros are in force in 2 and 3, where our text has no names but tf_…, treefork_… and
   TREEFORK_…. Before 4 every other word that our text uses is undefined as a macro, C's own words
   and members of structures by treefork-words.h
   (#undef does no harm where there is none): nothing of the user's follows that could miss it. */
#include "emit/host.h"
#include "base/lines.h"
#include "base/map.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "ir/async.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *const *words, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

bool name_is_cplusplus(const char *name)
{
    static const char *const words[] = {
#define X(word) #word,
#include "emit/cplusplus.def"
#undef X
    };
    return is_among(words, sizeof words / sizeof *words, name);
}

/* A declarator as written, without the name of the parameter and without `restrict`: for C++. */
static void write_unnamed(struct str *out, const struct argument *a)
{
    const char *at = a->text;
    while (*at) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        bool named = length == strlen(a->name) && !strncmp(at, a->name, length);
        bool restricts = length == strlen("restrict") && !strncmp(at, "restrict", length);
        if (!named && !restricts)
            str_add_n(out, at, length ? length : 1);
        at += length ? length : 1;
    }
}

/* The name of a parameter; C++ has more keywords than C, and a prototype needs no names. */
static void write_name(struct str *out, const char *stars, const char *name, bool cplusplus)
{
    if (!cplusplus || !name_is_cplusplus(name))
        str_addf(out, " %s%s", stars, name);
    else
        str_addf(out, " %s%s/* %s */", stars, *stars ? " " : "", name);
}

/* "float a[restrict N][M]" from the resolved types, so that the header needs no typedef of the
 * user's. */
static void write_argument(struct str *out, const struct argument *a, enum type passed,
                           bool cplusplus)
{
    bool open = false;
    if (!a->is_supported) {
        if (cplusplus && (name_is_cplusplus(a->name) || strstr(a->text, "restrict")))
            write_unnamed(out, a);
        else
            str_add(out, a->text);
        return;
    }
    const char *promoted = passed == TYPE_F64 ? "double" : "int";
    str_addf(out, "%s%s", a->is_array && a->is_const ? "const " : "",
             passed == a->type ? a->type_text : promoted);
    if (!a->is_array) {
        write_name(out, "", a->name, cplusplus);
        return;
    }
    for (int d = 1; d < a->n_dims; d++)
        open |= !a->dims[d];
    if (cplusplus || open || a->n_dims == 0) {
        write_name(out, "*", a->name, cplusplus);
        return;
    }
    str_addf(out, " %s", a->name);
    for (int d = 0; d < a->n_dims; d++) {
        str_char(out, '[');
        if (a->dims[d])
            expr_print(out, a->dims[d]);
        str_char(out, ']');
    }
}

void prototype_arguments(struct str *out, const struct function *function, const bool *keep,
                         bool is_own, bool cplusplus)
{
    int written = 0;
    for (int i = 0; i < function->n_arguments; i++) {
        if (keep && !keep[i])
            continue;
        str_add(out, written++ ? ", " : "");
        const struct argument *argument = &function->arguments[i];
        enum type passed = is_own ? argument_passed(function, argument) : argument->type;
        write_argument(out, argument, passed, cplusplus);
    }
    if (written == 0)
        str_add(out, "void");
}

static int find_target(const char *ptx)
{
    const char *at = ptx ? strstr(ptx, ".target sm_") : NULL;
    return at ? atoi(at + strlen(".target sm_")) : 0;
}

static const char *guard_name(struct arena *arena, const char *stem, const char *suffix)
{
    char *name = arena_printf(arena, "TREEFORK_%s_%s_H", stem, suffix);
    for (char *p = name; *p; p++)
        *p = (char)(isalnum((unsigned char)*p) ? toupper((unsigned char)*p) : '_');
    return name;
}

static void write_prototypes(struct host *host, struct str *out, int index, bool cplusplus)
{
    const struct function *function = &host->program->functions[index];
    if (cplusplus && name_is_cplusplus(function->name)) {
        str_addf(out, "/* %s is a keyword of C++: call the function from C. */\n", function->name);
    } else {
        const char *type = function->is_plain ? function->return_canonical : function->return_text;
        str_addf(out, "%s %s(", type, function->name);
        prototype_arguments(out, function, NULL, true, cplusplus);
        str_add(out, ");\n");
    }
    if (!auto_reason(host, index)) {
        auto_prototype(host, out, index, cplusplus);
        str_add(out, ";\n");
    }
}

static void write_function(struct host *host, struct str *out, int index, bool cplusplus)
{
    if (host->program->functions[index].is_plain) {
        write_prototypes(host, out, index, cplusplus);
        return;
    }
    if (cplusplus)
        return;
    if (strpbrk(host->program->functions[index].return_text, "([")) {
        str_addf(out, "/* %s is to be declared as in %s.c. */\n",
                 host->program->functions[index].name, host->program->stem);
        return;
    }
    str_addf(out, "/* To be declared where the types of %s.c are known:\n", host->program->stem);
    write_prototypes(host, out, index, false);
    str_add(out, "*/\n");
}

static void write_functions(struct host *host, struct str *out, bool cplusplus)
{
    for (size_t f = 0; f < host->program->n_functions; f++)
        if (!host->program->functions[f].is_static && !host->program->functions[f].is_main)
            write_function(host, out, (int)f, cplusplus);
}

static void write_header(struct host *host, struct str *out)
{
    const struct program *program = host->program;
    const char *guard = guard_name(host->arena, program->stem, "TF");
    str_addf(
        out,
        "/* Generated by treefork from %s.c: link %s.tf.c and libtreefork instead of %s.c.\n"
        "   NAME          the function as it was: it chooses a leaf and runs it on the device\n"
        "   NAME_select   the leaf for a machine and parameters, or a negative treefork_status\n"
        "   NAME_auto     the function without its tunables, which it chooses itself; returns a "
        "treefork_status */\n"
        "#ifndef %s\n#define %s\n#include <treefork.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n",
        program->stem, program->stem, program->stem, guard, guard);
    write_functions(host, out, true);
    str_add(out, "#else\n");
    write_functions(host, out, false);
    str_add(out, "#endif\n\n");
    for (size_t r = 0; r < program->n_regions; r++) {
        if (program->functions[program->regions[r]->function].is_static)
            continue;
        select_prototype(out, host->trees[r]);
        str_add(out, ";\n");
    }
    for (size_t f = 0; f < program->n_functions; f++) {
        const char *reason = auto_reason(host, (int)f);
        if (reason && !program->functions[f].is_static)
            str_addf(out, "/* There is no %s_auto: %s. */\n", program->functions[f].name, reason);
    }
    str_add(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static bool is_own(const char *word, size_t length)
{
    static const char *const prefixes[] = {"tf_", "treefork_", "TREEFORK_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(word, prefixes[i], strlen(prefixes[i])))
            return true;
    return length > strlen("_select") &&
           !strncmp(word + length - strlen("_select"), "_select", strlen("_select"));
}

/* Does treefork-words.h undefine it? */
static bool is_common(const char *word)
{
    static const char *const words[] = {
#define X(word) #word,
#include "emit/words.def"
#undef X
    };
    return is_among(words, sizeof words / sizeof *words, word);
}

void host_undefs(struct host *host, struct str *out, const char *text)
{
    struct map *seen = map_new(host->arena);
    size_t length;
    for (const char *word = word_next(&text, &length); word; word = word_next(&text, &length)) {
        char *name = arena_strndup(host->arena, word, length);
        if (is_own(word, length) || is_common(name) || map_get(seen, name))
            continue;
        map_put(seen, name, name);
        str_addf(out, "#undef %s\n", name);
    }
}

static void write_texts(struct host *host, struct str *out)
{
    const struct program *program = host->program;
    const char *guard = guard_name(host->arena, program->stem, "TEXTS");
    str_addf(
        out,
        "/* Generated by treefork from %s.c: the texts of its kernels, which %s.tf.c includes. "
        "%s*/\n#ifndef %s\n#define %s\n"
        "#include <treefork-tables.h>\n\n/* Texts of kernels are longer than what C compilers "
        "have to take. */\n"
        "#ifdef __GNUC__\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "
        "\"-Woverlength-strings\"\n#endif\n\n",
        program->stem, program->stem,
        host->ctx->contract ? "By --contract they\n   compute a*b + c as one operation. " : "",
        guard, guard);
    host->out = out;
    if (host->ptx)
        text_write(out, "tf_ptx", host->ptx);
    if (host->ptx && *host->ptx_later)
        text_write(out, arena_printf(host->arena, "tf_ptx_%d", ASYNC_TARGET), host->ptx_later);
    modules_begin(host);
    for (size_t r = 0; r < program->n_regions; r++)
        modules_write(host, host->trees[r]);
    str_add(out, "#undef TREEFORK_WORDS\n"
                 "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n#endif\n");
}

/* Compilers for processors with fused multiply-adds contract by default: gcc in all of GNU C, clang
   within an expression. The serial code behind a region would then differ from its kernels. gcc
   heeds its own pragma only, clang only the standard's. */
static void write_rounding(struct str *out)
{
    str_add(out, "/* a*b + c rounds twice, as in the kernels: docs/bits.md. */\n"
                 "#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n"
                 "#elif defined __GNUC__\n#pragma GCC optimize (\"fp-contract=off\")\n#endif\n\n");
}

/* Serial code names meta_tunables anew (unit.c). */
static void write_shadows(const struct program *program, struct str *out)
{
    bool any = false;
    for (size_t r = 0; r < program->n_regions; r++)
        for (int i = 0; i < program->regions[r]->kernel->n_params; i++)
            any = any || program->regions[r]->defaults[i] != 0;
    if (any)
        str_add(out, "#ifdef __GNUC__\n#pragma GCC diagnostic ignored \"-Wshadow\"\n#endif\n\n");
}

/* Does the mapper alone ask for the device's threads? It takes another plan where there are few,
   which serves before a device is open, too. */
static bool asks_for_threads(const struct program *program)
{
    const struct source *own = source_own(program->source);
    return own != program->source && strstr(program->source->text, "meta_threads()") &&
           !strstr(own->text, "meta_threads");
}

/* Before the user's file. */
static void write_front(struct host *host, struct str *out)
{
    const struct program *program = host->program;
    str_addf(
        out,
        "/* Generated by treefork from %s.c: the file itself with each region replaced by a call "
        "of tf_run_NAME; behind it\n"
        "   NAME_auto, NAME_select (the case tree), and the tables that libtreefork reads "
        "(treefork-tables.h says what they mean). */\n"
        "#define TREEFORK_BARE\n%s#include \"%s.texts.h\"\n#undef TREEFORK_BARE\n",
        program->stem,
        asks_for_threads(program) ? "#ifndef meta_threads\n#define meta_threads() "
                                    "treefork_threads_now()\n#endif\n"
                                  : "",
        program->stem);
    str_add(out, "\n");
    if (!host->ctx->contract)
        write_rounding(out);
    write_shadows(program, out);
    host->out = out;
    for (size_t r = 0; r < program->n_regions; r++)
        run_declare(host, host->trees[r]);
    for (size_t f = 0; f < program->n_functions; f++)
        if (!auto_reason(host, (int)f))
            str_addf(out, "static _Thread_local int tf_auto_%s;\n", program->functions[f].name);
    str_addf(out, "\n/* %s.c */\n", program->stem);
}

/* NAME_select of every region, what runs them, the tables. */
static void write_back(struct host *host, struct str *out)
{
    const struct program *program = host->program;
    struct str selects = str_new(host->arena), rest = str_new(host->arena),
               arithmetic = str_new(host->arena), library = str_new(host->arena);
    host->out = &selects;
    for (size_t r = 0; r < program->n_regions; r++)
        select_write(host, host->trees[r]);
    host->out = &rest;
    serial_begin(host);
    small_begin(host);
    for (size_t r = 0; r < program->n_regions; r++) {
        run_write_select(host, host->trees[r]);
        serial_write(host, host->trees[r]);
        small_write(host, host->trees[r]);
        tables_write(host, host->trees[r]);
        run_write(host, host->trees[r]);
    }
    select_write_arithmetic(&arithmetic, selects.text);
    serial_declare(host, &library, rest.text);
    str_add(
        out,
        "/* From here on no macro of the file above is in force that could meet a word of ours. "
        "*/\n"
        "#include <treefork-words.h>\n");
    host_undefs(host, out, arena_printf(host->arena, "%s%s%s", selects.text, library.text,
                                         rest.text));
    str_addf(
        out,
        "#ifdef __GNUC__\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "
        "\"-Wshadow\"\n#pragma GCC diagnostic ignored \"-Wredundant-decls\"\n#endif\n\n"
        "%s%s%s%s#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n",
        library.text, arithmetic.text, selects.text, rest.text);
}

struct host_texts host_texts_new(struct arena *arena)
{
    return (struct host_texts){str_new(arena), str_new(arena), str_new(arena)};
}

bool emit_host(struct ctx *ctx, struct host_texts *texts, const struct program *program,
               const struct tree *const *trees, const char *ptx)
{
    struct str front = str_new(ctx->arena), autos = str_new(ctx->arena), back = str_new(ctx->arena);
    struct str embedded = str_new(ctx->arena), later = str_new(ctx->arena);
    int target = find_target(ptx);
    if (ptx && !(emit_ptx_once(ctx, &embedded, program, trees, target) &&
                 emit_ptx_later(ctx, &later, program, trees, target)))
        return false;
    struct host host = {.ctx = ctx,
                        .arena = ctx->arena,
                        .program = program,
                        .trees = trees,
                        .ptx = ptx ? embedded.text : NULL,
                        .ptx_target = target,
                        .ptx_later = later.text,
                        .arrays = map_new(ctx->arena),
                        .serials = map_new(ctx->arena),
                        .smalls = map_new(ctx->arena)};
    write_texts(&host, &texts->texts);
    write_front(&host, &front);
    host.out = &autos;
    for (size_t f = 0; f < program->n_functions; f++)
        if (!auto_reason(&host, (int)f))
            auto_write(&host, (int)f);
    write_back(&host, &back);
    if (host.failed || !unit_write(&host, front.text, &texts->source))
        return false;
    str_addf(&texts->source, "\n%s%s", autos.text, back.text);
    write_header(&host, &texts->header);
    return true;
}
