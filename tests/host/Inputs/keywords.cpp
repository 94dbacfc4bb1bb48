#include "keywords.tf.h"

int (*chosen)(const treefork_machine *, int64_t, int64_t, treefork_trace *) = scale_select;
void (*run)(int, int, const float *, float *, const char *) = scale;
