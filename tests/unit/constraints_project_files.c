/* Quantified problems from files: the folder is named by TREEFORK_SMT (a folder that holds qe/ and
   quantified/), without it the test is skipped. Every elimination of qe/ must end, at least nine
   tenths of them in a formula; every check of quantified/ must not contradict the file's own
   status. What the formulas are worth is seen by sampling in tools/bench-solver; the shares are
   printed with the CPU time of the slowest. */
#include "base/ctx.h"
#include "constraints/smt/smt.h"
#include "tests/unit/check.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct run {
    struct str out;
    double seconds;
};

static void write_out(void *self, const char *text, size_t length)
{
    struct run *run = self;
    str_add_n(&run->out, text, length);
}

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The file's text; its responses in run->out. */
static const char *file_run(struct ctx *ctx, const char *path, struct run *run)
{
    size_t length;
    const char *text = file_read(ctx, path, &length);
    double start = cpu_now();
    run->out = str_new(ctx->arena);
    if (!text)
        return NULL;
    struct smt_host host = {.self = run, .write = write_out};
    smt_run_text(smt_new(ctx->arena, &host, &(struct solver_options){0}), text, length);
    run->seconds = cpu_now() - start;
    return text;
}

struct tally {
    int files, solved;
    double slowest;
};

static bool solved(struct check *check, const char *group, const char *name, const char *text,
                   const char *responses)
{
    if (strcmp(group, "qe") == 0)
        return strstr(responses, "(goals") != NULL;
    const char *sat = strstr(responses, "unsat")                                    ? "unsat"
                      : strstr(responses, "unknown") || strstr(responses, "(error") ? NULL
                                                                                    : "sat";
    const char *status = strstr(text, ":status ");
    if (sat && status)
        check_that(check, strncmp(status + 8, sat, strlen(sat)) == 0, "%s: %s against %.12s", name,
                   sat, status + 8);
    return sat != NULL;
}

static struct tally group_run(struct check *check, const char *folder, const char *group)
{
    check_test(check);
    struct tally tally = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, group);
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct run run;
        if (!strstr(entry->d_name, ".smt2"))
            continue;
        struct ctx *ctx = ctx_new();
        const char *text =
            file_run(ctx, arena_printf(ctx->arena, "%s/%s", path, entry->d_name), &run);
        tally.files++;
        if (check_that(check, text && run.out.length, "%s: no response", entry->d_name))
            tally.solved += solved(check, group, entry->d_name, text, run.out.text);
        tally.slowest = run.seconds > tally.slowest ? run.seconds : tally.slowest;
        ctx_free(ctx);
    }
    if (list)
        closedir(list);
    printf("%s: %d of %d, slowest %.2f s\n", group, tally.solved, tally.files, tally.slowest);
    return tally;
}

int main(void)
{
    struct check check = {0};
    const char *folder = getenv("TREEFORK_SMT");
    if (folder && *folder) {
        struct tally qe = group_run(&check, folder, "qe"),
                     quantified = group_run(&check, folder, "quantified");
        check_that(&check, qe.files && qe.solved * 10 >= qe.files * 9,
                   "less than nine tenths of qe/ is eliminated");
        check_that(&check, quantified.files && quantified.solved * 5 >= quantified.files * 4,
                   "less than four fifths of quantified/ is decided");
    } else {
        check.skipped++;
    }
    return check_end(&check, "constraints_project_files");
}
