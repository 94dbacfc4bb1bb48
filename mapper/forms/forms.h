#ifndef MAPPER_FORMS_H
#define MAPPER_FORMS_H
#include "frontend/ast.h"

struct word_list;

struct map;
struct str;
struct ast_writer;

/* Forms of plain C that mean the same as simpler ones. Bodies of functions are changed in place,
   before fragments are found; nodes keep the bytes of what they replace. */

/* All functions of the file, once. */
void forms_simplify(struct ctx *ctx, struct ast_unit *unit);

/* places.c: elements that pointers lead to, `row[x]` with `row = p + y * pitch`, `*(a + i)`, as
   elements of the arrays. `integer` of an INDEX is 1 where a pointer variable led to it. */
void places_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body);

/* moving.c: what pointers lead to that counted loops move, `*p++`, as `*(a + i)`, for places.c, and
   integers that they move as sums of iterators. */
void moving_fold(struct arena *arena, struct ast_unit *unit, const struct ast *function,
                 const struct ast *body);

/* calls.c: calls of functions that get or return structures as what the functions compute. */
void calls_open(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                const struct ast *function, const struct ast *body);

/* casts.c: casts to the type that a value has, as if they were not written. */
void casts_drop(struct arena *arena, const struct ast *body);

/* narrow.c: iterators of 8 and 16 bits as `int`. */
void narrow_widen(struct arena *arena, const struct ast *body);

/* complex.c: arithmetic of complex numbers as that of their parts. */
void complex_split(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                   const struct ast *function, const struct ast *body);

/* fields.c: structures that loops declare as a variable for each member. */
void fields_split(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body);

/* fields.c: does the header multiply or shift what it compares, `len <<= 1`? */
bool loop_scales(const struct ast *loop);
/* fields.c: does something in the loop call a function of another file, as no thread does? */
bool loop_calls_others(struct arena *arena, const struct ast *loop);
/* fields.c: does the loop stay on the host, as it holds a fragment, ends early, scales or runs a
   function of another file? */
bool loop_is_of_host(struct arena *arena, const struct ast_unit *unit, const struct ast *loop);

/* declarators.c: declarations whose variables are made of each other as several ones, and
   expressions with commas as statements. */
void declarators_split(struct arena *arena, const struct ast *body);

/* declarators.c: declarations of a loop whose first value has a product of complex numbers as a
   declaration and an assignment, so that statements may stand before the value. */
void products_declare(struct arena *arena, const struct ast *loop);

/* commas.c: commas and choices that set a scalar for what stands behind as what stands there. */
void commas_fold(struct arena *arena, const struct ast *body);

/* updates.c: integers that the next statement changes as if it had set them. */
void updates_fold(struct arena *arena, struct ast_unit *unit, const struct ast *body);

/* constants.c: variables that never change as what they stand for. */
void constants_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body);

/* counted.c: `while` loops that count as `for`. */
void counted_find(struct arena *arena, const struct ast *body);

/* breaks.c: conditions of loops that stand in a `break` at their beginning. */
void breaks_fold(struct arena *arena, const struct ast *body);

/* bytes.c: calls of `memset` and `memcpy` in loops as loops over elements. */
void bytes_fold(struct arena *arena, const struct ast_unit *unit, const struct word_list *words,
                const struct ast *function, const struct ast *body);

/* rounds.c: loops that end by an integer which counts down, or by a pointer, as loops over an
   iterator that is made. */
void rounds_fold(struct arena *arena, const struct ast_unit *unit, const struct word_list *words,
                 const struct ast *function, const struct ast *body);

/* strides.c: loops in steps of a variable as loops that count their rounds; the rounds are a
   VARIABLE that is made, whose value is made, too. */
void strides_fold(struct arena *arena, struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body);

/* wraps.c: scalars that hand a value to the next round of a loop. True if one was found: variables
   that the loops set may never change now. */
bool wraps_fold(struct arena *arena, struct ast_unit *unit, const struct ast *body);

/* locals.c: scalars that each round of a loop sets anew as variables of its block. */
void locals_declare(struct arena *arena, const struct ast *body);

/* ahead.c: structures that each round of a loop sets anew as variables of its block. */
void structures_declare(struct arena *arena, const struct ast *body);

/* skips.c: counted loops without `continue`. */
void skips_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body);

