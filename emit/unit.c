/* The main file as the body of NAME.tf.c. In: its text with the byte ranges of functions, regions and touches. Out: the
   same text with a list of edits made:
   - a function with regions becomes static NAME__body, and NAME is a wrapper that calls it and then brings results back,
     so that its callers need to know nothing; a prototype of NAME stands before it (the body may call NAME);
   - a region becomes `{ if (tf_run_NAME(…) != TREEFORK_OK) <the region as written> }`: the serial elision is the else
     branch of success;
   - a statement that touches the arrays on the host gets tf_host() before it, in braces where it is the single statement
     of an if or loop (told by the token before it, found by a scan of the file's tokens); where a condition around a
     region touches them (is_eager), the region is followed by tf_host().
   Invariant: edits do not overlap except by nesting of a region or touch in its function, and are applied in order of
   place. Text outside is copied byte by byte. */
#include "base/vec.h"
#include "emit/host.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Replaces [begin, end) by text. */
struct edit {
    size_t begin, end, order;
    const char *text;
};

struct unit {
    struct host *host;
    const char *text;
    size_t length;
    VEC(struct edit) edits;
};

static void edit_add(struct unit *unit, size_t begin, size_t end, const char *text)
{
    struct edit edit = {begin, end, unit->edits.count, text};
    vec_push(unit->host->arena, &unit->edits, edit);
}

static int edit_compare(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* Position behind the blank, comment, directive, literal or token at `at`; *blank says whether it was no token. */
static size_t token_end(const char *text, size_t length, size_t at, bool *blank)
{
    size_t p = at;
    *blank = true;
    if (text[p] == '/' && p + 1 < length && text[p + 1] == '/') {
        while (p < length && text[p] != '\n')
            p += text[p] == '\\' && p + 1 < length ? 2 : 1;
        return p < length ? p : length;
    }
    if (text[p] == '/' && p + 1 < length && text[p + 1] == '*') {
        const char *end = strstr(text + p + 2, "*/");
        return end ? (size_t)(end - text) + 2 : length;
    }
    if (isspace((unsigned char)text[p]))
        return p + 1;
    *blank = false;
    if (text[p] == '"' || text[p] == '\'') {
        for (p++; p < length && text[p] != text[at]; p++)
            p += text[p] == '\\';
        return p < length ? p + 1 : length;
    }
    if (!isalnum((unsigned char)text[p]) && text[p] != '_')
        return p + 1;
    while (p < length && (isalnum((unsigned char)text[p]) || text[p] == '_'))
        p++;
    return p;
}

static size_t directive_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    return at < length ? at : length;
}

/* The place of the last token before `place` in [from, place), directives left out; `place` if there is none. The start
   of directives that directly precede `place` goes to *directives (`place` if there are none). */
static size_t token_before(const char *text, size_t from, size_t place, size_t *directives)
{
    size_t last = place;
    bool line_start = true;
    *directives = place;
    for (size_t p = from; p < place;) {
        bool blank;
        if (line_start && text[p] == '#') {
            if (*directives == place)
                *directives = p;
            p = directive_end(text, place, p);
            continue;
        }
        size_t end = token_end(text, place, p, &blank);
        if (!blank) {
            last = p;
            *directives = place;
        }
        line_start = text[p] == '\n' || (line_start && blank);
        p = end > p ? end : p + 1;
    }
    return last;
}

static bool directive_is(const char *text, const char *word)
{
    for (text++; *text == ' ' || *text == '\t';)
        text++;
    return !strncmp(text, word, strlen(word));
}

/* Where our text goes: behind the feature macros (`#define _…`) at the head of the file, which must come before any
   header, and before everything else, so that no macro of the user's meets our names. */
static size_t head_end(const char *text, size_t length)
{
    size_t head = 0;
    int depth = 0;
    for (size_t p = 0; p < length;) {
        bool blank, directive = text[p] == '#';
        size_t end = directive ? directive_end(text, length, p) : token_end(text, length, p, &blank);
        if (directive && (directive_is(text + p, "ifndef _") || directive_is(text + p, "ifdef _")))
            depth++;
        else if (directive && directive_is(text + p, "endif"))
            depth--;
        else if (directive ? !directive_is(text + p, "define _") : !blank)
            break;
        if (directive && depth == 0)
            head = end;
        p = end;
    }
    return head;
}

