/* The trials of a region so far, as lines of a file in the cache's folder (runtime/store.c), so
   that a tool that was stopped or killed repeats nothing and loses nothing but the trial at hand.
   The file's name is a digest of everything that a measurement depends on: the region's text,
   device, driver, values of parameters, data, number of runs. It is removed when the region has
   been tuned, by the last of the tools that are at work on it: those say so in a file beside it.
   One of them measures at a time, and what one has measured the others take. */
#include "base/progress.h"
#include "cli/tune.h"
#include "runtime/cut.h"
#include "runtime/hash.h"
#include "runtime/tuned.h"
#include <cjson/cJSON.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TRIALS_HEADER "{\"treefork_trials\": 1}"

struct tune_log {
    struct ctx *ctx;
    char name[64], users[72];
    int lock;                      /* treefork_store_lock */
    int use;                       /* treefork_store_use */
    VEC(struct trial) trials;
    size_t n_taken, n_read;        /* lines of the file: so far; while it is read again */
};

/* --- lines ----------------------------------------------------------------------------------- */

static const char *member_text(struct ctx *ctx, const cJSON *line, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(line, name);
    return cJSON_IsString(member) ? arena_strdup(ctx->arena, member->valuestring) : NULL;
}

static double member_number(const cJSON *line, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(line, name);
    return cJSON_IsNumber(member) ? member->valuedouble : -1;
}

static void samples_take(struct ctx *ctx, const cJSON *line, struct trial *trial)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "samples");
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    double *samples = ARENA_ARRAY(ctx->arena, double, n + 1);
    for (int i = 0; i < n; i++)
        samples[i] = cJSON_GetArrayItem(list, i)->valuedouble;
    trial->n_samples = (size_t)n;
    trial->samples = samples;
}

static bool trial_take(struct tune_log *log, const cJSON *line)
{
    struct trial trial = {.choice = member_text(log->ctx, line, "choice"),
                          .reason = member_text(log->ctx, line, "reason"),
                          .record = member_text(log->ctx, line, "record"),
                          .time = member_text(log->ctx, line, "time"),
                          .runs = member_number(line, "runs"),
                          .framework = member_number(line, "framework"),
                          .validation = member_number(line, "validation")};
    double leaf = member_number(line, "leaf"), state = member_number(line, "state");
    double devices = member_number(line, "devices");
    if (!trial.choice || !trial.reason || !trial.record || !trial.time || trial.runs < 1 ||
        leaf < 1 || leaf > TREEFORK_NONE || state < 0 || state > TRIAL_RUNTIME)
        return false;
    trial.leaf = (int)leaf;
    trial.devices = devices > 0 && devices <= TREEFORK_MEMBERS_MAX ? (int)devices : 0;
    trial.state = (enum trial_state)(int)state;
    samples_take(log->ctx, line, &trial);
    if (trial.state == TRIAL_CORRECT && trial.n_samples == 0)
        return false;
    trial_evaluate(log->ctx, &trial);
    vec_push(log->ctx->arena, &log->trials, trial);
    return true;
}

static bool line_take(void *state, const char *line, size_t length)
{
    struct tune_log *log = state;
    if (log->n_read++ < log->n_taken)
        return true;
    cJSON *object = cJSON_ParseWithLength(line, length);
    bool is_trial = cJSON_IsObject(object) && trial_take(log, object);
    cJSON_Delete(object);
    return is_trial;
}

static char *trial_line(const struct trial *trial)
{
    cJSON *line = cJSON_CreateObject();
    cJSON_AddNumberToObject(line, "leaf", trial->leaf);
    if (trial->devices)
        cJSON_AddNumberToObject(line, "devices", trial->devices);
    cJSON_AddStringToObject(line, "choice", trial->choice);
    cJSON_AddNumberToObject(line, "state", trial->state);
    cJSON_AddStringToObject(line, "reason", trial->reason);
    cJSON_AddItemToObject(line, "samples",
                          cJSON_CreateDoubleArray(trial->samples, (int)trial->n_samples));
    cJSON_AddNumberToObject(line, "runs", trial->runs);
    cJSON_AddNumberToObject(line, "framework", trial->framework);
    cJSON_AddNumberToObject(line, "validation", trial->validation);
    cJSON_AddStringToObject(line, "time", trial->time);
    cJSON_AddStringToObject(line, "record", trial->record);
    char *text = cJSON_PrintUnformatted(line);
    cJSON_Delete(line);
    return text;
}

