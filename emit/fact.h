#ifndef EMIT_FACT_H
#define EMIT_FACT_H
#include "base/str.h"
#include "ir/kernel.h"

/* Adds " && a <= b" in C over the kernel's parameters, which implies the fact; false, with nothing
   added, if there is no such condition. */
bool fact_print(const struct kernel *kernel, struct str *out, struct constraint fact);

#endif