/* The first token at or behind `at`. */
static size_t token_at(const char *text, size_t end, size_t at)
{
    bool blank = true;
    while (at < end) {
        size_t next = token_end(text, end, at, &blank);
        if (!blank)
            break;
        at = next;
    }
    return at;
}

/* The colon that ends a label at `at`; `end` if no label stands there. */
static size_t label_colon(const char *text, size_t end, size_t at)
{
    bool blank;
    size_t p = token_end(text, end, at, &blank), questions = 0;
    if (p - at == 4 && !strncmp(text + at, "case", 4))
        for (p = token_at(text, end, p); p < end && (text[p] != ':' || questions > 0);) {
            questions += text[p] == '?';
            questions -= text[p] == ':';
            p = token_at(text, end, token_end(text, end, p, &blank));
        }
    else
        p = isalpha((unsigned char)text[at]) || text[at] == '_' ? token_at(text, end, p) : end;
    return p < end && text[p] == ':' ? p : end;
}

/* Behind the labels (`name:`, `case x:`, `default:`) at the head of a statement. */
static size_t labels_end(const char *text, size_t begin, size_t end)
{
    size_t colon;
    while ((colon = label_colon(text, end, token_at(text, end, begin))) < end)
        begin = colon + 1;
    return begin;
}

static void add_touch(struct unit *unit, const struct function *function, const struct touch *touch)
{
    size_t directives, before = token_before(unit->text, function->body_begin, touch->begin, &directives);
    const char *t = unit->text + before, *call = arena_printf(unit->host->arena, "tf_host(\"%s\");", function->name);
    bool single = *t == ')' || !strncmp(t, "else", 4) || (!strncmp(t, "do", 2) && !isalnum((unsigned char)t[2]));
    if (single) {
        edit_add(unit, touch->begin, touch->begin, arena_printf(unit->host->arena, "{ %s ", call));
        edit_add(unit, touch->end, touch->end, " }");
        return;
    }
    size_t statement = labels_end(unit->text, touch->begin, touch->end), line = directives;
    if (statement != touch->begin) {
        edit_add(unit, statement, statement, arena_printf(unit->host->arena, " %s", call));
        return;
    }
    while (line > 0 && (unit->text[line - 1] == ' ' || unit->text[line - 1] == '\t'))
        line--;
    edit_add(unit, directives, directives, arena_printf(unit->host->arena, "%s\n%.*s", call, (int)(directives - line),
                                                        unit->text + line));
}

static void add_region(struct unit *unit, const struct tree *tree)
{
    const struct region *region = tree->region;
    const struct kernel *k = region->kernel;
    const struct function *function = &unit->host->program->functions[region->function];
    struct str out = str_new(unit->host->arena);
    const char *comma = "";
    str_addf(&out, "{ if (tf_run_%s(", region->name);
    for (int i = 0; i < k->n_params; i++, comma = ", ")
        str_addf(&out, "%s%s", comma, k->params[i]->var->name);
    for (int i = 0; i < k->n_arrays; i++)
        if (k->arrays[i]->space == SPACE_GLOBAL) {
            str_addf(&out, "%s%s", comma, k->arrays[i]->name);
            comma = ", ";
        }
    str_add(&out, ") != TREEFORK_OK) ");
    edit_add(unit, region->begin, region->begin, out.text);
    edit_add(unit, region->end, region->end,
             function->is_eager ? arena_printf(unit->host->arena, " tf_host(\"%s\"); }", function->name) : " }");
}

/* Do declarations stand between the parameters and the body? */
static bool is_old_style(const char *text, size_t at, size_t end)
{
    bool blank;
    for (at = token_at(text, end, at); at < end; at = token_at(text, end, token_end(text, end, at, &blank)))
        if (text[at] == ';')
            return true;
    return false;
}

/* The head of a function as written, `static`, `extern` and `inline` left out, its name replaced. An old-style head
   (`f(a) int a;`) ends for a declaration with its name and (). */
