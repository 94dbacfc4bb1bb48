/* The text of a file with its fragments mapped.

   In: the nests of a file. Out: its text, regions in place of the fragments that have plans,
   without the pragmas that have done their work. Where arrays may overlap, or sizes are not as they
   should be, the text tests it, and has the source's loops, too. */
#include "frontend/groups.h"
#include "mapper/forms/words.h"
#include "mapper/plan/change.h"
#include "mapper/print/edits.h"
#include "mapper/print/mapping.h"
#include "mapper/print/members.h"
#include "mapper/print/schedule.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/directive.h"
#include <string.h>

/* Is a part of the fragment mapped? */
static bool is_mapped(const struct plain_file *mapping, const struct fragment *fragment)
{
    for (size_t i = 0; i < mapping->fragments.count; i++)
        if (mapping->fragments.at[i].begin >= fragment->begin &&
            mapping->fragments.at[i].end <= fragment->end)
            return true;
    return false;
}

/* Is the pragma on the fragment, or directly above? */
static bool is_upon(const struct ast_unit *unit, const struct ast_pragma *pragma,
                    const struct fragment *fragment)
{
    return pragma->begin <= fragment->begin &&
           pragma->begin >= directives_above(unit, fragment->begin);
}

/* Does the pragma stand between the fragment's own one and its statements? */
static bool pragma_is_before(const struct ast_pragma *pragma, const struct fragment *fragment)
{
    return pragma->begin > fragment->begin && pragma->begin < fragment->statements[0]->begin;
}

/* Does the pragma begin threads for a block in which the fragment stands? One thread then runs that
   block, as a team of OpenMP may have one thread. */
static bool begins_block(const struct plain_file *mapping, const struct ast_pragma *pragma,
                         const struct fragment *fragment)
{
    return pragma->kind == PRAGMA_REGION &&
           directive_begins_around(mapping->arena, mapping->unit, pragma, fragment->body,
                                   fragment->statements[0]->begin);
}

/* Marks have done their work, but where the choice is a function; directives on loops that stay
   whole keep theirs. */
static void pragmas_drop(struct plain_file *mapping, const nest_list *chosen, bool drops_marks)
{
    const struct ast_unit *unit = mapping->unit;
    for (size_t i = 0; i < unit->n_pragmas; i++) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        bool drops = pragma->kind <= PRAGMA_TARGET && drops_marks;
        for (size_t k = 0; k < mapping->fragments.count; k++)
            drops |= pragma->kind > PRAGMA_TARGET &&
                     (is_upon(unit, pragma, &mapping->fragments.at[k]) ||
                      pragma_is_before(pragma, &mapping->fragments.at[k]));
        for (size_t k = 0; k < chosen->count; k++) {
            const struct fragment *fragment = &chosen->at[k]->fragment;
            drops |= fragment->directive && is_mapped(mapping, fragment) &&
                     (is_upon(unit, pragma, fragment) || begins_block(mapping, pragma, fragment));
        }
        if (drops)
            vec_push(mapping->arena, &mapping->pragmas, *pragma);
    }
}

static size_t line_start_of(const struct source *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n')
        at--;
    return at;
}

/* Pragmas directly above a fragment that this reading has left out, as in a group `#ifdef _OPENMP`:
   the program's compiler may see them, and what takes the loop's place is none. */
static void hidden_drop(struct plain_file *mapping, const struct fragment *fragment)
{
    const struct ast_unit *unit = mapping->unit;
    for (size_t i = 0; i < unit->n_hidden; i++)
        if (directive_is_above(unit, &unit->hidden[i], fragment->begin))
            vec_push(mapping->arena, &mapping->pragmas, unit->hidden[i]);
}

struct plain_file *file_make(struct ctx *ctx, const struct ast_unit *unit, const nest_list *nests,
                             const nest_list *chosen, const struct map_choice *choice)
{
    struct plain_file *mapping = ARENA_NEW(ctx->arena, struct plain_file);
    mapping->arena = ctx->arena;
    mapping->source = unit->source;
    mapping->unit = unit;
    for (size_t i = 0; i < nests->count; i++) {
        if (!nests->at[i]->plan)
            continue;
        vec_push(ctx->arena, &mapping->fragments, nests->at[i]->fragment);
        vec_push(ctx->arena, &mapping->plans, nests->at[i]->plan);
    }
    mapping->has_loops = choice->with_loops;
    pragmas_drop(mapping, chosen, !choice->function);
    for (size_t i = 0; i < mapping->fragments.count; i++)
        hidden_drop(mapping, &mapping->fragments.at[i]);
    return mapping;
}

