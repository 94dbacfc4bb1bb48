/* In: lines, arrays and words of a leaf's launches. Out: the members `moves` of a variant and of
   its kernels. A number of words that no polynomial says is null. */
#include "emit/json_moves.h"

static cJSON *words_json(struct arena *arena, const struct poly *words)
{
    return words ? cJSON_CreateString(poly_text(arena, words)) : cJSON_CreateNull();
}

cJSON *leaf_moves_json(struct arena *arena, const struct leaf_moves *moves)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "words", words_json(arena, moves->words));
    cJSON *vanished = cJSON_AddArrayToObject(object, "vanished");
    for (size_t i = 0; i < moves->n_vanished; i++)
        cJSON_AddItemToArray(vanished, cJSON_CreateString(moves->vanished[i]));
    return object;
}

static cJSON *move_json(struct arena *arena, const struct launch_move *move)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "array", move->name);
    cJSON_AddBoolToObject(object, "reads", move->is_read);
    cJSON_AddBoolToObject(object, "writes", move->is_written);
    if (move->is_partial)
        cJSON_AddBoolToObject(object, "partial", true);
    else
        cJSON_AddItemToObject(object, "words", words_json(arena, move->words));
    return object;
}

cJSON *launch_moves_json(struct arena *arena, const struct launch_moves *launch)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "words", words_json(arena, launch->words));
    cJSON *lines = cJSON_AddArrayToObject(object, "lines");
    for (size_t i = 0; i < launch->n_lines; i++)
        cJSON_AddItemToArray(lines, cJSON_CreateNumber(launch->lines[i]));
    cJSON *arrays = cJSON_AddArrayToObject(object, "arrays");
    for (size_t i = 0; i < launch->n_moves; i++)
        cJSON_AddItemToArray(arrays, move_json(arena, &launch->moves[i]));
    return object;
}