/* The statements of a list without its jumps to a label that stands behind them, as a list that is
   made; NULL if no `if` can replace a jump. Other jumps stay. The list is not empty. */
const struct ast *skips_to_label(struct arena *arena, const struct ast_unit *unit,
                                 const struct ast *body, const char *label,
                                 const struct ast *list);

/* extremes.c: stores of the least or greatest value in the words that have one result in any order,
   `if (e > m) m = e;`. */
void extremes_order(struct ctx *ctx, struct ast_unit *unit, const struct ast *body);

/* jumps.c: statements in place of labels that no jump names, as programs for synthesis have at
   their loops; blanks in place of their text. */
void labels_drop(struct arena *arena, struct ast_unit *unit);
/* Blocks of loops without `goto` and `switch`. */
void jumps_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body);

/* members.c: members of structures that a loop only reads, as variables: each a VARIABLE that is
   made. */
void members_find(struct ctx *ctx, const struct word_list *words, const struct ast *function,
                  const struct ast *body);
/* A node below another that changes the member for which a variable of members_find stands, or
   declares the structure or pointer that leads to it; NULL: none, or it is no such variable. */
const struct ast *member_path_change(struct arena *arena, const struct ast *node,
                                     const struct ast *variable);
/* The pointer that leads to the number that a variable of members_find stands for; NULL: none does,
   or the variable is no such one. */
const struct ast *member_path_pointer(const struct ast *variable);

/* lengths.c: elements that bound loops, as variables: each a VARIABLE that is made. */
void lengths_find(struct arena *arena, const struct word_list *words, const struct ast *function,
                  const struct ast *body);

/* nulls.c: whether pointers are NULL as variables: each a VARIABLE that is made, with the value
   `p ? 1 : 0`. */
void nulls_find(struct arena *arena, const struct word_list *words, const struct ast *function,
                const struct ast *body);

/* shifted.c: elements of parameters that the function moves once before its loops, `--x;`, as those
   of pointers to where the arrays begin; such a pointer is a variable as above, `x + 1`. */
void shifted_find(struct arena *arena, const struct word_list *words, const struct ast *function,
                  const struct ast *body);

/* records.c: `p->m` of a pointer that a loop declares, or that changes, as `p[0].m`, for moving.c
   and places.c. */
void records_open(struct arena *arena, const struct ast *body);

/* written.c: members of structures that loops write, as elements of arrays; such an array is a
   variable as above, with the member's address as its value. */
void written_find(struct arena *arena, const struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body);
/* The structure's variable, or the pointer to the structure, of such an array; NULL of other
   variables. */
const struct ast *written_structure(const struct ast *variable);
/* The member of which the expression is an element of such an array; others as they are. */
const struct ast *written_meant(const struct ast *ast);
/* "double *st_sum = st ? &st->sum : 0;" of such a variable. */
void written_print(struct str *out, const struct ast_writer *writer, const struct ast *variable);

/* records.c: members of elements of arrays of structures as elements of arrays of scalars; their
   names are variables as above. */
void records_find(struct ctx *ctx, const struct ast_unit *unit, const struct word_list *words,
                  const struct ast *function, const struct ast *body);

/* The declaration of such a variable, with the end of its line. */
void record_print(struct str *out, const struct ast_writer *writer, const struct ast *variable);

/* A node of an expression in place of another. */
struct ast *form_make(struct arena *arena, enum ast_kind kind, const struct ast *place,
                      const struct ast_type *type, int n_children,
                      const struct ast *const *children);
/* A variable's name at a place. */
struct ast *form_ref(struct arena *arena, const struct ast *place, const struct ast *decl);
/* A member of a structure, at the place of the expression for the whole. */
const struct ast *form_member(struct arena *arena, const struct ast *whole,
                              const struct ast_field *field);
/* Notes that a variable is none of the source, or another one than there, in a loop: all of the
   loop is mapped, or nothing that uses the variable. */
void form_note(struct arena *arena, struct ast_unit *unit, enum ast_moving kind,
               const struct ast *loop, const struct ast *variable);
/* A variable of the function, made with its value, at no place of the file's own: the mapped text
   declares it before a fragment that names it (print/members.c). */
struct ast *form_variable(struct arena *arena, const struct ast *function, const char *name,
                          const struct ast_type *type, const struct ast *value);
/* `a op b` of a type, at a place. */
const struct ast *form_binary(struct arena *arena, enum ast_op op, const struct ast_type *type,
                              const struct ast *place, const struct ast *a, const struct ast *b);
