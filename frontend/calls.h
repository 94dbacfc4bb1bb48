#ifndef FRONTEND_CALLS_H
#define FRONTEND_CALLS_H
#include "frontend/ast.h"

/* Functions that are known by name. */

/* Does the function read its arguments alone and change nothing? One whose body is in the file is
   none of them, whatever its body does. */
bool call_is_pure(const struct ast *call);
/* May the function keep an address that it is given, for later? Functions that only fill what it
   leads to, as scanf and fread do, keep none. */
bool call_keeps_address(const struct ast *call);
/* Is it a call of assert, meta_tunable, meta_threads, meta_pays or meta_paid, which change
   nothing? */
bool call_is_mark(const struct ast *call);

#endif
