/* The text and the JSON of an explanation. In: a struct treefork_explanation, whoever filled it;
   out: lines for people, or one JSON object on one line. Invariant: the output depends on nothing
   but the explanation, so that a generated program and `treefork explain` can be compared byte by
   byte. Times are a model's numbers and say so; a measured time is shown where one is known. */
#include "runtime/explanation.h"
#include "runtime/explained_devices.h"
#include "runtime/serial.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- conditions ------------------------------------------------------------------------------ */

static bool is_constant(const char *text, size_t length)
{
    size_t digits = strspn(text, "-0123456789");
    return digits >= length;
}

static void side_text(struct treefork_text *out, const char *text, size_t length, int64_t value,
                      bool is_beyond)
{
    treefork_text_add(out, "%.*s", (int)length, text);
    if (is_constant(text, length))
        return;
    if (is_beyond)
        treefork_text_add(out, " = (beyond 64 bits)");
    else if (value == TREEFORK_UNLIMITED)
        treefork_text_add(out, " = unlimited");
    else
        treefork_text_add(out, " = %" PRId64, value);
}

/* The condition without what its auxiliary integers stand for ("… with q = ceil(B/4)"). */
static size_t condition_length(const char *text)
{
    const char *with = strstr(text, " with ");
    return with ? (size_t)(with - text) : strlen(text);
}

static void condition_numbers(struct treefork_text *out,
                              const struct treefork_explained_condition *c)
{
    static const char *const relations[] = {" <= ", " >= ", " == ", " != ", " < ", " > "};
    size_t length = condition_length(c->text);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const char *at = strstr(c->text, relations[i]);
        if (!at)
            continue;
        size_t left = (size_t)(at - c->text), skipped = left + strlen(relations[i]);
        side_text(out, c->text, left, c->left, c->left_is_beyond);
        treefork_text_add(out, "%s", relations[i]);
        side_text(out, c->text + skipped, length - skipped, c->right, c->right_is_beyond);
        return;
    }
    treefork_text_add(out, "%.*s", (int)length, c->text);
}

void treefork_condition_text(struct treefork_text *text,
                             const struct treefork_explained_condition *c)
{
    condition_numbers(text, c);
    treefork_text_add(text, c->holds ? "   holds" : "   does not hold");
}

/* --- the runner-up --------------------------------------------------------------------------- */

static int leaf_place(const struct treefork_explanation *e, int id)
{
    for (size_t i = 0; i < e->n_leaves; i++)
        if (e->leaves[i].id == id)
            return (int)i;
    return -1;
}

static int second_by_time(const struct treefork_explanation *e)
{
    int found = -1;
    for (size_t i = 0; i < e->n_leaves; i++) {
        const struct treefork_explained_leaf *leaf = &e->leaves[i];
        bool is_possible = leaf->id != e->leaf && leaf->fits && leaf->is_timed;
        if (is_possible &&
            (found < 0 || treefork_faster(&leaf->compared, &e->leaves[found].compared)))
            found = (int)i;
    }
    return found;
}

int treefork_explanation_second(const struct treefork_explanation *e)
{
    int place = leaf_place(e, e->leaf);
    if (e->by == TREEFORK_TAKEN_BY_TIME && second_by_time(e) >= 0)
        return second_by_time(e);
    if (place > 0)
        return place - 1;
    return e->n_leaves > 1 ? 1 : -1;
}

