#ifndef EMIT_SERIAL_H
#define EMIT_SERIAL_H
#include "emit/host.h"

/* Does the file have functions tf_serial_NAME for sums, or for maps? */
bool serial_any(struct host *host, bool of_sums);
/* Does one of their kernels call the function? */
bool serial_calls(struct host *host, const char *name);

#endif
