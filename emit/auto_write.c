/* The text of NAME_auto (contract in auto.c). Per region a function tf_best_NAME ranks the variants for given parameters by
   their predicted times; tf_choose_NAME goes over the candidates and adds up the times of the function's regions; NAME_auto
   calls NAME with the best. */
#include "base/map.h"
#include "emit/auto.h"
#include "emit/checked.h"
#include "emit/names.h"
#include <string.h>

enum { TUNABLES_MAX = 16 };

static void write_best(struct host *host, const struct tree *tree)
{
    struct str *out = host->out;
    const char *name = tree->region->name;
    str_addf(out, "/* The leaf of %s that is predicted to be fastest of those that fit; 0 if none does. */\nstatic int tf_best_%s("
             "const struct treefork_machine *tf_machine, ", name, name);
    host_parameters(out, tree, true);
    str_addf(out, "struct treefork_prediction *tf_best)\n{\n    static const int tf_variants[] = {");
    for (size_t v = 0; v < tree->n_variants; v++)
        str_addf(out, "%s%d", v ? ", " : "", tree->variants[v].id);
    str_add(out, "};\n    int tf_found = 0;\n    size_t tf_i;\n    if (");
    str_addf(out, "%s_select(tf_machine, ", name);
    host_values(out, tree, false);
    str_addf(out, "NULL) < 0)\n        return 0;\n    for (tf_i = 0; tf_i < %zu; tf_i++) {\n"
             "        struct treefork_launch tf_launch = {0};\n        struct treefork_prediction tf_now = {0};\n"
             "        if (!tf_fits_%s(tf_machine, ", tree->n_variants, name);
    host_values(out, tree, false);
    str_addf(out, "tf_variants[tf_i], NULL) ||\n            tf_plan_%s(tf_machine, ", name);
    host_values(out, tree, true);
    str_addf(out, "tf_variants[tf_i], &tf_launch) != TREEFORK_OK ||\n            tf_predict_%s(tf_machine, ", name);
    host_values(out, tree, true);
    str_add(out, "tf_variants[tf_i], &tf_launch, &tf_now) != TREEFORK_OK)\n            continue;\n");
    const struct variant *last = &tree->variants[tree->n_variants - 1];
    str_addf(out, "        treefork_handicap(tf_machine, tf_launch.threads, tf_variants[tf_i] == %d, &tf_now);\n",
             tree->n_variants > 1 && last->safe ? last->id : 0);
    str_add(out,
                 "        if (!tf_found || treefork_faster(&tf_now, tf_best)) {\n            *tf_best = tf_now;\n"
                 "            tf_found = tf_variants[tf_i];\n        }\n    }\n    return tf_found;\n}\n\n");
}

static void write_declaration(struct str *out, const struct function *function, const char *name)
{
    for (int i = 0; i < function->n_arguments; i++)
        if (!strcmp(function->arguments[i].name, name))
            str_addf(out, "%s %s", function->arguments[i].type_text, name);
}

void auto_prototype(struct host *host, struct str *out, int index, bool cplusplus)
{
    const struct function *function = &host->program->functions[index];
    bool *keep = ARENA_ARRAY(host->arena, bool, function->n_arguments + 1);
    for (int i = 0; i < function->n_arguments; i++)
        keep[i] = function->arguments[i].is_array || !auto_tunable(host, index, function->arguments[i].name);
    struct str list = str_new(host->arena);
    prototype_arguments(&list, function, keep, cplusplus);
    bool empty = !strcmp(list.text, "void"), result = strcmp(function->return_canonical, "void") != 0;
    str_addf(out, "int %s_auto(%s", function->name, empty && result ? "" : list.text);
    if (result)
        str_addf(out, "%s%s *tf_result", empty ? "" : ", ",
                 function->is_plain ? function->return_canonical : function->return_text);
    str_char(out, ')');
}

