/* PTX written by hand on the simulated multiprocessor, its cycles counted by hand from machine.def
   and its results computed by hand. Each text is an entry k(out) of one block; %r1 is the thread's
   number, %rd1 its word of `out`, which %r2 or %rd2 goes to at the end. */
#include "tests/cycles/cycles.h"
#include "tests/cycles/machine.h"
#include "tests/unit/check.h"
#include <inttypes.h>

/* LINE_CYCLES: the memory's for the sectors of a line. */
enum { WORDS = 4096, LINE_CYCLES = MACHINE_LINE_BYTES / MACHINE_SECTOR_BYTES *
                                       MACHINE_MEMORY_SECTOR_PERMILLE / 1000 + 1 };

#define HEAD                                                                                       \
    ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n" \
    "\t.reg .pred %p<4>;\n\t.reg .b32 %r<20>;\n\t.reg .f32 %f<20>;\n\t.reg .b64 %rd<10>;\n"        \
    "\t.shared .align 16 .b8 tile[8192];\n"
#define START                                                                                      \
    HEAD "\tmov.u32 %r1, %tid.x;\n\tld.param.u64 %rd0, [k_param_0];\n"                             \
         "\tmul.wide.u32 %rd1, %r1, 4;\n\tadd.s64 %rd1, %rd0, %rd1;\n"
#define END "\tst.global.u32 [%rd1], %r2;\n\tret;\n}\n"

struct outcome {
    bool done;
    struct cycles_result result;
    uint32_t words[WORDS];
};

static struct outcome run(const char *text, unsigned threads, unsigned blocks)
{
    static uint32_t memory[WORDS];
    static struct outcome outcome;
    struct ctx *ctx = ctx_new();
    struct cycles_memory memories[] = {{(char *)memory, sizeof memory}};
    void *pointer = memory, *arguments[] = {&pointer};
    struct cycles_launch launch = {.ptx = text, .entry = "k", .grid = {blocks, 1},
                                   .block = {threads, 1}, .registers = 32,
                                   .arguments = arguments, .memories = memories, .n_memories = 1};
    ctx->quiet = true;
    for (int i = 0; i < WORDS; i++)
        memory[i] = (uint32_t)i;
    outcome.done = cycles_run(ctx, &launch, &outcome.result);
    memcpy(outcome.words, memory, sizeof memory);
    ctx_free(ctx);
    return outcome;
}

/* --- cycles: what a text takes more than the same without the counted lines ------------------- */

struct timed {
    const char *what, *base, *more;
    unsigned threads;
    int64_t cycles;
};

#define ADD "\tadd.f32 %f1, %f1, 0f3F800000;\n"
#define MOVE(n) "\tmov.f32 %f" #n ", 0f3F800000;\n"
#define APART(n) "\tadd.f32 %f" #n ", %f1, 0f3F800000;\n"
#define ADDRESS(step) "\tmov.u32 %r3, tile;\n\tmad.lo.s32 %r4, %r1, " #step ", %r3;\n"
#define BRANCH "\tmov.u32 %r2, 0;\n\tbra.uni $L1;\n$L1:\n"
#define BARRIER "\tmov.u32 %r2, 0;\n\tbar.sync 0;\n"
#define COPY(from)                                                                                 \
    "\tmov.u32 %r2, tile;\n\tcp.async.ca.shared.global [%r2], [%rd1+" #from "], 4;\n"              \
    "\tcp.async.commit_group;\n"
#define SHARED "\tld.shared.u32 %r2, [%r4];\n"

