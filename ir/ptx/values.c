/* Values that need no vector register of their own.

   Uniform values: integers that are the same in all threads of a block, as they follow from
   parameters, the block's number and constants alone; the machine has registers for them that do
   not count. Cheap values: integer arithmetic with one operand that is not free (an address made of
   an index, an index and a constant) may as well be done again at each use, and then only the
   operand lives. Both are optimistic: the greatest sets that agree with themselves. */
#include "ir/ptx/code.h"

/* By register: is it uniform? */
bool *code_uniform(const struct ptx_code *code)
{
    bool *uniform = ARENA_ARRAY(code->arena, bool, code->n_registers + 1), changed = true;
    for (size_t i = 0; i < code->n_registers; i++)
        uniform[i] = true;
    while (changed) {
        changed = false;
        for (size_t n = 0; n < code->n_instructions; n++) {
            const struct ptx_instruction *x = &code->instructions[n];
            bool varies = x->varies;
            for (int i = 0; i < x->n_uses; i++)
                varies |= !uniform[x->uses[i]];
            if (varies)
                for (int i = 0; i < x->n_defs; i++) {
                    changed |= uniform[x->defs[i]];
                    uniform[x->defs[i]] = false;
                }
        }
    }
    return uniform;
}

/* The one operand that is not free; -1 if there is none, -2 if there are several. */
static int lone_operand(const struct ptx_code *code, const struct ptx_instruction *x)
{
    int found = -1;
    for (int i = 0; i < x->n_uses; i++) {
        if (!code->registers[x->uses[i]].words || x->uses[i] == found)
            continue;
        if (found >= 0)
            return -2;
        found = x->uses[i];
    }
    return found;
}

void code_rematerialise(struct ptx_code *code)
{
    int *origin = ARENA_ARRAY(code->arena, int, code->n_registers + 1);
    for (size_t i = 0; i < code->n_registers; i++)
        origin[i] = (int)i;
    for (size_t n = 0; n < code->n_instructions; n++) {
        struct ptx_instruction *x = &code->instructions[n];
        int *uses = ARENA_ARRAY(code->arena, int, x->n_uses + 1);
        for (int i = 0; i < x->n_uses; i++)
            uses[i] = origin[x->uses[i]];
        x->uses = uses;
        int from = x->cheap && !x->guarded && !x->varies && x->n_defs == 1 ? lone_operand(code, x)
                                                                           : -2;
        if (from < 0 || code->registers[x->defs[0]].definitions != 1 ||
            code->registers[from].definitions != 1)
            continue;
        origin[x->defs[0]] = from;
        x->n_defs = x->n_uses = 0;
    }
}
