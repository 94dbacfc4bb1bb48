/* PTX without what says nothing (ir/llvm/text.c): a table of texts as LLVM prints them and as they
   are handed out. What must stay stands beside what goes: a register read twice, another kind of
   register, a branch to elsewhere. */
#include "ir/llvm/backend.h"
#include "tests/unit/ir-llvm_test.h"

#define TWICE "\tmov.u32 \t%r4, 0;\n"         /* another definition */
#define STORE "\tst.shared.u32 \t[%r3], %r1;\n"
#define SEVEN STORE STORE STORE STORE STORE STORE STORE

static const struct {
    const char *what, *in, *out;
} rows[] = {
    {"remarks",
     "{\n\t// begin inline asm\n\tmov.b32 %r1, %r1;\n\t// end inline asm\n"
     "\tcall.uni f; // callseq 7, 0\n}\n",
     "{\n\tcall.uni f;\n}\n"},
    {"a move of a sum",
     "{\n\tadd.s64 \t%rd3, %rd1, %rd2;\n\tmov.b64 %rd4, %rd3;\n\tst.global.u64 \t[%rd4], %rd1;\n"
     "}\n",
     "{\n\tadd.s64 \t%rd4, %rd1, %rd2;\n\tst.global.u64 \t[%rd4], %rd1;\n}\n"},
    {"a loop's own number",
     "{\n\tadd.s32 \t%r31, %r3, 1;\n\tmov.u32 \t%r3, %r31;\n}\n", "{\n\tadd.s32 \t%r3, %r3, 1;\n"
     "}\n"},
    {"a sum that is read again",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n\tadd.s32 \t%r5, %r3, %r4;\n"
     TWICE "}\n", NULL},
    {"a sum that is read before",
     "{\n\tst.shared.u32 \t[%r3], %r1;\n\tadd.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n"
     TWICE "}\n", NULL},
    {"a name that begins another",
     "{\n\tadd.s32 \t%r3, %r30, 1;\n\tmov.u32 \t%r4, %r3;\n\tadd.s32 \t%r5, %r31, %r4;\n}\n",
     "{\n\tadd.s32 \t%r4, %r30, 1;\n\tadd.s32 \t%r5, %r31, %r4;\n}\n"},
    {"an instruction that does not make it",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tbar.sync \t0;\n\tmov.u32 \t%r4, %r3;\n" TWICE "}\n", NULL},
    {"an instruction under a condition",
     "{\n\t@%p1 add.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n" TWICE "}\n", NULL},
    {"a store", "{\n\tst.global.u32 \t[%rd1], %r3;\n\tmov.u32 \t%r4, %r3;\n}\n", NULL},
    {"two results",
     "{\n\tld.shared.v2.u32 \t{%r3, %r5}, [%r1];\n\tmov.u32 \t%r4, %r3;\n" TWICE "}\n", NULL},
    {"two truth values",
     "{\n\tsetp.lt.s32 \t%p3|%p5, %r1, %r2;\n\tmov.pred \t%p4, %p3;\n"
     "\tmov.pred \t%p4, %p1;\n}\n", NULL},
    {"a wider register", "{\n\tadd.s64 \t%rd3, %rd1, %rd2;\n\tmov.b32 \t%r4, %rd3;\n}\n", NULL},
    {"another kind of register",
     "{\n\tadd.rn.f64 \t%fd3, %fd1, %fd2;\n\tmov.b64 \t%rd4, %fd3;\n}\n", NULL},
    {"a special register", "{\n\tmov.u32 \t%r1, %tid.x;\n}\n", NULL},
    {"a path in between",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n$L__BB0_1:\n\tmov.u32 \t%r4, %r3;\n" TWICE
     "\t@%p1 bra \t$L__BB0_1;\n}\n", NULL},
    {"the next function's registers",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n}\n{\n\tneg.s32 \t%r3, %r1;\n}\n",
     "{\n\tadd.s32 \t%r4, %r1, 1;\n}\n{\n\tneg.s32 \t%r3, %r1;\n}\n"},
    {"a branch around a branch",
     "{\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_2:\n\t@!%p12 bra \t$L__BB0_3;\n"
     "\tbra.uni \t$L__BB0_9;\n$L__BB0_3:\n}\n",
     "{\n\t@!%p1 bra \t$L__BB0_9;\n\t@%p12 bra \t$L__BB0_9;\n}\n"},
    {"a branch back",
     "{\n$L__BB0_1:\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_1;\n$L__BB0_2:\n}\n", NULL},
    {"a branch to elsewhere",
     "{\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_3:\n"
     "\t@%p3 bra \t$L__BB0_3;\n}\n", NULL},
    {"a label that begins another",
     "{\n\t@%p1 bra \t$L__BB0_21;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_2:\n"
     "\t@%p3 bra \t$L__BB0_2;\n}\n", NULL},
    {"an instruction between branches",
     "{\n\t@%p1 bra \t$L__BB0_2;\n\tbar.sync \t0;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_2:\n"
     "\t@%p3 bra \t$L__BB0_2;\n}\n", NULL},
    {"a hidden number",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tst.global.u32 \t[%rd1], %r3;\n\tmov.b32 %r4, %r3;\n"
     "\tmov.b32 %r5, %r4;\n\tst.global.u32 \t[%rd1], %r5;\n}\n",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tst.global.u32 \t[%rd1], %r3;\n"
     "\tst.global.u32 \t[%rd1], %r3;\n}\n"},
    {"a branch around a load",
     "{\n\tmov.f64 \t%fd1, %fd9;\n\t@!%p1 bra \t$L__BB0_1;\n\tshl.b64 \t%rd2, %rd1, 3;\n"
     "\tld.global.nc.f64 \t%fd1, [%rd2];\n$L__BB0_1:\n}\n",
     "{\n\tmov.f64 \t%fd1, %fd9;\n\tshl.b64 \t%rd2, %rd1, 3;\n"
     "\t@%p1 ld.global.nc.f64 \t%fd1, [%rd2];\n}\n"},
    {"a branch around a store",
     "{\n\t@%p1 bra \t$L__BB0_1;\n\tst.shared.v2.f64 \t[%r1], {%fd1, %fd2};\n"
     "\tbra.uni \t$L__BB0_1;\n$L__BB0_2:\n\tbar.sync \t0;\n$L__BB0_1:\n"
     "\t@%p2 bra \t$L__BB0_2;\n}\n",
     "{\n\t@!%p1 st.shared.v2.f64 \t[%r1], {%fd1, %fd2};\n\tbra.uni \t$L__BB0_1;\n"
     "$L__BB0_2:\n\tbar.sync \t0;\n$L__BB0_1:\n\t@%p2 bra \t$L__BB0_2;\n}\n"},
    {"a number of two ways",
     "{\n\tmov.u32 \t%r2, 0;\n\t@%p1 bra \t$L__BB0_1;\n\tadd.s32 \t%r2, %r1, 1;\n"
     "$L__BB0_1:\n}\n",
     "{\n\tmov.u32 \t%r2, 0;\n\t@!%p1 add.s32 \t%r2, %r1, 1;\n}\n"},
    {"a load into a register of its own",
     "{\n\t@%p1 bra \t$L__BB0_1;\n\tld.global.f32 \t%f1, [%rd1];\n"
     "\tst.global.f32 \t[%rd2], %f1;\n$L__BB0_1:\n}\n", NULL},
    {"a division",
     "{\n\t@%p1 bra \t$L__BB0_1;\n\tdiv.u32 \t%r2, %r3, %r1;\n"
     "\tst.global.u32 \t[%rd2], %r2;\n$L__BB0_1:\n}\n", NULL},
    {"a condition within",
     "{\n\t@%p1 bra \t$L__BB0_1;\n\tsetp.lt.s32 \t%p1, %r3, %r1;\n"
     "\tst.global.u32 \t[%rd2], %r2;\n$L__BB0_1:\n}\n", NULL},
    {"a barrier within",
     "{\n\t@%p1 bra \t$L__BB0_1;\n\tst.shared.u32 \t[%r3], %r1;\n\tbar.sync \t0;\n"
     "$L__BB0_1:\n}\n", NULL},
    {"a way into the middle",
     "{\n\t@%p1 bra \t$L__BB0_1;\n$L__BB0_2:\n\tst.shared.u32 \t[%r3], %r1;\n"
     "$L__BB0_1:\n\t@%p2 bra \t$L__BB0_2;\n}\n", NULL},
    {"a branch over too much",
     "{\n\t@%p1 bra \t$L__BB0_1;\n" SEVEN "$L__BB0_1:\n}\n", NULL},
    {"a piece to which there is one jump",
     "{\n\tbra.uni \t$L__BB0_2;\n$L__BB0_1:\n\tbar.sync \t0;\n\t@%p1 bra \t$L__BB0_2;\n"
     "\tret;\n$L__BB0_2:\n\tst.shared.u32 \t[%r3], %r1;\n\tbra.uni \t$L__BB0_1;\n}\n",
     "{\n$L__BB0_2:\n\tst.shared.u32 \t[%r3], %r1;\n\tbar.sync \t0;\n"
     "\t@%p1 bra \t$L__BB0_2;\n\tret;\n}\n"},
    {"a piece that something falls into",
     "{\n\tst.shared.u32 \t[%r3], %r1;\n$L__BB0_1:\n\tbar.sync \t0;\n\tret;\n"
     "$L__BB0_2:\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_1;\n}\n", NULL},
};

