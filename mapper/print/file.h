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
/* The judge's verdict on a region, counted from 0 by the place in the mapped text. A region without
   a proof is printed as loops of the host; if two threads were found to conflict, the whole
   fragment keeps the source's text. A region that touches an unknown part of an array also becomes
   loops of the host, after a diagnostic at the array's declaration. */
struct map_verdict {
    size_t region;
    bool is_conflict;
    const char *array;               /* an array touched to an unknown extent; NULL: none */
};
/* Does the text of a fragment leave open how much of an array is touched, so that its regions must
   be read to know? */
bool mapping_is_open(const struct plain_file *mapping);
/* Applies the verdicts to the plans; false if no region is left. */
bool mapping_judge(struct plain_file *mapping, const struct map_verdict *verdicts, size_t n);
/* Takes back what errors at places of the source refuse, so that it keeps the source's text: the
   fragments there, else those of the functions around them, else all. False if there are none. */
bool mapping_yield(struct plain_file *mapping, const struct loc *places, size_t n);

#endif
