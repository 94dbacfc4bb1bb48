#ifndef CLI_POINTS_H
#define CLI_POINTS_H
#include "cli/question.h"

/* Explains every point of the file on standard output: for each line of it a line per region, or
   one line {"line": 3, "error": "…"}. The question has the trees, and what lines that give no
   machine or value are to have. With choices a second line for each region, what it would choose
   for itself, or {"error": "…"}. EXIT_INPUT if a line had an error. */
enum exit_code explain_points(struct ctx *ctx, const struct question *question, const char *path,
                              bool with_choices);

#endif
