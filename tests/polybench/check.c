/* Compares programs with the reference: check PROGRAM SET [PROGRAM SET]... runs the program, and NAME_auto if there is
   one, on the same data for each set. Prints how many results were equal; ends with 1 if one was not. */
#include "harness.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    size_t equal = 0, wrong = 0;
    if (argc < 3 || argc % 2 == 0) {
        fprintf(stderr, "usage: check PROGRAM SET [PROGRAM SET]...\n");
        return 2;
    }
    for (int i = 1; i < argc; i += 2) {
        const struct program *program = program_find(argv[i]);
        struct problem p = problem_make(program, argv[i + 1]);
        problem_expect(&p);
        problem_restore(&p);
        program->plain(p.arguments);
        if (problem_equal(&p, argv[i + 1]))
            equal++;
        else
            wrong++;
        if (program->automatic) {
            problem_restore(&p);
            if (program->automatic(p.arguments) == 0 && problem_equal(&p, "automatic"))
                equal++;
            else
                wrong++;
        }
        problem_free(&p);
    }
    printf("%zu equal, %zu wrong\n", equal, wrong);
    return wrong != 0;
}
