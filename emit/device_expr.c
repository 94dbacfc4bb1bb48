/* Expressions in device text. In: a typed expression. Out: text that means the same in OpenCL C and
   in CUDA C.

   Types are C's on LP64 in both: int is 32 bits, long 64, signed char is written out; _Bool is
   carried as unsigned char, a half as its 16 bits, since no device needs arithmetic of halves then:
   it computes with floats. Elements of global arrays are addressed by one subscript of the type
   TREEFORK_INDEX, 64 bits unless the text is compiled for arrays that all have fewer than 2^31
   bytes: no prefix of Horner's scheme is larger than the number of the element that it leads to, so
   32 bits do then. Those of shared tiles (at most a few hundred KiB) have their indices' type. A
   floating constant is a short decimal where that is the exact value, else hexadecimal, so that no
   compiler's conversion can change a bit. The library's functions are overloaded in OpenCL C, have
   a suffix f in CUDA C, and OpenCL's abs is unsigned. */
#include "emit/device.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL_SELECT = 3, LEVEL_ADD = 12, LEVEL_MUL = 13, LEVEL_UNARY = 15, LEVEL_POSTFIX = 16 };

const char *device_type(enum type type)
{
    if (type == TYPE_F16)
        return "tf_half";
    return type == TYPE_BOOL ? "unsigned char" : type_name(type);
}

static const char *integer_suffix(enum type type)
{
    if (type == TYPE_I64)
        return "L";
    return type == TYPE_U32 ? "u" : "";
}

static void print_integer(struct str *out, enum type type, int64_t value, int level)
{
    bool narrow = type_promote(type) != type;
    bool open = level > LEVEL_UNARY && (narrow || (value < 0 && type != TYPE_U64));
    str_add(out, open ? "(" : "");
    if (narrow)
        str_addf(out, "(%s)", device_type(type));
    if (type == TYPE_U64)
        str_addf(out, "%lluUL", (unsigned long long)value);
    else if (type == TYPE_I64 && value == INT64_MIN)
        str_add(out, "(-9223372036854775807L - 1L)");
    else if (type == TYPE_I32 && value == INT32_MIN)
        str_add(out, "(-2147483647 - 1)");
    else
        str_addf(out, "%lld%s", (long long)value, integer_suffix(type));
    str_add(out, open ? ")" : "");
}

/* Multiples of 1/1024 below a million have a decimal of at most 16 digits that is their
   exact value. */
static bool decimal_is_exact(double value)
{
    return fabs(value) < 1e6 && value * 1024 == floor(value * 1024);
}

void device_real(struct device *device, enum type type, double value)
{
    bool single = type == TYPE_F32;
    const struct dialect *d = device->dialect;
    if (isnan(value) || isinf(value)) {
        const char *text = isnan(value) ? (single ? d->nan_float : d->nan_double)
                                        : (single ? d->infinity_float : d->infinity_double);
        str_addf(device->out, "%s%s", signbit(value) && !isnan(value) ? "-" : "", text);
        return;
    }
    char text[64];
    if (decimal_is_exact(value))
        snprintf(text, sizeof text, "%.17g", value);
    else
        snprintf(text, sizeof text, "%a", value);
    bool point = strchr(text, '.') || strchr(text, 'p');
    str_addf(device->out, "%s%s%s", text, point ? "" : ".0", single ? "f" : "");
}

/* The row of ir/function.def that `name` or `name` without its final f stands in. */
static const char *function_stem(struct arena *arena, const char *name)
{
    static const char *const rows[] = {
#define X(function, count, needs_libdevice) #function,
#include "ir/function.def"
#undef X
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i], name))
            return name;
    return length && name[length - 1] == 'f' ? arena_strndup(arena, name, length - 1) : name;
}

static void print_call(struct device *device, const struct expr *e)
{
    struct str *out = device->out;
    if (!type_is_floating(e->type)) {
        str_addf(out, "(%s)%s(", device_type(e->type),
                 e->type == TYPE_I64 ? device->dialect->absolute_long : "abs");
    } else {
        bool is_float = e->type == TYPE_F32;
        const char *stem = function_stem(device->arena, e->function);
        bool is_vector = device->is_loose && serial_has_vectors(stem);
        str_addf(out, "%s%s%s%s(", is_vector ? "tf_" : "",
                 is_float ? device->dialect->float_prefix : "", stem,
                 is_float ? device->dialect->float_suffix : "");
    }
    for (int i = 0; i < e->n_arguments; i++) {
        str_add(out, i ? ", " : "");
        device_expr(device, e->arguments[i], 0);
    }
    str_char(out, ')');
}

/* By Horner's scheme over the array's extents. */
void device_flat(struct device *device, const struct array *array,
                 const struct expr *const *indices)
{
    struct str *out = device->out;
    bool wide = array->space == SPACE_GLOBAL && type_bytes(indices[0]->type) < 8;
    for (int d = 0; d < array->n_dims - 2; d++)
        str_char(out, '(');
    if (array->n_dims > 1 && wide)
        str_add(out, "(TREEFORK_INDEX)");
    int factor = wide ? LEVEL_UNARY : LEVEL_MUL;
    device_expr(device, indices[0], array->n_dims == 1 ? 0 : factor);
    for (int d = 1; d < array->n_dims; d++) {
        str_add(out, " * ");
        device_expr(device, array->dims[d], LEVEL_MUL + 1);
        str_add(out, " + ");
        device_expr(device, indices[d], LEVEL_ADD + 1);
        str_add(out, d < array->n_dims - 1 ? ")" : "");
    }
}

