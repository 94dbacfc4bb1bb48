/* The line of progress. In: what the work at hand is called, and the counts of the context. Out: a
   line such as

       matmul: 23 kernels, 17 register samples, 12 cases, 412 questions

   All of it happens within ticks: there is no thread, no timer and no signal handler. A tick that
   is not due costs a look at the clock. Work that begins after the delay is shown at once, however
   short it is. */
#include "base/progress.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 79 };   /* a line that wraps could not be overwritten */

static const double DELAY = 1, INTERVAL = 0.1;   /* seconds */

struct progress {
    FILE *out;
    double from, due;              /* when lines begin, and when the next may be, in seconds */
    bool is_shown;
    bool is_working;
    char work[COLUMNS + 1];
    struct ctx_counts before;      /* when the work began */
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_open(struct ctx *ctx)
{
    const char *terminal = getenv("TERM");
    if (!isatty(STDERR_FILENO) || !terminal || !*terminal || strcmp(terminal, "dumb") == 0)
        return;
    ctx->progress = ARENA_NEW(ctx->arena, struct progress);
    ctx->progress->out = stderr;
    ctx->progress->from = ctx->progress->due = seconds_now() + DELAY;
}

/* Adds ", 23 kernels" to the line, if that is not nothing and there is room. */
static void count_add(char *line, const char *noun, uint64_t count)
{
    size_t length = strlen(line), room = COLUMNS + 1 - length;
    const char *comma = strchr(line, ':') ? "," : ":";
    if (count == 0)
        return;
    int n = snprintf(line + length, room, "%s %llu %s", comma, (unsigned long long)count, noun);
    if (n < 0 || (size_t)n >= room)
        line[length] = 0;
}

static void line_make(const struct ctx *ctx, char *line)
{
    const struct progress *p = ctx->progress;
    const struct ctx_counts *now = &ctx->counts, *before = &p->before;
    snprintf(line, COLUMNS + 1, "%s", p->work);
    count_add(line, "kernels", now->kernels - before->kernels);
    count_add(line, "register samples", now->samples - before->samples);
    count_add(line, "cases", now->cases - before->cases);
    count_add(line, "questions", now->questions - before->questions);
    count_add(line, "PTX texts", now->texts - before->texts);
    count_add(line, "launches rated", now->launches - before->launches);
}

void progress_tick(struct ctx *ctx)
{
    struct progress *p = ctx->progress;
    if (!p || !p->is_working)
        return;
    double now = seconds_now();
    if (now < p->due)
        return;
    char line[COLUMNS + 1];
    line_make(ctx, line);
    fprintf(p->out, "\r%s\033[K", line);
    fflush(p->out);
    p->is_shown = true;
    p->due = now + INTERVAL;
}

void progress_begin(struct ctx *ctx, const char *format, ...)
{
    struct progress *p = ctx->progress;
    if (!p)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->work, sizeof p->work, format, arguments);
    va_end(arguments);
    p->is_working = true;
    p->before = ctx->counts;
    p->due = p->from;
    progress_tick(ctx);
}

void progress_clear(struct ctx *ctx)
{
    struct progress *p = ctx->progress;
    if (!p || !p->is_shown)
        return;
    fputs("\r\033[K", p->out);
    fflush(p->out);
    p->is_shown = false;
}

void progress_end(struct ctx *ctx)
{
    progress_clear(ctx);
    if (ctx->progress)
        ctx->progress->is_working = false;
}
