/* The table of expected results: every kernel of tests/unit/ir-access_kernels is read and reported
   on; each of its lines `// EXPECT text` must occur in the report, at the end of a line if it ends
   in `$`. The expectations are those of the notes on footprints: verdicts, words per block,
   redistribution, promotions. */
#include "ir/access/access.h"
#include "tests/unit/ir_check.h"
#include <glob.h>
#include <stdlib.h>

static void expect_all(struct check *check, const char *name, const char *text, const char *report)
{
    static const char mark[] = "// EXPECT ";
    int expectations = 0;
    for (const char *at = strstr(text, mark); at; at = strstr(at, mark)) {
        at += sizeof mark - 1;
        size_t length = strcspn(at, "\n");
        char *wanted = malloc(length + 1);
        memcpy(wanted, at, length);
        wanted[length] = '\0';
        if (length && wanted[length - 1] == '$')
            wanted[length - 1] = '\n';
        if (!check_that(check, strstr(report, wanted) != NULL, "%s: the report lacks \"%s\"", name,
                        wanted))
            printf("%s", report);
        free(wanted);
        expectations++;
    }
    check_that(check, expectations > 0, "%s expects nothing", name);
}

static void run_kernel(struct check *check, const char *path)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct source source = {.path = path};
    source.text = file_read(ctx, path, &source.length);
    const struct kernel *kernel = source.text ? kernel_read(ctx, &source) : NULL;
    if (check_that(check, kernel != NULL, "%s cannot be read", path)) {
        struct str out = str_new(ctx->arena);
        access_print(ctx, &out, kernel);
        expect_all(check, path, source.text, out.text);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    glob_t found = {0};
    glob("tests/unit/ir-access_kernels/*.kernel", 0, NULL, &found);
    check_that(&check, found.gl_pathc >= 30, "only %zu kernels in tests/unit/ir-access_kernels",
               found.gl_pathc);
    for (size_t i = 0; i < found.gl_pathc; i++)
        run_kernel(&check, found.gl_pathv[i]);
    globfree(&found);
    return check_end(&check, "ir-access_table");
}