/* A text that tells places, and the source lines of what is left of it: joined and guarded lines
   keep theirs. */
static const char told[] =
    "\t.file\t1 \"source\"\n{\n$L__func_begin0:\n\t.reg .b32 %r<9>;\n"
    "\tmov.u32 \t%r9, %tid.x;\n"
    "\t.loc\t1 7 0\n\tadd.s32 \t%r2, %r1, 1;\n\t.loc\t1 8 0\n\tmov.b32 \t%r3, %r2;\n"
    "\t@%p1 bra \t$L__BB0_1;\n\t.loc\t1 9 0\n\tst.shared.u32 \t[%r3], %r1;\n"
    "$L__tmp0:\n$L__BB0_1:\n\t.loc\t1 12 3\n\tret;\n$L__func_end0:\n}\n";
static const char untold[] =
    "{\n\t.reg .b32 %r<9>;\n\tmov.u32 \t%r9, %tid.x;\n\tadd.s32 \t%r3, %r1, 1;\n"
    "\t@!%p1 st.shared.u32 \t[%r3], %r1;\n\tret;\n}\n";
static const unsigned untold_lines[] = {0, 0, 0, 7, 9, 12, 0};

static void check_lines(struct test *test, struct arena *arena)
{
    struct line_origins lines = {0};
    const char *found = text_tidy(arena, told, &lines);
    bool is_same = lines.count == sizeof untold_lines / sizeof *untold_lines;
    for (size_t i = 0; i < lines.count && is_same; i++)
        is_same = lines.at[i] == untold_lines[i];
    check_test(&test->count);
    check(test, strcmp(found, untold) == 0, found);
    check(test, is_same, "lines of a text that tells places");
}

int main(void)
{
    struct test test = {.name = "ir-llvm_text"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_test(&test.count);
        const char *wanted = rows[i].out ? rows[i].out : rows[i].in,
                   *found = text_tidy(arena, rows[i].in, NULL),
                   *again = text_tidy(arena, found, NULL);
        check(&test, strcmp(found, wanted) == 0,
              arena_printf(arena, "%s: %s", rows[i].what, found));
        check(&test, strcmp(again, found) == 0, arena_printf(arena, "%s: again", rows[i].what));
    }
    check_lines(&test, arena);
    arena_free(arena);
    return test_end(&test);
}
