/* Rows of the options of C compilers (cli/compiler.def), for every command that reads a file. */
#define X(name, argument, reads, runs, help) {name, argument, help},
#include "cli/compiler.def"
#undef X
