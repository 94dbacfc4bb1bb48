/* PTX without what says nothing (ir/llvm/text.c): a table of texts as LLVM prints them and as they
   are handed out. What must stay stands beside what goes: a register read twice, another kind of
   register, a branch to elsewhere. */
#include "ir/llvm/backend.h"
#include "tests/unit/ir-llvm_test.h"

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
     "}\n", NULL},
    {"a sum that is read before",
     "{\n\tst.shared.u32 \t[%r3], %r1;\n\tadd.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n"
     "}\n", NULL},
    {"a name that begins another",
     "{\n\tadd.s32 \t%r3, %r30, 1;\n\tmov.u32 \t%r4, %r3;\n\tadd.s32 \t%r5, %r31, %r4;\n}\n",
     "{\n\tadd.s32 \t%r4, %r30, 1;\n\tadd.s32 \t%r5, %r31, %r4;\n}\n"},
    {"an instruction that does not make it",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tbar.sync \t0;\n\tmov.u32 \t%r4, %r3;\n}\n", NULL},
    {"an instruction under a condition",
     "{\n\t@%p1 add.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n}\n", NULL},
    {"a store", "{\n\tst.global.u32 \t[%rd1], %r3;\n\tmov.u32 \t%r4, %r3;\n}\n", NULL},
    {"two results", "{\n\tld.shared.v2.u32 \t{%r3, %r5}, [%r1];\n\tmov.u32 \t%r4, %r3;\n}\n", NULL},
    {"two truth values",
     "{\n\tsetp.lt.s32 \t%p3|%p5, %r1, %r2;\n\tmov.pred \t%p4, %p3;\n}\n", NULL},
    {"a wider register", "{\n\tadd.s64 \t%rd3, %rd1, %rd2;\n\tmov.b32 \t%r4, %rd3;\n}\n", NULL},
    {"another kind of register",
     "{\n\tadd.rn.f64 \t%fd3, %fd1, %fd2;\n\tmov.b64 \t%rd4, %fd3;\n}\n", NULL},
    {"a special register", "{\n\tmov.u32 \t%r1, %tid.x;\n}\n", NULL},
    {"a path in between",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n$L__BB0_1:\n\tmov.u32 \t%r4, %r3;\n}\n", NULL},
    {"the next function's registers",
     "{\n\tadd.s32 \t%r3, %r1, 1;\n\tmov.u32 \t%r4, %r3;\n}\n{\n\tneg.s32 \t%r3, %r1;\n}\n",
     "{\n\tadd.s32 \t%r4, %r1, 1;\n}\n{\n\tneg.s32 \t%r3, %r1;\n}\n"},
    {"a branch around a branch",
     "{\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_2:\n\t@!%p12 bra \t$L__BB0_3;\n"
     "\tbra.uni \t$L__BB0_9;\n$L__BB0_3:\n}\n",
     "{\n\t@!%p1 bra \t$L__BB0_9;\n$L__BB0_2:\n\t@%p12 bra \t$L__BB0_9;\n$L__BB0_3:\n}\n"},
    {"a branch back",
     "{\n$L__BB0_1:\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_1;\n$L__BB0_2:\n}\n", NULL},
    {"a branch to elsewhere",
     "{\n\t@%p1 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_3:\n}\n", NULL},
    {"a label that begins another",
     "{\n\t@%p1 bra \t$L__BB0_21;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_2:\n}\n", NULL},
    {"an instruction between branches",
     "{\n\t@%p1 bra \t$L__BB0_2;\n\tbar.sync \t0;\n\tbra.uni \t$L__BB0_9;\n$L__BB0_2:\n"
     "}\n", NULL},
};

int main(void)
{
    struct test test = {.name = "ir-llvm_text"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_test(&test.count);
        const char *wanted = rows[i].out ? rows[i].out : rows[i].in,
                   *found = text_tidy(arena, rows[i].in), *again = text_tidy(arena, found);
        check(&test, strcmp(found, wanted) == 0,
              arena_printf(arena, "%s: %s", rows[i].what, found));
        check(&test, strcmp(again, found) == 0, arena_printf(arena, "%s: again", rows[i].what));
    }
    arena_free(arena);
    return test_end(&test);
}
