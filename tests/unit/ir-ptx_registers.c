/* Figures of PTX written by hand, where they can be counted; text that is no PTX; what is made of
   the figures: the estimate, the bound, the budget. */
#include "ir/ptx/ptx.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <string.h>

static struct check results;

static void check(int holds, const char *what, int value)
{
    results.passed += holds;
    results.failed += !holds;
    if (!holds)
        printf("ir-ptx_registers: FAILED: %s: %d\n", what, value);
}

struct row {
    const char *what, *figure, *body;
    int value;                /* -1: not understood */
};

#define REGISTERS                                                                                  \
    "\t.reg .pred %p<4>;\n\t.reg .b32 %r<20>;\n\t.reg .f64 %fd<10>;\n\t.reg .b64 %rd<10>;\n"
#define LOADS4                                                                                     \
    REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 "  \
              "%r2, [%rd1+4];\n"                                                                   \
              "\tld.global.u32 %r3, [%rd1+8];\n\tld.global.u32 %r4, [%rd1+12];\n\tadd.s32 %r5, "   \
              "%r1, %r2;\n"                                                                        \
              "\tadd.s32 %r6, %r5, %r3;\n\tadd.s32 %r7, %r6, %r4;\n\tst.global.u32 [%rd1], "       \
              "%r7;\n\tret;\n"
/* The four loads, each right before its use. */
#define LATE4                                                                                      \
    REGISTERS                                                                                      \
        "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, "   \
        "[%rd1+4];\n"                                                                              \
        "\tadd.s32 %r5, %r1, %r2;\n\tld.global.u32 %r3, [%rd1+8];\n\tadd.s32 %r6, %r5, %r3;\n"     \
        "\tld.global.u32 %r4, [%rd1+12];\n\tadd.s32 %r7, %r6, %r4;\n\tst.global.u32 [%rd1], "      \
        "%r7;\n\tret;\n"
/* A value of the block's number and three of the thread's, all live at the end. */
#define UNIFORM                                                                                    \
    REGISTERS "\tmov.u32 %r1, %ctaid.x;\n\tshl.b32 %r2, %r1, 3;\n\tmov.u32 %r3, "                  \
              "%tid.x;\n\tmul.lo.s32 %r4, %r3, %r3;\n"                                             \
              "\tmul.lo.s32 %r5, %r3, 7;\n\tld.param.u64 %rd1, [k_param_1];\n"                     \
              "\tst.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};\n\tret;\n"
/* Three addresses that follow from one index. */
#define ADDRESSES                                                                                  \
    REGISTERS "\tmov.u32 %r1, %tid.x;\n\tld.param.u64 %rd1, [k_param_1];\n\tmul.wide.s32 %rd2, "   \
              "%r1, 4;\n"                                                                          \
              "\tadd.s64 %rd3, %rd1, %rd2;\n\tmul.wide.s32 %rd4, %r1, 8;\n\tadd.s64 %rd5, %rd1, "  \
              "%rd4;\n\tbar.sync 0;\n"                                                             \
              "\tst.global.u32 [%rd3], 1;\n\tbar.sync 0;\n\tst.global.u32 [%rd5], "                \
              "1;\n\tst.global.u32 [%rd3], 2;\n\tret;\n"
/* A product of the block's number lives across a division, and is used behind it. */
#define ACROSS(division)                                                                           \
    REGISTERS "\tmov.u32 %r1, %ctaid.x;\n\tmul.lo.s32 %r2, %r1, 7;\n$L1:\n\tld.param.u64 %rd1, "   \
              "[k_param_1];\n"                                                                     \
              "\tld.global.f64 %fd1, [%rd1];\n\t" division                                         \
              " %fd2, %fd1, %fd1;\n\tst.global.f64 [%rd1], %fd2;\n"                                \
              "\tst.global.u32 [%rd1+8], %r2;\n\tret;\n"
/* An index and its multiple live across a block that uses neither, and then are used together. */
#define THROUGH                                                                                    \
    REGISTERS                                                                                      \
        "\tld.param.u64 %rd1, [k_param_1];\n\tmov.u32 %r1, %tid.x;\n\tshl.b32 %r2, %r1, "          \
        "2;\n\tsetp.lt.s32 %p1, %r1, 3;\n"                                                         \
        "\t@%p1 bra $L1;\n\tld.global.f64 %fd1, [%rd1];\n\tld.global.f64 %fd2, "                   \
        "[%rd1+8];\n\tadd.rn.f64 %fd3, %fd1, %fd2;\n"                                              \
        "\tst.global.f64 [%rd1], %fd3;\n$L1:\n\tst.global.v2.u32 [%rd1], {%r1, %r2};\n\tret;\n"

