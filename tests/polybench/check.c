/* Compares programs with the reference: check [PROGRAM SET SETTING]... runs the program with the tunables of SET, and
   automatically if it can, on the same data. Where tunables are no arguments, SETTING is what TREEFORK_SET is during the first
   of these calls; "-" is nothing. Prints how many results were equal; ends with 1 if one was not. */
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One call, compared; `what` names it in messages. */
static bool call_equals(struct problem *p, bool is_automatic, const char *what)
{
    problem_restore(p);
    if (is_automatic && p->program->automatic(p->arguments) != 0) {
        printf("%s: %s: it fails\n", p->program->name, what);
        return false;
    }
    if (!is_automatic)
        p->program->plain(p->arguments);
    return problem_equal(p, what);
}

int main(int argc, char **argv)
{
    size_t equal = 0, wrong = 0;
    if (argc < 4 || argc % 3 != 1) {
        fprintf(stderr, "usage: check [PROGRAM SET SETTING]...\n");
        return 2;
    }
    for (int i = 1; i < argc; i += 3) {
        const struct program *program = program_find(argv[i]);
        struct problem p = problem_make(program, argv[i + 1]);
        problem_expect(&p);
        bool is_set = strcmp(argv[i + 2], "-") != 0;
        if (is_set)
            setenv("TREEFORK_SET", argv[i + 2], 1);
        bool is_equal = call_equals(&p, !program->plain, argv[i + 1]);
        unsetenv("TREEFORK_SET");
        equal += is_equal;
        wrong += !is_equal;
        if (program->automatic) {
            is_equal = call_equals(&p, true, "automatic");
            equal += is_equal;
            wrong += !is_equal;
        }
        problem_free(&p);
    }
    printf("%zu equal, %zu wrong\n", equal, wrong);
    return wrong != 0;
}