static bool head_text(struct unit *unit, const struct function *function, const char *name, struct str *out, bool declares)
{
    size_t end = function->body_begin;
    bool found = false, blank;
    while (end > function->begin && isspace((unsigned char)unit->text[end - 1]))
        end--;
    for (size_t p = function->begin; p < end;) {
        size_t next = token_end(unit->text, end, p, &blank), length = next - p;
        const char *t = unit->text + p;
        bool dropped = (length == 6 && (!strncmp(t, "static", 6) || !strncmp(t, "extern", 6) || !strncmp(t, "inline", 6)));
        bool named = !found && length == strlen(function->name) && !strncmp(t, function->name, length);
        if (dropped && found)
            dropped = false;    /* `T a[static 4]` */
        while (dropped && next < end && isspace((unsigned char)unit->text[next]))
            next++;
        if (named)
            str_add(out, name);
        else if (!dropped)
            str_add_n(out, t, length);
        found |= named;
        p = next;
        if (named && declares && is_old_style(unit->text, p, end)) {
            str_add(out, "()");
            return true;
        }
    }
    if (!found) {
        diag_error(unit->host->ctx, loc_none(), "%s: the name of %s does not stand in its definition as a word; write it without "
                   "a macro", unit->host->program->source->path, function->name);
        unit->host->failed = true;
    }
    return found;
}

static void add_wrapper(struct unit *unit, const struct function *function, const char *head)
{
    struct str out = str_new(unit->host->arena);
    bool result = strcmp(function->return_canonical, "void") != 0;
    str_addf(&out, "\n\n%s%s\n{\n    ", function->is_static ? "static " : "", head);
    if (result)
        str_addf(&out, "%s tf_result = ", function->return_text);
    str_addf(&out, "%s__body(", function->name);
    for (int i = 0; i < function->n_arguments; i++)
        str_addf(&out, "%s%s", i ? ", " : "", function->arguments[i].name);
    str_addf(&out, ");\n    tf_host(\"%s\");\n%s}", function->name, result ? "    return tf_result;\n" : "");
    edit_add(unit, function->end, function->end, out.text);
}

static bool add_function(struct unit *unit, const struct function *function)
{
    struct arena *arena = unit->host->arena;
    struct str head = str_new(arena), body = str_new(arena), declaration = str_new(arena);
    const char *renamed = arena_printf(arena, "%s__body", function->name);
    if (!head_text(unit, function, function->name, &head, false) || !head_text(unit, function, renamed, &body, false) ||
        !head_text(unit, function, function->name, &declaration, true))
        return false;
    edit_add(unit, function->begin, function->body_begin,
             arena_printf(arena, "%s%s;\nstatic %s\n", function->is_static ? "static " : "", declaration.text, body.text));
    for (size_t t = 0; t < function->n_touches; t++)
        add_touch(unit, function, &function->touches[t]);
    if (function->is_main)
        edit_add(unit, function->body_end - 1, function->body_end - 1, "\nreturn 0;\n");
    add_wrapper(unit, function, head.text);
    return true;
}

static void apply(struct unit *unit, struct str *out)
{
    size_t at = 0;
    qsort(unit->edits.at, unit->edits.count, sizeof *unit->edits.at, edit_compare);
    for (size_t i = 0; i < unit->edits.count; i++) {
        const struct edit *edit = &unit->edits.at[i];
        if (edit->begin < at)
            continue;
        str_add_n(out, unit->text + at, edit->begin - at);
        str_add(out, edit->text);
        at = edit->end;
    }
    str_add_n(out, unit->text + at, unit->length - at);
}

bool unit_write(struct host *host, struct str *out)
{
    const struct program *program = host->program;
    struct unit unit = {.host = host, .text = program->source->text, .length = program->source->length};
    if (program->n_functions == 0)
        return false;
    size_t head = head_end(unit.text, unit.length);
    edit_add(&unit, head, head, arena_printf(host->arena, "%s%s", head > 0 ? "\n\n" : "", host->out->text));
    for (size_t f = 0; f < program->n_functions; f++)
        if (!add_function(&unit, &program->functions[f]))
            return false;
    for (size_t r = 0; r < program->n_regions; r++)
        add_region(&unit, host->trees[r]);
    apply(&unit, out);
    return !host->failed;
}
