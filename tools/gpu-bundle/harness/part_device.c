/* The device: who it is, what it tells, what a launch costs, how fast it copies, and the model's
   coefficients as they are measured on it. */
#include "parts.h"
#include "cli/fit.h"
#include "cublas.h"
#include "space.h"
#include "spread.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void machine_print(struct row *row, const char *name, const struct treefork_machine *machine)
{
    row_object(row, name);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++)
        if (machine->value[i] != TREEFORK_UNLIMITED)
            row_integer(row, treefork_parameter_key(i), machine->value[i]);
    row_close(row);
}

int part_device(struct bench *b, const struct program *program, struct part_words words)
{
    (void)program, (void)words;
    const char *nvrtc = getenv("TREEFORK_NVRTC");
    struct row row = row_begin();
    row_text(&row, "kind", treefork_device_kind(b->device));
    row_text(&row, "device", treefork_device_name(b->device));
    row_integer(&row, "driver", driver_version());
    row_text(&row, "nvrtc", nvrtc ? nvrtc : "");
    row_text(&row, "cublas", cublas_name());
    row_bool(&row, "host", b->is_host);
    machine_print(&row, "machine", treefork_device_machine(b->device));
    row_end(&row);
    return 0;
}

/* Words: sets with rounds and without, by turns. What a launch costs is the difference over the
   rounds; a call of one round that is waited for tells what waiting adds. */
int part_launch(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        struct samples calls = {0};
        struct way way = {0};
        struct call call;
        bench_set(b, program, sets.at[s], false);
        bench_call(b, &way, &call);
        for (int i = 0; i < 15 && (i == 0 || !bench_is_late(b)); i++) {
            bench_call(b, &way, &call);
            samples_add(&calls, call.call);
        }
        struct row row = row_begin();
        row_subject(&row, b);
        row_integer(&row, "rounds", b->problem.arguments[0].integer);
        row_spread(&row, "call_us", samples_spread(&calls), 1e6);
        row_end(&row);
        bench_unset(b);
    }
    return 0;
}

/* A copy reads and writes each byte. */
int part_bandwidth(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        struct samples times = {0};
        struct call call;
        bench_set(b, program, sets.at[s], false);
        struct way way = {.watched = b->regions[0]};
        bench_call(b, &way, &call);
        for (int i = 0; i < 15 && (i == 0 || !bench_is_late(b)); i++) {
            bench_call(b, &way, &call);
            samples_add(&times, call.region);
        }
        size_t bytes = b->problem.bytes[b->problem.program->n_parameters - 1];
        struct spread spread = samples_spread(&times);
        struct pick pick = pick_read(b->regions[0], &call);
        struct row row = row_begin();
        row_subject(&row, b);
        row_pick(&row, &pick);
        row_integer(&row, "bytes", (int64_t)bytes);
        row_spread(&row, b->is_host ? "call_cpu_us" : "us", spread, 1e6);
        row_number(&row, "gb_per_s", 2 * (double)bytes / spread.median / 1e9);
        row_number(&row, "driver_gb_per_s", driver_copy_rate(bytes) / 1e9);
        row_end(&row);
        bench_unset(b);
    }
    return 0;
}

int part_fit(struct bench *b, const struct program *program, struct part_words words)
{
    (void)program, (void)words;
    struct treefork_machine told = *treefork_device_machine(b->device), fitted = told;
    bool is_done = machine_fit(b->device, &fitted, NULL);
    struct row row = row_begin();
    row_bool(&row, "done", is_done);
    if (!is_done)
        row_text(&row, "message", treefork_message());
    row_object(&row, "coefficients");
    for (int i = 0; i < TREEFORK_PARAMETERS && is_done; i++) {
        if (fitted.value[i] == told.value[i])
            continue;
        row_object(&row, treefork_parameter_key(i));
        row_integer(&row, "told", told.value[i]);
        row_integer(&row, "measured", fitted.value[i]);
        row_text(&row, "unit", treefork_parameter_unit(i));
        row_close(&row);
    }
    row_close(&row);
    machine_print(&row, "machine", &fitted);
    row_end(&row);
    return 0;
}
