/* Conditions of T1 documents, evaluated as they are read: one function for each level of binding,
   the loosest first. Numbers are doubles, so that `/` means what it means in Python; // and % round
   down as they do there. Both sides of `and` and `or` are evaluated: neither has an effect. */
#include "cli/tune_space.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 128, DEPTH_MAX = 100 };

struct reading {
    const char *at, *fault;
    enum expression_end end;
    int depth;
    expression_lookup *lookup;
    void *state;
};

static double read_or(struct reading *r);

static double fail(struct reading *r, enum expression_end end, const char *at)
{
    if (r->end == EXPRESSION_DONE) {
        r->end = end;
        r->fault = at;
    }
    return 0;
}

static void skip_blanks(struct reading *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Takes the operator, if it stands here: a word, or signs behind which `not_before` does not come.
   */
static bool take(struct reading *r, const char *sign, const char *not_before)
{
    size_t length = strlen(sign);
    skip_blanks(r);
    if (r->end != EXPRESSION_DONE || strncmp(r->at, sign, length) != 0 ||
        (is_word(*sign) && is_word(r->at[length])) ||
        (r->at[length] && strchr(not_before, r->at[length])))
        return false;
    r->at += length;
    return true;
}

static double read_name(struct reading *r)
{
    char name[NAME_MAX_LENGTH];
    const char *begin = r->at;
    size_t length = 0;
    double value = 0;
    while (is_word(*r->at)) {
        if (length + 1 < sizeof name)
            name[length++] = *r->at;
        r->at++;
    }
    name[length] = '\0';
    if (strcmp(name, "True") == 0 || strcmp(name, "False") == 0)
        return *name == 'T';
    return r->lookup(r->state, name, &value) ? value : fail(r, EXPRESSION_NAME, begin);
}

static double read_primary(struct reading *r)
{
    skip_blanks(r);
    if (take(r, "(", "")) {
        double value = read_or(r);
        return take(r, ")", "") ? value : fail(r, EXPRESSION_SYNTAX, r->at);
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        double value = strtod(r->at, &end);
        r->at = end;
        return value;
    }
    if (is_word(*r->at))
        return read_name(r);
    return fail(r, EXPRESSION_SYNTAX, r->at);
}

static double read_unary(struct reading *r)
{
    if (++r->depth > DEPTH_MAX)
        return fail(r, EXPRESSION_SYNTAX, r->at);
    bool is_negative = take(r, "-", ""), is_positive = !is_negative && take(r, "+", "");
    double value = is_negative || is_positive ? read_unary(r) : read_primary(r);
    if (!is_negative && !is_positive && take(r, "**", ""))
        value = pow(value, read_unary(r));
    r->depth--;
    return is_negative ? -value : value;
}

static double read_product(struct reading *r)
{
    double value = read_unary(r);
    for (;;) {
        if (take(r, "//", "")) {
            value = floor(value / read_unary(r));
        } else if (take(r, "*", "*")) {
            value *= read_unary(r);
        } else if (take(r, "/", "/")) {
            value /= read_unary(r);
        } else if (take(r, "%", "")) {
            double divisor = read_unary(r);
            value -= floor(value / divisor) * divisor;
        } else {
            return value;
        }
    }
}

static double read_sum(struct reading *r)
{
    double value = read_product(r);
    for (;;) {
        if (take(r, "+", ""))
            value += read_product(r);
        else if (take(r, "-", ""))
            value -= read_product(r);
        else
            return value;
    }
}

/* a < b <= c is what it is in Python. */
static double read_comparison(struct reading *r)
{
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    double left = read_sum(r), holds = 1;
    bool is_compared = false;
    for (;;) {
        int sign = 0;
        while (sign < 6 && !take(r, signs[sign], ""))
            sign++;
        if (sign == 6)
            return is_compared ? holds : left;
        double right = read_sum(r);
        bool is_true = sign == 0   ? left <= right
                       : sign == 1 ? left >= right
                       : sign == 2 ? left == right
                       : sign == 3 ? left != right
                       : sign == 4 ? left < right
                                   : left > right;
        holds = holds != 0 && is_true;
        is_compared = true;
        left = right;
    }
}

static double read_not(struct reading *r)
{
    if (++r->depth > DEPTH_MAX)
        return fail(r, EXPRESSION_SYNTAX, r->at);
    bool is_negated = take(r, "not", "") || take(r, "!", "=");
    double value = is_negated ? read_not(r) == 0 : read_comparison(r);
    r->depth--;
    return value;
}

static double read_and(struct reading *r)
{
    double value = read_not(r);
    while (take(r, "and", "") || take(r, "&&", "")) {
        double other = read_not(r);
        value = value != 0 && other != 0;
    }
    return value;
}

static double read_or(struct reading *r)
{
    double value = read_and(r);
    while (take(r, "or", "") || take(r, "||", "")) {
        double other = read_and(r);
        value = value != 0 || other != 0;
    }
    return value;
}

struct expression_result expression_evaluate(const char *text, expression_lookup *lookup,
                                             void *state)
{
    struct reading r = {.at = text, .lookup = lookup, .state = state};
    double value = read_or(&r);
    skip_blanks(&r);
    if (*r.at)
        fail(&r, EXPRESSION_SYNTAX, r.at);
    return (struct expression_result){r.end, r.fault, value};
}