static const struct timed timed[] = {
    {"a float addition that waits for the one before takes 4 cycles", START MOVE(1) ADD,
     START MOVE(1) ADD ADD ADD, 32, 2 * 4},
    {"independent ones take the scheduler's 16 lanes for 2 cycles each",
     START MOVE(1) APART(2) "\tadd.f32 %f9, %f2, %f2;\n",
     START MOVE(1) APART(2) APART(3) APART(4) APART(5) "\tadd.f32 %f9, %f2, %f5;\n", 32,
     3 * MACHINE_FLOAT_CYCLES},
    {"an addition of doubles waits for 8 cycles",
     START "\tmov.f64 %rd2, 0d0000000000000000;\n\tadd.f64 %rd2, %rd2, %rd2;\n",
     START "\tmov.f64 %rd2, 0d0000000000000000;\n\tadd.f64 %rd2, %rd2, %rd2;\n"
           "\tadd.f64 %rd2, %rd2, %rd2;\n", 32, 8},
    {"a load from shared memory without conflicts", START ADDRESS(4) "\tadd.s32 %r2, %r4, %r4;\n",
     START ADDRESS(4) SHARED "\tadd.s32 %r2, %r2, %r2;\n", 32, MACHINE_SHARED_LATENCY},
    {"32 words of one bank take 31 wavefronts more", START ADDRESS(4) SHARED,
     START ADDRESS(128) SHARED, 32, 31},
    {"16 bytes a lane take 3 wavefronts more than 4",
     START ADDRESS(4) SHARED,
     START ADDRESS(16) "\tld.shared.v4.u32 {%r2, %r5, %r6, %r7}, [%r4];\n", 32, 3},
    {"all lanes at one word take one wavefront", START ADDRESS(4) SHARED, START ADDRESS(0) SHARED,
     32, 0},
    {"a second branch", START BRANCH, START BRANCH "\tbra.uni $L2;\n$L2:\n", 32,
     MACHINE_BRANCH_LATENCY},
    {"a group of copies whose line comes from memory behind that of the group before",
     START COPY(0) COPY(128) "\tcp.async.wait_group 1;\n",
     START COPY(0) COPY(128) "\tcp.async.wait_group 0;\n", 32, LINE_CYCLES},
    {"nothing is left to be waited for", START COPY(0) "\tcp.async.wait_group 0;\n",
     START COPY(0) "\tcp.async.wait_group 0;\n\tcp.async.wait_group 0;\n", 32, 1},
    {"a second barrier of one warp", START BARRIER, START BARRIER "\tbar.sync 0;\n", 32,
     MACHINE_BARRIER_LATENCY},
};

static void timed_check(struct check *check, const struct timed *row)
{
    char base[4096], more[4096];
    snprintf(base, sizeof base, "%s%s", row->base, END);
    snprintf(more, sizeof more, "%s%s", row->more, END);
    struct outcome without = run(base, row->threads, 1), with = run(more, row->threads, 1);
    int64_t cycles = with.result.cycles - without.result.cycles;
    check_test(check);
    check_that(check, without.done && with.done && cycles == row->cycles,
               "%s: %" PRId64 " cycles, not %" PRId64, row->what, cycles, row->cycles);
}

/* --- counts ----------------------------------------------------------------------------------- */

#define AT(step) "\tmul.wide.u32 %rd3, %r1, " #step ";\n\tadd.s64 %rd3, %rd0, %rd3;\n"
#define LOAD "\tld.global.u32 %r2, [%rd3];\n"

static void counts_check(struct check *check)
{
    struct outcome near = run(START AT(4) LOAD END, 32, 1),
                   far = run(START AT(128) LOAD END, 32, 1),
                   twice = run(START AT(4) LOAD "\tadd.s32 %r4, %r2, 0;\n" LOAD END, 32, 1);
    check_test(check);
    check_that(check, near.result.lines == 2 && near.result.sectors_l2 == 8,
               "32 words side by side: %" PRId64 " lines, %" PRId64 " sectors with the store's",
               near.result.lines, near.result.sectors_l2);
    check_test(check);
    check_that(check, far.result.lines == 33 && far.result.sectors_l2 == 36 &&
                          far.result.bytes_memory == 36 * 32,
               "32 words a line apart: %" PRId64 " lines, %" PRId64 " sectors", far.result.lines,
               far.result.sectors_l2);
    check_test(check);
    check_that(check, twice.result.lines == 3 && twice.result.sectors_l2 == 8,
               "the second load finds its line in the first cache");
    check_test(check);
    check_that(check, near.result.cycles > MACHINE_MEMORY_LATENCY &&
                          near.result.cycles < MACHINE_MEMORY_LATENCY + 100,
               "one load from memory: %" PRId64 " cycles", near.result.cycles);
}

