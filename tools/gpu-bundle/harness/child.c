#include "child.h"
#include "clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

static void child_become(char *const *argv, const char *errors, const int *ends)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);   /* no worker outlives the conductor */
#endif
    int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0)
        dup2(file, STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

bool child_start(struct child *child, char *const *argv, const char *errors, double end)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        child_become(argv, errors, ends);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *child = (struct child){.pid = pid, .pipe = ends[0], .end = end};
    snprintf(child->errors, sizeof child->errors, "%s", errors);
    fcntl(child->pipe, F_SETFL, O_NONBLOCK);
    fcntl(child->pipe, F_SETFD, FD_CLOEXEC);
    return true;
}

/* False once the pipe is at its end. */
static bool child_read(struct child *child)
{
    for (;;) {
        if (child->room - child->length < 4096) {
            size_t room = child->room * 2 + 8192;
            char *more = realloc(child->text, room);
            if (!more)
                return false;
            child->text = more;
            child->room = room;
        }
        ssize_t n = read(child->pipe, child->text + child->length,
                         child->room - child->length - 1);
        if (n == 0)
            return false;
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        child->length += (size_t)n;
        child->text[child->length] = '\0';
    }
}

const char *child_line(struct child *child)
{
    size_t used = child->length ? strlen(child->text) : 0;
    if (used < child->length) {         /* the line that was given out last */
        child->length -= used + 1;
        memmove(child->text, child->text + used + 1, child->length + 1);
    }
    if (child->pid)
        child_read(child);
    if (child->length == 0)
        return NULL;
    char *end = memchr(child->text, '\n', child->length);
    if (!end)
        return NULL;
    *end = '\0';
    return child->text;
}

void children_wait(struct child *children, int n, int milliseconds)
{
    struct pollfd polls[64];
    int count = 0;
    for (int i = 0; i < n && count < 64; i++)
        if (children[i].pid)
            polls[count++] = (struct pollfd){.fd = children[i].pipe, .events = POLLIN};
    poll(polls, (nfds_t)count, milliseconds);
}

bool child_ended(struct child *child, bool now)
{
    if (!child->pid)
        return true;
    if (now || seconds_now() > child->end) {
        child->is_late = true;
        kill(child->pid, SIGKILL);
    }
    if (waitpid(child->pid, &child->status, child->is_late ? 0 : WNOHANG) != child->pid)
        return false;
    child_read(child);
    close(child->pipe);
    child->pid = 0;
    return true;
}

/* The last line, without what a terminal would not show. */
static void errors_tail(const char *path, char *text, size_t room)
{
    char bytes[600];
    FILE *file = fopen(path, "r");
    *text = '\0';
    if (!file)
        return;
    fseek(file, 0, SEEK_END);
    long size = ftell(file), most = (long)sizeof bytes - 1;
    fseek(file, size > most ? size - most : 0, SEEK_SET);
    size_t n = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    while (n && bytes[n - 1] == '\n')
        n--;
    bytes[n] = '\0';
    const char *line = strrchr(bytes, '\n');
    snprintf(text, room, "%s", line ? line + 1 : bytes);
}

void child_reason(const struct child *child, char *text, size_t room)
{
    char tail[400];
    *text = '\0';
    if (!child->is_late && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0)
        return;
    errors_tail(child->errors, tail, sizeof tail);
    if (child->is_late)
        snprintf(text, room, "out of time; %s", tail);
    else if (WIFSIGNALED(child->status))
        snprintf(text, room, "signal %d; %s", WTERMSIG(child->status), tail);
    else
        snprintf(text, room, "status %d; %s", WEXITSTATUS(child->status), tail);
}
