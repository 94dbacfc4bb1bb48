/* Plain C to MetaFork C, from end to end.

   In: a unit, and what of it is chosen. Out: its text with each fragment mapped. The
   list of calls is `scop_make`, then `schedule_make`. */
#include "frontend/scan.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/members.h"
#include "mapper/mapper.h"
#include "mapper/plan/change.h"
#include "mapper/plan/nest.h"
#include "mapper/print/mapping.h"
#include "mapper/print/names.h"
#include "mapper/print/schedule.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/directive.h"
#include "mapper/scop/limit.h"
#include "mapper/scop/read.h"
#include "mapper/scop/sets.h"
#include <stdlib.h>
#include <string.h>

static struct scop *scop_once(struct ctx *ctx, struct ast_unit *unit,
                              const struct fragment *fragment, const struct change_list *changes)
{
    static const struct change_list unchanged = {0};
    struct scop *scop = scop_read(ctx, unit, fragment);
    scop->changes = changes ? changes : &unchanged;
    if (!scop->refusal.text && scop_polyhedra(scop) && scop_find_overlaps(scop) &&
        scop_units(scop) && splitting_begin(scop) && scop_dependences(scop))
        splitting_end(scop);
    return scop;
}

struct scop *scop_make(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
                       const struct change_list *changes)
{
    struct scop *scop = scop_once(ctx, unit, fragment, changes);
    while (!changes && !scop->refusal.text && tiles_remove(scop)) {
        if (!scop_limit_end(scop))
            break;
        scop = scop_once(ctx, unit, fragment, NULL);
    }
    return scop;
}

/* The marked fragments and the nests that pay, by place. */
static void choose_all(struct ctx *ctx, struct ast_unit *unit, const fragment_list *marked,
                       nest_list *list)
{
    nest_list nests = {0};
    nests_find(ctx, unit, marked, &nests);
    for (size_t i = 0; i < nests.count; i++) {
        if (!nest_pays(nests.at[i]))
            continue;
        size_t at = list->count;
        vec_push(ctx->arena, list, nests.at[i]);
        for (; at > 0 && list->at[at - 1]->fragment.begin > nests.at[i]->fragment.begin; at--)
            list->at[at] = list->at[at - 1];
        list->at[at] = nests.at[i];
    }
}

bool fragments_choose(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                      nest_list *list)
{
    fragment_list marked = {0};
    struct fragment body;
    forms_simplify(ctx, unit);
    if (choice->function) {
        if (!nest_of_function(ctx, unit, choice, &body))
            return false;
        vec_push(ctx->arena, &marked, body);
    } else if (!fragments_find(ctx, unit, &marked)) {
        return false;
    }
    for (size_t i = 0; i < marked.count; i++) {
        struct nest *nest = ARENA_NEW(ctx->arena, struct nest);
        nest->fragment = marked.at[i];
        vec_push(ctx->arena, list, nest);
    }
    if (choice->all)
        choose_all(ctx, unit, &marked, list);
    return true;
}

/* Says that nothing is chosen, and what could be. Returns NULL. */
static void *refuse_empty(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice)
{
    struct loc top = {unit->source, 1, 1};
    if (choice->all)
        diag_error(ctx, top, "nothing to map: no loop has independent iterations enough to pay");
    else
        diag_error(ctx, top,
                   "nothing to map: put `#pragma scop` and `#pragma endscop` around the loops, or "
                   "`#pragma target` before one, or choose by `--function NAME` or `--all`");
    nests_suggest(ctx, unit);
    return NULL;
}

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
static bool is_before(const struct ast_pragma *pragma, const struct fragment *fragment)
{
    return pragma->begin > fragment->begin && pragma->begin < fragment->statements[0]->begin;
}

/* Marks have done their work, but where the choice is a function; directives on loops that stay
   whole keep theirs. */
static void pragmas_drop(struct plain_file *mapping, const struct ast_unit *unit,
                         const nest_list *chosen, bool drops_marks)
{
    for (size_t i = 0; i < unit->n_pragmas; i++) {
        const struct ast_pragma *pragma = &unit->pragmas[i];
        bool drops = pragma->kind <= PRAGMA_TARGET && drops_marks;
        for (size_t k = 0; k < mapping->fragments.count; k++)
            drops |= pragma->kind > PRAGMA_TARGET &&
                     (is_upon(unit, pragma, &mapping->fragments.at[k]) ||
                      is_before(pragma, &mapping->fragments.at[k]));
        for (size_t k = 0; k < chosen->count; k++) {
            const struct fragment *fragment = &chosen->at[k]->fragment;
            drops |= fragment->directive && is_upon(unit, pragma, fragment) &&
                     is_mapped(mapping, fragment);
        }
        if (drops)
            vec_push(mapping->arena, &mapping->pragmas, *pragma);
    }
}

