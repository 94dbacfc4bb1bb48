/* Rows of options that every command has which maps: --all, --any, --reassociate (also for a
   thread's own sums in MetaFork C), --restrict, and --no-NAME of each transformation of the mapper
   (mapper/forms/transformations.def). Commands have their own row for --function, which chooses the
   loops of a function or a function to run. */
{"--all", NULL, "of plain C: map every loop that is independent and has threads enough to pay"},
{"--any", NULL,
 "whatever can run on a device: regions as they stand, of plain C what --all takes; `build` takes "
 "a file that has neither as it is"},
{"--reassociate", NULL,
 "sums of floating numbers may be taken in any order: those of plain C, and of a thread alone"},
{"--restrict", NULL,
 "of plain C: pointers lead to memory that lies apart, as if all of them were declared restrict"},
#define X(symbol, name, when, text) {"--no-" name, NULL, "map plain C without it: " text},
#include "mapper/forms/transformations.def"
#undef X
