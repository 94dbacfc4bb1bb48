#ifndef MAPPER_FILE_H
#define MAPPER_FILE_H
#include "base/str.h"
#include "frontend/ast.h"

/* The fragments of one file, each with its schedule, as text. */
struct plain_file;

/* The file with its fragments mapped. It has the marks of metafork.h and no such pragma. */
void mapping_print(struct str *out, const struct plain_file *mapping);
/* The same, and which part of the source each part of the text was made of. */
void mapping_print_parts(struct str *out, const struct plain_file *mapping,
                         struct source_origin *origin);
/* Is nothing mapped? The text is the source's then: its loops stay as they are, as notes say. */
bool mapping_is_empty(const struct plain_file *mapping);
/* Regions are counted from 0 by their place in the mapped text. What the judge does not prove is
   printed as loops of the host: the region, or the whole fragment as its source, where two threads
   were found to conflict. So is a region of which nobody knows how much of an array it touches,
   after a diagnostic at the array's declaration. False where no region is left. */
struct map_verdict {
    size_t region;
    bool is_conflict;
    const char *array;               /* how much of it is touched is not known; NULL: it is */
};
/* Does the text of a fragment leave open how much of an array is touched, so that its regions must
   be read to know? */
bool mapping_is_open(const struct plain_file *mapping);
bool mapping_judge(struct plain_file *mapping, const struct map_verdict *verdicts, size_t n);

#endif
