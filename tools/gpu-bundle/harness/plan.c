/* programs.list has a line for each program: UNIT, PROGRAM, FLAGS, then TAG:SET for each set of
   values, all with blanks between. A flag names what the program is for (the table of parts).
   A tag that ends in "-small" is taken in its other's place where --sizes has no large ones. */
#include "plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct part parts[] = {
    {"device", 'd', "", false, 1, false, false},
    {"launch", 'n', "launch", false, 2, false, false},
    {"bandwidth", 'b', "bandwidth", false, 3, false, false},
    {"correct", 'c', NULL, false, 14, true, false},
    {"times", 'c', NULL, false, 14, false, false},
    {"products", 'p', "product", false, 8, false, false},
    {"leaves", 'l', "tiny", true, 16, true, false},
    {"choice", 's', NULL, false, 30, false, true},
    {"limits", 'r', "limits", false, 10, true, false},
    {"fit", 'd', "", false, 4, false, false},
};
const int n_parts = sizeof parts / sizeof *parts;

bool list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    if (!*list)
        return true;
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static char *word_next(char **at)
{
    char *word = *at + strspn(*at, " \t\n"), *end = word + strcspn(word, " \t\n");
    if (word == end)
        return NULL;
    *at = *end ? end + 1 : end;
    *end = '\0';
    return strdup(word);
}

static bool entry_read(char *line, struct entry *entry)
{
    entry->unit = word_next(&line);
    entry->program = word_next(&line);
    entry->flags = word_next(&line);
    entry->n_sets = 0;
    for (char *word; entry->flags && (word = word_next(&line)) != NULL;) {
        char *colon = strchr(word, ':');
        if (!colon || entry->n_sets == SETS_MAX)
            return false;
        *colon = '\0';
        entry->tags[entry->n_sets] = word;
        entry->sets[entry->n_sets++] = colon + 1;
    }
    return entry->flags != NULL;
}

bool plan_read(const char *path, struct plan *plan)
{
    char line[16384];
    FILE *file = fopen(path, "r");
    bool is_fine = file != NULL;
    while (is_fine && fgets(line, sizeof line, file) && plan->n_entries < ENTRIES_MAX)
        is_fine = entry_read(line, &plan->entries[plan->n_entries++]);
    if (!is_fine)
        fprintf(stderr, "%s: it is missing, or a line of it cannot be read\n", path);
    if (file)
        fclose(file);
    return is_fine;
}

static bool has_large(const struct wishes *wishes)
{
    return list_has(wishes->sizes, "large");
}

/* The entry's sets of a tag in one task; without sets no task, unless none are asked for. */
static int task_of_tag(const struct entry *entry, const char *tag, struct task *task)
{
    *task = (struct task){.entry = entry};
    for (int i = 0; i < entry->n_sets; i++)
        if (strcmp(entry->tags[i], tag) == 0)
            task->words[task->n_words++] = entry->sets[i];
    return task->n_words > 0 || !*tag;
}

/* The tag at hand of the list; moves behind it. */
static bool tag_next(const char **list, char *tag, size_t room)
{
    size_t length = strcspn(*list, ",");
    if (length == 0 || length >= room)
        return false;
    memcpy(tag, *list, length);
    tag[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Does the entry take part, with what is wished? */
static bool entry_is_wished(const struct entry *entry, const struct part *part,
                            const struct wishes *wishes)
{
    return strchr(entry->flags, part->flag) && list_has(wishes->programs, entry->unit);
}

static int tag_tasks(const struct plan *plan, const struct part *part, const struct wishes *wishes,
                     const char *tag, struct task *tasks)
{
    char small[64];
    int n = 0;
    snprintf(small, sizeof small, "%s-small", tag);
    for (int i = 0; i < plan->n_entries; i++) {
        const struct entry *entry = &plan->entries[i];
        if (!entry_is_wished(entry, part, wishes))
            continue;
        if (*tag && !has_large(wishes) && task_of_tag(entry, small, &tasks[n]))
            n++;
        else
            n += task_of_tag(entry, tag, &tasks[n]);
    }
    return n;
}

/* The first sets of all tasks, then the second ones. */
static int tasks_split(struct task *tasks, int n)
{
    static struct task whole[TASKS_MAX];
    int count = 0;
    memcpy(whole, tasks, (size_t)n * sizeof *tasks);
    for (int set = 0; set < SETS_MAX; set++)
        for (int i = 0; i < n && count < TASKS_MAX; i++) {
            if (set >= whole[i].n_words)
                continue;
            tasks[count] = (struct task){.entry = whole[i].entry, .n_words = 1};
            tasks[count++].words[0] = whole[i].words[set];
        }
    return count;
}

int part_tasks(const struct plan *plan, const struct part *part, const struct wishes *wishes,
               struct task *tasks)
{
    const char *sizes = wishes->sizes;
    char tag[32];
    int n = 0;
    if (part->tag) {
        n = tag_tasks(plan, part, wishes, part->tag, tasks);
        return part->is_split ? tasks_split(tasks, n) : n;
    }
    while (n <= TASKS_MAX - ENTRIES_MAX && tag_next(&sizes, tag, sizeof tag))
        n += tag_tasks(plan, part, wishes, tag, tasks + n);
    return n;
}
