/* treefork check: what a tree claims, proved and checked. The tree comes from a tree.json, or from
   a C file, of which it is made first. Every claim is proved by the solver and its certificate goes
   through the independent checker; the certificates are written to a file, from which
   --certificate verifies all of it again without the solver. What is not proved is listed; status 1
   if there is anything. */
#include "base/map.h"
#include "base/progress.h"
#include "claims/certificate.h"
#include "cli/cli.h"
#include "constraints/solve.h"
#include <string.h>
#include <time.h>

const struct option_row check_rows[] = {
    {"--certificate", "FILE", "verify this certificate of the tree again, without the solver"},
    {"-o", "FILE",
     "write the certificate to FILE (of NAME.tree.json: NAME.tree.cert.json beside it)"},
    {"--steps", "N", "budget of the solver for each claim (default 2000000)"},
    {"--list", NULL, "every claim with how it is proved"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t check_row_count = sizeof check_rows / sizeof check_rows[0];

enum { STATUSES = CLAIM_UNSTATED + 1 };

/* One run over a document. */
struct inspection {
    struct ctx *ctx;
    const struct document *document;
    const struct certificate *certificate;      /* NULL = prove */
    uint64_t steps;
    bool lists;
    struct claim_list *claims;                  /* by region */
    struct claim_result **results;
    size_t counts[STATUSES];
    struct claim_cost cost;
};

/* --- input ------------------------------------------------------------------------------------ */

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The tree of a C file as the text of its tree.json. */
static const char *tree_text(struct ctx *ctx, const struct command_line *line, enum exit_code *code)
{
    struct program *program = input_program(ctx, line, INPUT_WHOLE, code);
    const struct tree **trees = program ? input_trees(ctx, line, program, code) : NULL;
    struct str out = str_new(ctx->arena);
    if (!trees)
        return NULL;
    emit_json(ctx, &out, program, trees, false);
    return out.text;
}

static const struct document *input_document(struct ctx *ctx, const struct command_line *line,
                                             enum exit_code *code)
{
    size_t length;
    const char *path = input_path(ctx, line, code), *text = NULL;
    if (!path)
        return NULL;
    *code = EXIT_INPUT;
    text = ends_in(path, ".json") ? file_read(ctx, path, &length) : tree_text(ctx, line, code);
    return text ? document_read(ctx, path, text) : NULL;
}

/* --- the claims ------------------------------------------------------------------------------- */

static void region_inspect(struct inspection *run, size_t r)
{
    struct arena *arena = run->ctx->arena;
    const struct document_region *region = &run->document->regions[r];
    run->claims[r] = claims_of(arena, region);
    run->results[r] = ARENA_ARRAY(arena, struct claim_result, run->claims[r].count + 1);
    progress_begin(run->ctx, "claims of %s", region->name);
    for (size_t i = 0; i < run->claims[r].count; i++) {
        const struct claim *claim = &run->claims[r].at[i];
        progress_tick(run->ctx);
        run->results[r][i] =
            run->certificate
                ? claim_check(arena, region, claim,
                              certificate_find(run->certificate, r, claim->key), &run->cost)
                : claim_prove(arena, region, claim, run->steps, &run->cost);
        run->counts[run->results[r][i].status]++;
    }
    progress_end(run->ctx);
}

static bool strangers_refused(struct inspection *run, const char *path)
{
    size_t n = run->certificate ? run->document->n_regions : 0;
    for (size_t r = 0; r < n; r++) {
        const char *key = certificate_stranger(run->certificate, r, run->claims[r]);
        if (!key)
            continue;
        diag_error(run->ctx, loc_none(), "%s: region '%s': it proves '%s', which the tree does not "
                                         "claim",
                   path, run->document->regions[r].name, key);
        return true;
    }
    return false;
}

/* --- the report ------------------------------------------------------------------------------- */

static const char *const status_words[STATUSES] = {
    [CLAIM_READ] = "read",     [CLAIM_WITNESSED] = "witness", [CLAIM_PROVED] = "proof",
    [CLAIM_FAILED] = "FAILED", [CLAIM_OPEN] = "not proved",   [CLAIM_UNSTATED] = "not stated",
};

/* "7 by reading, 6 by proofs" */
static const char *means_text(struct arena *arena, const size_t *counts)
{
    static const char *const means[] = {"reading", "witnesses", "proofs"};
    struct str text = str_new(arena);
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        if (counts[i])
            str_addf(&text, "%s%zu by %s", text.length ? ", " : "", counts[i], means[i]);
    return text.text;
}

static void claim_line(const struct claim *claim, const struct claim_result *result)
{
    printf("              %s: %s%s%s\n", claim->subject, status_words[result->status],
           result->why ? ": " : "", result->why ? result->why : "");
}

/* Does a later claim of the kind stay unstated for the same reason as claim i? */
static bool is_said_again(const struct inspection *run, size_t r, size_t i)
{
    struct claim_list claims = run->claims[r];
    const struct claim_result *results = run->results[r];
    for (size_t k = i + 1; k < claims.count; k++)
        if (claims.at[k].kind == claims.at[i].kind && results[k].status == CLAIM_UNSTATED &&
            strcmp(results[k].why, results[i].why) == 0)
            return true;
    return false;
}

/* What is not stated, once for each reason. */
static void unstated_lines(const struct inspection *run, size_t r, enum claim_kind kind)
{
    struct claim_list claims = run->claims[r];
    struct map *told = map_new(run->ctx->arena);
    for (size_t i = 0; i < claims.count; i++) {
        const struct claim_result *result = &run->results[r][i];
        if (claims.at[i].kind != kind || result->status != CLAIM_UNSTATED ||
            map_get(told, result->why))
            continue;
        map_put(told, result->why, run->ctx);
        printf("              %s%s: %s\n", claims.at[i].subject,
               is_said_again(run, r, i) ? " and others" : "", result->why);
    }
}

/* All claims of a kind in a line, and those that are not proved in lines of their own. */
static void kind_report(const struct inspection *run, size_t r, enum claim_kind kind)
{
    size_t counts[STATUSES] = {0}, all = 0;
    struct claim_list claims = run->claims[r];
    for (size_t i = 0; i < claims.count; i++) {
        bool is_it = claims.at[i].kind == kind;
        all += is_it;
        counts[run->results[r][i].status] += is_it;
    }
    if (all == 0)
        return;
    size_t proved = counts[CLAIM_READ] + counts[CLAIM_WITNESSED] + counts[CLAIM_PROVED];
    const char *word = counts[CLAIM_FAILED]     ? "FAILED"
                       : counts[CLAIM_OPEN]     ? "not proved"
                       : counts[CLAIM_UNSTATED] ? "not stated"
                                                : "proved";
    printf("  %-10s  %s: %zu of %zu (%s)\n", word, claim_title(kind), proved, all,
           proved ? means_text(run->ctx->arena, counts) : "none");
    for (size_t i = 0; i < claims.count; i++) {
        enum claim_status status = run->results[r][i].status;
        bool is_shown = run->lists || status == CLAIM_FAILED || status == CLAIM_OPEN;
        if (claims.at[i].kind == kind && is_shown)
            claim_line(&claims.at[i], &run->results[r][i]);
    }
    if (!run->lists)
        unstated_lines(run, r, kind);
}

static void region_report(const struct inspection *run, size_t r)
{
    const struct document_region *region = &run->document->regions[r];
    size_t cases = 0;
    for (size_t i = 0; i < region->n_leaves; i++)
        cases += region->leaves[i].n_cases;
    printf("%s: %zu case%s in %zu %s\n", region->name, cases, cases == 1 ? "" : "s",
           region->n_leaves, region->n_leaves == 1 ? "leaf" : "leaves");
    for (int kind = 0; kind < CLAIM_KINDS; kind++)
        kind_report(run, r, kind);
}

static bool all_proved(const struct inspection *run)
{
    return run->counts[CLAIM_FAILED] + run->counts[CLAIM_OPEN] == 0;
}

static void total_report(const struct inspection *run, double seconds)
{
    const size_t *counts = run->counts;
    size_t proved = counts[CLAIM_READ] + counts[CLAIM_WITNESSED] + counts[CLAIM_PROVED];
    printf("%zu claims proved (%s), %zu failed, %zu not proved, %zu not stated\n", proved,
           means_text(run->ctx->arena, counts), counts[CLAIM_FAILED], counts[CLAIM_OPEN],
           counts[CLAIM_UNSTATED]);
    printf("%.3f s, of that solver %.3f, independent checker %.3f%s\n", seconds, run->cost.solver,
           run->cost.checker, run->certificate ? "; without the solver" : "");
}

/* --- the certificate -------------------------------------------------------------------------- */

/* out/app.tree.json to out/app.tree.cert.json; NULL of a C file, beside which nothing is written
   that was not asked for. */
static const char *certificate_path(const struct inspection *run, const struct command_line *line)
{
    struct arena *arena = run->ctx->arena;
    const char *path = option_text(line, "-o"), *tree = run->document->path;
    if (path)
        return path;
    if (!ends_in(tree, ".json"))
        return NULL;
    return arena_printf(arena, "%.*s.cert.json", (int)(strlen(tree) - strlen(".json")), tree);
}

/* What failed has no certificate; an old one stays as it is. */
static bool certificate_write(const struct inspection *run, const struct command_line *line)
{
    struct str out = str_new(run->ctx->arena);
    const char *path = certificate_path(run, line);
    if (run->counts[CLAIM_FAILED]) {
        printf("no certificate is written\n");
        return true;
    }
    if (!path) {
        printf("certificate: -o FILE writes one\n");
        return true;
    }
    certificate_print(&out, run->document, run->claims,
                      (const struct claim_result *const *)run->results);
    if (!file_write(run->ctx, path, out.text, out.length))
        return false;
    printf("certificate: %s, %zu bytes\n", path, out.length);
    return true;
}

/* --- the command ------------------------------------------------------------------------------ */

static bool check_options(struct ctx *ctx, const struct command_line *line, uint64_t *steps)
{
    const char *text = option_text(line, "--steps");
    int64_t number = 0;
    if (option_text(line, "--certificate") && option_text(line, "-o")) {
        diag_error(ctx, loc_none(), "--certificate and -o exclude each other");
        return false;
    }
    if (text && !option_integer(ctx, "--steps", text, 1, INT64_MAX, &number))
        return false;
    *steps = (uint64_t)number;
    return true;
}

/* False after a diagnostic. */
static bool certificate_open(struct inspection *run, const char *path)
{
    size_t length;
    const char *text = path ? file_read(run->ctx, path, &length) : NULL;
    if (!path)
        return true;
    if (text)
        run->certificate = certificate_read(run->ctx, path, text, run->document);
    return run->certificate;
}

enum exit_code command_check(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    struct inspection run = {.ctx = ctx, .lists = option_flag(line, "--list")};
    const char *given = option_text(line, "--certificate");
    if (!check_options(ctx, line, &run.steps))
        return EXIT_USAGE;
    run.document = input_document(ctx, line, &code);
    if (!run.document)
        return code;
    if (!certificate_open(&run, given))
        return EXIT_INPUT;
    clock_t start = clock();
    run.claims = ARENA_ARRAY(ctx->arena, struct claim_list, run.document->n_regions + 1);
    run.results = ARENA_ARRAY(ctx->arena, struct claim_result *, run.document->n_regions + 1);
    for (size_t r = 0; r < run.document->n_regions; r++)
        region_inspect(&run, r);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (size_t r = 0; r < run.document->n_regions; r++)
        region_report(&run, r);
    total_report(&run, seconds);
    bool done = !strangers_refused(&run, given) && (given || certificate_write(&run, line));
    solver_thread_end();
    return done && all_proved(&run) ? EXIT_DONE : EXIT_INPUT;
}