/* `target op= value` at a place; AST_OP_NONE: `target = value`. */
const struct ast *form_assign(struct arena *arena, const struct ast *place, enum ast_op op,
                              const struct ast *target, const struct ast *value);
/* The value of a type, by a cast that is not written where the value has another one. */
const struct ast *form_convert(struct arena *arena, const struct ast *place,
                               const struct ast_type *type, const struct ast *value);
/* `T name = value;` at a place, of a type without its `const`: a declaration whose child is the
   variable. The mapped text declares it there. */
const struct ast *form_declare(struct arena *arena, const struct ast *place,
                               const struct ast *function, const char *name,
                               const struct ast_type *type, const struct ast *value);
/* The type without its words and without `const`. */
const struct ast_type *form_plain_type(struct arena *arena, const struct ast_type *type);
/* A literal at a place; its type: NULL is `long`. */
const struct ast *form_literal(struct arena *arena, const struct ast *place,
                               const struct ast_type *type, int64_t value);
/* An expression that stands in a second place: what becomes of one, as a name for a copy, does not
   become of the other. NULL of NULL. */
const struct ast *form_copy(struct arena *arena, const struct ast *ast);
/* A copy with values in place of variables, by declaration, cast where they have another type. The
   copy has its own declarations, under the same names, which are added to the values. */
const struct ast *form_put(struct arena *arena, const struct ast *ast, struct map *values);
/* `long` or `unsigned long`. */
const struct ast_type *form_long(struct arena *arena, enum ast_class class);
/* `int` */
const struct ast_type *form_int(struct arena *arena);
const struct ast_type *form_float(struct arena *arena);
/* Of a class of 64 bits, as a pointer's arithmetic does not wrap; the cast is written or not. */
const struct ast *form_widen(struct arena *arena, const struct ast *ast, enum ast_class class,
                             bool is_written);
/* a + b or a - b in 64 bits, at the place of b; a may be NULL. */
const struct ast *form_sum(struct arena *arena, const struct ast *a, const struct ast *b,
                           enum ast_op op);
/* a * b of signed integers in 64 bits, at the place of b; a literal 1 is left out. */
const struct ast *form_product(struct arena *arena, const struct ast *a, const struct ast *b);
/* The nodes below `ast` may be changed by its owner only: here. */
static inline struct ast *form_change(const struct ast *ast)
{
    return (struct ast *)(uintptr_t)ast;
}
/* Have the parts of a statement texts of their own, though macros may stand at its ends? */
bool form_has_texts(const struct ast *statement);
/* Is the child a statement that a block or a loop can replace? */
bool statement_is(const struct ast *parent, int child);
/* A loop as `for (start; condition; step) body`; NULL stands for a missing part. */
struct loop_parts {
    const struct ast *loop, *start, *condition, *step, *body;
};
/* Reads a `for` or a `while` that no macro wrote and no annotation marks; false of others, and of
   those without a condition or a body. */
bool loop_parts_read(const struct ast *loop, struct loop_parts *p);
/* The last statement of a block, NULL of other statements and of an empty one. */
const struct ast *last_statement(const struct ast *body);
/* The value that an assignment or a declaration gives to the variable; NULL if it gives none. */
const struct ast *value_given(const struct ast *statement, const struct ast *decl);
/* Is another variable of the name declared there? */
bool form_hides(struct arena *arena, const struct ast *decl, const struct ast *root);
/* Does a loop below a node hold the declaration? */
bool form_is_in_loop(struct arena *arena, const struct ast *decl, const struct ast *root);
/* Does a fragment of the function begin behind the declaration of a local variable, whatever is
   marked? */
bool form_is_before_loops(struct arena *arena, const struct ast_unit *unit,
                          const struct ast *function, const struct ast *body,
                          const struct ast *decl);
/* Does the mark of a fragment stand in a statement? The fragment could end within a new `if`. */
bool form_has_mark(const struct ast_unit *unit, const struct ast *statement);
/* Nothing in place of a statement, which is made then. `integer` is the byte behind the last text
   that needs the statement, `name` the variable that it sets. */
void form_remove(const struct ast *statement);
/* The declaration of a local variable that nothing up to a byte, `end`, needs any more. */
void form_undeclare(struct arena *arena, const struct ast *body, const struct ast *decl,
                    size_t end);

#endif
