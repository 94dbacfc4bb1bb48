/* The main file as the body of NAME.tf.c. In: its text with the byte ranges of functions, regions
   and touches. Out: the same text with insertions:
   - a region becomes `{ if (tf_run_NAME(…) != TREEFORK_OK) { <the region as written>
     treefork_after_serial(); } }`: the serial elision is the else branch of success, with
     meta_tunables of 1, and its end is told, since it may be timed;
   - a statement that touches the arrays on the host gets treefork_before_write() before it (_read()
     if it only reads), as the left side of a comma or in braces where it is the single statement of
     an if or loop (told by the token before it, found by a scan of the file's tokens); where a
     condition around a region touches them (is_eager), the region is followed by it;
   - a `return`, and the end of a body that can end without one, get treefork_before_return(): a
     function leaves nothing on the device, so that its callers need to know nothing, and while its
     local arrays still live;
   - a block of a local array of a region ends in treefork_array_end(array): its device copy dies
     with it.
   Invariant: nothing of the file is removed; insertions are made in order of place. */
#include "base/vec.h"
#include "emit/host.h"
#include "ir/walk.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of two insertions at one place the one that closes a bracket comes first. */
struct insertion {
    size_t place, order;
    bool opens;
    const char *text;
};

struct unit {
    struct host *host;
    const char *text;
    size_t length;
    bool keeps_lines;                /* the text says which lines it has, `#line 7 "app.c"` */
    VEC(struct insertion) insertions;
};

static void insert(struct unit *unit, size_t place, bool opens, const char *text)
{
    struct insertion insertion = {place, unit->insertions.count, opens, text};
    vec_push(unit->host->arena, &unit->insertions, insertion);
}

static int insertion_compare(const void *a, const void *b)
{
    const struct insertion *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->opens != y->opens)
        return x->opens ? 1 : -1;
    return x->order < y->order ? -1 : 1;
}

/* Length of the line continuation at `at`, 0 if there is none. */
static size_t continuation(const char *text, size_t length, size_t at)
{
    if (text[at] != '\\' || at + 1 >= length)
        return 0;
    return text[at + 1] == '\n'                                              ? 2
           : text[at + 1] == '\r' && at + 2 < length && text[at + 2] == '\n' ? 3
                                                                             : 0;
}

/* The newline that ends the directive or comment at `at`. */
static size_t line_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n') {
        size_t more = continuation(text, length, at);
        at += more ? more : 1;
    }
    return at;
}

/* Position behind the blank, comment, directive, literal or token at `at`; *blank says whether it
   was no token. */
