#ifndef CLI_TUNE_SPACE_H
#define CLI_TUNE_SPACE_H
#include <stdbool.h>

/* Conditions of T1 documents (tune_expression.c): expressions of Python and C over numbers, with
   names, + - * / // % **, comparisons (chains too), and, or, not, &&, ||, !, parentheses. */

/* The value of a name; false if there is none. */
typedef bool expression_lookup(void *state, const char *name, double *value);

/* What became of an evaluation. `at`: the place of a fault; for a name without a value, its begin.
   */
enum expression_end { EXPRESSION_DONE, EXPRESSION_SYNTAX, EXPRESSION_NAME };
struct expression_result {
    enum expression_end end;
    const char *at;
    double value;                  /* of a condition: 0 or 1; NaN where a division is by 0 */
};
struct expression_result expression_evaluate(const char *text, expression_lookup *lookup,
                                             void *state);

#endif
