#ifndef CONSTRAINTS_SMT_SCRIPT_H
#define CONSTRAINTS_SMT_SCRIPT_H
#include "constraints/smt/elaborate.h"
#include "constraints/smt/session.h"
#include "constraints/smt/smt.h"
#include "constraints/smt/valuation.h"

/* What the commands share: the state of one script. */

/* How many nodes the terms of a script may have: so many, and so many more for each expression that
   is read. */
enum { TERM_BUDGET = 1 << 20, TERM_BUDGET_MORE = 16 };

struct assertion {
    const struct term *term;   /* NULL: it was refused */
    const char *name;          /* :named, else NULL */
    const char *text;          /* with :produce-assertions, else NULL */
};

struct smt_level {
    struct arena *arena;             /* of what is declared and asserted in it */
    size_t symbols, assertions;      /* how many there were before */
};

/* What was asked last, until the state changes. */
struct answer {
    bool asked;
    enum verdict verdict;
    const char *reason;                        /* unknown: why */
    struct session *session;                   /* the one that knows the answer */
    struct session *strong;                    /* made for it alone; NULL */
    struct valuation *valuation;
    VEC(const struct term *) assumptions;
    VEC(const char *) assumption_texts;
    struct arena *arena;
};

struct smt {
    struct arena *arena;                       /* of the script since (reset) */
    struct smt_host host;
    struct solver_options options;
    struct map *symbols;                       /* name to struct symbol */
    struct map *settings;                      /* options that were set: keyword to text */
    VEC(struct symbol *) declared;
    VEC(struct assertion) assertions;
    VEC(struct smt_level) levels;              /* the first is that of the script itself */
    struct session *session;                   /* NULL before it is needed */
    struct answer answer;
    struct solver_statistics statistics;       /* of sessions that are gone */
    struct sexpr_error error;                  /* of the command at hand */
    struct arena *command;                     /* freed after it */
    size_t budget;                             /* of nodes of terms */
    bool reals, failed, finished;
};

enum response { RESPONSE_SUCCESS, RESPONSE_GIVEN, RESPONSE_ERROR, RESPONSE_UNSUPPORTED };

/* Sets the error of the command. */
__attribute__((format(printf, 3, 4)))
enum response smt_refuse(struct smt *smt, const struct sexpr *at, const char *format, ...);
void smt_write(struct smt *smt, const char *text);
/* Is the option (with its default) "true"? */
bool smt_setting(const struct smt *smt, const char *keyword);
/* The arena for what is declared now. */
struct arena *smt_level_arena(struct smt *smt);
struct elaborator smt_elaborator(struct smt *smt, struct arena *arena);
/* False after an error if the name is taken. */
bool smt_name_free(struct smt *smt, const struct sexpr *at, const char *name);
void smt_define(struct smt *smt, struct symbol symbol);
/* Defines what :named has named; false after an error. */
bool smt_define_names(struct smt *smt, const struct sexpr *at, const struct elaborator *e);
/* The session with all assertions; made if there is none. */
struct session *smt_session(struct smt *smt);
/* A session of its own with all assertions and assumptions. */
struct session *smt_strong_session(struct smt *smt);
void smt_session_drop(struct smt *smt, struct session *session);
/* Forgets the answer; assumptions are taken back. */
void smt_settle(struct smt *smt);
/* Takes back levels until `count` are left. */
void smt_levels_drop(struct smt *smt, size_t count);
/* An assertion was refused: "sat" cannot be told any more. */
void smt_assertion_lost(struct smt *smt);
/* One function per row of command.def. */
#define X(name, function, least, greatest, settles)                                                \
    enum response smt_command_##function(struct smt *smt, const struct sexpr *expr);
#include "constraints/smt/command.def"
#undef X

#endif
