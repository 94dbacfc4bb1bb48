#ifndef BUNDLE_CHILD_H
#define BUNDLE_CHILD_H
/* A worker process whose lines are read, and that is ended when its time is over. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct child {
    pid_t pid;                  /* 0: there is none */
    int pipe;
    double end;                 /* when it is killed, seconds of the monotonic clock */
    bool is_late;               /* it was */
    char *text;                 /* what was read and is no whole line yet */
    size_t length, room;
    char errors[64];            /* file of its standard error */
    int status;                 /* of waitpid, once it has ended */
};

/* Starts argv[0]; `errors` names the file for its standard error. False if it cannot. */
bool child_start(struct child *child, char *const *argv, const char *errors, double end);
/* Reads what is there. The next whole line, valid until the next call; NULL if there is none. */
const char *child_line(struct child *child);
/* Waits at most so many milliseconds for lines of any of the children. */
void children_wait(struct child *children, int n, int milliseconds);
/* Has it ended, all lines read? It is killed if its time is over; with `now` in any case. */
bool child_ended(struct child *child, bool now);
/* Why it failed: "" if it did not. The last words of its standard error are added. */
void child_reason(const struct child *child, char *text, size_t room);

#endif