/* A block of 1,024 threads with 32 registers and 8 KiB: two at once, by threads. */
static void resident_check(struct check *check)
{
    check_test(check);
    check_that(check, run(START "\tmov.u32 %r2, 0;\n" END, 1024, 4).result.resident == 2,
               "two blocks of 1,024 threads");
    check_test(check);
    check_that(check, run(START "\tmov.u32 %r2, 0;\n" END, 32, 4).result.resident == 12,
               "twelve blocks with 8 KiB");
}

/* --- results ---------------------------------------------------------------------------------- */

struct computed {
    const char *what, *body;
    uint32_t first, last;       /* of threads 0 and 63 */
};

static const struct computed computed[] = {
    {"both sides of a branch",
     "\tsetp.lt.u32 %p1, %r1, 40;\n\t@%p1 bra $L1;\n\tmov.u32 %r2, 7;\n\tbra.uni $L2;\n"
     "$L1:\n\tmov.u32 %r2, 5;\n$L2:\n\tadd.s32 %r2, %r2, 1;\n", 6, 8},
    {"a loop that each thread leaves after its own rounds",
     "\tmov.u32 %r2, 0;\n$L1:\n\tadd.s32 %r2, %r2, 2;\n\tsetp.lt.u32 %p1, %r2, %r1;\n"
     "\t@%p1 bra $L1;\n\tadd.s32 %r2, %r2, 100;\n", 102, 164},
    {"threads that leave early do not keep the others at the barrier",
     "\tmov.u32 %r2, 1;\n\tsetp.gt.u32 %p1, %r1, 31;\n\t@%p1 bra $L1;\n\tst.global.u32 [%rd1], 9;\n"
     "\tret;\n$L1:\n\tbar.sync 0;\n\tmov.u32 %r2, 3;\n", 9, 3},
    {"words that another warp wrote before the barrier",
     ADDRESS(4) "\tst.shared.u32 [%r4], %r1;\n\tbar.sync 0;\n\tsub.s32 %r5, 63, %r1;\n"
                "\tmad.lo.s32 %r5, %r5, 4, %r3;\n\tld.shared.u32 %r2, [%r5];\n", 63, 0},
    {"words that were copied asynchronously, and zeros where less is read",
     ADDRESS(4) "\tsetp.lt.u32 %p1, %r1, 60;\n\tselp.u32 %r5, 4, 0, %p1;\n"
                "\tcp.async.ca.shared.global [%r4], [%rd1], 4, %r5;\n\tcp.async.commit_group;\n"
                "\tcp.async.wait_group 0;\n\tld.shared.u32 %r2, [%r4];\n"
                "\tadd.s32 %r2, %r2, 7;\n", 7, 7},
    {"an atomic increment that wraps to zero behind its bound",
     "\tatom.global.inc.u32 %r2, [%rd0+4000], 1002;\n", 1000, 60},
    {"an instruction with a guard", "\tmov.u32 %r2, 1;\n\tsetp.eq.u32 %p1, %r1, 0;\n"
                                    "\t@!%p1 mov.u32 %r2, 2;\n", 1, 2},
    {"a division towards zero", "\tsub.s32 %r3, %r1, 70;\n\tdiv.s32 %r2, %r3, 4;\n",
     (uint32_t)-17, (uint32_t)-1},
    {"a remainder has the sign of what is divided",
     "\tsub.s32 %r3, %r1, 70;\n\trem.s32 %r2, %r3, 4;\n", (uint32_t)-2, (uint32_t)-3},
    {"a shift keeps the sign", "\tsub.s32 %r3, %r1, 70;\n\tshr.s32 %r2, %r3, 2;\n", (uint32_t)-18,
     (uint32_t)-2},
    {"the high half of a product", "\tmov.u32 %r3, -1;\n\tmul.hi.u32 %r2, %r3, 8;\n", 7, 7},
    {"a carry", "\tmov.u32 %r3, -1;\n\tadd.cc.u32 %r4, %r3, 1;\n\taddc.u32 %r2, %r1, 0;\n", 1, 64},
    {"a field of bits", "\tmov.u32 %r3, 0x00f0;\n\tbfe.u32 %r2, %r3, 4, 8;\n", 15, 15},
    {"a float to an integer, beyond its range",
     "\tmov.f32 %f1, 0f7F000000;\n\tcvt.rzi.s32.f32 %r2, %f1;\n", INT32_MAX, INT32_MAX},
    {"halves of 64 bits", "\tmov.u32 %r3, 5;\n\tmov.b64 %rd2, {%r1, %r3};\n"
                          "\tmov.b64 {%r4, %r5}, %rd2;\n\tadd.s32 %r2, %r4, %r5;\n", 5, 68},
    {"a comparison that NaN fails", "\tmov.f32 %f1, 0f7FC00000;\n\tsetp.lt.f32 %p1, %f1, %f1;\n"
                                    "\tselp.u32 %r2, 1, 2, %p1;\n", 2, 2},
    {"one that it does not fail", "\tmov.f32 %f1, 0f7FC00000;\n\tsetp.ltu.f32 %p1, %f1, %f1;\n"
                                  "\tselp.u32 %r2, 1, 2, %p1;\n", 1, 1},
};