static void second_reason(struct treefork_text *out, const struct treefork_explanation *e,
                          const struct treefork_explained_leaf *second)
{
    if (!second->fits) {
        treefork_text_add(out, "does not fit: ");
        treefork_condition_text(out, &second->lack);
    } else if (e->by == TREEFORK_TAKEN_BY_TIME && second->is_timed) {
        treefork_text_add(out, "fits, and counts as %.3f us",
                          second->compared.nanoseconds / 1e3);
    } else if (e->by == TREEFORK_TAKEN_BY_FORCE) {
        treefork_text_add(out, "fits, but another leaf was forced");
    } else if (e->by == TREEFORK_TAKEN_BY_TUNING) {
        treefork_text_add(out, "fits, but another choice was tuned");
    } else if (second->is_safe) {
        treefork_text_add(out, "the safe leaf is taken only where no other accepts");
    } else if (e->parting >= 0) {
        treefork_text_add(out, "fits, but its case is another, since ");
        treefork_condition_text(out, &e->steps[e->parting].condition);
    } else {
        treefork_text_add(out, "fits, but has no case of its own here");
    }
}

/* --- the serial code ------------------------------------------------------------------------- */

/* NULL where its time is not known. */
static const struct treefork_explained_leaf *serial_leaf(const struct treefork_explanation *e)
{
    int place = leaf_place(e, e->leaf);
    return place >= 0 && e->leaves[place].serial > 0 ? &e->leaves[place] : NULL;
}

bool treefork_explanation_stays(const struct treefork_explanation *e)
{
    const struct treefork_explained_leaf *leaf = serial_leaf(e);
    return leaf && treefork_serial_pays(leaf->serial, &leaf->prediction);
}

static bool is_tried(const struct treefork_explanation *e)
{
    return e->serial > 0 || e->launch > 0;
}

static void tried_text(struct treefork_text *out, const struct treefork_explanation *e)
{
    if (!is_tried(e))
        return;
    treefork_text_add(out, "  measured in this process:");
    if (e->launch > 0)
        treefork_text_add(out, " a launch %.3f us", e->launch / 1e3);
    if (e->serial > 0)
        treefork_text_add(out, "%s serial code in place %.3f us", e->launch > 0 ? "," : "",
                          e->serial / 1e3);
    treefork_text_add(out, "\n");
}

static void in_place_text(struct treefork_text *out, const struct treefork_explanation *e)
{
    if (e->is_in_place)
        treefork_text_add(out, "  in place: the host runs the serial code, and nothing is "
                               "launched\n");
}

static void serial_text(struct treefork_text *out, const struct treefork_explanation *e)
{
    const struct treefork_explained_leaf *leaf = serial_leaf(e);
    if (leaf)
        treefork_text_add(out, "    serial code in place: about %.3f us\n",
                          leaf->serial / 1e3);
}

/* --- lines ----------------------------------------------------------------------------------- */

/* "s = 8, B = 64" of all parameters, or of those that the region chose. */
static void values_text(struct treefork_text *out, const struct treefork_explanation *e,
                        bool chosen_only)
{
    const char *before = "";
    for (size_t i = 0; i < e->n_values; i++) {
        const struct treefork_explained_value *v = &e->values[i];
        if (chosen_only && !v->is_chosen)
            continue;
        treefork_text_add(out, "%s%s = %" PRId64, before, v->name, v->value);
        before = ", ";
    }
}

static void steps_text(struct treefork_text *out, const struct treefork_explanation *e)
{
    for (size_t i = 0; i < e->n_steps; i++) {
        const struct treefork_explained_step *step = &e->steps[i];
        treefork_text_add(out, "  %-20s ", step->counter);
        treefork_condition_text(out, &step->condition);
        treefork_text_add(out, step->condition.holds ? ": accept" : ": refuse");
        if (step->strategy)
            treefork_text_add(out, ", apply %s", step->strategy);
        treefork_text_add(out, "\n");
    }
}

static bool has_chosen(const struct treefork_explanation *e)
{
    for (size_t i = 0; i < e->n_values; i++)
        if (e->values[i].is_chosen)
            return true;
    return false;
}

static const char *by_text(const struct treefork_explanation *e)
{
    static const char *const texts[] = {[TREEFORK_TAKEN_BY_CASE] = "case",
                                        [TREEFORK_TAKEN_BY_TIME] = "predicted time",
                                        [TREEFORK_TAKEN_BY_FORCE] = "force",
                                        [TREEFORK_TAKEN_BY_TUNING] = "tuning"};
    return texts[e->by];
}