bool mapping_is_empty(const struct plain_file *mapping)
{
    return !mapping->plans.count;
}

/* --- text ------------------------------------------------------------------------------------- */

/* The first directive of the preprocessor between two places that is no pragma, or the last one;
   NULL if there is none. `#ifdef` and its `#endif` around a pragma stay where they are. */
static const char *directive_between(const struct source *source, size_t from, size_t to,
                                     bool last, size_t *length)
{
    struct scanner scanner = scanner_make(source->text + from, to - from);
    struct token token;
    const char *found = NULL;
    scanner.gives_directives = true;
    while ((last || !found) && scanner_next(&scanner, &token)) {
        struct scanner inner = scanner_make(token.text + 1, token.length - 1);
        struct token word;
        bool pragma = token.kind == TOKEN_DIRECTIVE && scanner_next(&inner, &word) &&
                      token_equal(&word, "pragma");
        if (token.kind != TOKEN_DIRECTIVE || pragma)
            continue;
        found = token.text;
        *length = token.length;
    }
    return found;
}

/* Where the text that a fragment replaces ends. */
static size_t replaced_end(const struct source *source, const struct fragment *fragment)
{
    size_t length;
    return directive_between(source, fragment->statements_end, fragment->end, false, &length)
               ? fragment->statements_end : fragment->end;
}

/* The beginning of the text that a fragment replaces, behind a directive before the fragment, and
   with the blanks that indent the line. */
static size_t replaced_begin(const struct source *source, const struct fragment *fragment)
{
    size_t length, statement = fragment->statements[0]->begin;
    const char *directive = directive_between(source, fragment->begin, statement, true, &length);
    size_t begin = directive ? (size_t)(directive - source->text) + length : fragment->begin;
    begin += directive && source->text[begin] == '\n';
    size_t line = line_start_of(source, begin);
    while (begin > line && strchr(" \t", source->text[begin - 1]))
        begin--;
    return begin;
}

/* Columns before the first statement of a fragment. */
static int indent_of(const struct source *source, const struct fragment *fragment)
{
    size_t begin = fragment->statements[0]->begin, line = line_start_of(source, begin);
    size_t blanks = strspn(source->text + line, " ");
    return line + blanks == begin ? (int)blanks : 4;
}

/* Lines with `indent` blanks before each but the first. */
static void print_lines(struct str *out, const char *text, size_t length, int indent)
{
    for (size_t i = 0; i < length; i++) {
        str_char(out, text[i]);
        if (text[i] == '\n' && i + 1 < length && text[i + 1] != '\n')
            str_indent(out, indent);
    }
}

/* Of the test that arrays lie apart, whose conditions stand in lines of their own, so much that no
   compiler finds it nested too deeply: its length, 0 at the end. */
static size_t test_part(const char *test)
{
    enum { PART_MOST = 8000 };
    size_t length = strlen(test);
    const char *end = length > PART_MOST ? strstr(test + PART_MOST / 2 + 1, " &&\n") : NULL;
    return end ? (size_t)(end - test) : length;
}

/* The condition under which the regions equal the loops, "apart && n >= 1"; NULL: always. */
static const char *print_test(struct str *out, struct scop *scop, struct word_list *words,
                              int indent)
{
    const char *test = scop_apart_text(scop), *claims = scop_claims_text(scop), *name = NULL;
    if (!test)
        return claims;
    while (*test) {
        const char *before = name;
        size_t length = test_part(test);
        name = words_have(words, "apart") ? words_fresh(words, "apart", 2)
                                          : words_local(words, "apart");
        str_indent(out, indent);
        str_addf(out, "const int %s =\n", name);
        str_indent(out, indent + 4);
        str_add(out, before ? before : "");
        str_add(out, before ? " && " : "");
        print_lines(out, test, length, indent + 4);
        str_add(out, ";\n");
        test += length + (test[length] ? strlen(" &&\n") : 0);
    }
    return claims ? arena_printf(out->arena, "%s && %s", name, claims) : name;
}