void device_element(struct device *device, const struct array *array,
                    const struct expr *const *indices)
{
    struct str *out = device->out;
    str_add(out, device_name(device, array->name));
    if (array->space != SPACE_PRIVATE) {
        str_char(out, '[');
        device_flat(device, array, indices);
        str_char(out, ']');
        return;
    }
    for (int d = 0; d < array->n_dims; d++) {
        str_char(out, '[');
        device_expr(device, indices[d], 0);
        str_char(out, ']');
    }
}

static void print_var(struct device *device, const struct var *var)
{
    const struct param *param = device->constant ? kernel_param(device->kernel, var->name) : NULL;
    if (param)
        str_addf(device->out, "((%s)TREEFORK_BIND_%s)", device_type(var->type), var->name);
    else
        str_add(device->out, device_name(device, var->name));
}

/* To or from a half, by a function that device_halves defines. */
static void print_half_cast(struct device *device, const struct expr *e)
{
    const struct expr *a = e->arguments[0];
    const char *made = a->type == TYPE_F64 ? "tf_half_of_double" : "tf_half_of";
    str_addf(device->out, "%s(", e->type == TYPE_F16 ? made : "tf_half_float");
    device_expr(device, a, 0);
    str_char(device->out, ')');
}

static void print_cast(struct device *device, const struct expr *e)
{
    const struct expr *a = e->arguments[0];
    if (e->type == TYPE_F16 || a->type == TYPE_F16) {
        print_half_cast(device, e);
        return;
    }
    str_addf(device->out, "(%s)", device_type(e->type));
    if (e->type == TYPE_BOOL && a->type != TYPE_BOOL) {
        str_char(device->out, '(');
        device_expr(device, a, op_precedence(OP_NE) + 1);
        str_add(device->out, " != 0)");
        return;
    }
    device_expr(device, a, LEVEL_UNARY);
}

static bool operand_is_confusing(enum op op, const struct expr *operand)
{
    if (operand->kind != EXPR_BINARY || operand->op == op)
        return false;
    if (op == OP_SHL || op == OP_SHR || op == OP_AND || op == OP_OR || op == OP_XOR)
        return true;
    return (op == OP_LOR && operand->op == OP_LAND) ||
           (op_is_comparison(op) && op_is_comparison(operand->op));
}

static void print_binary(struct device *device, const struct expr *e)
{
    int level = op_precedence(e->op);
    for (int i = 0; i < 2; i++) {
        const struct expr *a = e->arguments[i];
        if (i)
            str_addf(device->out, " %s ", op_text(e->op));
        device_expr(device, a, operand_is_confusing(e->op, a) ? LEVEL_UNARY : level + i);
    }
}

static void print_select(struct device *device, const struct expr *e)
{
    device_expr(device, e->arguments[0], LEVEL_SELECT + 1);
    str_add(device->out, " ? ");
    device_expr(device, e->arguments[1], LEVEL_SELECT + 1);
    str_add(device->out, " : ");
    device_expr(device, e->arguments[2], LEVEL_SELECT);
}

static int expr_level(const struct expr *e)
{
    switch (e->kind) {
    case EXPR_REAL: return signbit(e->real) ? LEVEL_UNARY : LEVEL_POSTFIX;
    case EXPR_UNARY:
    case EXPR_CAST: return LEVEL_UNARY;
    case EXPR_BINARY: return op_precedence(e->op);
    case EXPR_SELECT: return LEVEL_SELECT;
    case EXPR_CALL: return type_is_floating(e->type) ? LEVEL_POSTFIX : LEVEL_UNARY;
    default: return LEVEL_POSTFIX;
    }
}

void device_expr(struct device *device, const struct expr *e, int level)
{
    struct str *out = device->out;
    bool open = expr_level(e) < level;
    str_add(out, open ? "(" : "");
    switch (e->kind) {
    case EXPR_INTEGER: print_integer(out, e->type, e->integer, level); break;
    case EXPR_REAL: device_real(device, e->type, e->real); break;
    case EXPR_VAR: print_var(device, e->var); break;
    case EXPR_LOAD:
        if (device->vectors)
            device_vector_load(device, e);
        else
            device_element(device, e->array, e->arguments);
        break;
    case EXPR_UNARY:
        str_add(out, op_text(e->op));
        device_expr(device, e->arguments[0],
                    e->arguments[0]->kind == EXPR_CAST ? LEVEL_UNARY : LEVEL_POSTFIX);
        break;
    case EXPR_BINARY: print_binary(device, e); break;
    case EXPR_CAST: print_cast(device, e); break;
    case EXPR_SELECT: print_select(device, e); break;
    case EXPR_CALL: print_call(device, e); break;
    }
    str_add(out, open ? ")" : "");
}
