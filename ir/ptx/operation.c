/* What an instruction is, from its operation and operands.

   In: an operation as written ("ld.global.nc.f32"), its operands. Out: whether it has a result,
   touches memory, how long it takes, what it needs besides its operands, whether its result can be
   made again or differs between threads. The lists are operation.def. Source: PTX
   ISA, "Instructions". */
#include "base/str.h"
#include "ir/ptx/code.h"
#include <string.h>

struct operation_row {
    const char *begin;
    int value;
};

/* The value of the first row that fits, else `otherwise`. */
static int row_find(const struct operation_row *rows, size_t n, const char *op, int otherwise)
{
    for (size_t i = 0; i < n; i++)
        if (str_begins(op, rows[i].begin))
            return rows[i].value;
    return otherwise;
}

#define FIND(rows, op, otherwise) row_find(rows, sizeof(rows) / sizeof *(rows), op, otherwise)

bool operation_has_result(const char *op)
{
    static const struct operation_row rows[] = {
#define RESULTLESS(begin) {begin, 0},
#include "ir/ptx/operation.def"
    };
    return FIND(rows, op, 1);
}

static bool is_modular(const char *op)
{
    static const struct operation_row rows[] = {
#define MODULAR(begin) {begin, 1},
#include "ir/ptx/operation.def"
    };
    return FIND(rows, op, 0);
}

static bool is_cheap(const char *op)
{
    static const struct operation_row rows[] = {
#define CHEAP(begin) {begin, 1},
#include "ir/ptx/operation.def"
    };
    return FIND(rows, op, 0);
}

static bool is_called(const char *op)
{
    static const struct operation_row rows[] = {
#define CALLS(begin) {begin, 1},
#include "ir/ptx/operation.def"
    };
    return FIND(rows, op, 0);
}

static int latency_of(const char *op)
{
    static const struct operation_row rows[] = {
#define LATENCY(begin, cycles) {begin, cycles},
#include "ir/ptx/operation.def"
    };
    enum { USUAL = 5 };
    return FIND(rows, op, USUAL);
}

static int extra_of(const char *op)
{
    static const struct operation_row rows[] = {
#define EXTRA(begin, registers) {begin, registers},
#include "ir/ptx/operation.def"
    };
    return FIND(rows, op, 0);
}

/* A load (but of parameters), a division, a minimum or maximum (which the machine does in vector
   registers), floating point, what other threads send, and the thread's own number. */
static bool is_varying(const char *op, const char *operands)
{
    static const struct operation_row rows[] = {{"ld.param", 0}, {"ld", 1},   {"div", 1},
                                                {"rem", 1},      {"atom", 1}, {"call", 1},
                                                {"shfl", 1},     {"vote", 1}, {"min", 1},
                                                {"max", 1}};
    return FIND(rows, op, 0) || strstr(op, ".f32") || strstr(op, ".f64") ||
           strstr(operands, "%tid") || strstr(operands, "%laneid") || strstr(operands, "%clock");
}

/* 'g', 's' or 'l': the state space that an access names; 0 = it names none. */
static char space_of(const char *op)
{
    if (strstr(op, ".global"))
        return 'g';
    if (strstr(op, ".shared"))
        return 's';
    return strstr(op, ".local") ? 'l' : 0;
}

static void classify_memory(struct ptx_instruction *made, const char *op)
{
    static const struct operation_row orders[] = {{"bar", 1},   {"call", 1}, {"membar", 1},
                                                  {"fence", 1}, {"shfl", 1}, {"vote", 1},
                                                  {"cp.async", 1}};
    bool load = str_begins(op, "ld"), store = str_begins(op, "st."),
         atomic = str_begins(op, "atom") || str_begins(op, "red.");
    if (strstr(op, ".param"))
        return;
    if (load || store || atomic) {
        made->space = space_of(op);
        made->effect = load && !strstr(op, "volatile") ? EFFECT_READ : EFFECT_WRITE;
    } else if (FIND(orders, op, 0)) {
        made->effect = EFFECT_ORDER;
    }
}

void operation_classify(struct ptx_instruction *made, const char *op, const char *operands)
{
    classify_memory(made, op);
    made->is_branch = str_begins(op, "bra");
    made->modular = is_modular(op);
    made->cheap = is_cheap(op);
    made->calls = is_called(op);
    made->varies = is_varying(op, operands);
    made->latency = latency_of(op);
    made->extra = extra_of(op);
}
