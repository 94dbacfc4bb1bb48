#ifndef IR_PARAM_H
#define IR_PARAM_H
#include "ir/expr.h"

/* The paper's classes, and the finer roles that decide behaviour (docs/design: Parameters). */
enum param_class { PARAM_MACHINE, PARAM_PROGRAM, PARAM_DATA };
enum param_role { ROLE_MACHINE, ROLE_SIZE, ROLE_TUNABLE, ROLE_UNIFORM, ROLE_VALUE };

struct param {
    const struct var *var;       /* the scalar; kind VAR_PARAM */
    enum param_class class;
    enum param_role role;
    int variable;                /* ring variable of the same name; -1 for ROLE_VALUE */
    bool has_lo;
    int64_t lo;                  /* the initial system has lo <= variable */
};

#endif
