/* Elements of arrays as the interpreters see them: bytes of an array to the value of a scalar, and
   back.

   In: a type and the first byte of an element, which need not be aligned. Out: the value in the
   bits that union value has for the type. To add a type add a line to both. */
#include "ir/interpret_code.h"
#include "base/half.h"
#include <string.h>

union value value_load(enum type type, const unsigned char *p)
{
#define LOAD(NAME, C, field)      \
    case TYPE_##NAME: {           \
        C x;                      \
        memcpy(&x, p, sizeof x);  \
        v.field = x;              \
        break;                    \
    }
    union value v = {0};
    switch (type) {
    LOAD(BOOL, uint8_t, integer)
    case TYPE_I8: v.integer = type_wrap(TYPE_I8, *p); break;
    LOAD(U8, uint8_t, integer)
    LOAD(I16, int16_t, integer)
    LOAD(U16, uint16_t, integer)
    LOAD(I32, int32_t, integer)
    LOAD(U32, uint32_t, integer)
    LOAD(I64, int64_t, integer)
    LOAD(U64, uint64_t, unsigned_)
    case TYPE_F16: {
        uint16_t bits;
        memcpy(&bits, p, sizeof bits);
        v.real = half_value(bits);
        break;
    }
    LOAD(F32, float, real)
    LOAD(F64, double, real)
    case TYPE_COUNT: break;
    }
    return v;
#undef LOAD
}

void value_store(enum type type, unsigned char *p, union value v)
{
#define STORE(NAME, C, field)     \
    case TYPE_##NAME: {           \
        C x = (C)v.field;         \
        memcpy(p, &x, sizeof x);  \
        break;                    \
    }
    switch (type) {
    STORE(BOOL, uint8_t, integer)
    STORE(I8, int8_t, integer)
    STORE(U8, uint8_t, integer)
    STORE(I16, int16_t, integer)
    STORE(U16, uint16_t, integer)
    STORE(I32, int32_t, integer)
    STORE(U32, uint32_t, integer)
    STORE(I64, int64_t, integer)
    STORE(U64, uint64_t, unsigned_)
    case TYPE_F16: {
        uint16_t bits = (uint16_t)half_bits(v.real);
        memcpy(p, &bits, sizeof bits);
        break;
    }
    STORE(F32, float, real)
    STORE(F64, double, real)
    case TYPE_COUNT: break;
    }
#undef STORE
}
