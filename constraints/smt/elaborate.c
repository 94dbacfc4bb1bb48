/* S-expressions to terms. In: an expression and the symbols in scope; out: a term with sorts, or an
   error with its place. Open expressions stand on a stack of frames, finished operands on a stack
   of values, so that nesting costs memory only. Local names (let, quantifiers, parameters) hide
   global ones; each has a chain of its meanings, the innermost first. `let` binds in parallel: all
   values are finished before the first name is bound. */
#include "constraints/smt/elaborate.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

enum { EXPONENT_LIMIT = 1000, POWER_LIMIT = 4096 };

enum form { FORM_APPLY, FORM_LET, FORM_QUANTIFIER, FORM_ANNOTATED };

struct frame {
    const struct sexpr *expr;
    enum form form;
    size_t next;                              /* how many of its parts have been begun */
    size_t base;                              /* where their values begin */
    const struct term *const *variables;      /* of a quantifier */
    size_t n_variables;
};

struct local {
    const struct term *term;
    const struct local *outer;
};

struct work {
    struct elaborator *e;
    struct map *locals;
    struct map *instances;                    /* of definitions, by symbol and operands */
    VEC(struct frame) frames;
    VEC(const struct term *) values;
};

__attribute__((format(printf, 3, 4)))
static bool refuse(struct elaborator *e, const struct sexpr *at, const char *format, ...)
{
    if (e->error->message)
        return false;
    va_list arguments;
    va_start(arguments, format);
    *e->error = (struct sexpr_error){at->line, at->column,
                                     arena_vprintf(e->scratch, format, arguments), false};
    va_end(arguments);
    return false;
}

bool elaborate_sort(struct elaborator *e, const struct sexpr *expr, enum sort *sort)
{
    for (*sort = SORT_BOOL; *sort <= SORT_REAL; ++*sort)
        if (sexpr_is(expr, sort_name(*sort)))
            return true;
    struct str text = str_new(e->scratch);
    sexpr_print(&text, expr);
    return refuse(e, expr, "the sort %.80s is not supported; there are Bool, Int and Real",
                  text.text);
}

const struct term *const *elaborate_variables(struct elaborator *e, const struct sexpr *list,
                                              size_t *count)
{
    *count = list->count;
    const struct term **variables =
        ARENA_ARRAY(e->maker.arena, const struct term *, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        const struct sexpr *pair = list->at[i];
        enum sort sort;
        if (pair->kind != SEXPR_LIST || pair->count != 2 || pair->at[0]->kind != SEXPR_SYMBOL) {
            refuse(e, pair, "a variable with its sort is expected: (x Real)");
            return NULL;
        }
        if (!elaborate_sort(e, pair->at[1], &sort))
            return NULL;
        variables[i] = term_variable(&e->maker, pair->at[0]->text, sort);
        if (!variables[i]) {
            refuse(e, pair, "%s", e->maker.error);
            return NULL;
        }
    }
    return variables;
}

/* --- names ----------------------------------------------------------------------------------- */

static void bind(struct work *work, const char *name, const struct term *term)
{
    struct local *local = ARENA_NEW(work->e->scratch, struct local);
    *local = (struct local){term, map_get(work->locals, name)};
    map_put(work->locals, name, local);
}

static void unbind(struct work *work, const char *name)
{
    const struct local *local = map_get(work->locals, name);
    map_put(work->locals, name, (void *)local->outer);
}

/* "1.50" stays, "1.5e-3" becomes "1.5/10^3": what poly_read understands. NULL if it is too long. */
static const char *number_text(struct elaborator *e, const char *text)
{
    size_t length = strcspn(text, "eE");
    if (!text[length])
        return text;
    long exponent = strtol(text + length + 1, NULL, 10);
    if (labs(exponent) > EXPONENT_LIMIT)
        return NULL;
    return arena_printf(e->scratch, "%.*s%c10^%ld", (int)length, text, exponent < 0 ? '/' : '*',
                        labs(exponent));
}

static const struct term *numeral(struct elaborator *e, const struct sexpr *expr, const char *text,
                                  bool integer)
{
    const char *digits = strlen(text) > EXPONENT_LIMIT ? NULL : number_text(e, text);
    if (!digits) {
        refuse(e, expr, "a number of more than %d digits", EXPONENT_LIMIT);
        return NULL;
    }
    return term_number(&e->maker, digits, integer && !e->reals ? SORT_INT : SORT_REAL);
}

