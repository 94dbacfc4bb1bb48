/* explains T N [s B [json]]: runs jacobi1d and explains it; without s and B the region chooses them. */
#include "jacobi1d.tf.h"
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]), cells = atoi(argv[2]);
    int *rows = calloc(2 * (size_t)cells, sizeof *rows);
    if (!rows)
        return 1;
    if (argc > 4)
        jacobi1d(rounds, cells, atoi(argv[3]), atoi(argv[4]), rows);
    else
        jacobi1d_auto(rounds, cells, rows);
    int status = treefork_explain("jacobi1d", argc > 5 ? TREEFORK_JSON : TREEFORK_TEXT, stdout);
    if (status)
        printf("%s: %s\n", treefork_status_name(status), treefork_message());
    free(rows);
    return 0;
}