static const struct row rows[] = {
    {"nothing", "LEAST", REGISTERS "\tret;\n", 0},
    {"one", "CONSTANT", REGISTERS "\tret;\n", 1},
    {"parameters and constants are free", "LEAST",
     REGISTERS
     "\tld.param.u32 %r1, [k_param_0];\n\tmov.u32 %r2, 7;\n\tld.param.u64 %rd1, [k_param_1];\n"
     "\tcvta.to.global.u64 %rd2, %rd1;\n\tst.global.u32 [%rd2], %r1;\n\tst.global.u32 [%rd2+4], "
     "%r2;\n\tret;\n",
     0},
    {"a chain keeps one", "LEAST",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tadd.s32 %r2, %r1, 1;\n\tadd.s32 %r3, %r2, 1;\n"
               "\tld.param.u64 %rd1, [k_param_1];\n\tst.global.u32 [%rd1], %r3;\n\tret;\n",
     1},
    {"doubles count twice", "LEAST",
     REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.f64 %fd1, [%rd1];\n\tld.global.f64 "
               "%fd2, [%rd1+8];\n"
               "\tadd.rn.f64 %fd3, %fd1, %fd2;\n\tst.global.f64 [%rd1], %fd3;\n\tret;\n",
     4},
    {"predicates do not count", "LEAST",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tsetp.lt.s32 %p1, %r1, 3;\n\tsetp.lt.s32 %p2, %r1, 5;\n"
               "\t@%p1 bra $L1;\n\t@%p2 bra $L1;\n\tbar.sync 0;\n$L1:\n\tret;\n",
     1},
    {"addresses in shared memory count once", "LEAST",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tmov.u64 %rd1, buffer;\n\tmul.wide.u32 %rd2, %r1, "
               "4;\n\tadd.s64 %rd3, %rd1, %rd2;\n"
               "\tst.shared.u32 [%rd3], 1;\n\tret;\n",
     1},
    {"a loop carries its values round", "LEAST",
     REGISTERS
     "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.x;\n$L1:\n\tadd.s32 %r2, %r2, "
     "%r1;\n\tsetp.lt.s32 %p1, %r2, 99;\n"
     "\t@%p1 bra $L1;\n\tld.param.u64 %rd1, [k_param_1];\n\tst.global.u32 [%rd1], %r2;\n\tret;\n",
     2},
    {"a guarded result does not end the old value's life", "LEAST",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %ctaid.x;\n\tsetp.lt.s32 %p1, %r1, "
               "3;\n\t@%p1 mov.u32 %r2, %r1;\n"
               "\tld.param.u64 %rd1, [k_param_1];\n\tst.global.u32 [%rd1], %r2;\n\tret;\n",
     2},
    {"a division needs room while it runs", "LEAST",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tdiv.s32 %r2, %r1, 7;\n\tld.param.u64 %rd1, "
               "[k_param_1];\n\tst.global.u32 [%rd1], %r2;\n\tret;\n",
     7},
    {"loads written early are placed late", "LEAST", LOADS4, 2},
    {"where latencies are hidden they stay early", "WITHIN", LOADS4, 4},
    {"and become early where they are written late", "WITHIN", LATE4, 4},
    {"a load goes before what is short", "WITHIN",
     REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tmov.u32 %r1, %tid.x;\n\tmul.lo.s32 %r2, %r1, "
               "%r1;\n\tmul.lo.s32 %r3, %r2, %r1;\n"
               "\tld.global.u32 %r4, [%rd1];\n\tadd.s32 %r5, %r3, %r4;\n\tst.global.u32 [%rd1], "
               "%r5;\n\tret;\n",
     3},
    {"what waits for a load lets others go first", "WITHIN",
     REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tmov.u64 %rd2, buffer;\n\tld.global.u32 %r1, "
               "[%rd1];\n\tadd.s32 %r2, %r1, 1;\n"
               "\tadd.s32 %r4, %r2, 1;\n\tst.global.u32 [%rd1], %r4;\n\tmov.u32 %r3, "
               "%tid.x;\n\tst.shared.u32 [%rd2], %r3;\n\tret;\n",
     2},
    {"not across a store", "LEAST",
     REGISTERS
     "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, "
     "[%rd1+4];\n"
     "\tld.global.u32 %r3, [%rd1+8];\n\tst.global.u32 [%rd1+4], 1;\n\tst.global.u32 [%rd1], %r1;\n"
     "\tst.global.u32 [%rd1], %r2;\n\tst.global.u32 [%rd1], %r3;\n\tret;\n",
     3},
    {"nor across a barrier", "WITHIN",
     REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.u32 %r1, [%rd1];\n\tst.global.u32 "
               "[%rd1+8], %r1;\n\tbar.sync 0;\n"
               "\tld.global.u32 %r2, [%rd1+4];\n\tst.global.u32 [%rd1], %r2;\n\tret;\n",
     1},
    {"all four", "LEAST", UNIFORM, 4},
    {"those of the thread", "VECTOR", UNIFORM, 3},
    {"addresses live", "LEAST", ADDRESSES, 4},
    {"in the block that makes them they are not made again", "REMADE", ADDRESSES, 4},
    {"what a block does not use lives in it", "VECTOR", THROUGH, 6},
    {"unless it may be made again of what lives there anyway", "REMADE", THROUGH, 5},
    {"words that only pass", "THROUGH", THROUGH, 2},
    {"values of 64 bits where most lives", "PAIRS", THROUGH, 2},
    {"and the loads there", "LOADS", THROUGH, 2},
    {"loads of the block", "LOADS", LOADS4, 4},
    {"a uniform value lives across what is no call", "VECTOR", ACROSS("add.rn.f64"), 2},
    {"a uniform value is in a vector register across a call", "VECTOR", ACROSS("div.rn.f64"), 22},
    {"a division of doubles is a call", "CALLS_64", ACROSS("div.rn.f64"), 1},
    {"not of 32 bits", "CALLS", ACROSS("div.rn.f64"), 0},
    {"calls of 32 bits", "CALLS",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tdiv.s32 %r2, %r1, 7;\n\tcall.uni f, ();\n\tsqrt.rn.f32 "
               "%r3, %r2;\n\tret;\n",
     2},
    {"a branch to nowhere", "LEAST", REGISTERS "\tbra $L9;\n\tret;\n", -1},
    {"an instruction without end", "LEAST", REGISTERS "\tadd.s32 %r1, %r1, 1\n", -1},
    {"an impossible number of registers", "LEAST", "\t.reg .b32 %r<99999999999>;\n\tret;\n", -1},
};

