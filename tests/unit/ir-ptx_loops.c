/* Loops of PTX written by hand, their instructions counted by hand. */
#include "ir/ptx/loops.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <string.h>

struct row {
    const char *what, *body;
    struct ptx_loop expected;
};

#define REGISTERS                                                                                  \
    "\t.reg .pred %p<4>;\n\t.reg .b32 %r<20>;\n\t.reg .f32 %f<20>;\n\t.reg .b64 %rd<10>;\n"
#define FMA "\tfma.rn.f32 %f1, %f2, %f3, %f1;\n"
#define LOAD "\tld.global.f32 %f1, [%rd1];\n"
#define STORE "\tst.shared.f32 [%rd2], %f1;\n"
#define TURN(label) "\tadd.s32 %r1, %r1, 1;\n\tsetp.lt.s32 %p1, %r1, 9;\n\t@%p1 bra " label ";\n"

static const struct row rows[] = {
    {"no loop", REGISTERS FMA "\tret;\n", {.loops = 0}},
    {"no loop, but local memory", REGISTERS "\tst.local.f32 [%rd1], %f1;\n\tret;\n", {.local = 1}},
    {"one block",
     REGISTERS
     "$L1:\n\t.pragma \"nounroll\";\n\tld.shared.f32 %f2, [%rd1+4];\n" FMA TURN("$L1") "\tret;\n",
     {.instructions = 5, .fmas = 1, .flops = 1, .shared = 1, .loops = 1}},
    {"a vector access is one instruction",
     REGISTERS
     "$L1:\n\tld.shared.v4.f32 {%f2, %f3, %f4, %f5}, [%rd1];\n" FMA FMA TURN("$L1") "\tret;\n",
     {.instructions = 6, .fmas = 2, .flops = 2, .shared = 1, .vectors = 1, .loops = 1}},
    {"an outer loop's own instructions",
     REGISTERS "$L1:\n" FMA FMA FMA
               "\tmov.u32 %r1, 0;\n$L2:\n" FMA TURN("$L2") "\tbar.sync 0;\n" TURN("$L1") "\tret;\n",
     {.instructions = 8, .fmas = 3, .flops = 3, .barriers = 1, .loops = 2}},
    {"the inner of two",
     REGISTERS "$L1:\n" FMA "\tmov.u32 %r1, 0;\n$L2:\n" FMA FMA TURN("$L2") "\tbar.sync 0;\n" TURN(
         "$L1") "\tret;\n",
     {.instructions = 5, .fmas = 2, .flops = 2, .loops = 2}},
    {"of two neighbours the one with more fused operations, though it has fewer of all",
     REGISTERS
     "$L1:\n\tadd.f32 %f4, %f5, %f6;\n\tmul.f32 %f5, %f5, %f6;\n\tadd.f32 %f4, %f5, %f6;\n" TURN(
         "$L1") "$L2:\n" FMA TURN("$L2") "\tret;\n",
     {.instructions = 4, .fmas = 1, .flops = 1, .loops = 2}},
    {"without fused operations floating-point ones",
     REGISTERS "$L1:\n\tld.global.f32 %f1, [%rd1];\n\tst.global.f32 [%rd2], %f1;\n" TURN(
         "$L1") "$L2:\n\tmul.rn.f32 %f1, %f1, %f2;\n\tcvt.rn.f32.s32 %f3, %r1;\n" TURN("$L2") "\tre"
                                                                                              "t;"
                                                                                              "\n",
     {.instructions = 5, .flops = 1, .loops = 2}},
    {"without either accesses",
     REGISTERS
     "$L1:\n\txor.b32 %r3, %r2, %r1;\n" TURN("$L1") "$L2:\n\tld.global.u32 %r2, "
                                                    "[%rd1];\n\tst.global.u32 [%rd2], %r2;\n" TURN(
                                                        "$L2") "\tret;\n",
     {.instructions = 5, .global = 2, .stores = 1, .in_flight = 1, .loops = 2}},
    {"both sides of a branch inside",
     REGISTERS "$L1:\n\t@%p2 bra $L2;\n" FMA FMA "\tbra.uni $L3;\n$L2:\n" FMA
               "$L3:\n" TURN("$L1") "\tret;\n",
     {.instructions = 8, .fmas = 3, .flops = 3, .loops = 1}},
    {"two ways back are one loop",
     REGISTERS "$L1:\n" FMA "\t@%p2 bra $L1;\n" FMA TURN("$L1") "\tret;\n",
     {.instructions = 6, .fmas = 2, .flops = 2, .loops = 1}},
    {"a way out of the middle is no part",
     REGISTERS "$L1:\n" FMA "\t@%p2 bra $L2;\n" TURN("$L1") "$L2:\n" FMA FMA "\tret;\n",
     {.instructions = 5, .fmas = 1, .flops = 1, .loops = 1}},
    {"what stands before a loop that is entered in two places is no part",
     REGISTERS FMA "\t@%p2 bra $L2;\n" FMA "$L1:\n" FMA "$L2:\n" FMA TURN("$L1") "\tret;\n",
     {.instructions = 5, .fmas = 2, .flops = 2, .loops = 1}},
    {"what is never reached is no loop",
     REGISTERS "\tret;\n$L1:\n" FMA TURN("$L1") "\tret;\n",
     {.loops = 0}},
    {"mad is arithmetic of addresses",
     REGISTERS "$L1:\n\tmad.lo.s32 %r2, %r3, %r4, %r2;\n" TURN("$L1") "\tret;\n",
     {.instructions = 4, .loops = 1}},
};