/* What was taken, where that is not just the case's leaf at values that were given. */
static void taken_text(struct treefork_text *out, const struct treefork_explanation *e)
{
    if (e->by == TREEFORK_TAKEN_BY_CASE && !has_chosen(e))
        return;
    treefork_text_add(out, "  taken: leaf %d by %s", e->leaf, by_text(e));
    if (has_chosen(e)) {
        treefork_text_add(out, ", chosen ");
        values_text(out, e, true);
    }
    treefork_text_add(out, "\n");
}

static void prediction_text(struct treefork_text *out, const struct treefork_explained_leaf *leaf)
{
    const struct treefork_prediction *p = &leaf->prediction;
    if (!leaf->is_timed) {
        treefork_text_add(out, "    leaf %d: none\n", leaf->id);
        return;
    }
    treefork_text_add(out,
                      "    leaf %d: %.3f us = launch %.3f + root of squares (most: %s) of memory "
                      "%.3f, compute %.3f, latency %.3f\n",
                      leaf->id, p->nanoseconds / 1e3, p->launch / 1e3, p->bound, p->memory / 1e3,
                      p->compute / 1e3, p->latency / 1e3);
}

static bool is_measured(const struct treefork_explanation *e)
{
    for (size_t i = 0; i < e->n_leaves; i++)
        if (e->leaves[i].measured > 0)
            return true;
    return false;
}

static void measured_text(struct treefork_text *out, const struct treefork_explanation *e)
{
    if (is_measured(e))
        treefork_text_add(out, "  measured times (by tuning, with 95 %% intervals):\n");
    for (size_t i = 0; i < e->n_leaves; i++) {
        const struct treefork_explained_leaf *leaf = &e->leaves[i];
        if (leaf->measured > 0)
            treefork_text_add(out, "    leaf %d: %.3f us (%.3f to %.3f)\n", leaf->id,
                              leaf->measured / 1e3, leaf->low / 1e3, leaf->high / 1e3);
    }
}

void treefork_explanation_text(struct treefork_text *text, const struct treefork_explanation *e)
{
    int second = treefork_explanation_second(e), place = leaf_place(e, e->leaf_by_case);
    treefork_text_add(text, "%s on %s\n", e->region, e->machine);
    if (e->n_values) {
        treefork_text_add(text, "  parameters: ");
        values_text(text, e, false);
        treefork_text_add(text, "\n");
    }
    steps_text(text, e);
    treefork_text_add(text, "  leaf %d%s", e->leaf_by_case,
                      place >= 0 && e->leaves[place].is_safe ? " (safe)" : "");
    treefork_text_add(text, e->codes ? "  codes %s\n" : "\n", e->codes);
    taken_text(text, e);
    in_place_text(text, e);
    if (e->devices)
        treefork_devices_text(text, e->devices);
    if (second >= 0) {
        treefork_text_add(text, "  runner-up: leaf %d: ", e->leaves[second].id);
        second_reason(text, e, &e->leaves[second]);
        treefork_text_add(text, "\n");
    }
    treefork_text_add(text, "  predicted times (a model's numbers, not measured):\n");
    for (size_t i = 0; i < e->n_leaves; i++)
        if (e->leaves[i].fits)
            prediction_text(text, &e->leaves[i]);
    serial_text(text, e);
    measured_text(text, e);
    tried_text(text, e);
}

/* --- JSON ------------------------------------------------------------------------------------ */

void treefork_json_string(struct treefork_text *text, const char *string)
{
    treefork_text_add(text, "\"");
    for (const unsigned char *c = (const unsigned char *)string; *c; c++)
        if (*c == '"' || *c == '\\')
            treefork_text_add(text, "\\%c", *c);
        else if (*c < ' ')
            treefork_text_add(text, "\\u%04x", *c);
        else
            treefork_text_add(text, "%c", *c);
    treefork_text_add(text, "\"");
}