bool mapping_is_empty(const struct plain_file *mapping)
{
    return !mapping->plans.count;
}

struct plain_file *mapping_make(struct ctx *ctx, struct ast_unit *unit,
                             struct map_choice *choice)
{
    struct plain_file *mapping = ARENA_NEW(ctx->arena, struct plain_file);
    unsigned errors = ctx->errors;
    size_t read = 0;
    nest_list chosen = {0}, nests = {0};
    mapping->arena = ctx->arena;
    mapping->source = unit->source;
    mapping->unit = unit;
    if (!fragments_choose(ctx, unit, choice, &chosen))
        return NULL;
    if (!chosen.count)
        return refuse_empty(ctx, unit, choice);
    if (!words_check(ctx, unit->source))
        return NULL;
    for (size_t i = 0; i < chosen.count; i++) {
        const struct directive *directive = chosen.at[i]->fragment.directive;
        if (directive && directive->refusal.text) {
            chosen.at[i]->refusal = directive->refusal;
            vec_push(ctx->arena, &nests, chosen.at[i]);
        } else if (chosen.at[i]->plan)
            vec_push(ctx->arena, &nests, chosen.at[i]);
        else
            nests_cut(ctx, unit, &chosen.at[i]->fragment, &nests);
        for (; read < nests.count; read++)
            if (nests.at[read]->plan)
                directive_allows(ctx, unit, nests.at[read], &chosen.at[i]->fragment);
    }
    for (size_t i = 0; i < nests.count; i++) {
        if (!nests.at[i]->plan)
            continue;
        if (nests.at[i]->fragment.directive)
            directive_check(ctx, nests.at[i]->fragment.directive, nests.at[i]->scop);
        vec_push(ctx->arena, &mapping->fragments, nests.at[i]->fragment);
        vec_push(ctx->arena, &mapping->plans, nests.at[i]->plan);
    }
    pragmas_drop(mapping, unit, &chosen, !choice->function);
    nests_refuse(ctx, &nests, ctx->strict || !mapping->plans.count);
    return ctx->errors == errors ? mapping : NULL;
}

/* --- the file --------------------------------------------------------------------------------- */

size_t include_place(const struct source *source, size_t before)
{
    size_t place = 0;
    for (size_t line = 0; line < before;) {
        const char *text = source->text + line, *end = strchr(text, '\n');
        size_t next = end ? line + (size_t)(end - text) + 1 : source->length;
        const char *at = text + strspn(text, " \t");
        if (*at == '#' && !strncmp(at + 1 + strspn(at + 1, " \t"), "include", 7))
            place = next;
        line = next;
    }
    return place;
}

static size_t line_of(const struct source *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n')
        at--;
    return at;
}

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
static size_t end_of(const struct source *source, const struct fragment *fragment)
{
    size_t length;
    return directive_between(source, fragment->statements_end, fragment->end, false, &length)
               ? fragment->statements_end : fragment->end;
}

/* Where the text that a fragment replaces begins: behind what stands before it in its line. */
static size_t begin_of(const struct source *source, const struct fragment *fragment)
{
    size_t length, statement = fragment->statements[0]->begin;
    const char *directive = directive_between(source, fragment->begin, statement, true, &length);
    size_t begin = directive ? (size_t)(directive - source->text) + length : fragment->begin;
    begin += directive && source->text[begin] == '\n';
    size_t line = line_of(source, begin);
    while (begin > line && strchr(" \t", source->text[begin - 1]))
        begin--;
    return begin;
}

