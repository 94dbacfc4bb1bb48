/* Registers of an entry.

   In: PTX text. Out: an estimate of the 32-bit registers that the assembler needs without spilling, and the budget made
   of it. The estimate is the pressure of the order in which LLVM wrote the instructions or of an order chosen for few
   registers, whichever is less per block (the assembler finds one at least as good when it is told a limit), plus what
   the machine needs besides the program's values: see SPARE. A limit in the text (.maxnreg) bounds it. */
#include "ir/ptx/code.h"

/* Registers beyond the live values: the stack pointer's slot, a scratch pair for addresses. Calibrated against ptxas
   13.0: see tests/unit/ir-llvm_registers.c, which prints the table. */
enum { SPARE = 4, BUDGET_LEAST = 24, BUDGET_STEP = 8 };

int ptx_registers(struct ctx *ctx, const char *ptx, const char *entry)
{
    (void)ctx;
    struct arena *arena = arena_new();
    struct ptx_code *code = code_read(arena, ptx, entry);
    int most = code ? 0 : -1;
    if (code) {
        code_narrow(code);
        struct liveness live = code_liveness(code);
        for (size_t b = 0; b < code->n_blocks; b++) {
            int written = block_pressure(code, &live, b, NULL);
            int scheduled = written > most ? block_pressure(code, &live, b, block_schedule(code, &live, b)) : written;
            int least = written < scheduled ? written : scheduled;
            most = least > most ? least : most;
        }
        most += SPARE;
        most = code->limit && code->limit < most ? code->limit : most;
    }
    arena_free(arena);
    return most;
}

int ptx_budget(int registers, int limit)
{
    int budget = (registers + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    budget = budget < BUDGET_LEAST ? BUDGET_LEAST : budget;
    return budget > limit ? limit : budget;
}
