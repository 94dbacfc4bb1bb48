#ifndef BUNDLE_PLAN_H
#define BUNDLE_PLAN_H
/* What is to be done: the programs of programs.list, and the tasks of each part over them. */
#include <stdbool.h>

enum { SETS_MAX = 24, ENTRIES_MAX = 128, TASKS_MAX = ENTRIES_MAX * 8, WORDS_MAX = SETS_MAX + 8 };

struct entry {
    char *unit, *program, *flags;
    int n_sets;
    char *tags[SETS_MAX], *sets[SETS_MAX];
};

struct part {
    const char *name;
    char flag;                  /* of the entries that take part */
    const char *tag; /* of their sets; "": none; NULL: those of --sizes, a task for each */
    bool is_split;              /* a task for each set, first sets first; else one for all */
    double weight;              /* of the time that is left */
    bool is_parallel;           /* nothing is timed: several workers at once */
    bool is_warmed;             /* several workers compile before one measures */
};
extern const struct part parts[];
extern const int n_parts;

struct wishes {
    const char *parts, *programs, *sizes;   /* lists with commas; "": all */
};

struct task {
    const struct entry *entry;
    int n_words;                /* behind the program's name */
    char *words[SETS_MAX];
};

struct plan {
    int n_entries;
    struct entry entries[ENTRIES_MAX];
};

/* Reads programs.list; false after a message. */
bool plan_read(const char *path, struct plan *plan);
/* Is the word in the list, or the list empty? */
bool list_has(const char *list, const char *word);
/* The tasks of a part in their order; how many. `tasks` has room for TASKS_MAX. */
int part_tasks(const struct plan *plan, const struct part *part, const struct wishes *wishes,
               struct task *tasks);

#endif
