#ifndef IR_VERIFY_H
#define IR_VERIFY_H
#include "base/map.h"
#include "ir/kernel.h"

/* Declarations shared by the files of the verifier. */

struct verifier {
    struct ctx *ctx;
    const struct kernel *kernel;
    struct arena *scratch;
    struct map *declared;       /* name -> var or array: every declaration met */
    struct map *visible;        /* pointer of var or array -> itself while it is in scope,
                                   "" afterwards */
    struct map *varying;        /* var or array whose value may differ between the threads of
                                   a block */
    struct map *written;        /* array stored to somewhere in the body */
    bool in_band, changed, failed;
    bool has_async, has_wait;   /* asynchronous copies, barriers that wait for them */
};

/* Reports a broken rule of kernel_verify. */
void verify_fail(struct verifier *v, struct loc loc, const char *rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A name that nothing else in the kernel has. */
void verify_declare(struct verifier *v, const char *name, const void *object, struct loc loc);
void verify_show(struct verifier *v, const void *object, bool visible);
/* Types, operand counts, functions, and that everything used is in scope. */
void verify_expr(struct verifier *v, const struct expr *e, struct loc loc);
/* An integer expression over parameters without loads and calls. */
void verify_extent(struct verifier *v, const struct expr *e, struct loc loc, const char *rule);
/* The whole body. */
void verify_body(struct verifier *v);
/* ir/verify_uniform.c: fills v->written and v->varying. */
void verify_flow(struct verifier *v);
bool verify_is_uniform(struct verifier *v, const struct expr *e);

#endif