/* Parameters that are chosen by `?:` get names: `const int bound0 = (a > b ? a : b);`. */
static void print_choices(struct str *out, struct scop *scop, struct word_list *words, int indent)
{
    for (size_t i = 0; i < scop->symbols.count; i++) {
        struct affine_symbol *symbol = &scop->symbols.at[i];
        if (!symbol->choice)
            continue;
        const char *name = words_fresh(words, "bound", 0);
        str_indent(out, indent);
        str_addf(out, "const %s %s = %s;\n", symbol->ast->type->canonical, name, symbol->choice);
        symbol->text = name;
    }
}

/* A fragment on its way into the text. */
struct fragment_text {
    struct str *out;
    const struct ast_unit *unit;
    const struct source *source;
    const struct fragment *fragment;
    struct word_list *words;
    bool has_loops;                  /* beside regions that may be slower on a processor */
};

/* The loops as they stand in the source, with blanks before each line but the first. */
static void print_loops(const struct fragment_text *t, int indent, int blanks)
{
    size_t begin = t->fragment->statements[0]->begin;
    str_indent(t->out, indent);
    print_lines(t->out, t->source->text + begin, t->fragment->statements_end - begin, blanks);
    str_char(t->out, '\n');
}

static const char *tests_join(struct arena *arena, const char *first, const char *second)
{
    return first && second ? arena_printf(arena, "%s && %s", first, second)
                           : first ? first : second;
}

/* The regions, and where arrays overlap, sizes are not as they should be, memory is short or the
   plan does not pay the loops as they stand in the source, or the regions of the other plan. */
static void print_apart(const struct fragment_text *t, struct schedule *plan,
                        const char *pays, int indent)
{
    struct scop *scop = plan->scop;
    struct str *out = t->out;
    print_choices(out, scop, t->words, indent);
    const char *size = plan_size_text(plan);
    changes_print(out, scop, size ? arena_printf(out->arena, " where %s", size) : "", indent);
    const char *condition = print_test(out, scop, t->words, indent);
    condition = tests_join(out->arena, tests_join(out->arena, size, condition), pays);
    if (!condition && !scop->memories.count) {
        schedule_print(out, plan, t->words, indent);
        lasts_print(out, scop, indent);
        return;
    }
    if (scop->memories.count) {
        memories_open(out, scop, t->words, condition, indent);
    } else {
        str_indent(out, indent);
        str_addf(out, "if (%s) {\n", condition);
    }
    schedule_print(out, plan, t->words, indent + 4);
    lasts_print(out, scop, indent + 4);
    memories_close(out, scop, t->words, false, indent + 4);
    str_indent(out, indent);
    str_add(out, "} else {\n");
    if (scop->memories.count)
        memories_close(out, scop, t->words, true, indent + 4);
    if (plan->otherwise)
        print_apart(t, plan->otherwise, NULL, indent + 4);
    else
        print_loops(t, indent + 4, 4);
    str_indent(out, indent);
    str_add(out, "}\n");
}

/* Of two plans both stand beside the source's loops: whether either pays is asked once. */
static void print_measured(const struct fragment_text *t, struct schedule *plan, int indent)
{
    const char *pays = t->has_loops ? plan_pays_text(plan) : NULL;
    bool is_around = pays && plan->otherwise;
    str_indent(t->out, is_around ? indent : 0);
    str_addf(t->out, is_around ? "if (%s) {\n" : "", pays);
    print_apart(t, plan, is_around ? NULL : pays, is_around ? indent + 4 : indent);
    if (is_around) {
        str_indent(t->out, indent);
        str_add(t->out, "} else {\n");
        print_loops(t, indent + 4, 4);
        str_indent(t->out, indent);
        str_add(t->out, "}\n");
    }
    str_indent(t->out, pays ? indent : 0);
    str_add(t->out, pays ? "meta_paid();\n" : "");
}

static void print_fragment(const struct fragment_text *t, struct schedule *plan)
{
    int indent = indent_of(t->source, t->fragment);
    plan->printed.count = 0;
    for (struct schedule *other = plan->otherwise; other; other = other->otherwise)
        other->printed.count = 0;
    if (!t->fragment->needs_braces && !members_are_used(plan->scop)) {
        print_measured(t, plan, indent);
        return;
    }
    str_indent(t->out, indent);
    str_add(t->out, "{\n");
    members_print(t->out, plan->scop, indent + 4);
    print_measured(t, plan, indent + 4);
    str_indent(t->out, indent);
    str_add(t->out, "}\n");
}

/* A fragment in which the preprocessor chooses: if the text is compiled under macros that choose
   otherwise, the source's loops stand in its place. */
