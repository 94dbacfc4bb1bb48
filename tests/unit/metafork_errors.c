/* The refusals of tests/errors: each file is refused by exactly one error, at the place and with
   the words that its CHECK line states. The same files are run by lit through the tool; here they
   need no tool. */
#include "base/str.h"
#include "metafork/region.h"
#include "tests/unit/check.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSALS_MIN = 30 };

static struct check results;

static void check(bool good, const char *path, const char *what, const char *detail)
{
    results.passed += good;
    results.failed += !good;
    if (!good)
        printf("FAIL %s: %s: %s\n", path, what, detail);
}

/* "NAME.c:[[@LINE+1]]:5: error: …" with the line number put in. */
static char *expectation(struct arena *arena, const char *text, unsigned line)
{
    const char *mark = strstr(text, "[[@LINE"), *end = mark ? strstr(mark, "]]") : NULL;
    if (!end)
        return arena_strdup(arena, text);
    return arena_printf(arena, "%.*s%u%s", (int)(mark - text), text,
                        (unsigned)((int)line + atoi(mark + 7)), end + 2);
}

static void check_lines(struct ctx *ctx, const char *path, const char *text, const char *output)
{
    static const char word[] = "// CHECK: ";
    int found = 0;
    unsigned line = 1;
    for (const char *at = text; *at; line++) {
        size_t length = strcspn(at, "\n");
        if (!strncmp(at, word, sizeof word - 1)) {
            char *own = arena_strndup(ctx->arena, at + sizeof word - 1, length - (sizeof word - 1));
            char *expected = expectation(ctx->arena, own, line);
            check(strstr(output, expected) != NULL, path, expected, output);
            found++;
        }
        at += length + (at[length] == '\n');
    }
    check(found > 0, path, "has a CHECK line", "");
}

static void check_file(const char *path)
{
    check_test(&results);
    struct ctx *ctx = ctx_new();
    char *output = NULL;
    size_t length, size;
    ctx->diagnostics = open_memstream(&output, &size);
    char *text = file_read(ctx, path, &length);
    struct program *program = program_read(ctx, path, NULL);
    fclose(ctx->diagnostics);
    ctx->diagnostics = stderr;
    check(program == NULL, path, "is refused", "");
    check(ctx->errors == 1, path, "has one error", output);
    check_lines(ctx, path, text ? text : "", output);
    free(output);
    ctx_free(ctx);
}

int main(void)
{
    glob_t found = {0};
    glob("tests/errors/*.c", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_file(found.gl_pathv[i]);
    check(found.gl_pathc >= REFUSALS_MIN, "tests/errors", "has its files", "");
    globfree(&found);
    return check_end(&results, "metafork_errors");
}