/* Columns before the first statement of a fragment. */
static int indent_of(const struct source *source, const struct fragment *fragment)
{
    size_t begin = fragment->statements[0]->begin, line = line_of(source, begin);
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

/* "apart && n >= 1": under which the regions do what the loops do; NULL: always. */
static const char *print_conditions(struct str *out, struct scop *scop, struct word_list *words,
                                    int indent)
{
    const char *test = scop_apart_text(scop), *claims = scop_claims_text(scop);
    if (!test)
        return claims;
    const char *name = words_have(words, "apart") ? words_fresh(words, "apart", 2)
                                                  : words_local(words, "apart");
    str_indent(out, indent);
    str_addf(out, "const int %s =\n", name);
    str_indent(out, indent + 4);
    print_lines(out, test, strlen(test), indent + 4);
    str_add(out, ";\n");
    return claims ? arena_printf(out->arena, "%s && %s", name, claims) : name;
}

/* The regions, and where arrays overlap, sizes are not as they should be or memory is short the
   loops as they stand in the source, or the regions of the other plan. */
static void print_apart(struct str *out, const struct source *source,
                        const struct fragment *fragment, const struct schedule *plan,
                        struct word_list *words, int indent)
{
    const struct scop *scop = plan->scop;
    const char *size = plan_size_text(plan);
    changes_print(out, scop, size ? arena_printf(out->arena, " where %s", size) : "", indent);
    const char *condition = print_conditions(out, plan->scop, words, indent);
    if (size)
        condition = condition ? arena_printf(out->arena, "%s && %s", size, condition) : size;
    if (!condition && !scop->memories.count) {
        schedule_print(out, plan, words, indent);
        lasts_print(out, scop, indent);
        return;
    }
    size_t begin = fragment->statements[0]->begin;
    if (scop->memories.count) {
        memories_open(out, scop, words, condition, indent);
    } else {
        str_indent(out, indent);
        str_addf(out, "if (%s) {\n", condition);
    }
    schedule_print(out, plan, words, indent + 4);
    lasts_print(out, scop, indent + 4);
    memories_close(out, scop, false, indent + 4);
    str_indent(out, indent);
    str_add(out, "} else {\n");
    if (scop->memories.count)
        memories_close(out, scop, true, indent + 4);
    if (plan->otherwise) {
        print_apart(out, source, fragment, plan->otherwise, words, indent + 4);
    } else {
        str_indent(out, indent + 4);
        print_lines(out, source->text + begin, fragment->statements_end - begin, 4);
        str_char(out, '\n');
    }
    str_indent(out, indent);
    str_add(out, "}\n");
}

static void print_fragment(struct str *out, const struct source *source,
                           const struct fragment *fragment, const struct schedule *plan,
                           struct word_list *words)
{
    int indent = indent_of(source, fragment);
    if (!fragment->needs_braces && !members_are_used(plan->scop)) {
        print_apart(out, source, fragment, plan, words, indent);
        return;
    }
    str_indent(out, indent);
    str_add(out, "{\n");
    members_print(out, plan->scop, indent + 4);
    print_apart(out, source, fragment, plan, words, indent + 4);
    str_indent(out, indent);
    str_add(out, "}\n");
}

static void print_include(struct str *out, const struct plain_file *mapping,
                          const struct word_list *words, size_t place)
{
    if (source_has_marks(mapping->source))
        return;
    bool allocates = false;
    for (size_t i = 0; i < mapping->plans.count; i++)
        allocates |= mapping->plans.at[i]->scop->memories.count > 0;
    str_add(out, allocates ? "#include <stdlib.h>\n" : "");
    str_add(out, words_have(words, "cache") ? "#define METAFORK_LONG_NAMES\n" : "");
    str_add(out, "#include <metafork.h>\n");
    if (mapping->source->text[place] != '\n')
        str_char(out, '\n');
}

static void part_add(const struct str *out, struct source_origin *origin, size_t begin, size_t end,
                     bool is_same)
{
    struct source_part part = {out->length, begin, end, is_same};
    vec_push(out->arena, origin, part);
}

/* The source's text from a byte to another, without the pragmas and their lines. */
static void print_source(struct str *out, const struct plain_file *mapping, size_t from, size_t to,
                         struct source_origin *origin)
{
    const char *text = mapping->source->text;
    for (size_t i = 0; i < mapping->pragmas.count; i++) {
        const struct ast_pragma *pragma = &mapping->pragmas.at[i];
        size_t line = line_of(mapping->source, pragma->begin), end = pragma->end;
        end += text[end] == '\n';
        if (line < from || end > to)
            continue;
        part_add(out, origin, from, line, true);
        str_add_n(out, text + from, line - from);
        from = end;
    }
    part_add(out, origin, from, to, true);
    str_add_n(out, text + from, to - from);
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
    bool maps = mapping->fragments.count > 0;
    size_t at = maps ? include_place(source, mapping->fragments.at[0].begin) : 0;
    print_source(out, mapping, 0, at, origin);
    if (maps)
        print_include(out, mapping, words, at);
    for (size_t i = 0; i < mapping->fragments.count; i++) {
        const struct fragment *fragment = &mapping->fragments.at[i];
        size_t begin = begin_of(source, fragment), end = end_of(source, fragment);
        print_source(out, mapping, at, begin, origin);
        str_add(out, begin > at && source->text[begin - 1] != '\n' ? "\n" : "");
        part_add(out, origin, begin, end, false);
        print_fragment(out, source, fragment, mapping->plans.at[i], words);
        end += strspn(source->text + end, " \t");
        at = end + (source->text[end] == '\n');
    }
    print_source(out, mapping, at, source->length, origin);
}
