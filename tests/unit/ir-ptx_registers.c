/* Registers of PTX written by hand, where the answer can be counted; text that is no PTX; the budget. Estimates contain
   the four spare registers of ir/ptx/ptx.c. */
#include "ir/ptx/ptx.h"
#include <stdio.h>
#include <string.h>

enum { SPARE = 4 };

struct row {
    const char *what, *body;
    int live;                 /* 32-bit registers live at once at most; -1: not understood */
};

#define REGISTERS "\t.reg .pred %p<4>;\n\t.reg .b32 %r<20>;\n\t.reg .f64 %fd<10>;\n\t.reg .b64 %rd<10>;\n"

static const struct row rows[] = {
    {"nothing", REGISTERS "\tret;\n", 0},
    {"parameters and constants are free",
     REGISTERS "\tld.param.u32 %r1, [k_param_0];\n\tmov.u32 %r2, 7;\n\tld.param.u64 %rd1, [k_param_1];\n"
               "\tcvta.to.global.u64 %rd2, %rd1;\n\tst.global.u32 [%rd2], %r1;\n\tst.global.u32 [%rd2+4], %r2;\n\tret;\n", 0},
    {"a chain keeps one", REGISTERS "\tmov.u32 %r1, %tid.x;\n\tadd.s32 %r2, %r1, 1;\n\tadd.s32 %r3, %r2, 1;\n"
                                    "\tld.param.u64 %rd1, [k_param_1];\n\tst.global.u32 [%rd1], %r3;\n\tret;\n", 1},
    {"doubles count twice", REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.f64 %fd1, [%rd1];\n\tld.global.f64 %fd2, [%rd1+8];\n"
                                      "\tadd.rn.f64 %fd3, %fd1, %fd2;\n\tst.global.f64 [%rd1], %fd3;\n\tret;\n", 4},
    {"predicates do not count", REGISTERS "\tmov.u32 %r1, %tid.x;\n\tsetp.lt.s32 %p1, %r1, 3;\n\tsetp.lt.s32 %p2, %r1, 5;\n"
                                          "\t@%p1 bra $L1;\n\t@%p2 bra $L1;\n\tbar.sync 0;\n$L1:\n\tret;\n", 1},
    {"addresses in shared memory count once",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tmov.u64 %rd1, buffer;\n\tmul.wide.u32 %rd2, %r1, 4;\n\tadd.s64 %rd3, %rd1, %rd2;\n"
               "\tst.shared.u32 [%rd3], 1;\n\tret;\n", 1},
    {"a loop carries its values round",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.x;\n$L1:\n\tadd.s32 %r2, %r2, %r1;\n\tsetp.lt.s32 %p1, %r2, 99;\n"
               "\t@%p1 bra $L1;\n\tld.param.u64 %rd1, [k_param_1];\n\tst.global.u32 [%rd1], %r2;\n\tret;\n", 2},
    {"a guarded result does not end the old value's life",
     REGISTERS "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %ctaid.x;\n\tsetp.lt.s32 %p1, %r1, 3;\n\t@%p1 mov.u32 %r2, %r1;\n"
               "\tld.param.u64 %rd1, [k_param_1];\n\tst.global.u32 [%rd1], %r2;\n\tret;\n", 2},
    {"loads written early are placed late",
     REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, [%rd1+4];\n"
               "\tld.global.u32 %r3, [%rd1+8];\n\tld.global.u32 %r4, [%rd1+12];\n\tadd.s32 %r5, %r1, %r2;\n\tadd.s32 %r6, %r5, %r3;\n"
               "\tadd.s32 %r7, %r6, %r4;\n\tst.global.u32 [%rd1], %r7;\n\tret;\n", 2},
    {"but not across a store",
     REGISTERS "\tld.param.u64 %rd1, [k_param_1];\n\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r2, [%rd1+4];\n"
               "\tld.global.u32 %r3, [%rd1+8];\n\tst.global.u32 [%rd1+4], 1;\n\tst.global.u32 [%rd1], %r1;\n"
               "\tst.global.u32 [%rd1], %r2;\n\tst.global.u32 [%rd1], %r3;\n\tret;\n", 3},
    {"a branch to nowhere", REGISTERS "\tbra $L9;\n\tret;\n", -1},
    {"an instruction without end", REGISTERS "\tadd.s32 %r1, %r1, 1\n", -1},
    {"an impossible number of registers", "\t.reg .b32 %r<99999999999>;\n\tret;\n", -1},
};

static int failed, passed;

static void check(int holds, const char *what, int value)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("ir-ptx_registers: FAILED: %s: %d\n", what, value);
}

static int registers(struct ctx *ctx, const char *head, const char *body, const char *entry)
{
    char *text = arena_printf(ctx->arena, ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry other()\n{\n\tret;\n}\n"
                                          ".visible .entry k(\n\t.param .u32 k_param_0,\n\t.param .u64 k_param_1\n)\n%s{\n%s}\n", head, body);
    return ptx_registers(ctx, text, entry);
}

static void run_budget(struct ctx *ctx)
{
    static const int table[][3] = {{0, 255, 24}, {24, 255, 24}, {25, 255, 32}, {40, 255, 40}, {41, 255, 48}, {250, 255, 255}, {90, 63, 63}};
    (void)ctx;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check(ptx_budget(table[i][0], table[i][1]) == table[i][2], "budget", table[i][0]);
}

/* Every prefix of a text is an answer or a refusal, never a crash. */
static void run_prefixes(struct ctx *ctx)
{
    static const char text[] = ".visible .entry k(\n)\n.maxnreg 32\n{\n" REGISTERS "\tmov.u32 %r1, %tid.x;\n$L1:\n\t@%p1 bra $L1;\n/* } */\n\tret;\n}\n";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        int found = ptx_registers(ctx, arena_strndup(ctx->arena, text, n), "k");
        check(found == -1 || (found >= 0 && found <= 64), "a prefix", (int)n);
    }
    check(ptx_registers(ctx, text, "k") == 1 + SPARE, "the whole text", ptx_registers(ctx, text, "k"));
}

int main(void)
{
    struct ctx *ctx = ctx_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int found = registers(ctx, "", rows[i].body, "k");
        check(found == (rows[i].live < 0 ? -1 : rows[i].live + SPARE), rows[i].what, found);
    }
    check(registers(ctx, "", "\tret;\n", "nothing") == -1, "no such entry", 0);
    check(registers(ctx, "", "\tret;\n", "other") == SPARE, "another entry", 0);
    check(registers(ctx, ".maxnreg 2\n", REGISTERS "\tret;\n", "k") == 2, "a limit in the text", 0);
    run_budget(ctx);
    run_prefixes(ctx);
    ctx_free(ctx);
    printf("ir-ptx_registers: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