static void print_chosen(const struct fragment_text *t, struct schedule *plan)
{
    size_t begin = t->fragment->statements[0]->begin, end = t->fragment->statements_end;
    if (!groups_choose(t->unit, begin, end)) {
        print_fragment(t, plan);
        return;
    }
    const char *name = words_fresh(t->words, "OTHERWISE", 0);
    groups_print(t->out, t->unit, begin, end, name);
    str_addf(t->out, "#ifndef %s\n", name);
    print_fragment(t, plan);
    str_add(t->out, "#else\n");
    print_loops(t, indent_of(t->source, t->fragment), 0);
    str_add(t->out, "#endif\n");
}

static void print_include(struct str *out, const struct plain_file *mapping,
                          const struct word_list *words, size_t place)
{
    bool allocates = false, has_marks = unit_has_marks(mapping->unit);
    for (size_t i = 0; i < mapping->plans.count; i++)
        allocates |= mapping->plans.at[i]->scop->memories.count > 0;
    str_add(out, allocates ? "#include <stdlib.h>\n" : "");
    str_add(out, !has_marks && words_have(words, "cache") ? "#define METAFORK_LONG_NAMES\n" : "");
    str_add(out, has_marks ? "" : "#include <metafork.h>\n");
    if ((allocates || !has_marks) && mapping->source->text[place] != '\n')
        str_char(out, '\n');
}

static void origin_add(const struct str *out, struct source_origin *origin, size_t begin,
                       size_t end, bool is_same)
{
    struct source_part part = {out->length, begin, end, is_same};
    vec_push(out->arena, origin, part);
}

/* The source's text from a byte to another, with its edits. */
static void print_source(struct str *out, const struct plain_file *mapping,
                         const edit_list *edits, size_t from, size_t to,
                         struct source_origin *origin)
{
    const char *text = mapping->source->text;
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->at[i];
        if (edit->begin < from || edit->end > to)
            continue;
        origin_add(out, origin, from, edit->begin, true);
        str_add_n(out, text + from, edit->begin - from);
        str_add(out, edit->text);
        from = edit->end;
    }
    origin_add(out, origin, from, to, true);
    str_add_n(out, text + from, to - from);
}

/* Where the file asks for `__LINE__` or `__FILE__`, it gets the source's from here on. */
static void print_line_of(struct str *out, const struct plain_file *mapping, size_t at)
{
    struct loc loc = {mapping->source, 1, 1};
    if (!mapping->unit->tells_places || at >= mapping->source->length)
        return;
    for (size_t i = 0; i < at; i++)
        loc.line += mapping->source->text[i] == '\n';
    loc = loc_origin(loc);
    str_addf(out, "#line %u \"%s\"\n", loc.line, loc.source->path);
}

void mapping_print(struct str *out, const struct plain_file *mapping)
{
    struct source_origin origin = {0};
    mapping_print_parts(out, mapping, &origin);
}

void mapping_print_parts(struct str *out, const struct plain_file *mapping,
                         struct source_origin *origin)
{
    const struct source *source = mapping->source;
    origin->source = source;
    struct word_list *words = words_of(out->arena, mapping->unit);
    edit_list edits = edits_find(mapping);
    bool maps = mapping->fragments.count > 0;
    size_t at = maps ? include_place(source, mapping->fragments.at[0].begin) : 0;
    print_source(out, mapping, &edits, 0, at, origin);
    if (maps) {
        print_include(out, mapping, words, at);
        print_line_of(out, mapping, at);
    }
    for (size_t i = 0; i < mapping->fragments.count; i++) {
        const struct fragment *fragment = &mapping->fragments.at[i];
        size_t begin = replaced_begin(source, fragment), end = replaced_end(source, fragment);
        begin = begin < at ? at : begin;   /* the blanks between them */
        print_source(out, mapping, &edits, at, begin, origin);
        str_add(out, begin > at && source->text[begin - 1] != '\n' ? "\n" : "");
        origin_add(out, origin, begin, end, false);
        const struct fragment_text text = {out,   mapping->unit, source, fragment,
                                           words, mapping->has_loops};
        print_chosen(&text, mapping->plans.at[i]);
        end += strspn(source->text + end, " \t");
        at = end + (source->text[end] == '\n');
        print_line_of(out, mapping, at);
    }
    print_source(out, mapping, &edits, at, source->length, origin);
}
