#ifndef MAPPER_CALLS_H
#define MAPPER_CALLS_H
#include "frontend/ast.h"

/* Does a called function, known by name, read its arguments only? */
bool call_is_math(const struct ast *call);

#endif
