/* Child processes of `treefork verify`: a crash, a hang or an exit code is a result, not
   an accident. */
#include "base/progress.h"
#include "cli/verify.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void redirect(const char *path, int descriptor)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, descriptor) < 0)
        _exit(CHILD_NOT_FOUND);
    close(fd);
}

/* In the child: never returns. */
static void child_become(const char *const *argv, const char *const *settings, const char *output,
                         const char *errors)
{
    redirect(output, STDOUT_FILENO);
    redirect(errors, STDERR_FILENO);
    for (; settings[0]; settings += 2)
        setenv(settings[0], settings[1], 1);
    execvp(argv[0], (char *const *)argv);
    _exit(CHILD_NOT_FOUND);
}

/* Waits by small steps so that a hang ends after the limit. */
static enum child_end child_wait(const struct verification *v, pid_t pid, int *status)
{
    struct timespec step = {0, 2000000}, start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        pid_t done = waitpid(pid, status, WNOHANG);
        if (done == pid)
            return CHILD_DONE;
        if (done < 0 && errno != EINTR)
            return CHILD_NONE;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > v->timeout || verify_stopped())
            break;
        progress_tick(v->ctx);
        nanosleep(&step, NULL);
    }
    kill(pid, SIGKILL);
    waitpid(pid, status, 0);
    return CHILD_TIMEOUT;
}

/* The last line of a file; the first with `word` in it, if there is one. */
static const char *telling_line(struct ctx *ctx, const char *path, const char *word)
{
    bool quiet = ctx->quiet;
    unsigned before = ctx->errors;
    size_t length = 0;
    ctx->quiet = true;
    char *text = file_read(ctx, path, &length);
    ctx->quiet = quiet;
    ctx->errors = before;
    if (!text)
        return "";
    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    char *line = strstr(text, word), *end = line ? strchr(line, '\n') : NULL;
    if (end)
        *end = 0;
    line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

struct child_result child_run(struct verification *v, const char *const *argv,
                              const char *const *settings, const char *output, const char *errors)
{
    struct child_result result = {CHILD_NONE, 0, ""};
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        return result;
    if (pid == 0)
        child_become(argv, settings, output, errors);
    result.end = child_wait(v, pid, &status);
    if (result.end == CHILD_DONE && WIFSIGNALED(status)) {
        result.end = CHILD_SIGNAL;
        result.code = WTERMSIG(status);
    } else if (result.end == CHILD_DONE && WEXITSTATUS(status) != 0) {
        result.end = CHILD_EXIT;
        result.code = WEXITSTATUS(status);
    }
    if (result.end != CHILD_DONE)
        result.errors = telling_line(v->ctx, errors, " error: ");
    return result;
}

const char *child_describe(struct ctx *ctx, const struct child_result *result)
{
    const char *colon = *result->errors ? ": " : "";
    switch (result->end) {
    case CHILD_DONE:
        return "done";
    case CHILD_EXIT:
        return arena_printf(ctx->arena, "exit status %d%s%s", result->code, colon, result->errors);
    case CHILD_SIGNAL:
        return arena_printf(ctx->arena, "killed by signal %d (%s)%s%s", result->code,
                            strsignal(result->code), colon, result->errors);
    case CHILD_TIMEOUT:
        return "no end within the time limit (--timeout)";
    case CHILD_NONE:
        break;
    }
    return "could not be started";
}