/* "-1", "-2.5e3": symbols of the standard, numbers to other tools. */
static bool is_negative_number(const char *name)
{
    return name[0] == '-' && isdigit((unsigned char)name[1]) &&
           strspn(name + 1, "0123456789.eE+-") == strlen(name + 1);
}

static const struct term *symbol_value(struct work *work, const struct sexpr *expr)
{
    struct elaborator *e = work->e;
    const struct local *local = map_get(work->locals, expr->text);
    if (local)
        return local->term;
    const struct symbol *symbol = map_get(e->symbols, expr->text);
    if (symbol && !symbol->count)
        return symbol->term;
    if (!symbol && is_negative_number(expr->text)) {
        const struct term *size = numeral(e, expr, expr->text + 1, !strpbrk(expr->text, ".eE"));
        return size ? operator_apply(&e->maker, "-", &size, 1) : NULL;
    }
    if (symbol)
        refuse(e, expr, "%s needs %zu operands", expr->text, symbol->count);
    else if (operator_known(expr->text))
        refuse(e, expr, "%s is an operator and needs operands", expr->text);
    else
        refuse(e, expr, "unknown symbol '%s'", expr->text);
    return NULL;
}

static const struct term *atom_value(struct work *work, const struct sexpr *expr)
{
    struct elaborator *e = work->e;
    switch (expr->kind) {
    case SEXPR_NUMERAL:
    case SEXPR_DECIMAL: return numeral(e, expr, expr->text, expr->kind == SEXPR_NUMERAL);
    case SEXPR_SYMBOL:
        if (sexpr_is(expr, "true") || sexpr_is(expr, "false"))
            return term_make(&e->maker, sexpr_is(expr, "true") ? TERM_TRUE : TERM_FALSE, NULL, 0);
        return symbol_value(work, expr);
    default: refuse(e, expr, "'%s' is no term of sort Bool, Int or Real", expr->text);
    }
    return NULL;
}

/* --- frames ---------------------------------------------------------------------------------- */

static bool let_open(struct elaborator *e, const struct sexpr *expr)
{
    if (expr->count != 3 || expr->at[1]->kind != SEXPR_LIST || !expr->at[1]->count)
        return refuse(e, expr, "let is written (let ((x term) …) term)");
    for (size_t i = 0; i < expr->at[1]->count; i++) {
        const struct sexpr *pair = expr->at[1]->at[i];
        if (pair->kind != SEXPR_LIST || pair->count != 2 || pair->at[0]->kind != SEXPR_SYMBOL)
            return refuse(e, pair, "let is written (let ((x term) …) term)");
    }
    return true;
}

static bool quantifier_open(struct work *work, struct frame *frame)
{
    const struct sexpr *expr = frame->expr;
    if (expr->count != 3 || expr->at[1]->kind != SEXPR_LIST || !expr->at[1]->count)
        return refuse(work->e, expr, "a quantifier is written (%s ((x Real) …) term)",
                      expr->at[0]->text);
    frame->variables = elaborate_variables(work->e, expr->at[1], &frame->n_variables);
    for (size_t i = 0; frame->variables && i < frame->n_variables; i++)
        bind(work, frame->variables[i]->name, frame->variables[i]);
    return frame->variables != NULL;
}

static bool frame_open(struct work *work, const struct sexpr *expr)
{
    struct frame frame = {.expr = expr, .base = work->values.count};
    if (!expr->count)
        return refuse(work->e, expr, "() is no term");
    const struct sexpr *head = expr->at[0];
    if (head->kind != SEXPR_SYMBOL)
        return refuse(work->e, head, "an operator is expected");
    bool ok = true;
    if (sexpr_is(head, "let")) {
        frame.form = FORM_LET;
        ok = let_open(work->e, expr);
    } else if (sexpr_is(head, "forall") || sexpr_is(head, "exists")) {
        frame.form = FORM_QUANTIFIER;
        ok = quantifier_open(work, &frame);
    } else if (sexpr_is(head, "!")) {
        frame.form = FORM_ANNOTATED;
        ok = expr->count >= 2 ||
             refuse(work->e, expr, "an annotation is written (! term :attribute …)");
    }
    vec_push(work->e->scratch, &work->frames, frame);
    return ok;
}

