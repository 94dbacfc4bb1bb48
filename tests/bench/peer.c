/* libz3 by its C interface. Reference counts are left to the context (Z3_mk_context), which frees
   all at the end; solvers are counted. Errors of libz3 do not end the process: a text it cannot
   read gives no assertions. */
#include "tests/bench/peer.h"
#include <stddef.h>

const char *peer_kind_name(enum peer_kind kind)
{
    static const char *const NAMES[] = {"combined", "simple", "for QF_NRA"};
    return NAMES[kind];
}

#if __has_include(<z3.h>)
#include <z3.h>

struct peer {
    struct arena *arena;
    Z3_context context;
    Z3_solver solver;
};

static void peer_clear(void *object)
{
    struct peer *peer = object;
    if (peer->solver)
        Z3_solver_dec_ref(peer->context, peer->solver);
    Z3_del_context(peer->context);
}

static void quiet(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code;
}

struct peer *peer_new(struct arena *arena)
{
    struct peer *peer = ARENA_NEW(arena, struct peer);
    Z3_config config = Z3_mk_config();
    peer->arena = arena;
    peer->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(peer->context, quiet);
    arena_on_free(arena, peer_clear, peer);
    return peer;
}

const char *peer_version(struct arena *arena)
{
    unsigned major, minor, build, revision;
    Z3_get_version(&major, &minor, &build, &revision);
    return arena_printf(arena, "libz3 %u.%u.%u", major, minor, build);
}

void peer_start(struct peer *peer, enum peer_kind kind, unsigned milliseconds)
{
    if (peer->solver)
        Z3_solver_dec_ref(peer->context, peer->solver);
    if (kind == PEER_COMBINED)
        peer->solver = Z3_mk_solver(peer->context);
    else if (kind == PEER_SIMPLE)
        peer->solver = Z3_mk_simple_solver(peer->context);
    else
        peer->solver =
            Z3_mk_solver_for_logic(peer->context, Z3_mk_string_symbol(peer->context, "QF_NRA"));
    Z3_solver_inc_ref(peer->context, peer->solver);
    if (milliseconds) {
        Z3_params params = Z3_mk_params(peer->context);
        Z3_params_inc_ref(peer->context, params);
        Z3_params_set_uint(peer->context, params, Z3_mk_string_symbol(peer->context, "timeout"),
                           milliseconds);
        Z3_solver_set_params(peer->context, peer->solver, params);
        Z3_params_dec_ref(peer->context, params);
    }
}

void *const *peer_read(struct peer *peer, const char *text, size_t *count)
{
    Z3_ast_vector vector =
        Z3_parse_smtlib2_string(peer->context, text, 0, NULL, NULL, 0, NULL, NULL);
    *count = 0;
    if (Z3_get_error_code(peer->context) != Z3_OK || !vector)
        return NULL;
    Z3_ast_vector_inc_ref(peer->context, vector);
    *count = Z3_ast_vector_size(peer->context, vector);
    void **assertions = ARENA_ARRAY(peer->arena, void *, *count + 1);
    for (unsigned i = 0; i < *count; i++)
        assertions[i] = Z3_ast_vector_get(peer->context, vector, i);
    return assertions;
}

void peer_push(struct peer *peer)
{
    Z3_solver_push(peer->context, peer->solver);
}

void peer_pop(struct peer *peer)
{
    Z3_solver_pop(peer->context, peer->solver, 1);
}

void peer_assert(struct peer *peer, void *assertion)
{
    Z3_solver_assert(peer->context, peer->solver, assertion);
}

enum verdict peer_check(struct peer *peer)
{
    Z3_lbool result = Z3_solver_check(peer->context, peer->solver);
    return result == Z3_L_TRUE ? SAS_NONEMPTY : result == Z3_L_FALSE ? SAS_EMPTY : SAS_UNKNOWN;
}

#else

struct peer *peer_new(struct arena *arena)
{
    (void)arena;
    return NULL;
}

const char *peer_version(struct arena *arena)
{
    (void)arena;
    return "libz3 is not installed";
}

void peer_start(struct peer *peer, enum peer_kind kind, unsigned milliseconds)
{
    (void)peer, (void)kind, (void)milliseconds;
}

void *const *peer_read(struct peer *peer, const char *text, size_t *count)
{
    (void)peer, (void)text;
    *count = 0;
    return NULL;
}

void peer_push(struct peer *peer)
{
    (void)peer;
}

void peer_pop(struct peer *peer)
{
    (void)peer;
}

void peer_assert(struct peer *peer, void *assertion)
{
    (void)peer, (void)assertion;
}

enum verdict peer_check(struct peer *peer)
{
    (void)peer;
    return SAS_UNKNOWN;
}

#endif
