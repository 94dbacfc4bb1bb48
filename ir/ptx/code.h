#ifndef IR_PTX_CODE_H
#define IR_PTX_CODE_H
#include "ir/ptx/ptx.h"
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
    int space;                /* of memory: first letter of global, shared, local; 0 = any */
    int extra;                /* registers it needs while it runs, beyond operands and result */
    bool guarded;             /* may leave its result as it was */
    bool modular;             /* the low 32 bits of the result follow from those of the operands */
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
    int limit;                /* .maxnreg of the entry; 0 = none */
};

/* The entry as basic blocks; NULL if the text has none or is not understood. Parameters and constants are free: the
   assembler takes them from the constant bank or encodes them in the instruction. */
struct ptx_code *code_read(struct arena *arena, const char *ptx, const char *entry);
/* Gives one word to the 64-bit registers of which only the low half matters. */
void code_narrow(struct ptx_code *code);

/* Registers live at the ends of blocks, as bit sets. */
struct liveness {
    size_t words;             /* per set */
    uint64_t *in, *out;       /* n_blocks sets each */
};
struct liveness code_liveness(const struct ptx_code *code);
/* The most 32-bit registers live at once in block b if its instructions run in `order` (NULL: as they stand). */
int block_pressure(const struct ptx_code *code, const struct liveness *live, size_t b, const size_t *order);
/* An order of block b's instructions that needs few registers; numbers relative to the block. */
const size_t *block_schedule(const struct ptx_code *code, const struct liveness *live, size_t b);

#endif
