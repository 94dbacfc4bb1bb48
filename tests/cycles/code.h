#ifndef TESTS_CYCLES_CODE_H
#define TESTS_CYCLES_CODE_H
#include "base/ctx.h"

/* An entry of a PTX text, decoded. */

enum unit { UNIT_FLOAT, UNIT_DOUBLE, UNIT_INTEGER, UNIT_SPECIAL, UNIT_MEMORY, UNIT_BRANCH, N_UNITS };

enum op {
#define X(name, symbol, slots, latency, wide) OP_##symbol,
#include "tests/cycles/operation.def"
#undef X
    N_OPS
};

enum space { SPACE_PARAMETER, SPACE_MEMORY, SPACE_BLOCK, SPACE_THREAD, SPACE_GENERIC };

enum kind { KIND_BITS, KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT, KIND_PREDICATE };
struct ptx_type {
    enum kind kind;
    int bits;
};

/* Comparisons; the last ones are true of numbers that are not comparable, too. */
enum comparison { CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_NUM, CMP_NAN };
enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };
enum half { HALF_LOW, HALF_HIGH, HALF_WIDE };

/* Where a thread is: special registers. */
enum special { TID_X, TID_Y, TID_Z, NTID_X, NTID_Y, NTID_Z, CTAID_X, CTAID_Y, CTAID_Z, NCTAID_X,
               NCTAID_Y, NCTAID_Z, LANEID, N_SPECIALS };

enum operand_kind { OPERAND_NONE, OPERAND_REGISTER, OPERAND_CONSTANT, OPERAND_SPECIAL };
struct operand {
    enum operand_kind kind;
    int number;                 /* register or special */
    uint64_t value;             /* a constant's bits; what is added to an address */
};

enum { OPERANDS_MAX = 10, REGISTERS_MAX = 12 };
struct instruction {
    enum op op;
    enum unit unit;
    struct ptx_type type, from; /* of what it computes; of a conversion's operand */
    enum space space;
    enum comparison comparison;
    enum rounding rounding;
    enum half half;
    bool unordered;             /* the comparison is true of NaN */
    bool to_integer;            /* a float is rounded to an integral value */
    bool saturates, carries, approximates;
    int vector;                 /* elements of an access */
    enum op combined;           /* atom, red: what is done; setp: with the last operand */
    int guard;                  /* register of its predicate; -1 = none */
    bool guard_negated;
    int n_operands;
    struct operand operands[OPERANDS_MAX];   /* results first, as in the text */
    int n_registers, registers[REGISTERS_MAX];  /* that have to be ready: all it names */
    int n_results;              /* of them, the first ones are written */
    int target;                 /* of a branch */
    int meets;                  /* where the ways of a branch come together: an instruction, or
                                   their number */
    int slots, latency;
    const char *text;           /* for messages */
};

struct entry_param {
    const char *name;
    int bytes, offset;
};

struct code {
    int n_instructions, n_registers, n_params;
    struct instruction *instructions;
    struct entry_param *params;
    int param_bytes, shared_bytes, local_bytes;  /* shared: static */
    const char *name;
};

/* NULL after a diagnostic. */
struct code *cycles_code(struct ctx *ctx, const char *ptx, const char *entry);
/* decode.c: the instruction that the opcode with its suffixes says, without operands; false if it
   is not simulated. */
bool cycles_decode(const char *opcode, struct instruction *made);
/* flow.c: fills in `meets`. */
void cycles_meetings(struct arena *arena, struct code *code);

#endif
