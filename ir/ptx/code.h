#ifndef IR_PTX_CODE_H
#define IR_PTX_CODE_H
#include "ir/ptx/ptx.h"
#include "base/vec.h"
#include <stdint.h>

/* One entry of a PTX module, as far as registers go. */

struct ptx_register {
    int words;             /* 32-bit registers it takes; 0: a predicate, or free (see code_read) */
    unsigned definitions;
};

enum ptx_effect {
    EFFECT_NONE, EFFECT_READ, EFFECT_WRITE,   /* of memory */
    EFFECT_ORDER                              /* barriers, calls: nothing moves across */
};

struct ptx_instruction {
    const char *op;           /* opcode with its suffixes */
    int n_defs, n_uses;
    const int *defs, *uses;   /* register numbers */
    enum ptx_effect effect;
    char space;               /* of memory: first letter of global, shared, local; 0 = any */
    int extra;                /* registers it needs while it runs, beyond operands and result */
    int latency;              /* cycles until its result can be used, roughly */
    bool guarded;             /* may leave its result as it was */
    bool modular;             /* the low 32 bits of the result follow from those of the operands */
    bool is_branch;
    bool cheap;               /* integer arithmetic that may as well be done again where the result
                                 is used */
    bool calls;               /* a subroutine's registers are not free meanwhile */
    bool varies;              /* the result may differ from thread to thread whatever the
                                 operands are */
};

struct ptx_block {
    size_t first, count;      /* instructions */
    int n_next, next[2];      /* successors */
};

struct ptx_code {
    struct arena *arena;
    size_t n_registers, n_instructions, n_blocks;
    struct ptx_register *registers;
    struct ptx_instruction *instructions;
    struct ptx_block *blocks;
    struct ptx_dependence **dependences;   /* by block: those asked for already, else NULL */
    int limit;                /* .maxnreg of the entry; 0 = none */
};

/* The entry as basic blocks; NULL if the text has none or is not understood. Parameters and
   constants are free: the assembler takes them from the constant bank or encodes them in
   the instruction. */
struct ptx_code *code_read(struct arena *arena, const char *ptx, const char *entry);
struct ptx_code *code_copy(const struct ptx_code *code);
/* operation.c: does the operation have a result, as its first operand; and all else that it says of
   an instruction. */
bool operation_has_result(const char *op);
void operation_classify(struct ptx_instruction *made, const char *op, const char *operands);
/* Gives one word to the 64-bit registers of which only the low half matters. */
void code_narrow(struct ptx_code *code);

/* Numbers: of instructions, relative to their block. */
struct ptx_list {
    int *at;
    size_t count, capacity;
};
struct ptx_dependence {
    struct ptx_list before, after;
};
/* For each instruction of block b those that must stay before it and those after it; made once, and
   the same for a copy of the code. */
const struct ptx_dependence *block_dependences(const struct ptx_code *code, size_t b);

/* Registers live at the ends of blocks, as bit sets. */
struct liveness {
    size_t words;             /* per set */
    uint64_t *in, *out;       /* n_blocks sets each */
    uint64_t *made;           /* n_blocks sets: neither in nor out, as they are made again where the
                                 block uses them first; NULL = none */
};
struct liveness code_liveness(const struct ptx_code *code);
/* values.c: by register: is it the same in all threads of a block, and kept apart for that? */
bool *code_uniform(const struct ptx_code *code, const struct liveness *live);
/* Without the values that a block may make again from what lives in it anyway. */
struct liveness code_remade(const struct ptx_code *code, const struct liveness *live);

/* The most 32-bit registers live at once in block b if its instructions run in `order` (NULL: as
   they stand). */
int block_pressure(const struct ptx_code *code, const struct liveness *live, size_t b,
                   const size_t *order);
/* What lives where the block needs most. */
struct ptx_peak {
    int pairs;                /* 64-bit values */
    int through;              /* words that live before and after the block, too */
    int loads;                /* of the whole block */
};
struct ptx_peak block_peak(const struct ptx_code *code, const struct liveness *live, size_t b,
                           const size_t *order);
/* What that is at most in any order: all registers of the block counted at once. */
int block_pressure_most(const struct ptx_code *code, const struct liveness *live, size_t b);
/* An order of block b's instructions that needs few registers; numbers relative to the block. */
const size_t *block_schedule(const struct ptx_code *code, const struct liveness *live, size_t b);
/* One that hides latencies, and keeps within `limit` words where it can. */
enum { PRESSURE_ANY = INT32_MAX };
const size_t *block_hide(const struct ptx_code *code, const struct liveness *live, size_t b,
                         int limit);

enum ptx_figure {
#define X(symbol, text, weight) FIGURE_##symbol,
#include "ir/ptx/figure.def"
#undef X
    FIGURE_COUNT
};
/* All figures of the code as it was read; its widths are narrowed on the way. */
void code_figures(struct ptx_code *code, double *figures);

#endif
