/* Scalar types of programs: the rows of type.def, C's integer promotion and usual arithmetic
   conversions, and the representation of integer values. A half is promoted to float: C lets an
   implementation compute in a wider type than the operands' (5.2.4.2.2), and compilers do where
   the processor has no arithmetic of halves.

   Invariant: an integer value of type T is kept in 64 bits, sign-extended if T is signed and
   zero-extended if not, so that values of one type compare by comparing the 64 bits (C11 6.3.1.1,
   6.3.1.3, 6.3.1.8; LP64). */
#include "ir/expr.h"
#include <float.h>

struct type_row {
    const char *name;
    unsigned bytes;
    bool is_signed, is_floating;
};

static const struct type_row rows[TYPE_COUNT] = {
#define X(NAME, text, bytes, is_signed, is_floating) {text, bytes, is_signed, is_floating},
#include "ir/type.def"
#undef X
};

const char *type_name(enum type type)
{
    return rows[type].name;
}

unsigned type_bytes(enum type type)
{
    return rows[type].bytes;
}

bool type_is_signed(enum type type)
{
    return rows[type].is_signed;
}

bool type_is_floating(enum type type)
{
    return rows[type].is_floating;
}

double type_epsilon(enum type type)
{
    if (type == TYPE_F16)
        return 1.0 / 1024;
    return type == TYPE_F32 ? FLT_EPSILON : DBL_EPSILON;
}

enum type type_promote(enum type type)
{
    enum type least = rows[type].is_floating ? TYPE_F32 : TYPE_I32;
    return rows[type].bytes < rows[least].bytes ? least : type;
}

enum type type_common(enum type a, enum type b)
{
    a = type_promote(a);
    b = type_promote(b);
    if (rows[a].is_floating != rows[b].is_floating)
        return rows[a].is_floating ? a : b;
    if (rows[a].bytes != rows[b].bytes)
        return rows[a].bytes > rows[b].bytes ? a : b;
    return rows[a].is_signed ? b : a;
}

int64_t type_wrap(enum type type, int64_t value)
{
    if (type == TYPE_BOOL)
        return value != 0;
    unsigned spare = 64 - 8 * rows[type].bytes;
    uint64_t bits = (uint64_t)value << spare;
    return rows[type].is_signed ? (int64_t)bits >> spare : (int64_t)(bits >> spare);
}