/* --- the file -------------------------------------------------------------------------------- */

/* Everything that a measurement depends on, but the choice itself. */
static const char *key_text(struct tuning *t, const char *region, const struct tune_place *place)
{
    struct treefork_record r;
    struct str key = str_new(t->v.ctx->arena);
    treefork_record_read(place->record, strlen(place->record), &r);
    str_addf(&key, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n", TREEFORK_VERSION, region, r.source,
             r.kind, r.device, r.driver, r.names, r.fixed, r.sizes);
    str_addf(&key, "%s\nseed %llu\nruns %lld\ntolerance %.17g\n", t->set->text,
             (unsigned long long)t->v.seed, (long long)t->runs, t->v.tolerance);
    for (size_t i = 0; i < t->v.extents.list.count; i++)
        str_addf(&key, "extent %s %lld\n", t->v.extents.list.at[i].name,
                 (long long)t->v.extents.list.at[i].value);
    return key.text;
}

/* The lines that are new. A file that another tool has removed is read from its beginning. */
static void log_read(struct tune_log *log)
{
    log->n_read = 0;
    treefork_store_read(log->name, TRIALS_HEADER, line_take, log);
    log->n_taken = log->n_read;
}

enum log_turn tune_log_wait(struct tuning *t, struct tune_log *log, struct trial *trial)
{
    struct timespec nap = {0, 5000000};
    while (!verify_stopped()) {
        log->lock = treefork_store_lock();
        log_read(log);
        if (tune_log_find(log, trial)) {
            tune_log_go(log);
            return LOG_KNOWN;
        }
        if (log->lock != TREEFORK_LOCK_HELD)
            return LOG_MEASURE;
        progress_tick(t->v.ctx);
        nanosleep(&nap, NULL);
    }
    return LOG_STOPPED;
}

void tune_log_go(struct tune_log *log)
{
    if (log->lock >= 0)
        close(log->lock);
    log->lock = -1;
}

struct tune_log *tune_log_open(struct tuning *t, const char *region,
                               const struct tune_place *place)
{
    struct tune_log *log = ARENA_NEW(t->v.ctx->arena, struct tune_log);
    const char *key = key_text(t, region, place);
    unsigned char digest[TREEFORK_HASH_BYTES];
    struct treefork_hash hash;
    treefork_hash_start(&hash);
    treefork_hash_add(&hash, key, strlen(key));
    treefork_hash_end(&hash, digest);
    log->ctx = t->v.ctx;
    log->lock = -1;
    int n = snprintf(log->name, sizeof log->name, "trials-");
    for (int i = 0; i < TREEFORK_HASH_BYTES; i++)
        n += snprintf(log->name + n, sizeof log->name - (size_t)n, "%02x", digest[i]);
    snprintf(log->users, sizeof log->users, "%s.users", log->name);
    snprintf(log->name + n, sizeof log->name - (size_t)n, ".jsonl");
    log->use = treefork_store_use(log->users);
    if (t->is_fresh)
        treefork_store_remove(log->name);
    log_read(log);
    return log;
}

bool tune_log_find(const struct tune_log *log, struct trial *trial)
{
    for (size_t i = 0; i < log->trials.count; i++) {
        const struct trial *known = &log->trials.at[i];
        struct trial asked = *trial;
        if (known->leaf != asked.leaf || known->devices != asked.devices ||
            strcmp(known->choice, asked.choice) != 0)
            continue;
        *trial = *known;
        trial->function = asked.function;
        trial->region = asked.region;
        trial->set = asked.set;
        trial->predicted = asked.predicted;
        return true;
    }
    return false;
}

void tune_log_add(struct tuning *t, const struct tune_log *log, const struct trial *trial)
{
    char *line = trial_line(trial);
    int status = line ? treefork_store_append(log->name, TRIALS_HEADER, line) : TREEFORK_MEMORY;
    if (status && !t->log_has_failed)
        diag_warning(t->v.ctx, loc_none(), "trials are not kept for another run: %s",
                     treefork_message());
    t->log_has_failed |= status != TREEFORK_OK;
    cJSON_free(line);
}

void tune_log_end(struct tune_log *log)
{
    if (!treefork_store_used(log->use)) {
        treefork_store_remove(log->name);
        treefork_store_remove(log->users);
    }
    if (log->use >= 0)
        close(log->use);
}
