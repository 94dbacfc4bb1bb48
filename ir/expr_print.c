/* C text of expressions, and what the readers of it share: spellings and binding strengths
   of operators.

   Parentheses stand where the grammar needs them, and around mixed shifts, bit operators,
   comparisons in comparisons and && inside ||, which C compilers warn about. A constant is printed
   so that C gives it its type: suffixes for int, long and their unsigned versions, a cast for the
   narrow types, f for float; the least values are written as differences. Floating constants are
   the shortest decimal that reads back to the same value. */
#include "ir/expr.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRECEDENCE_SELECT = 3, PRECEDENCE_UNARY = 15, PRECEDENCE_POSTFIX = 16 };

const char *op_text(enum op op)
{
    static const char *const texts[] = {"-", "!", "~", "+", "-", "*", "/", "%", "<<", ">>", "&",
                                        "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    return texts[op];
}

int op_precedence(enum op op)
{
    static const int strengths[] = {15, 15, 15, 12, 12, 13, 13, 13, 11, 11, 8,
                                    6,  7,  10, 10, 10, 10, 9,  9,  5,  4};
    return strengths[op];
}

static void print_integer(struct str *out, enum type type, int64_t value)
{
    static const char *const suffixes[] =
        {[TYPE_U32] = "U", [TYPE_I64] = "L", [TYPE_U64] = "UL", [TYPE_F64] = NULL};
    const char *suffix = suffixes[type] ? suffixes[type] : "";
    if (type_promote(type) != type)
        str_addf(out, "(%s)", type_name(type));
    if (type == TYPE_U64)
        str_addf(out, "%lluUL", (unsigned long long)value);
    else if (type == TYPE_I64 && value == INT64_MIN)
        str_add(out, "(-9223372036854775807L - 1L)");
    else if (type == TYPE_I32 && value == INT32_MIN)
        str_add(out, "(-2147483647 - 1)");
    else {
        str_integer(out, value);
        str_add(out, suffix);
    }
}

static void print_real(struct str *out, enum type type, double value)
{
    char text[64];
    bool single = type == TYPE_F32;
    if (isnan(value) || isinf(value)) {
        str_add(out, single ? "" : "(double)");
        str_addf(out, "%s%s", signbit(value) ? "-" : "", isnan(value) ? "NAN" : "INFINITY");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    str_add(out, text);
    if (!strpbrk(text, ".e"))
        str_add(out, ".0");
    str_add(out, single ? "f" : "");
}

static int precedence(const struct expr *e)
{
    switch (e->kind) {
    case EXPR_INTEGER:
        if (type_promote(e->type) != e->type)
            return PRECEDENCE_UNARY;
        return e->integer >= 0 || e->type == TYPE_U64 ||
                       e->integer == (e->type == TYPE_I64 ? INT64_MIN : INT32_MIN)
                   ? PRECEDENCE_POSTFIX
                   : PRECEDENCE_UNARY;
    case EXPR_REAL:
        return signbit(e->real) || (!isfinite(e->real) && e->type == TYPE_F64) ? PRECEDENCE_UNARY
                                                                               : PRECEDENCE_POSTFIX;
    case EXPR_UNARY:
    case EXPR_CAST: return PRECEDENCE_UNARY;
    case EXPR_BINARY: return op_precedence(e->op);
    case EXPR_SELECT: return PRECEDENCE_SELECT;
    default: return PRECEDENCE_POSTFIX;
    }
}

static void print_at(struct str *out, const struct expr *e, int least)
{
    bool open = precedence(e) < least;
    str_add(out, open ? "(" : "");
    expr_print(out, e);
    str_add(out, open ? ")" : "");
}

/* An operand that compilers want parenthesised although the grammar does not. */
static bool wants_parentheses(enum op op, const struct expr *operand)
{
    if (operand->kind != EXPR_BINARY || operand->op == op)
        return false;
    if (op == OP_SHL || op == OP_SHR || op == OP_AND || op == OP_OR || op == OP_XOR)
        return true;
    return (op == OP_LOR && operand->op == OP_LAND) ||
           (op_is_comparison(op) && op_is_comparison(operand->op));
}

static void print_operand(struct str *out, enum op op, const struct expr *operand, int least)
{
    print_at(out, operand, wants_parentheses(op, operand) ? PRECEDENCE_UNARY : least);
}

static void print_unary(struct str *out, const struct expr *e)
{
    const struct expr *a = e->arguments[0];
    str_add(out, op_text(e->op));
    size_t begin = out->length;
    print_at(out, a, PRECEDENCE_UNARY);
    if (e->op != OP_NEG || out->text[begin] != '-')
        return;
    char *operand = arena_strdup(out->arena, out->text + begin);
    out->length = begin;
    str_addf(out, "(%s)", operand);
}

static void print_list(struct str *out, const struct expr *e, const char *begin,
                       const char *between)
{
    str_add(out, begin);
    for (int i = 0; i < e->n_arguments; i++) {
        str_add(out, i ? between : "");
        expr_print(out, e->arguments[i]);
    }
}

void expr_print(struct str *out, const struct expr *e)
{
    switch (e->kind) {
    case EXPR_INTEGER: print_integer(out, e->type, e->integer); break;
    case EXPR_REAL: print_real(out, e->type, e->real); break;
    case EXPR_VAR: str_add(out, e->var->name); break;
    case EXPR_LOAD:
        str_add(out, e->array->name);
        print_list(out, e, "[", "][");
        str_add(out, "]");
        break;
    case EXPR_UNARY: print_unary(out, e); break;
    case EXPR_BINARY:
        print_operand(out, e->op, e->arguments[0], op_precedence(e->op));
        str_char(out, ' ');
        str_add(out, op_text(e->op));
        str_char(out, ' ');
        print_operand(out, e->op, e->arguments[1], op_precedence(e->op) + 1);
        break;
    case EXPR_CAST:
        str_addf(out, "(%s)", type_name(e->type));
        print_at(out, e->arguments[0], PRECEDENCE_UNARY);
        break;
    case EXPR_SELECT:
        print_at(out, e->arguments[0], PRECEDENCE_SELECT + 1);
        str_add(out, " ? ");
        expr_print(out, e->arguments[1]);
        str_add(out, " : ");
        print_at(out, e->arguments[2], PRECEDENCE_SELECT);
        break;
    case EXPR_CALL:
        str_add(out, e->function);
        print_list(out, e, "(", ", ");
        str_add(out, ")");
        break;
    }
}

char *expr_text(struct arena *arena, const struct expr *e)
{
    struct str out = str_new(arena);
    expr_print(&out, e);
    return out.text;
}
