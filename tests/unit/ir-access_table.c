/* The table of expected results: every kernel of tests/unit/ir-access_kernels is read and reported on; each of its lines
   `// EXPECT text` must occur in the report. The expectations are those of the notes on footprints: verdicts, words per
   block, redistribution, promotions. */
#include "ir/access/access.h"
#include "tests/unit/ir_check.h"
#include <dirent.h>
#include <stdlib.h>

#define FOLDER "tests/unit/ir-access_kernels"

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
        if (!check_that(check, strstr(report, wanted) != NULL, "%s: the report lacks \"%s\"", name, wanted))
            printf("%s", report);
        free(wanted);
        expectations++;
    }
    check_that(check, expectations > 0, "%s expects nothing", name);
}

static void run_kernel(struct check *check, const char *name)
{
    struct ctx *ctx = ctx_new();
    struct source source = {.path = arena_printf(ctx->arena, FOLDER "/%s", name)};
    source.text = file_read(ctx, source.path, &source.length);
    const struct kernel *kernel = source.text ? kernel_read(ctx, &source) : NULL;
    if (check_that(check, kernel != NULL, "%s cannot be read", name)) {
        struct str out = str_new(ctx->arena);
        access_print(ctx, &out, kernel);
        expect_all(check, name, source.text, out.text);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    DIR *folder = opendir(FOLDER);
    int kernels = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".kernel"))
            continue;
        run_kernel(&check, entry->d_name);
        kernels++;
    }
    if (folder)
        closedir(folder);
    check_that(&check, kernels >= 30, "only %d kernels in " FOLDER, kernels);
    return check_end(&check, "ir-access_table");
}
