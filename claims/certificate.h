#ifndef CLAIMS_CERTIFICATE_H
#define CLAIMS_CERTIFICATE_H
#include "claims/claim.h"

/* NAME.tree.cert.json: the certificates of a tree's claims (docs/certificates.md, "Of trees"). */

/* Which tree it is: 16 hexadecimal digits that depend on everything that is claimed of the region,
   and on nothing else of the file. */
const char *region_fingerprint(struct arena *arena, const struct document_region *region);

/* The text, from results in the order of claims_of, a list per region. */
void certificate_print(struct str *out, const struct document *document,
                       const struct claim_list *claims, const struct claim_result *const *results);

struct certificate;
/* NULL after a diagnostic: it is malformed, of another schema or of another tree. */
const struct certificate *certificate_read(struct ctx *ctx, const char *path, const char *text,
                                           const struct document *document);
/* The certificate of a claim of region r; NULL = it has none. */
const char *certificate_find(const struct certificate *certificate, size_t r, const char *key);
/* A key of region r that none of the claims has; NULL if there is none. */
const char *certificate_stranger(const struct certificate *certificate, size_t r,
                                 struct claim_list claims);

#endif