/* `if (dividend % divisor != 0) continue;` for every division that changes the iteration set. */
static void write_exactness(struct host *host, const struct tree *tree, struct str *names)
{
    struct str *out = host->out;
    const struct region *region = tree->region;
    const struct kernel *k = region->kernel;
    struct map *seen = map_new(host->arena);
    for (int i = 0; i < k->n_params; i++) {
        if (k->params[i]->role != ROLE_TUNABLE || !region->automatic || !region->automatic[i])
            continue;
        struct divisions d = region_divisions(host->arena, region, k->params[i]->var);
        for (size_t j = 0; j < d.found.count; j++) {
            struct str dividend = str_new(host->arena), divisor = str_new(host->arena);
            char *text = expr_text(host->arena, d.found.at[j]);
            if (map_get(seen, text) || !checked_expr(&dividend, d.found.at[j]->arguments[0], "&tf_error") ||
                !checked_expr(&divisor, d.found.at[j]->arguments[1], "&tf_error"))
                continue;
            map_put(seen, text, text);
            str_addf(names, "%s%s", names->length ? ", " : "", text);
            str_addf(out, "        if (treefork_rem(%s, %s, &tf_error) != 0 || tf_error)\n            continue;\n", dividend.text,
                     divisor.text);
        }
    }
}

static void write_times(struct host *host, int index)
{
    struct str *out = host->out;
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const struct tree *tree = host->trees[r];
        const struct kernel *k = tree->region->kernel;
        if (tree->region->function != index)
            continue;
        str_addf(out, "        tf_now_%s = tf_best_%s(tf_machine, ", tree->region->name, tree->region->name);
        for (int i = 0; i < k->n_params; i++)
            if (host_is_integer(k->params[i]) && k->params[i]->role != ROLE_MACHINE) {
                bool known = false;
                for (int a = 0; a < host->program->functions[index].n_arguments; a++)
                    known |= !strcmp(host->program->functions[index].arguments[a].name, k->params[i]->var->name);
                str_addf(out, "%s%s, ", known ? "(int64_t)" : "", known ? k->params[i]->var->name : "0");
            }
        str_addf(out, "&tf_more);\n        if (tf_now_%s == 0)\n            continue;\n"
                 "        tf_add(&tf_time, &tf_more);\n", tree->region->name);
    }
}

static void write_regions(struct host *host, int index, const char *format)
{
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const char *name = host->program->regions[r]->name;
        if (host->program->regions[r]->function != index)
            continue;
        for (const char *p = format; *p; p++) {
            if (*p == '@')
                str_add(host->out, name);
            else
                str_char(host->out, *p);
        }
    }
}

/* Of the function's regions the largest number. */
static int function_choices(struct host *host, int index, const char *name)
{
    int most = 1;
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const struct region *region = host->program->regions[r];
        const struct param *param = region->function == index ? kernel_param(region->kernel, name) : NULL;
        int choices = param ? tunable_choices(region, param) : 1;
        most = choices > most ? choices : most;
    }
    return most;
}

struct tunables {
    int count;
    const char *names[TUNABLES_MAX];
};

static struct tunables function_tunables(struct host *host, int index)
{
    struct tunables t = {0};
    const struct function *function = &host->program->functions[index];
    for (int i = 0; i < function->n_arguments && t.count < TUNABLES_MAX; i++)
        if (!function->arguments[i].is_array && auto_tunable(host, index, function->arguments[i].name))
            t.names[t.count++] = function->arguments[i].name;
    return t;
}

/* The loop over candidates: one number counts through all combinations. */
static void write_search(struct host *host, int index, const struct tunables *t, struct str *names)
{
    struct str *out = host->out;
    const struct function *function = &host->program->functions[index];
    str_add(out, "    for (tf_i = 0;; tf_i++) {\n        struct treefork_prediction tf_time = {0}, tf_more = {0};\n        size_t tf_rest = tf_i;\n"
                 "        int tf_error = 0;\n");
    for (int i = 0; i < t->count; i++) {
        int choices = function_choices(host, index, t->names[i]);
        str_add(out, "        const ");
        write_declaration(out, function, t->names[i]);
        str_addf(out, " = 1 << tf_rest %% %d;\n        tf_rest /= %d;\n", choices, choices);
    }
    str_add(out, "        (void)tf_error;\n        if (tf_rest > 0)\n            break;\n");
    for (size_t r = 0; r < host->program->n_regions; r++)
        if (host->program->regions[r]->function == index)
            write_exactness(host, host->trees[r], names);
    write_times(host, index);
    str_add(out, "        if (!tf_found || treefork_faster(&tf_time, &tf_most)) {\n            tf_found = 1;\n            tf_most = tf_time;\n");
    for (int i = 0; i < t->count; i++)
        str_addf(out, "            *tf_choice_%s = %s;\n", t->names[i], t->names[i]);
    write_regions(host, index, "            tf_use_@ = tf_now_@;\n");
    str_add(out, "        }\n    }\n");
}