/* The part of the frame that is evaluated next; NULL if there is none left. */
static const struct sexpr *frame_next(struct work *work, struct frame *frame)
{
    const struct sexpr *expr = frame->expr;
    size_t i = frame->next++;
    switch (frame->form) {
    case FORM_APPLY: return i + 1 < expr->count ? expr->at[i + 1] : NULL;
    case FORM_QUANTIFIER: return i ? NULL : expr->at[2];
    case FORM_ANNOTATED: return i ? NULL : expr->at[1];
    case FORM_LET: break;
    }
    const struct sexpr *pairs = expr->at[1];
    if (i < pairs->count)
        return pairs->at[i]->at[1];
    if (i > pairs->count)
        return NULL;
    for (size_t k = 0; k < pairs->count; k++) {
        const struct term *value = work->values.at[frame->base + k];
        ((struct term *)value)->shared = true;
        bind(work, pairs->at[k]->at[0]->text, value);
    }
    return expr->at[2];
}

/* x^k for an integer k; x^-k is 1 / x^k. */
static const struct term *power(struct elaborator *e, const struct sexpr *expr,
                                const struct term *const *at, size_t count)
{
    if (count != 2 || at[0]->sort == SORT_BOOL) {
        refuse(e, expr, "a power is written (^ x 3)");
        return NULL;
    }
    bool negative = at[1]->op == TERM_NEG;
    const struct term *number = negative ? at[1]->at[0] : at[1];
    if (number->op != TERM_NUMBER) {
        refuse(e, expr, "the exponent is no number: not a polynomial");
        return NULL;
    }
    char *end;
    unsigned long exponent = strtoul(number->name, &end, 10);
    if (*end == '.')
        end += 1 + strspn(end + 1, "0");
    if (*end || exponent > POWER_LIMIT) {
        refuse(e, expr, "the exponent is no integer up to %d", POWER_LIMIT);
        return NULL;
    }
    const struct term *one = term_number(&e->maker, "1", SORT_REAL),
                      *value = term_power(&e->maker, at[0], (unsigned)exponent);
    return negative ? term_make(&e->maker, TERM_DIVIDE, (const struct term *[]){one, value}, 2)
                    : value;
}

