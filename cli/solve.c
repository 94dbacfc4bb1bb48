/* treefork solve: SMT-LIB 2 scripts with polynomial arithmetic, from a file or standard input,
   answered command by command. With --certificate a certificate per check-sat is written; with
   --check such a file is verified against the script, without solving. Status 1 if any command was
   in error (or anything was not verified). */
#include "cli/cli.h"
#include "constraints/smt/smt.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct option_row solve_rows[] = {
    {"--steps", "N", "deterministic budget of steps per question (default 50000000)"},
    {"--stats", NULL, "what the solver did, on standard error"},
    {"--certificate", "FILE", "write a certificate for each check-sat (docs/certificates.md)"},
    {"--check", NULL, "solve --check FILE.smt2 CERT: verify certificates instead of solving"},
};
const size_t solve_row_count = sizeof solve_rows / sizeof solve_rows[0];

enum { STEPS_DEFAULT = 50000000 };

struct desk {
    struct ctx *ctx;
    struct str certificates;              /* to be written */
    const char *claims;                   /* to be verified: what is left of them */
    int input;                            /* where the script comes from */
};

static void response_write(void *self, const char *text, size_t length)
{
    (void)self;
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

static void certificate_add(void *self, const char *text)
{
    struct desk *desk = self;
    str_add(&desk->certificates, text);
    str_char(&desk->certificates, '\n');
}

/* Past blanks and comments. */
static const char *blank_skip(const char *at)
{
    for (at += strspn(at, " \t\r\n"); *at == ';'; at += strspn(at, " \t\r\n"))
        at += strcspn(at, "\n");
    return at;
}

/* The next one: up to the parenthesis that closes it. */
static const char *claim_next(void *self)
{
    struct desk *desk = self;
    const char *start = blank_skip(desk->claims), *at = start;
    int depth = 0;
    while (*at) {
        at += strcspn(at, "()\";");
        if (*at == '"') {
            at += 1 + strcspn(at + 1, "\"");
        } else if (*at == ';') {
            at = blank_skip(at);
            continue;
        } else {
            depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        }
        at += *at != 0;
        if (depth <= 0)
            break;
    }
    desk->claims = at;
    return at == start ? NULL : arena_strndup(desk->ctx->arena, start, (size_t)(at - start));
}

static size_t input_read(void *self, char *buffer, size_t capacity)
{
    const struct desk *desk = self;
    ssize_t count;
    do
        count = read(desk->input, buffer, capacity);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        diag_error(desk->ctx, loc_none(), "cannot read the script: %s", strerror(errno));
    return count < 0 ? 0 : (size_t)count;
}

static bool desk_open(struct desk *desk, const char *path, const char *claims)
{
    size_t length;
    desk->input = 0;
    if (claims) {
        desk->claims = file_read(desk->ctx, claims, &length);
        if (!desk->claims)
            return false;
    }
    if (strcmp(path, "-") == 0)
        return true;
    FILE *file = fopen(path, "r");
    if (!file) {
        diag_error(desk->ctx, loc_none(), "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    desk->input = dup(fileno(file));
    fclose(file);
    return desk->input >= 0;
}

/* False after a usage error. The checker has a budget of its own if none is given. */
static bool solve_options(struct ctx *ctx, const struct command_line *line,
                          struct solver_options *options)
{
    const char *steps = option_text(line, "--steps");
    int64_t number = 0;
    size_t files = option_flag(line, "--check") ? 2 : 1;
    if (line->positional.count != files) {
        diag_error(ctx, loc_none(),
                   files == 2 ? "a script and its certificates are expected: --check FILE.smt2 CERT"
                              : "one script is expected: FILE.smt2, or - for standard input");
        return false;
    }
    if (option_flag(line, "--check") && option_text(line, "--certificate")) {
        diag_error(ctx, loc_none(), "--check and --certificate exclude each other");
        return false;
    }
    if (steps && !option_integer(ctx, "--steps", steps, 1, INT64_MAX, &number))
        return false;
    options->steps = steps ? (uint64_t)number : files == 2 ? 0 : STEPS_DEFAULT;
    return true;
}

static bool outputs_write(struct desk *desk, const struct command_line *line, const struct smt *smt)
{
    const char *path = option_text(line, "--certificate");
    if (option_flag(line, "--stats")) {
        struct solver_statistics statistics = smt_statistics(smt);
        struct str text = str_new(desk->ctx->arena);
        smt_statistics_print(&text, &statistics);
        fputs(text.text, stderr);
    }
    return !path || file_write(desk->ctx, path, desk->certificates.text, desk->certificates.length);
}

enum exit_code command_solve(struct ctx *ctx, const struct command_line *line)
{
    struct solver_options options = {0};
    if (!solve_options(ctx, line, &options))
        return EXIT_USAGE;
    bool check = option_flag(line, "--check");
    struct desk desk = {.ctx = ctx, .certificates = str_new(ctx->arena)};
    if (!desk_open(&desk, line->positional.at[0], check ? line->positional.at[1] : NULL))
        return EXIT_INPUT;
    const struct smt_host host = {
        .self = &desk,
        .write = response_write,
        .certificate = option_text(line, "--certificate") ? certificate_add : NULL,
        .claim = check ? claim_next : NULL,
    };
    struct arena *arena = arena_new();
    struct smt *smt = smt_new(arena, &host, &options);
    smt_run(smt, input_read, &desk);
    bool done = outputs_write(&desk, line, smt) && !smt_failed(smt) && !ctx->errors;
    arena_free(arena);
    solver_thread_end();
    if (desk.input > 0)
        close(desk.input);
    return done ? EXIT_DONE : EXIT_INPUT;
}
