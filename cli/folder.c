/* The folder of a run: the one that --keep names, or a temporary one that goes with the tool,
   however that ends. A keeper, a process of its own, waits until the tool closes a pipe or has
   ended, be it killed, and then removes the folder; what the tool started ends with it (child.c).
   Signals that ask the tool to stop are noted, so that it ends its children and waits for the
   keeper before it ends by the same signal. */
#include "cli/verify.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The signal that asked the tool to stop, 0 = none. A handler has nothing else to write to. */
static volatile sig_atomic_t stop_signal;

static void stop_note(int number)
{
    stop_signal = number;
}

bool verify_stopped(void)
{
    return stop_signal != 0;
}

static const int stop_signals[] = {SIGPIPE, SIGINT,  SIGTERM, SIGHUP,
                                   SIGQUIT, SIGALRM, SIGXCPU};
enum { STOP_SIGNALS = sizeof stop_signals / sizeof stop_signals[0] };

/* Handlers, and no SIG_IGN: children begin with the default action. */
static void stop_signals_take(void)
{
    struct sigaction action = {.sa_handler = stop_note};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < STOP_SIGNALS; i++)
        sigaction(stop_signals[i], &action, NULL);
}

/* From here on the default again; ends by the signal that came meanwhile. */
static void stop_signals_give_back(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < STOP_SIGNALS; i++)
        sigaction(stop_signals[i], &action, NULL);
    if (number)
        raise(number);
}

/* --- the keeper ------------------------------------------------------------------------------ */

/* A compiler whose own parts outlive it may write while the folder is removed. */
enum { REMOVALS_MOST = 50 };

static void folder_remove(const char *folder)
{
    struct timespec nap = {0, 100000000};
    for (int i = 0; i < REMOVALS_MOST; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
            _exit(CHILD_NOT_FOUND);
        }
        if (pid > 0)
            waitpid(pid, NULL, 0);
        if (access(folder, F_OK) != 0)
            return;
        nanosleep(&nap, NULL);
    }
}

/* In a session of its own, so that no terminal and no group of the tool's stops it, and away from
   the streams that somebody else may wait for. */
static void keeper_live(const char *folder, int ended)
{
    char byte;
    int nowhere = open("/dev/null", O_RDWR);
    setsid();
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    while (read(ended, &byte, 1) < 0 && errno == EINTR)
        ;
    folder_remove(folder);
    _exit(0);
}

/* False if there can be none. */
static bool keeper_start(struct verification *v)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    v->keeper = fork();
    if (v->keeper == 0) {
        close(ends[1]);
        keeper_live(v->folder, ends[0]);
    }
    close(ends[0]);
    v->keeper_pipe = ends[1];
    if (v->keeper < 0)
        close(ends[1]);
    return v->keeper > 0;
}

static void keeper_end(struct verification *v)
{
    close(v->keeper_pipe);
    while (waitpid(v->keeper, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* --- the folder ------------------------------------------------------------------------------ */

static bool named_folder_open(struct verification *v, const char *keep)
{
    if (mkdir(keep, 0777) != 0 && errno != EEXIST) {
        diag_error(v->ctx, loc_none(), "cannot make the folder '%s': %s", keep, strerror(errno));
        return false;
    }
    v->folder = keep;
    v->keeps_files = true;
    return true;
}

bool verify_folder_open(struct verification *v, const char *keep)
{
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(v->ctx->arena, "%s/treefork-verify-XXXXXX",
                                base && *base ? base : P_tmpdir);
    if (keep)
        return named_folder_open(v, keep);
    stop_signals_take();
    v->folder = mkdtemp(folder);
    if (!v->folder) {
        diag_error(v->ctx, loc_none(), "cannot make a temporary folder '%s': %s", folder,
                   strerror(errno));
        return false;
    }
    if (keeper_start(v))
        return true;
    diag_error(v->ctx, loc_none(), "cannot start a process that removes '%s' later: %s", folder,
               strerror(errno));
    rmdir(folder);
    return false;
}

void verify_folder_close(struct verification *v)
{
    if (v->keeps_files)
        return;
    keeper_end(v);
    stop_signals_give_back(stop_signal);
}
