/* NAME.tf.c and NAME.tf.h. In: the program and the trees of its regions. Out: the whole translation unit with each region
   replaced by select and launch, to be compiled instead of the original, and a header for its callers.

   Order of the source: the user's feature macros, if the file begins with some; the runtime's header, helpers, embedded
   kernels, NAME_select, plans and launches; the user's file with its regions replaced (unit.c); NAME_auto. Our text stands
   before the user's macros and uses resolved types only, so that neither can meet our names, which begin with tf_ or
   treefork_. The file needs <treefork.h> beside the user's own includes. */
#include "emit/host.h"
#include "emit/emit.h"
#include "emit/names.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool name_is_cplusplus(const char *name)
{
    static const char *const words[] = {
#define X(word) #word,
#include "emit/cplusplus.def"
#undef X
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return true;
    return false;
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

/* "float a[restrict N][M]" from the resolved types, so that the header needs no typedef of the user's. */
static void write_argument(struct str *out, const struct argument *a, bool cplusplus)
{
    bool open = false;
    if (!a->is_supported) {
        if (cplusplus && (name_is_cplusplus(a->name) || strstr(a->text, "restrict")))
            write_unnamed(out, a);
        else
            str_add(out, a->text);
        return;
    }
    str_addf(out, "%s%s", a->is_array && a->is_const ? "const " : "", a->type_text);
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

void prototype_arguments(struct str *out, const struct function *function, const bool *keep, bool cplusplus)
{
    int written = 0;
    for (int i = 0; i < function->n_arguments; i++) {
        if (keep && !keep[i])
            continue;
        str_add(out, written++ ? ", " : "");
        write_argument(out, &function->arguments[i], cplusplus);
    }
    if (written == 0)
        str_add(out, "void");
}

static int find_target(const char *ptx)
{
    const char *at = ptx ? strstr(ptx, ".target sm_") : NULL;
    return at ? atoi(at + strlen(".target sm_")) : 0;
}

static void write_ptx(struct host *host)
{
    if (!host->ptx)
        return;
    str_add(host->out, "static const char tf_ptx[] =");
    for (const char *line = host->ptx; *line;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        str_add(host->out, "\n    ");
        str_quote(host->out, arena_strndup(host->arena, line, length));
        line += length;
    }
    str_add(host->out, ";\n\n");
}

static void write_regions(struct host *host)
{
    const struct program *program = host->program;
    write_ptx(host);
    for (size_t r = 0; r < program->n_regions; r++) {
        const struct tree *tree = host->trees[r];
        str_addf(host->out, "/* Region %s: %zu leaves. */\n\n", tree->region->name, tree->n_variants);
        modules_write(host, tree);
        if (auto_prefers(host, tree))
            str_addf(host->out, "static _Thread_local int tf_preferred_%s;\n\n", tree->region->name);
        select_write(host, tree);
        plan_write(host, tree);
        run_write(host, tree);
    }
    for (size_t f = 0; f < program->n_functions; f++)
        if (!auto_reason(host, (int)f))
            chooser_write(host, (int)f);
}

/* NAME_auto calls NAME, so it stands at the end of the file. */
static void write_autos(struct host *host)
{
    for (size_t f = 0; f < host->program->n_functions; f++)
        if (!auto_reason(host, (int)f))
            auto_write(host, (int)f);
}

static const char *guard_name(struct arena *arena, const char *stem)
{
    char *name = arena_printf(arena, "TREEFORK_%s_TF_H", stem);
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
        prototype_arguments(out, function, NULL, cplusplus);
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
        str_addf(out, "/* %s is to be declared as in %s.c. */\n", host->program->functions[index].name, host->program->stem);
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
    const char *guard = guard_name(host->arena, program->stem);
    str_addf(out, "/* Generated by treefork from %s.c: link %s.tf.c and libtreefork instead of %s.c.\n"
             "   NAME          the function as it was: it chooses a leaf and runs it on the device\n"
             "   NAME_select   the leaf for a machine and parameters, or a negative treefork_status\n"
             "   NAME_auto     the function without its tunables, which it chooses itself; returns a treefork_status */\n"
             "#ifndef %s\n#define %s\n#include <treefork.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n", program->stem,
             program->stem, program->stem, guard, guard);
    write_functions(host, out, true);
    str_add(out, "#else\n");
    write_functions(host, out, false);
    str_add(out, "#endif\n\n");
    for (size_t r = 0; r < program->n_regions; r++) {
        if (program->functions[program->regions[r]->function].is_static)
            continue;
        select_prototype(out, host->trees[r], true);
        str_add(out, ";\n");
    }
    for (size_t f = 0; f < program->n_functions; f++) {
        const char *reason = auto_reason(host, (int)f);
        if (reason && !program->functions[f].is_static)
            str_addf(out, "/* There is no %s_auto: %s. */\n", program->functions[f].name, reason);
    }
    str_add(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

bool emit_host(struct ctx *ctx, struct str *source, struct str *header, const struct program *program,
               const struct tree *const *trees, const char *ptx)
{
    struct str body = str_new(ctx->arena), rest = str_new(ctx->arena), front = str_new(ctx->arena), autos = str_new(ctx->arena);
    struct host host = {.ctx = ctx, .arena = ctx->arena, .out = &body, .program = program, .trees = trees, .ptx = ptx,
                        .ptx_target = find_target(ptx)};
    write_regions(&host);
    host.out = &autos;
    write_autos(&host);
    if (host.failed)
        return false;
    struct str unit = str_new(ctx->arena);
    if (!unit_write(&host, "", &unit))
        return false;
    str_add(&rest, body.text);
    str_add(&rest, autos.text);
    str_add(&rest, unit.text);
    str_addf(&front, "/* Generated by treefork from %s.c: kernels, dispatch and launches of its regions, then the file itself. */\n#include <treefork.h>\n\n",
             program->stem);
    prelude_write(&front, rest.text);
    str_add(&front, "/* Texts of kernels are longer than what C compilers have to take. */\n#ifdef __GNUC__\n"
            "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n\n");
    str_add(&front, body.text);
    str_addf(&front, "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n\n/* %s.c */\n", program->stem);
    unit_write(&host, front.text, source);
    if (autos.length) {
        str_char(source, '\n');
        str_add(source, autos.text);
    }
    write_header(&host, header);
    return true;
}
