/* Child processes of `treefork verify`: a crash, a hang or an exit code is a result, not
   an accident. A worker is a child that gets orders and answers them through a socket, because a
   pipe to a child that has ended would bring SIGPIPE, which says that our own reader has gone. */
#include "base/progress.h"
#include "cli/verify.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

/* In the child: it ends with the tool, whatever ends that. */
static void child_bind(pid_t tool)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != tool)
        _exit(CHILD_NOT_FOUND);
}

/* In the child: never returns. */
static void child_become(const char *const *argv, const char *const *settings, const char *output,
                         const char *errors, int socket)
{
    if (socket >= 0 && dup2(socket, WORKER_SOCKET) < 0)
        _exit(CHILD_NOT_FOUND);
    redirect(output, STDOUT_FILENO);
    redirect(errors, STDERR_FILENO);
    for (; settings[0]; settings += 2)
        setenv(settings[0], settings[1], 1);
    execvp(argv[0], (char *const *)argv);
    _exit(CHILD_NOT_FOUND);
}

/* Is there no more time for what began at `start`? limit: seconds, 0 = none. */
static bool time_is_up(int64_t limit, const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (limit > 0 && now.tv_sec - start->tv_sec > limit) || verify_stopped();
}

/* Waits by small steps so that a hang ends after the limit. The tick behind the last look at the
   child shows work that lasted until its line was due, even if nobody looked meanwhile. */
static enum child_end child_wait(const struct verification *v, pid_t pid, int64_t limit,
                                 int *status, const volatile size_t *step)
{
    struct timespec nap = {0, 2000000}, start;
    size_t last = step ? *step : 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        if (step && *step != last) {
            last = *step;
            clock_gettime(CLOCK_MONOTONIC, &start);
        }
        pid_t done = waitpid(pid, status, WNOHANG);
        bool is_lost = done < 0 && errno != EINTR;
        progress_tick(v->ctx);
        if (done == pid || is_lost)
            return done == pid ? CHILD_DONE : CHILD_NONE;
        if (time_is_up(limit, &start))
            break;
        nanosleep(&nap, NULL);
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

/* The child's process, < 0 if it could not be made. socket: what the child finds at WORKER_SOCKET,
   -1 = nothing. */
static pid_t child_start(const char *const *argv, const char *const *settings, const char *output,
                         const char *errors, int socket)
{
    fflush(NULL);
    pid_t tool = getpid(), pid = fork();
    if (pid == 0) {
        child_bind(tool);
        child_become(argv, settings, output, errors, socket);
    }
    return pid;
}

/* Waits for the end of a child that writes its errors into that file. */
static struct child_result child_finish(struct verification *v, pid_t pid, int64_t limit,
                                        const char *errors, const volatile size_t *step)
{
    struct child_result result = {CHILD_NONE, 0, ""};
    int status = 0;
    if (pid < 0)
        return result;
    result.end = child_wait(v, pid, limit, &status, step);
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

struct child_result child_call(struct verification *v, int (*work)(void *state), void *state,
                               const char *output, const char *errors, const size_t *step)
{
    fflush(NULL);
    pid_t tool = getpid(), pid = fork();
    if (pid == 0) {
        child_bind(tool);
        redirect(output, STDOUT_FILENO);
        redirect(errors, STDERR_FILENO);
        int code = work(state);
        fflush(NULL);
        _exit(code);
    }
    return child_finish(v, pid, v->timeout, errors, step);
}

struct child_result child_run(struct verification *v, const char *const *argv,
                              const char *const *settings, const char *output, const char *errors,
                              int64_t limit)
{
    pid_t pid = child_start(argv, settings, output, errors, -1);
    return child_finish(v, pid, limit, errors, NULL);
}

bool worker_start(struct worker *worker, const char *const *argv, const char *const *settings,
                  const char *output, const char *errors)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    worker->errors = errors;
    worker->pid = child_start(argv, settings, output, errors, ends[1]);
    worker->socket = ends[0];
    close(ends[1]);
    if (worker->pid < 0)
        close(ends[0]);
    return worker->pid > 0;
}

bool worker_ask(struct verification *v, struct worker *worker, const char *order)
{
    struct pollfd answer = {.fd = worker->socket, .events = POLLIN};
    size_t length = strlen(order);
    struct timespec start;
    char byte;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (send(worker->socket, order, length, MSG_NOSIGNAL) != (ssize_t)length)
        return false;
    while (!time_is_up(v->timeout, &start)) {
        if (poll(&answer, 1, 2) > 0)
            return recv(worker->socket, &byte, 1, 0) == 1;
        progress_tick(v->ctx);
    }
    return false;
}

struct child_result worker_end(struct verification *v, struct worker *worker)
{
    close(worker->socket);
    struct child_result result = child_finish(v, worker->pid, v->timeout, worker->errors, NULL);
    worker->pid = 0;
    return result;
}

void worker_kill(struct worker *worker)
{
    close(worker->socket);
    kill(worker->pid, SIGKILL);
    waitpid(worker->pid, NULL, 0);
    worker->pid = 0;
}

const char *child_lacked(const struct child_result *result)
{
    bool is_exit = result->end == CHILD_EXIT;
    if (result->end == CHILD_SIGNAL && result->code == SIGKILL)
        return "it was killed by signal 9, as the system does when memory runs out";
    if (is_exit && result->code == HARNESS_NO_MEMORY)
        return "there was no memory for its arrays";
    if (is_exit && result->code == HARNESS_NO_FILE)
        return "there was no room for its results in the folder of the run";
    return NULL;
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
