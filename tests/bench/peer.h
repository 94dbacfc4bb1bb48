#ifndef TESTS_BENCH_PEER_H
#define TESTS_BENCH_PEER_H
#include "constraints/solve.h"

/* libz3 behind four calls; where <z3.h> is absent peer_new returns NULL and the caller says so. */

struct peer;

/* Which of libz3's solvers: the combined one, the incremental one, the one for QF_NRA. */
enum peer_kind { PEER_COMBINED, PEER_SIMPLE, PEER_NRA, PEER_KINDS };
const char *peer_kind_name(enum peer_kind kind);

struct peer *peer_new(struct arena *arena);
const char *peer_version(struct arena *arena);
/* A solver of this kind without assertions, in place of the present one; `milliseconds` per check,
   0 = no limit. */
void peer_start(struct peer *peer, enum peer_kind kind, unsigned milliseconds);
/* The assertions of an SMT-LIB text (declarations and asserts), in order; NULL if libz3 cannot read
   it. The handles are valid as long as the peer is. */
void *const *peer_read(struct peer *peer, const char *text, size_t *count);
void peer_push(struct peer *peer);
void peer_pop(struct peer *peer);
void peer_assert(struct peer *peer, void *assertion);
enum verdict peer_check(struct peer *peer);

#endif