/* A member of an object and the comma before it. */
static void json_key(struct treefork_text *text, const char *before, const char *key)
{
    treefork_text_add(text, "%s\"%s\": ", before, key);
}

static void json_member(struct treefork_text *text, const char *key, const char *string)
{
    json_key(text, ", ", key);
    treefork_json_string(text, string);
}

/* The shortest decimal number that reads as the same double. */
static void json_real(struct treefork_text *text, const char *key, double value)
{
    char number[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    json_key(text, ", ", key);
    treefork_text_add(text, "%s", number);
}

static void json_integer(struct treefork_text *text, const char *key, int64_t value)
{
    treefork_text_add(text, ", \"%s\": %" PRId64, key, value);
}

static void json_side(struct treefork_text *text, const char *key, int64_t value, bool is_beyond)
{
    if (is_beyond || value == TREEFORK_UNLIMITED)
        treefork_text_add(text, ", \"%s\": null", key);
    else
        json_integer(text, key, value);
}

static void step_json(struct treefork_text *text, const struct treefork_explained_step *step)
{
    const struct treefork_explained_condition *c = &step->condition;
    struct treefork_text numbers = {0};
    treefork_text_add(&numbers, "%.*s", (int)condition_length(c->text), c->text);
    json_key(text, "{", "constraint");
    treefork_json_string(text, numbers.text ? numbers.text : "");
    numbers.length = 0;
    treefork_condition_text(&numbers, c);
    json_member(text, "numbers", numbers.text ? numbers.text : "");
    free(numbers.text);
    json_side(text, "left", c->left, c->left_is_beyond);
    json_side(text, "right", c->right, c->right_is_beyond);
    treefork_text_add(text, ", \"holds\": %s", c->holds ? "true" : "false");
    json_member(text, "counter", step->counter);
    if (step->strategy)
        json_member(text, "strategy", step->strategy);
    treefork_text_add(text, "}");
}

/* "(1)(4a)" to ["1", "4a"]. */
static void codes_json(struct treefork_text *text, const char *codes)
{
    const char *before = "";
    json_key(text, ", ", "codes");
    treefork_text_add(text, "[");
    while (codes && *codes == '(') {
        int length = (int)strcspn(codes + 1, ")");
        treefork_text_add(text, "%s\"%.*s\"", before, length, codes + 1);
        codes += length + 2;
        before = ", ";
    }
    treefork_text_add(text, "]");
}

static void values_json(struct treefork_text *text, const struct treefork_explanation *e,
                        const char *key, bool chosen_only)
{
    const char *before = "";
    json_key(text, ", ", key);
    treefork_text_add(text, "{");
    for (size_t i = 0; i < e->n_values; i++) {
        const struct treefork_explained_value *v = &e->values[i];
        if (chosen_only && !v->is_chosen)
            continue;
        treefork_text_add(text, "%s\"%s\": %" PRId64, before, v->name, v->value);
        before = ", ";
    }
    treefork_text_add(text, "}");
}

/* The terms of the model in nanoseconds; instructions and cycles of waiting of one thread; the
   extents of the first launch. */
static void leaf_json(struct treefork_text *text, const struct treefork_explained_leaf *leaf)
{
    const struct treefork_prediction *p = &leaf->prediction;
    treefork_text_add(text, "{\"leaf\": %d", leaf->id);
    if (!leaf->is_timed) {
        treefork_text_add(text, ", \"nanoseconds\": null}");
        return;
    }
    json_real(text, "nanoseconds", p->nanoseconds);
    json_member(text, "bound", p->bound);
    json_real(text, "launch", p->launch);
    json_real(text, "memory", p->memory);
    json_real(text, "compute", p->compute);
    json_real(text, "latency", p->latency);
    json_real(text, "instructions", p->instructions);
    json_real(text, "waits", p->waits);
    json_integer(text, "threads", leaf->threads);
    json_integer(text, "block_width", leaf->block_width);
    json_integer(text, "blocks", leaf->blocks);
    json_integer(text, "grid_width", leaf->grid_width);
    treefork_text_add(text, "}");
}

static void second_json(struct treefork_text *text, const struct treefork_explanation *e)
{
    int second = treefork_explanation_second(e);
    struct treefork_text reason = {0};
    if (second < 0)
        return;
    second_reason(&reason, e, &e->leaves[second]);
    treefork_text_add(text, ", \"runner_up\": {\"leaf\": %d", e->leaves[second].id);
    json_member(text, "excluded_by", reason.text ? reason.text : "");
    treefork_text_add(text, "}");
    free(reason.text);
}

static void serial_json(struct treefork_text *text, const struct treefork_explanation *e)
{
    const struct treefork_explained_leaf *leaf = serial_leaf(e);
    if (!leaf)
        return;
    treefork_text_add(text, ", \"in_place\": %s", e->is_in_place ? "true" : "false");
    json_real(text, "serial", leaf->serial);
}

static void tried_json(struct treefork_text *text, const struct treefork_explanation *e)
{
    if (!is_tried(e))
        return;
    treefork_text_add(text, ", \"process\": {\"leaf\": %d", e->leaf);
    if (e->launch > 0)
        json_real(text, "launch", e->launch);
    if (e->serial > 0)
        json_real(text, "serial", e->serial);
    treefork_text_add(text, "}");
}

static void measured_json(struct treefork_text *text, const struct treefork_explanation *e)
{
    const char *before = "[";
    json_key(text, ", ", "measured");
    for (size_t i = 0; i < e->n_leaves; i++) {
        const struct treefork_explained_leaf *leaf = &e->leaves[i];
        if (leaf->measured <= 0)
            continue;
        treefork_text_add(text, "%s{\"leaf\": %d", before, leaf->id);
        json_real(text, "nanoseconds", leaf->measured);
        json_real(text, "low", leaf->low);
        json_real(text, "high", leaf->high);
        treefork_text_add(text, "}");
        before = ", ";
    }
    treefork_text_add(text, "]");
}

void treefork_explanation_json(struct treefork_text *text, const struct treefork_explanation *e)
{
    int place = leaf_place(e, e->leaf);
    bool any = false;
    json_key(text, "{", "region");
    treefork_json_string(text, e->region);
    json_member(text, "machine", e->machine);
    values_json(text, e, "parameters", false);
    json_key(text, ", ", "path");
    for (size_t i = 0; i < e->n_steps; i++) {
        treefork_text_add(text, i ? ", " : "[");
        step_json(text, &e->steps[i]);
    }
    treefork_text_add(text, e->n_steps ? "]" : "[]");
    json_integer(text, "leaf", e->leaf);
    treefork_text_add(text, ", \"safe\": %s",
                      place >= 0 && e->leaves[place].is_safe ? "true" : "false");
    json_integer(text, "case", e->leaf_by_case);
    codes_json(text, e->codes);
    json_member(text, "by", by_text(e));
    values_json(text, e, "chosen", true);
    second_json(text, e);
    json_key(text, ", ", "predicted");
    for (size_t i = 0; i < e->n_leaves; i++)
        if (e->leaves[i].fits) {
            treefork_text_add(text, any ? ", " : "[");
            leaf_json(text, &e->leaves[i]);
            any = true;
        }
    treefork_text_add(text, any ? "]" : "[]");
    serial_json(text, e);
    if (e->devices)
        treefork_devices_json(text, e->devices);
    if (is_measured(e))
        measured_json(text, e);
    tried_json(text, e);
    treefork_text_add(text, "}");
}
