/* What depends on the terminal: colours and the pager. */
#include "cli/picture.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool terminal_has_colour(FILE *stream)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool dumb = !terminal || !*terminal || strcmp(terminal, "dumb") == 0;
    return isatty(fileno(stream)) && !dumb && (!none || !*none);
}

/* "less" unless PAGER says another; NULL: none is wanted. */
static const char *pager_command(void)
{
    const char *pager = getenv("PAGER");
    if (pager && (!*pager || strcmp(pager, "cat") == 0))
        return NULL;
    return pager ? pager : "less";
}

/* False if the pager could not be run: nothing was shown. */
static bool pager_show(const char *command, const char *text)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };
    if (setenv("LESS", "FRX", 0) != 0)
        return false;
    fflush(stdout);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *pipe = popen(command, "w");
    int status = -1;
    if (pipe) {
        fputs(text, pipe);
        status = pclose(pipe);
    }
    signal(SIGPIPE, before);
    return status >= 0 && !(WIFEXITED(status) && (WEXITSTATUS(status) == NOT_FOUND ||
                                                  WEXITSTATUS(status) == NOT_EXECUTABLE));
}

void terminal_print(const char *text, bool plain)
{
    const char *command = !plain && isatty(STDOUT_FILENO) ? pager_command() : NULL;
    if (!command || !pager_show(command, text))
        fputs(text, stdout);
}
