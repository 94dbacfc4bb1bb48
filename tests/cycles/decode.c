/* What a PTX opcode with its suffixes says. In: "setp.lt.and.u32"; out: operation, types,
   comparison, rounding, space, vector, and on which unit it runs for how long. The first suffix
   that is a type is the result's, the last one the operand's.

   Source: PTX ISA, "Instruction set". */
#include "tests/cycles/code.h"
#include "tests/cycles/machine.h"
#include <string.h>

static const struct {
    const char *name;
    int slots, latency, wide;
} operations[] = {
#define X(name, symbol, slots, latency, wide) {name, slots, latency, wide},
#include "tests/cycles/operation.def"
#undef X
};

static bool op_of(const char *word, enum op *op)
{
    for (int i = 0; i < N_OPS; i++)
        if (strcmp(word, operations[i].name) == 0) {
            *op = (enum op)i;
            return true;
        }
    return false;
}

static bool type_of(const char *word, struct ptx_type *type)
{
    static const struct {
        char letter;
        enum kind kind;
    } kinds[] = {{'b', KIND_BITS}, {'u', KIND_UNSIGNED}, {'s', KIND_SIGNED}, {'f', KIND_FLOAT}};
    static const struct {
        const char *digits;
        int bits;
    } widths[] = {{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}};
    if (strcmp(word, "pred") == 0) {
        *type = (struct ptx_type){KIND_PREDICATE, 1};
        return true;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            if (word[0] == kinds[k].letter && strcmp(word + 1, widths[w].digits) == 0) {
                *type = (struct ptx_type){kinds[k].kind, widths[w].bits};
                return true;
            }
    return false;
}

static bool comparison_of(const char *word, struct instruction *made)
{
    static const struct {
        const char *name;
        enum comparison comparison;
        bool unordered;
    } table[] = {
        {"eq", CMP_EQ, false},   {"ne", CMP_NE, false},   {"lt", CMP_LT, false},
        {"le", CMP_LE, false},   {"gt", CMP_GT, false},   {"ge", CMP_GE, false},
        {"lo", CMP_LT, false},   {"ls", CMP_LE, false},   {"hi", CMP_GT, false},
        {"hs", CMP_GE, false},   {"equ", CMP_EQ, true},   {"neu", CMP_NE, true},
        {"ltu", CMP_LT, true},   {"leu", CMP_LE, true},   {"gtu", CMP_GT, true},
        {"geu", CMP_GE, true},   {"num", CMP_NUM, false}, {"nan", CMP_NAN, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(word, table[i].name) == 0) {
            made->comparison = table[i].comparison;
            made->unordered = table[i].unordered;
            return true;
        }
    return false;
}

static bool rounding_of(const char *word, struct instruction *made)
{
    static const char letters[] = "nzmp";
    bool integral = word[0] == 'r' && word[1] && word[2] == 'i' && word[3] == 0;
    const char *at = word[0] == 'r' && word[1] ? strchr(letters, word[1]) : NULL;
    if (!at || (word[2] != 0 && !integral))
        return false;
    made->rounding = (enum rounding)(at - letters);
    made->to_integer = integral;
    return true;
}

static bool space_of(const char *word, struct instruction *made)
{
    static const struct {
        const char *name;
        enum space space;
    } table[] = {{"param", SPACE_PARAMETER}, {"global", SPACE_MEMORY}, {"const", SPACE_MEMORY},
                 {"shared", SPACE_BLOCK},    {"local", SPACE_THREAD}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(word, table[i].name) == 0) {
            made->space = table[i].space;
            return true;
        }
    return false;
}

/* What changes nothing of what is computed here. */
static bool is_hint(const char *word)
{
    static const char *const hints[] = {"uni",  "nc",  "sync", "aligned", "to",  "volatile",
                                        "full", "ftz", "cta",  "relaxed", "gpu", "weak",
                                        "gl",   "ca",  "cg",   "cs",      "async"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strcmp(word, hints[i]) == 0)
            return true;
    return false;
}

static bool half_of(const char *word, struct instruction *made)
{
    static const char *const names[] = {"lo", "hi", "wide"};
    for (int i = 0; i < 3; i++)
        if (strcmp(word, names[i]) == 0) {
            made->half = (enum half)i;
            return true;
        }
    return false;
}

static bool flag_of(const char *word, struct instruction *made)
{
    made->carries |= strcmp(word, "cc") == 0;
    made->saturates |= strcmp(word, "sat") == 0;
    made->approximates |= strcmp(word, "approx") == 0;
    if (word[0] == 'v' && (word[1] == '2' || word[1] == '4'))
        made->vector = word[1] - '0';
    return strcmp(word, "cc") == 0 || strcmp(word, "sat") == 0 || strcmp(word, "approx") == 0 ||
           (word[0] == 'v' && made->vector > 1);
}

static bool suffix_of(const char *word, struct instruction *made, int *n_types)
{
    struct ptx_type type;
    if (type_of(word, &type)) {
        if ((*n_types)++ == 0)
            made->type = type;
        made->from = type;
        return true;
    }
    if (made->op == OP_CP && strstr(word, "_group"))
        return op_of(word, &made->op);
    bool is_compared = made->op == OP_SETP && made->comparison == CMP_NONE;
    if (is_compared)
        return comparison_of(word, made);
    if ((made->op == OP_ATOM || made->op == OP_RED || made->op == OP_SETP) &&
        op_of(word, &made->combined))
        return true;
    if ((made->op == OP_MUL || made->op == OP_MAD || made->op == OP_MADC) && half_of(word, made))
        return true;
    return rounding_of(word, made) || space_of(word, made) || flag_of(word, made) || is_hint(word);
}

static enum unit unit_of(const struct instruction *made)
{
    switch (made->op) {
    case OP_ATOM: case OP_CP: case OP_LD: case OP_RED: case OP_ST:
        return made->space == SPACE_PARAMETER ? UNIT_INTEGER : UNIT_MEMORY;
    case OP_BAR: case OP_BARRIER: case OP_BRA: case OP_COMMIT: case OP_EXIT: case OP_MEMBAR:
    case OP_RET: case OP_WAIT:
        return UNIT_BRANCH;
    case OP_COS: case OP_EX2: case OP_LG2: case OP_RCP: case OP_RSQRT: case OP_SIN: case OP_POPC:
        return UNIT_SPECIAL;
    case OP_MOV: case OP_SELP:
        return UNIT_INTEGER;
    case OP_CVT:
        return made->type.bits == 64 && made->type.kind == KIND_FLOAT ? UNIT_DOUBLE : UNIT_INTEGER;
    default:
        break;
    }
    if (made->from.kind != KIND_FLOAT)
        return UNIT_INTEGER;
    return made->from.bits == 64 ? UNIT_DOUBLE : UNIT_FLOAT;
}

static void cost_of(struct instruction *made)
{
    bool is_wide = made->from.kind != KIND_FLOAT && made->from.bits == 64;
    made->unit = unit_of(made);
    made->slots = is_wide ? operations[made->op].wide : operations[made->op].slots;
    made->latency = operations[made->op].latency + made->slots - 1;
    if (made->unit == UNIT_DOUBLE)
        made->latency += MACHINE_DOUBLE_LATENCY;
    if (made->op == OP_LD && made->space == SPACE_PARAMETER)
        made->latency = 4;
}

bool cycles_decode(const char *opcode, struct instruction *made)
{
    char word[32];
    int n_types = 0;
    *made = (struct instruction){.guard = -1, .vector = 1, .space = SPACE_GENERIC,
                                 .combined = N_OPS};
    for (const char *at = opcode; *at; at += *at == '.') {
        size_t length = strcspn(at, ".");
        if (length >= sizeof word)
            return false;
        memcpy(word, at, length);
        word[length] = 0;
        bool known = at == opcode ? op_of(word, &made->op) : suffix_of(word, made, &n_types);
        if (!known)
            return false;
        at += length;
    }
    cost_of(made);
    return true;
}
