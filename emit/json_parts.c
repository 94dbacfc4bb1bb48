/* In: the axis along which a launch is cut, with rows of parts, or the reasons why it is not. Out:
   the member `parts` of its kernel in tree.json. */
#include "emit/json_parts.h"

static void add_text(struct arena *arena, cJSON *object, const char *name, const struct expr *e)
{
    if (e)
        cJSON_AddStringToObject(object, name, access_part_text(arena, e));
}

/* The subscripts of the dimensions outside; null: all. */
static cJSON *outer_json(struct arena *arena, const struct part_row *row)
{
    cJSON *list = cJSON_CreateArray();
    for (int d = 0; d < row->dimension; d++)
        cJSON_AddItemToArray(
            list, row->outer[d] ? cJSON_CreateString(access_part_text(arena, row->outer[d]))
                                : cJSON_CreateNull());
    return list;
}

/* Under which conditions a write is exact; null: under none. */
static cJSON *exact_json(struct arena *arena, const struct part_row *row)
{
    if (!row->is_exact)
        return cJSON_CreateNull();
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < row->n_exact; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(access_part_text(arena, row->exact[i])));
    return list;
}

static cJSON *row_json(struct arena *arena, const struct part_row *row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "array", row->array->name);
    cJSON_AddBoolToObject(object, "writes", row->is_write);
    add_text(arena, object, "condition", row->condition);
    if (row->dimension >= 0) {
        cJSON_AddNumberToObject(object, "dimension", row->dimension);
        cJSON_AddItemToObject(object, "outer", outer_json(arena, row));
        add_text(arena, object, "step", row->step);
        add_text(arena, object, "from", row->from);
        add_text(arena, object, "to", row->to);
        add_text(arena, object, "least", row->least);
        add_text(arena, object, "most", row->most);
    }
    if (row->reduction)
        cJSON_AddStringToObject(object, "accumulates", reduction_text(row->reduction));
    else if (row->is_write)
        cJSON_AddItemToObject(object, "exact", exact_json(arena, row));
    return object;
}

static cJSON *refusals_json(const struct part_cut *cut)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < cut->n_axes; i++)
        if (cut->axes[i].refusal) {
            cJSON *object = cJSON_CreateObject();
            cJSON_AddNumberToObject(object, "axis", cut->axes[i].axis);
            cJSON_AddStringToObject(object, "reason", cut->axes[i].refusal);
            cJSON_AddItemToArray(list, object);
        }
    return list;
}

cJSON *launch_parts_json(struct arena *arena, const struct part_cut *cut)
{
    cJSON *object = cJSON_CreateObject();
    if (cut->is_cut) {
        const struct part_rows *rows = &cut->axes[cut->taken];
        cJSON_AddNumberToObject(object, "axis", rows->axis);
        cJSON *list = cJSON_AddArrayToObject(object, "rows");
        for (size_t i = 0; i < rows->count; i++)
            cJSON_AddItemToArray(list, row_json(arena, &rows->at[i]));
    }
    cJSON_AddItemToObject(object, "refused", refusals_json(cut));
    return object;
}