/* A definition with its parameters replaced; once for the same operands. */
static const struct term *instance(struct work *work, const struct sexpr *expr,
                                   const struct symbol *symbol, const struct term *const *at,
                                   size_t count)
{
    struct elaborator *e = work->e;
    struct str key = str_new(e->scratch);
    str_addf(&key, "%p", (const void *)symbol);
    if (count != symbol->count) {
        refuse(e, expr, "%s has %zu parameters, here are %zu", symbol->name, symbol->count, count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        enum sort sort = symbol->parameters[i]->sort;
        if (at[i]->sort != sort && (sort != SORT_REAL || at[i]->sort != SORT_INT)) {
            refuse(e, expr->at[i + 1], "%s is expected, here is %s", sort_name(sort),
                   sort_name(at[i]->sort));
            return NULL;
        }
        ((struct term *)at[i])->shared = true;
        str_addf(&key, " %p", (const void *)at[i]);
    }
    const struct term *term = map_get(work->instances, key.text);
    if (term) {
        ((struct term *)term)->shared = true;
        return term;
    }
    term = term_replace(&e->maker, symbol->term, symbol->parameters, at, count);
    map_put(work->instances, key.text, (void *)term);
    return term;
}

static const struct term *apply(struct work *work, const struct sexpr *expr,
                                const struct term *const *at, size_t count)
{
    struct elaborator *e = work->e;
    const char *name = expr->at[0]->text;
    const struct symbol *symbol = map_get(e->symbols, name);
    if (!count)
        refuse(e, expr, "%s has no operands", name);
    else if (strcmp(name, "^") == 0)
        return power(e, expr, at, count);
    else if (map_get(work->locals, name) || (symbol && !symbol->count))
        refuse(e, expr->at[0], "%s is no function", name);
    else if (symbol)
        return instance(work, expr, symbol, at, count);
    else if (operator_known(name))
        return operator_apply(&e->maker, name, at, count);
    else
        refuse(e, expr->at[0], "unknown function '%s'", name);
    return NULL;
}

static const struct term *quantified(struct work *work, const struct frame *frame)
{
    struct elaborator *e = work->e;
    const struct term **at = ARENA_ARRAY(e->scratch, const struct term *, frame->n_variables + 1);
    at[0] = work->values.at[frame->base];
    for (size_t i = 0; i < frame->n_variables; i++) {
        at[i + 1] = frame->variables[i];
        unbind(work, frame->variables[i]->name);
    }
    if (at[0]->sort != SORT_BOOL)
        refuse(e, frame->expr->at[2], "what is quantified is no Bool");
    enum term_op op = sexpr_is(frame->expr->at[0], "forall") ? TERM_FORALL : TERM_EXISTS;
    return e->error->message ? NULL : term_make(&e->maker, op, at, frame->n_variables + 1);
}

/* Attributes other than :named are read over. */
static const struct term *annotated(struct work *work, const struct frame *frame)
{
    struct elaborator *e = work->e;
    const struct sexpr *expr = frame->expr;
    const struct term *term = work->values.at[frame->base];
    for (size_t i = 2; i < expr->count; i++) {
        if (expr->at[i]->kind != SEXPR_KEYWORD || strcmp(expr->at[i]->text, ":named") != 0)
            continue;
        if (i + 1 == expr->count || expr->at[i + 1]->kind != SEXPR_SYMBOL) {
            refuse(e, expr->at[i], "a name is expected after :named");
            return NULL;
        }
        if (!term_closed(term)) {
            refuse(e, expr->at[i + 1],
                   "what is named has variables of a quantifier or definition around it");
            return NULL;
        }
        ((struct term *)term)->shared = true;
        vec_push(e->scratch, &e->names, ((struct naming){expr->at[i + 1]->text, term}));
    }
    return term;
}

/* All parts are there: their value takes their place. */
static bool frame_close(struct work *work)
{
    struct frame frame = vec_pop(&work->frames);
    const struct term *const *at = work->values.at ? work->values.at + frame.base : NULL,
                             *value = NULL;
    size_t count = work->values.count - frame.base;
    switch (frame.form) {
    case FORM_APPLY: value = apply(work, frame.expr, at, count); break;
    case FORM_QUANTIFIER: value = quantified(work, &frame); break;
    case FORM_ANNOTATED: value = annotated(work, &frame); break;
    case FORM_LET:
        assert(at && count > 0);
        value = at[count - 1];
        for (size_t i = 0; i < frame.expr->at[1]->count; i++)
            unbind(work, frame.expr->at[1]->at[i]->at[0]->text);
        break;
    }
    if (!value)
        return refuse(work->e, frame.expr, "%s",
                      work->e->maker.error ? work->e->maker.error : "no term");
    work->values.count = frame.base;
    vec_push(work->e->scratch, &work->values, value);
    return true;
}

/* Begins with `expr`, which is finished at once if it is an atom. */
static bool begin(struct work *work, const struct sexpr *expr)
{
    if (expr->kind == SEXPR_LIST)
        return frame_open(work, expr);
    const struct term *value = atom_value(work, expr);
    if (!value)
        return refuse(work->e, expr, "%s", work->e->maker.error ? work->e->maker.error : "no term");
    vec_push(work->e->scratch, &work->values, value);
    return true;
}

const struct term *elaborate(struct elaborator *e, const struct sexpr *expr,
                             const struct term *const *variables, size_t count)
{
    struct work work = {.e = e, .locals = map_new(e->scratch), .instances = map_new(e->scratch)};
    e->maker.error = NULL;
    for (size_t i = 0; i < count; i++)
        bind(&work, variables[i]->name, variables[i]);
    bool ok = begin(&work, expr);
    while (ok && work.frames.count) {
        const struct sexpr *part = frame_next(&work, &vec_last(&work.frames));
        ok = part ? begin(&work, part) : frame_close(&work);
    }
    return ok && work.values.count ? work.values.at[0] : NULL;
}