static char *module_text(struct arena *arena, const char *head, const char *body)
{
    return arena_printf(
        arena,
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry other()\n{\n\tret;\n}\n"
        ".visible .entry k(\n\t.param .u32 k_param_0,\n\t.param .u64 k_param_1\n)\n%s{\n%s}\n",
        head, body);
}

/* One figure; -1 if the text is not understood, -2 if there is no such figure. */
static int figure_of(const char *text, const char *entry, const char *name)
{
    double figures[PTX_FIGURES_MAX];
    int limit;
    if (!ptx_figures(text, entry, figures, &limit))
        return -1;
    for (int i = 0; ptx_figure_name(i); i++)
        if (!strcmp(ptx_figure_name(i), name))
            return (int)figures[i];
    return -2;
}

/* `count` loaded values that live across a barrier. */
static char *many_live(struct arena *arena, int count)
{
    char *body = arena_strdup(
        arena, "\t.reg .b32 %r<100>;\n\t.reg .b64 %rd<2>;\n\tld.param.u64 %rd1, [k_param_1];\n");
    for (int i = 0; i < count; i++)
        body = arena_printf(arena, "%s\tld.global.u32 %%r%d, [%%rd1+%d];\n", body, i, 4 * i);
    body = arena_printf(arena, "%s\tbar.sync 0;\n", body);
    for (int i = 0; i < count; i++)
        body = arena_printf(arena, "%s\tst.global.u32 [%%rd1+%d], %%r%d;\n", body, 4 * i, i);
    return module_text(arena, "", arena_printf(arena, "%s\tret;\n", body));
}

static void run_steps(struct arena *arena)
{
    check_test(&results);
    int before = 0;
    for (int count = 1; count <= 96; count++) {
        const char *text = many_live(arena, count);
        int live = figure_of(text, "k", "WITHIN"), bound = ptx_registers(text, "k");
        check(live == count, "many live", live);
        check(bound >= live && bound >= figure_of(text, "k", "LEAST"),
              "the bound holds what must live", bound);
        check(bound >= before, "more live values need no less", count);
        before = bound;
    }
    check(before > 96, "96 values", before);
}

static void run_budget(void)
{
    check_test(&results);
    static const int table[][3] = {{0, 255, 24},  {24, 255, 24},   {25, 255, 32}, {40, 255, 40},
                                   {41, 255, 48}, {250, 255, 255}, {90, 63, 63}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check(ptx_budget(table[i][0], table[i][1]) == table[i][2], "budget", table[i][0]);
}

/* Every prefix of a text is an answer or a refusal, never a crash. */
static void run_prefixes(struct arena *arena)
{
    check_test(&results);
    static const char text[] =
        ".visible .entry k(\n)\n.maxnreg 32\n{\n" REGISTERS
        "\tmov.u32 %r1, %tid.x;\n$L1:\n\t@%p1 bra $L1;\n/* } */\n\tret;\n}\n";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        int found = ptx_registers(arena_strndup(arena, text, n), "k");
        check(found == -1 || (found >= 0 && found <= 64), "a prefix", (int)n);
    }
    check(figure_of(text, "k", "LEAST") == 1, "the whole text", figure_of(text, "k", "LEAST"));
}

int main(void)
{
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int found = figure_of(module_text(arena, "", rows[i].body), "k", rows[i].figure);
        check_test(&results);
        check(found == rows[i].value, rows[i].what, found);
    }
    check(ptx_registers(module_text(arena, "", "\tret;\n"), "nothing") == -1, "no such entry", 0);
    check(figure_of(module_text(arena, "", "\tret;\n"), "other", "LEAST") == 0, "another entry", 0);
    check(ptx_registers(module_text(arena, "", REGISTERS "\tret;\n"), "k") == PTX_BOUND_LEAST,
          "the least bound", 0);
    check(ptx_registers(module_text(arena, ".maxnreg 2\n", REGISTERS "\tret;\n"), "k") == 2,
          "a limit in the text", 0);
    run_steps(arena);
    run_budget();
    run_prefixes(arena);
    arena_free(arena);
    return check_end(&results, "ir-ptx_registers");
}
