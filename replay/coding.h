#ifndef REPLAY_CODING_H
#define REPLAY_CODING_H
#include "base/map.h"
#include "base/str.h"
#include "replay/code.h"

/* AST to code: what code.c (functions and statements), code_value.c (expressions), code_initial.c
   (initial values), code_call.c (calls) and code_type.c (extents and strides) share. */

/* A function whose body is being lowered. */
struct coding_function {
    struct map *slots;               /* by declaration: its slot, a number (below) */
    const struct ast *body;
    struct map *extents;             /* by array type: the slot of its extent */
    struct map *rows;                /* by declaration of a pointer to a row: the array's type */
    struct map *addressed;           /* scalars that are objects: something takes their address */
    const char *name;
    enum ast_class result;
    int n_slots;
    bool picks_reals;                /* regions reduce floating numbers by min or max */
};

struct coding {
    struct ctx *ctx;
    struct arena *arena;
    struct ast_unit *unit;
    struct replay_program *program;
    struct map *functions;           /* by declaration: struct function_code */
    struct map *globals;             /* by declaration: its number */
    struct coding_function *at;
    const struct ast *declared;      /* the variable whose initial value is lowered */
    const struct ast *region;        /* whose body is lowered; NULL: none */
    bool has_ends;                   /* the region begins or ends sums of its clauses */
    bool chooses;                    /* in a condition that chooses among plans: it has both */
};

typedef VEC(const struct code *) code_list;

struct code *code_begin(struct coding *coding, enum code_op op, enum ast_class class,
                      const struct ast *place);
const struct code *code_constant(struct coding *coding, enum ast_class class, int64_t value);
const struct code *code_unknown(struct coding *coding, const struct ast *place, const char *what);
const struct code *code_block(struct coding *coding, const code_list *list);
/* The same value in another class. */
const struct code *code_convert(struct coding *coding, const struct code *code,
                                enum ast_class class);

/* code_type.c: the class of values of a type: arrays and functions are pointers. */
enum ast_class type_class(const struct ast_type *type);
bool type_is_memory(const struct ast_type *type);   /* arrays and structures */
/* The type of an expression with the extents of the declaration that it comes from. */
const struct ast_type *shape_of(struct coding *coding, const struct ast *ast);
/* A variable begins: a pointer to a row of an array has the row's extent from here on. */
void row_note(struct coding *coding, const struct ast *decl);
/* The element type of a pointer or an array of the shape; NULL for other shapes. */
const struct ast_type *shape_element(const struct ast_type *shape);
/* Sets `code`'s stride: the bytes of a type; false where nobody knows them. */
bool stride_set(struct coding *coding, struct code *code, const struct ast_type *type);
/* The bytes of a type as a value; NULL where nobody knows them. */
const struct code *code_of_bytes(struct coding *coding, const struct ast_type *type);
/* The number of an array's elements; NULL where none is said. */
const struct code *code_of_extent(struct coding *coding, const struct ast_type *type);
/* Code that sets the extents of a declaration's type, once. */
void code_of_extents(struct coding *coding, const struct ast_type *type, code_list *list);

/* code_value.c */
const struct code *code_of_value(struct coding *coding, const struct ast *ast);
const struct code *code_of_address(struct coding *coding, const struct ast *ast);
/* Does a type of the class have a width, or no values? */
bool is_known_class(enum ast_class class);
/* The variable's slot; -1 for a variable of another function or of the file. */
int slot_find(const struct coding *coding, const struct ast *decl);

/* code_initial.c: target = value, where a variable begins: `address` of memory, or NULL for the
   slot. */
const struct code *code_of_initial(struct coding *coding, const struct ast *decl,
                                   const struct code *address, int slot);
/* Code that stores the value of a structure at the target: the first has a store for each member,
   the second is one copy where the elements have one type. */
const struct code *structure_members(struct coding *coding, const struct code *target,
                                     const struct ast *value);
const struct code *structure_copy(struct coding *coding, const struct code *target,
                                  const struct ast *value);
/* code_value.c: the clause of the region that reduces the variable or array of an expression (NULL:
   reduces floating numbers); NULL if none does. */
const struct ast *reducing_clause(const struct coding *coding, const struct ast *ast);
bool is_reduced(const struct coding *coding, const struct ast *ast);

/* code_complex.c: numbers of a complex type. A part is 0, the real one, or 1. */
bool is_complex_type(const struct ast_type *type);
const struct code *complex_part(struct coding *coding, const struct ast *ast, int part);
const struct code *complex_part_address(struct coding *coding, const struct ast *ast, int part);
const struct code *complex_compare(struct coding *coding, const struct ast *ast);
/* creal, cimag, cabs; NULL of other calls. */
const struct code *complex_call(struct coding *coding, const struct ast *ast);
const struct code *complex_assign(struct coding *coding, const struct ast *ast);
/* The number at an address becomes the value. */
const struct code *complex_store(struct coding *coding, const struct ast *place,
                                 const struct ast_type *type, const struct code *address,
                                 const struct ast *value);

/* code_product.c: the product of two complex numbers, of parts in one class. */
struct product_code {
    struct coding *coding;
    enum ast_class class;
    const struct code *factors[4];   /* a, b, c, d of (a + bi)(c + di) */
};
void product_parts(const struct product_code *p, const struct code *out[2]);

/* code_call.c */
const struct code *code_of_call(struct coding *coding, const struct ast *ast);

/* code.c */
void number_put(struct coding *coding, struct map *map, const void *key, int number);
int number_get(const struct map *map, const void *key);   /* -1: none */
const struct code *code_of_statement(struct coding *coding, const struct ast *ast);
struct function_code *code_of_function(struct coding *coding, const struct ast *decl);
int64_t global_number(struct coding *coding, const struct ast *decl);
int slot_new(struct coding *coding, const struct ast *decl);
bool is_object(const struct coding *coding, const struct ast *decl);

#endif