/* Is argument i an integer that the search is told? */
static bool is_told(struct host *host, int index, int i)
{
    const struct argument *a = &host->program->functions[index].arguments[i];
    return !a->is_array && a->is_supported && !type_is_floating(a->type) && !auto_tunable(host, index, a->name);
}

static void write_chooser_head(struct host *host, int index, const struct tunables *t)
{
    struct str *out = host->out;
    const struct function *function = &host->program->functions[index];
    const char *comma = "";
    str_addf(out, "/* The tunables of %s for its other arguments. */\nstatic int tf_choose_%s(", function->name, function->name);
    for (int i = 0; i < function->n_arguments; i++)
        if (is_told(host, index, i)) {
            str_add(out, comma);
            write_declaration(out, function, function->arguments[i].name);
            comma = ", ";
        }
    for (int i = 0; i < t->count; i++, comma = ", ")
        for (int a = 0; a < function->n_arguments; a++)
            if (!strcmp(function->arguments[a].name, t->names[i]))
                str_addf(out, "%s%s *tf_choice_%s", comma, function->arguments[a].type_text, t->names[i]);
    str_add(out, ")\n{\n    struct treefork_machine tf_any;\n    const struct treefork_machine *tf_machine = &tf_any;\n"
                 "    struct treefork_prediction tf_most = {0};\n    int tf_found = 0;\n    size_t tf_i;\n");
    write_regions(host, index, "    int tf_now_@ = 0, tf_use_@ = 0;\n");
    for (int i = 0; i < function->n_arguments; i++)
        if (is_told(host, index, i))
            str_addf(out, "    (void)%s;\n", function->arguments[i].name);
    str_add(out, "    treefork_machine_unknown(&tf_any);\n    if (treefork_default())\n        tf_machine = treefork_device_machine(treefork_default());\n");
}

void chooser_write(struct host *host, int index)
{
    struct str *out = host->out;
    struct tunables t = function_tunables(host, index);
    struct str names = str_new(host->arena);
    for (size_t r = 0; r < host->program->n_regions; r++)
        if (host->program->regions[r]->function == index)
            write_best(host, host->trees[r]);
    write_chooser_head(host, index, &t);
    write_search(host, index, &t, &names);
    str_add(out, "    if (!tf_found)\n        return treefork_fail(TREEFORK_ARGUMENT, ");
    str_quote(out, arena_printf(host->arena, "no candidate for the tunables fits%s%s",
                                names.length ? "; these divisions must be exact: " : "", names.text));
    str_add(out, ");\n");
    write_regions(host, index, "    tf_preferred_@ = tf_use_@;\n");
    str_add(out, "    return TREEFORK_OK;\n}\n\n");
}

/* Nothing here but our own names and the arguments: the user's macros are in force. */
void auto_write(struct host *host, int index)
{
    struct str *out = host->out;
    const struct function *function = &host->program->functions[index];
    struct tunables t = function_tunables(host, index);
    const char *comma = "";
    auto_prototype(host, out, index, false);
    str_add(out, ";\n");
    auto_prototype(host, out, index, false);
    str_add(out, "\n{\n    int tf_status;\n");
    for (int i = 0; i < t.count; i++)
        for (int a = 0; a < function->n_arguments; a++)
            if (!strcmp(function->arguments[a].name, t.names[i]))
                str_addf(out, "    %s tf_choice_%s = 1;\n", function->arguments[a].type_text, t.names[i]);
    str_addf(out, "    tf_status = tf_choose_%s(", function->name);
    for (int i = 0; i < function->n_arguments; i++)
        if (is_told(host, index, i)) {
            str_addf(out, "%s%s", comma, function->arguments[i].name);
            comma = ", ";
        }
    for (int i = 0; i < t.count; i++, comma = ", ")
        str_addf(out, "%s&tf_choice_%s", comma, t.names[i]);
    str_addf(out, ");\n    if (tf_status != TREEFORK_OK)\n        return tf_status;\n    %s%s(",
             strcmp(function->return_canonical, "void") ? "*tf_result = " : "", function->name);
    for (int i = 0; i < function->n_arguments; i++) {
        const struct argument *a = &function->arguments[i];
        bool tunable = !a->is_array && auto_tunable(host, index, a->name);
        str_addf(out, "%s%s%s", i ? ", " : "", tunable ? "tf_choice_" : "", a->name);
    }
    str_add(out, ");\n");
    write_regions(host, index, "    tf_preferred_@ = 0;\n");
    str_add(out, "    return TREEFORK_OK;\n}\n\n");
}