/* Asked for the loop that copies. */
static const struct row copies[] = {
    {"a copy, element by element",
     REGISTERS "$L1:\n" LOAD STORE LOAD STORE TURN("$L1") "$L2:\n" FMA TURN("$L2") "\tret;\n",
     {.instructions = 7, .shared = 2, .global = 2, .shared_stores = 2, .in_flight = 1, .loops = 2}},
    {"a copy in batches, and one for the rest",
     REGISTERS "$L1:\n" LOAD LOAD LOAD STORE STORE STORE TURN("$L1") "$L2:\n" LOAD STORE TURN(
         "$L2") "\tret;\n",
     {.instructions = 9, .shared = 3, .global = 3, .shared_stores = 3, .in_flight = 3, .loops = 2}},
    {"a loop that only reads copies nothing",
     REGISTERS "$L1:\n" LOAD LOAD LOAD TURN("$L1") "\tret;\n",
     {.loops = 1}},
    {"a loop that writes back is no copy into shared memory",
     REGISTERS
     "$L1:\n\tld.shared.f32 %f1, [%rd1];\n\tst.global.f32 [%rd2], %f1;\n" TURN("$L1") "\tret;\n",
     {.loops = 1}},
};

typedef bool loop_question(const char *ptx, const char *entry, struct ptx_loop *loop);

static bool row_holds(const struct row *row, loop_question *ask)
{
    char text[2000];
    struct ptx_loop got;
    snprintf(text, sizeof text,
             ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 "
             "k_param_0)\n{\n%s}\n",
             row->body);
    bool read = ask(text, "k", &got);
    if (read && memcmp(&got, &row->expected, sizeof got) == 0)
        return true;
    printf("%s: %d instructions, %d fused, %d floating, %d shared, %d global, %d local, %d stores, "
           "%d vectors, %d barriers, %d loops, %d in flight\n",
           row->what, got.instructions, got.fmas, got.flops, got.shared, got.global, got.local,
           got.stores, got.vectors, got.barriers, got.loops, got.in_flight);
    return false;
}

int main(void)
{
    struct check count = {0};
    struct ptx_loop loop;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_test(&count);
        check_that(&count, row_holds(&rows[i], ptx_hot_loop), "row %zu", i);
    }
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        check_test(&count);
        check_that(&count, row_holds(&copies[i], ptx_copy_loop), "copies %zu", i);
    }
    check_test(&count);
    check_that(&count, !ptx_hot_loop("no text", "k", &loop),
               "text without the entry is understood");
    return check_end(&count, "ir-ptx_loops");
}
