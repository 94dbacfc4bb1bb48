/* treefork show: the page of `tree --html`, in the cache under the name of the source and a digest
   of its path, so that a source's page is overwritten and two of one name keep apart. The path of
   the page is printed; where a display is, the user's browser opens it. */
#include "cli/page.h"
#include "runtime/hash.h"
#include "runtime/store.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct option_row show_rows[] = {
    {"-o", "FILE.html", "write the page there, not into the cache"},
    {"--no-open", NULL, "print the path and open nothing"},
    {"--tuning", "FILE", "what `treefork tune --output` wrote, for plots of the page"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t show_row_count = sizeof show_rows / sizeof show_rows[0];

/* "smooth.c" in some folder to "smooth-0123456789abcdef.html". */
static const char *page_name(struct ctx *ctx, const char *source)
{
    char absolute[PATH_MAX];
    unsigned char digest[TREEFORK_HASH_BYTES];
    struct treefork_hash hash;
    const char *path = realpath(source, absolute) ? absolute : source;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct str out = str_new(ctx->arena);
    treefork_hash_start(&hash);
    treefork_hash_add(&hash, path, strlen(path));
    treefork_hash_end(&hash, digest);
    str_addf(&out, "%.*s-", (int)strcspn(name, "."), name);
    for (size_t i = 0; i < TREEFORK_HASH_BYTES / 2; i++)
        str_addf(&out, "%02x", digest[i]);
    str_add(&out, ".html");
    return out.text;
}

/* The place of the page in the cache, its folder made; NULL after a diagnostic. */
static const char *page_place(struct ctx *ctx, const char *source)
{
    char cache[PATH_MAX];
    if (!treefork_store_path(cache, sizeof cache)) {
        diag_error(ctx, loc_none(), "no cache folder that may be used: -o FILE.html names a place "
                                    "for the page (TREEFORK_CACHE_DIR names a cache)");
        return NULL;
    }
    const char *folder = arena_printf(ctx->arena, "%s/pages", cache);
    if (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST) {
        diag_error(ctx, loc_none(), "cannot make the folder '%s': %s", folder, strerror(errno));
        return NULL;
    }
    return arena_printf(ctx->arena, "%s/%s", folder, page_name(ctx, source));
}

/* The value of a variable of the environment; NULL if it is empty, too. */
static const char *variable_get(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Starts the user's browser, which lives on by itself; a missing browser is no error. */
static void page_open(const char *path)
{
    const char *named = variable_get("BROWSER"), *browser = named ? named : "xdg-open";
    fflush(stdout);
    if (fork() != 0)
        return;
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    if (nothing < 0)
        _exit(EXIT_INPUT);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        dup2(nothing, stream);
    execlp(browser, browser, path, (char *)NULL);
    _exit(EXIT_INPUT);
}

enum exit_code command_show(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    const char *path = option_text(line, "-o"), *tuning = option_text(line, "--tuning");
    struct page_extras extras = {0};
    if (tuning && !(extras.tuning = page_tuning(ctx, tuning)))
        return EXIT_INPUT;
    struct program *program = input_program(ctx, line, INPUT_WHOLE, &code);
    const struct tree **trees = program ? input_trees(ctx, line, program, &code) : NULL;
    if (!trees)
        return code;
    if (!path)
        path = page_place(ctx, line->positional.at[0]);
    if (!path || !page_save(ctx, path, program, (const struct tree *const *)trees, &extras))
        return EXIT_INPUT;
    puts(path);
    bool has_display = variable_get("DISPLAY") || variable_get("WAYLAND_DISPLAY");
    if (has_display && !option_flag(line, "--no-open"))
        page_open(path);
    return EXIT_DONE;
}
