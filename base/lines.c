/* Lines of the user's source, for texts that are made from it and say where they come from. In:
   places of statements, which may lie in a text that the mapper made. Out: numbers of lines in
   the user's own file. Sources are compared by their paths, as a file may have been read twice. */
#include "base/lines.h"
#include <string.h>

const struct source *source_own(const struct source *source)
{
    while (source->origin)
        source = source->origin->source;
    return source;
}

unsigned source_line_of(const struct source *source, struct loc loc)
{
    struct loc own = loc_origin(loc);
    if (!own.source || !own.line)
        return 0;
    bool is_same = own.source == source || strcmp(own.source->path, source->path) == 0;
    return is_same ? own.line : 0;
}
