#ifndef MAPPER_WORDS_H
#define MAPPER_WORDS_H
#include "frontend/ast.h"

/* Words of a file, and names that are none of them. */

struct word_list;
/* The words of a file and the macros of its headers, from which new names must differ. */
struct word_list *words_of(struct arena *arena, const struct ast_unit *unit);
/* The same words, of which no name is given yet: names that one function gets may be another's. */
struct word_list *words_again(struct arena *arena, const struct word_list *list);
/* The same words for the forms of a function. */
struct word_list *words_of_function(struct arena *arena, const struct word_list *list);
/* Does the file include metafork.h, by itself or by a header, in a group that the preprocessor
   takes? */
bool unit_has_marks(const struct ast_unit *unit);
/* False after a diagnostic: a file that nowhere includes metafork.h has a name of its marks. */
bool words_check(struct ctx *ctx, const struct ast_unit *unit);
/* A name that is no word of the file nor given before: `base` with a number from `first` on. */
const char *words_fresh(struct word_list *list, const char *base, int first);
/* A name that is no word of the file, the same for the same base: `base` itself where it is
   free. */
const char *words_local(struct word_list *list, const char *base);
/* A name for a variable that a form makes of a function, which no other form gives there: `base`
   itself where it is free. */
const char *words_variable(struct word_list *list, const char *base);
bool words_have(const struct word_list *list, const char *word);
/* Behind the last `#include` before a place that stands wherever the place does, whatever the
   preprocessor chooses; the text's beginning if there is none. */
size_t include_place(const struct source *source, size_t before);

#endif
