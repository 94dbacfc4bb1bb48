#ifndef CONSTRAINTS_RING_H
#define CONSTRAINTS_RING_H
/* What is behind struct ring and struct poly, for the files of this folder only. A ring's FLINT
   context has room for RING_CAPACITY variables from the start, so that polynomials stay valid when
   variables are added; its order is by total degree, then lexicographic by variable number. Every
   polynomial is canonical (content times a primitive integer polynomial with positive leading
   coefficient), and its total degree is at most POLY_DEGREE_LIMIT. */
#include "constraints/flint.h"
#include "constraints/poly.h"
#include "constraints/sas.h"

struct ring {
    struct arena *arena;
    fmpq_mpoly_ctx_t ctx;
    int count;
    const char *names[RING_CAPACITY];
    const struct poly *kept[2];          /* 0 and 1, of which many are asked for; NULL = not made
                                            yet */
    const struct poly *variables[RING_CAPACITY];   /* each as a polynomial; NULL = not made yet */
    uint64_t *questions;                 /* ring_count_questions; NULL = nobody counts */
};

struct poly {
    fmpq_mpoly_t value;
    struct ring *ring;
    struct arena *arena;                 /* it lies here, and so does what is kept with it */
    const struct poly_words *words;      /* words.c: the terms unpacked; NULL = not yet */
};

/* The same ring for new polynomials in another arena, which must be freed before the ring's; no
   variables may be added to either meanwhile. Operations whose first operand belongs to the view
   give polynomials of the view. */
struct ring *ring_view(struct arena *arena, const struct ring *ring);
/* p as a polynomial of the view; shares p's terms. */
const struct poly *poly_view(struct ring *view, const struct poly *p);
/* A zero polynomial of the ring, registered with its arena, to be filled before it is shown to
   anybody. */
struct poly *poly_new(struct ring *ring);
/* The same in another arena, which must be freed before the ring's. */
struct poly *poly_scratch(struct arena *arena, struct ring *ring);
/* A zero polynomial of FLINT's in `arena`, cleared with it. */
fmpz_mpoly_struct *mpoly_scratch(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx);
/* Parses as poly_read from *cursor up to the first character that cannot continue an expression. */
const struct poly *poly_parse(struct ring *ring, const char **cursor, const char **error);
/* Numerator polynomial times the sign of the content: a primitive integer polynomial that is a
   positive multiple of p. */
void poly_primitive(fmpz_mpoly_t primitive, const struct poly *p);
/* Value of p's primitive integer polynomial (positive leading coefficient) at an integer point, one
   entry per variable of the ring; false if a step leaves 64 bits. */
bool poly_primitive_value(const struct poly *p, const int64_t *point, int64_t *value);
/* The same at a rational point, exactly. */
void poly_primitive_rational(fmpq_t value, const struct poly *p, const fmpq *point);

#endif
