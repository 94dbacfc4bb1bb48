#ifndef CONSTRAINTS_SMT_SMT_H
#define CONSTRAINTS_SMT_SMT_H
#include "constraints/smt/sexpr.h"
#include "constraints/solve.h"

/* SMT-LIB 2.6 for polynomial arithmetic: an interpreter of commands. In: text; out: responses. */

/* Who is called back. */
struct smt_host {
    void *self;
    /* A response, or a piece of one. */
    void (*write)(void *self, const char *text, size_t length);
    /* After each check-sat its certificate (docs/certificates.md), "(unknown)" where there is none.
       NULL: not wanted. */
    void (*certificate)(void *self, const char *text);
    /* Not NULL: nothing is solved; the certificate returned (NULL: none is left) for each check-sat
       is verified, and "verified", "refused: why" or "unchecked: why" is the response. Responses to
       get-… are not given. */
    const char *(*claim)(void *self);
};

struct smt;
struct smt *smt_new(struct arena *arena, const struct smt_host *host,
                    const struct solver_options *options);
/* Executes the commands of a text up to its end or (exit). */
void smt_run(struct smt *smt, sexpr_source source, void *self);
/* The same for a text at hand. */
void smt_run_text(struct smt *smt, const char *text, size_t length);
/* Was there an error (or, when verifying, anything not verified)? */
bool smt_failed(const struct smt *smt);
/* What the solvers have done so far, all together. */
struct solver_statistics smt_statistics(const struct smt *smt);
/* As an SMT-LIB response: (:questions 3 …). */
void smt_statistics_print(struct str *out, const struct solver_statistics *statistics);

#endif