static void computed_check(struct check *check, const struct computed *row)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", START, row->body, END);
    struct outcome outcome = run(text, 64, 1);
    check_test(check);
    check_that(check, outcome.done && outcome.words[0] == row->first &&
                          outcome.words[63] == row->last,
               "%s: %d, %d", row->what, (int)outcome.words[0], (int)outcome.words[63]);
}

static void sum_check(struct check *check)
{
    struct outcome outcome = run(START "\tatom.global.add.u32 %r2, [%rd0+4096], 1;\n"
                                       "\tmov.u32 %r2, 0;\n" END, 64, 3);
    check_test(check);
    check_that(check, outcome.done && outcome.words[1024] == 1024 + 3 * 64,
               "atomic additions of three blocks: %d", (int)outcome.words[1024]);
}

/* --- what is refused -------------------------------------------------------------------------- */

static const struct {
    const char *what, *body;
} refused[] = {
    {"an operation that is not simulated", "\tvote.sync.all.pred %p1, %p1, -1;\n"},
    {"an address outside of all memory", "\tld.global.u32 %r2, [%rd0+16384];\n"},
    {"an address outside of shared memory", "\tld.shared.u32 %r2, [tile+8192];\n"},
    {"a copy that is not aligned", ADDRESS(4) "\tcp.async.cg.shared.global [%r4], [%rd1], 16;\n"},
    {"an address that is not aligned", "\tld.global.u32 %r2, [%rd0+2];\n"},
    {"an unknown label", "\tbra.uni $L9;\n"},
    {"an unknown name", "\tmov.u32 %r2, nothing;\n"},
};

static void refused_check(struct check *check)
{
    char text[4096];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(text, sizeof text, "%s%s%s", START, refused[i].body, END);
        check_test(check);
        check_that(check, !run(text, 32, 1).done, "%s was not refused", refused[i].what);
    }
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
        timed_check(&check, &timed[i]);
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++)
        computed_check(&check, &computed[i]);
    counts_check(&check);
    resident_check(&check);
    sum_check(&check);
    refused_check(&check);
    return check_end(&check, "tests-cycles_counted");
}
