#ifndef CLAIMS_READER_H
#define CLAIMS_READER_H
#include "claims/document.h"
#include <cjson/cJSON.h>

/* What the files of the reader share. Each function that returns NULL or false has reported why. */

struct document_reader {
    struct ctx *ctx;
    const char *path;
    const char *where;              /* "region 'matmul', leaf 3"; "" at the top */
    bool is_compact;
    const cJSON *json;              /* the region */
    struct document_region *region;
};

/* The text as JSON, which the caller frees. NULL after a diagnostic with line and column. */
cJSON *document_json(struct ctx *ctx, const char *path, const char *text);

/* An error at the place of the reader; NULL. */
__attribute__((format(printf, 2, 3)))
void *document_refuse(struct document_reader *reader, const char *format, ...);

typedef cJSON_bool kind_test(const cJSON *item);
/* A member that must be there, and of that kind, which messages name. */
const cJSON *document_member(struct document_reader *reader, const cJSON *object, const char *name,
                             kind_test *is_kind, const char *kind);
const cJSON *document_list(struct document_reader *reader, const cJSON *object, const char *name);
const cJSON *document_object(struct document_reader *reader, const cJSON *object,
                             const char *name);
/* A copy in the arena. */
const char *document_text(struct document_reader *reader, const cJSON *object, const char *name);
/* An integer that a double holds exactly; an index below `limit`. Neither reports. */
bool document_integer(const cJSON *item, int64_t *value);
bool document_index(const cJSON *item, size_t limit, size_t *index);

bool document_constraint(struct document_reader *reader, const cJSON *item, struct constraint *c);
/* A list of texts; `numbered`: in the compact layout of numbers. */
bool document_system_list(struct document_reader *reader, const cJSON *list, bool numbered,
                          struct sas *sas);
/* The same of a member. */
bool document_system(struct document_reader *reader, const cJSON *object, const char *name,
                     bool numbered, struct sas *sas);
const struct poly *document_poly(struct document_reader *reader, const cJSON *item);
/* `test` and `keys` of a fork or of a leaf's counter. */
bool document_part(struct document_reader *reader, const cJSON *object, struct document_part *part);

/* The leaves of the region. */
bool document_leaves(struct document_reader *reader);

#endif
