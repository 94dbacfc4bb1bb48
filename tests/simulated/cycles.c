/* Launches on the simulated multiprocessor (tests/cycles), where TREEFORK_SIMULATED_CYCLES names a
   file. In: a function's PTX text and a launch; out: the arrays as the text leaves them, and a line
   "cycles entry=… …" in that file. Registers are those of the assembled text where there is an
   assembler. */
#include "ir/ptx/ptx.h"
#include "tests/cycles/cycles.h"
#include "tests/simulated/simulated.h"
#include <inttypes.h>
#include <stdlib.h>

/* The oldest architecture that assemblers of today take; its registers are a V100's. */
enum { ASSEMBLED_FOR = 75 };

static int registers_of(const struct sim_function *f)
{
    struct ptx_measure measure;
    const char *message;
    if (f->registers > 0)
        return f->registers;
    return ptx_measure(simulated()->ctx, f->module->image, f->entry, ASSEMBLED_FOR, &measure,
                       &message) > 0
               ? measure.registers
               : 0;
}

static void result_print(FILE *out, const struct sim_function *f, const struct sim_timed *timed,
                         const struct cycles_result *r)
{
    fprintf(out, "cycles entry=%s cycles=%" PRId64 " grid=%ux%u block=%ux%u", f->entry, r->cycles,
            timed->grid[0], timed->grid[1], timed->block[0], timed->block[1]);
    fprintf(out, " resident=%d registers=%d shared=%u", r->resident, r->registers, timed->bytes);
    fprintf(out, " issued=%" PRId64 " wavefronts=%" PRId64 " conflicts=%" PRId64 " lines=%" PRId64
            " sectors=%" PRId64 " bytes=%" PRId64 "\n", r->issued, r->shared_wavefronts,
            r->shared_extra, r->lines, r->sectors_l2, r->bytes_memory);
    fflush(out);
}

int sim_time(const struct sim_function *f, const struct sim_timed *timed)
{
    struct sim *sim = simulated();
    struct cycles_memory memories[64];
    struct cycles_result result;
    struct cycles_launch launch = {
        .ptx = f->module->image, .entry = f->entry, .grid = {timed->grid[0], timed->grid[1]},
        .block = {timed->block[0], timed->block[1]}, .dynamic_bytes = timed->bytes,
        .registers = registers_of(f), .arguments = timed->arguments, .memories = memories};
    for (struct sim_memory *m = f->module->device->memory; m && launch.n_memories < 64; m = m->next)
        memories[launch.n_memories++] = (struct cycles_memory){m->data, m->bytes};
    if (!f->module->image)
        return sim_fail(CU_INVALID_IMAGE, "%s: only PTX is timed", f->entry);
    struct ctx *ctx = ctx_new();
    bool done = cycles_run(ctx, &launch, &result);
    ctx_free(ctx);
    if (!done)
        return sim_fail(CU_ILLEGAL_ADDRESS, "%s was not timed", f->entry);
    result_print(sim->cycles, f, timed, &result);
    return CU_OK;
}
