/* Rows of options, included where a command lists its own: --no-NAME of each transformation of the
   mapper (mapper/forms/transformations.def). */
#define X(symbol, name, when, text) {"--no-" name, NULL, "map plain C without it: " text},
#include "mapper/forms/transformations.def"
#undef X