static size_t token_end(const char *text, size_t length, size_t at, bool *blank)
{
    size_t p = at;
    *blank = true;
    if (text[p] == '/' && p + 1 < length && text[p + 1] == '/') {
        return line_end(text, length, p);
    }
    if (text[p] == '/' && p + 1 < length && text[p + 1] == '*') {
        const char *end = strstr(text + p + 2, "*/");
        return end ? (size_t)(end - text) + 2 : length;
    }
    if (isspace((unsigned char)text[p]) || continuation(text, length, p))
        return p + 1 + (text[p] == '\\');
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

static bool directive_is(const char *text, const char *word)
{
    for (text++; *text == ' ' || *text == '\t';)
        text++;
    return !strncmp(text, word, strlen(word));
}

/* Behind `_Pragma("…")` at `at`; `at` if it does not stand there. */
static size_t pragma_end(const char *text, size_t length, size_t at)
{
    bool blank;
    if (length - at < 7 || strncmp(text + at, "_Pragma", 7) != 0 ||
        isalnum((unsigned char)text[at + 7]) || text[at + 7] == '_')
        return at;
    for (at += 7; at < length && text[at] != ')';)
        at = token_end(text, length, at, &blank);
    return at < length ? at + 1 : length;
}

/* The place of the last token before `place` in [from, place), directives left out; `place` if
   there is none. The start of pragmas that directly precede `place` and belong to its statement
   goes to *pragmas (`place` if there are none). */
static size_t token_before(const char *text, size_t from, size_t place, size_t *pragmas)
{
    size_t last = place;
    bool line_start = true;
    *pragmas = place;
    for (size_t p = from; p < place;) {
        bool blank, directive = line_start && text[p] == '#';
        size_t end = directive ? line_end(text, place, p) : pragma_end(text, place, p);
        if (directive ? directive_is(text + p, "pragma") : end > p)
            *pragmas = *pragmas == place ? p : *pragmas;
        else if (directive)
            *pragmas = place;
        if (end == p) {
            end = token_end(text, place, p, &blank);
            if (!blank) {
                last = p;
                *pragmas = place;
            }
            line_start = text[p] == '\n' || (line_start && blank);
        }
        p = end;
    }
    return last;
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

static const char *touch_call(struct unit *unit, const struct function *function,
                              enum touch_kind kind)
{
    static const char *const names[] = {[TOUCH_READ] = "read",
                                        [TOUCH_WRITE] = "write",
                                        [TOUCH_RETURN] = "return"};
    return arena_printf(unit->host->arena, "treefork_before_%s(\"%s\")", names[kind],
                        function->name);
}

/* Is the statement behind the token at `before` the single one of an if or loop? */
static bool is_single(const char *text, size_t before)
{
    const char *t = text + before;
    return *t == ')' || !strncmp(t, "else", 4) ||
           (!strncmp(t, "do", 2) && !isalnum((unsigned char)t[2]) && t[2] != '_');
}

static void add_touch(struct unit *unit, const struct function *function, const struct touch *touch)
{
    struct arena *arena = unit->host->arena;
    size_t pragmas, before = token_before(unit->text, function->body_begin, touch->begin, &pragmas);
    const char *call = touch_call(unit, function, touch->kind);
    if (is_single(unit->text, before) && touch->form != FORM_DECLARATION) {
        bool comma = touch->form == FORM_EXPRESSION && pragmas == touch->begin;
        insert(unit, pragmas, true,
               arena_printf(arena,
                            comma                    ? "%s, "
                            : pragmas < touch->begin ? "{ %s;\n"
                                                     : "{ %s; ",
                            call));
        if (!comma)
            insert(unit, touch->end, false, " }");
        return;
    }
    size_t statement = labels_end(unit->text, touch->begin, touch->end), line = pragmas;
    if (statement != touch->begin) {
        insert(unit, statement, true, arena_printf(arena, " %s;", call));
        return;
    }
    while (line > 0 && (unit->text[line - 1] == ' ' || unit->text[line - 1] == '\t'))
        line--;
    bool is_same_line = unit->keeps_lines && pragmas == touch->begin;
    insert(unit, pragmas, true,
           is_same_line ? arena_printf(arena, "%s; ", call)
                        : arena_printf(arena, "%s;\n%.*s", call, (int)(pragmas - line),
                                       unit->text + line));
}

static bool is_inside_band(const struct stmt_walk *walk)
{
    for (int i = 0; i < walk->depth; i++)
        if (walk->path[i].stmt->kind == STMT_BAND)
            return true;
    return false;
}

/* Is serial code better off with blocks of one thread? Compilers make plain loops of such blocks,
   and chains walk along rows; but where a point has conditions besides its guard gcc keeps the loop
   of one round, and makes vectors of longer ones only. Conditions in loops of a point do not count:
   gcc makes vectors of those loops, or of the points around them. */
static bool is_better_alone(struct arena *arena, const struct kernel *k)
{
    struct stmt_walk walk;
    int conditions = 0, bands = 0;
    for (const struct stmt *s = stmt_first(&walk, arena, k->body); s; s = stmt_next(&walk)) {
        bands += s->kind == STMT_BAND;
        conditions += s->kind == STMT_IF;
        if (s->kind == STMT_FOR && is_inside_band(&walk))
            stmt_skip(&walk);
    }
    return bands > 1 || conditions <= 1;
}

/* Declares meta_tunables anew for the serial code, as 1, where nothing that the region computes
   depends on them. */
static void serial_tunables(struct arena *arena, struct str *out, const struct region *region)
{
    const struct kernel *k = region->kernel;
    if (!is_better_alone(arena, k))
        return;
    for (int i = 0; i < k->n_params; i++) {
        if (!tunable_is_any(region, i))
            continue;
        str_addf(out, "const %s %s = 1; ", type_name(k->params[i]->var->type),
                 k->params[i]->var->name);
    }
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
        if (array_is_given(k->arrays[i])) {
            str_addf(&out, "%s%s%s", comma, k->arrays[i]->is_scalar ? "&" : "", k->arrays[i]->name);
            comma = ", ";
        }
    str_add(&out, ") != TREEFORK_OK) { ");
    serial_tunables(unit->host->arena, &out, region);
    const char *end = " treefork_after_serial(); }";
    insert(unit, region->begin, true, out.text);
    insert(unit, region->end, false,
           function->is_eager ? arena_printf(unit->host->arena, "%s %s; }", end,
                                             touch_call(unit, function, function->eager_kind))
                              : arena_printf(unit->host->arena, "%s }", end));
}

static void add_function(struct unit *unit, const struct function *function)
{
    struct arena *arena = unit->host->arena;
    for (size_t t = 0; t < function->n_touches; t++) {
        const struct touch *touch = &function->touches[t];
        if (touch->kind == TOUCH_END)
            insert(unit, touch->begin, true,
                   arena_printf(arena, "treefork_array_end(%s, sizeof %s); ", touch->array,
                                touch->array));
        else
            add_touch(unit, function, touch);
    }
    if (function->falls_off)
        insert(unit, function->body_end - 1, true,
               arena_printf(arena, "    %s;\n", touch_call(unit, function, TOUCH_RETURN)));
}

static void apply(struct unit *unit, struct str *out)
{
    size_t at = 0;
    qsort(unit->insertions.at, unit->insertions.count, sizeof *unit->insertions.at,
          insertion_compare);
    for (size_t i = 0; i < unit->insertions.count; i++) {
        const struct insertion *insertion = &unit->insertions.at[i];
        str_add_n(out, unit->text + at, insertion->place - at);
        str_add(out, insertion->text);
        at = insertion->place;
    }
    str_add_n(out, unit->text + at, unit->length - at);
}

bool unit_write(struct host *host, const char *front, struct str *out)
{
    const struct program *program = host->program;
    struct unit unit = {.host = host,
                        .text = program->source->text,
                        .length = program->source->length,
                        .keeps_lines = strstr(program->source->text, "\n#line ") != NULL};
    if (program->n_functions == 0)
        return false;
    insert(&unit, 0, true, front);
    for (size_t r = 0; r < program->n_regions; r++)
        add_region(&unit, host->trees[r]);
    for (size_t f = 0; f < program->n_functions; f++)
        add_function(&unit, &program->functions[f]);
    apply(&unit, out);
    return !host->failed;
}
