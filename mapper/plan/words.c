/* The elements that a region reads and writes, as polynomials.

   In: a region. Out: for each array the elements of the boxes that its accesses touch. Accesses of
   one box count once, since neighbours and caches share them; so do boxes that differ by constants.
   A read is none if a thread has written the element before, at the same point, wherever it reads:
   then it has the value in a register. An array of the function's own that nothing behind reads,
   and that this region alone touches, vanishes when its elements stay in registers. */
#include "mapper/plan/words.h"
#include "mapper/plan/schedule.h"
#include "mapper/plan/strips.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/sums.h"
#include "mapper/scop/walk.h"
#include <inttypes.h>
#include <isl/map.h>
#include <isl/set.h>
#include <string.h>

/* --- polynomials ------------------------------------------------------------------------------ */

/* Greater degrees first, then by symbols. */
static int products_compare(const struct words_product *a, const struct words_product *b)
{
    if (a->n != b->n)
        return b->n - a->n;
    for (int i = 0; i < a->n; i++)
        if (a->symbols[i] != b->symbols[i])
            return a->symbols[i] - b->symbols[i];
    return 0;
}

static void words_product_add(struct arena *arena, struct words_sum *sum,
                        const struct words_product *product)
{
    size_t at = 0;
    while (at < sum->products.count && products_compare(&sum->products.at[at], product) < 0)
        at++;
    bool is_known = at < sum->products.count && !products_compare(&sum->products.at[at], product);
    if (is_known) {
        sum->products.at[at].factor += product->factor;
        return;
    }
    vec_push(arena, &sum->products, *product);
    for (size_t i = sum->products.count - 1; i > at; i--)
        sum->products.at[i] = sum->products.at[i - 1];
    sum->products.at[at] = *product;
}

void words_add(struct arena *arena, struct words_sum *sum, const struct words_sum *other)
{
    for (size_t i = 0; i < other->products.count; i++)
        words_product_add(arena, sum, &other->products.at[i]);
    sum->is_unknown |= other->is_unknown;
}

/* The product with one factor more, its symbols in order. */
static struct words_product product_times(struct words_product product, int64_t factor, int symbol)
{
    int at = product.n++;
    product.factor *= factor;
    for (; at > 0 && product.symbols[at - 1] > symbol; at--)
        product.symbols[at] = product.symbols[at - 1];
    product.symbols[at] = symbol;
    return product;
}

static struct words_sum words_times(struct arena *arena, const struct words_sum *sum,
                                    const struct affine *form)
{
    struct words_sum out = {.is_unknown = sum->is_unknown};
    for (size_t i = 0; i < sum->products.count; i++) {
        struct words_product whole = sum->products.at[i];
        for (int k = 0; k < form->n_terms && whole.n < WORDS_FACTORS; k++) {
            struct words_product one =
                product_times(whole, form->terms[k].factor, form->terms[k].symbol);
            words_product_add(arena, &out, &one);
        }
        whole.factor *= form->constant;
        words_product_add(arena, &out, &whole);
    }
    return out;
}

static void product_print(struct str *out, const struct scop *scop,
                          const struct words_product *product, bool is_first)
{
    int64_t size = product->factor < 0 ? -product->factor : product->factor;
    str_add(out, product->factor < 0 ? (is_first ? "-" : " - ") : is_first ? "" : " + ");
    if (size != 1 || !product->n)
        str_addf(out, "%" PRId64 "%s", size, product->n ? "*" : "");
    for (int i = 0; i < product->n;) {
        int same = 1;
        while (i + same < product->n && product->symbols[i + same] == product->symbols[i])
            same++;
        const char *name = scop->symbols.at[product->symbols[i]].text;
        bool is_sum = strpbrk(name, " +-/") != NULL;
        str_addf(out, is_sum ? "%s(%s)" : "%s%s", i ? "*" : "", name);
        if (same > 1)
            str_addf(out, "^%d", same);
        i += same;
    }
}

const char *words_text(const struct scop *scop, const struct words_sum *sum)
{
    struct str out = str_new(scop->arena);
    for (size_t i = 0; i < sum->products.count; i++)
        if (sum->products.at[i].factor)
            product_print(&out, scop, &sum->products.at[i], !out.length);
    if (sum->is_unknown)
        str_add(&out, out.length ? " + ?" : "?");
    return out.length ? out.text : "0";
}

bool words_value(const struct words_sum *sum, const double *values, double *value)
{
    *value = 0;
    for (size_t i = 0; i < sum->products.count; i++) {
        double product = (double)sum->products.at[i].factor;
        for (int k = 0; k < sum->products.at[i].n; k++)
            product *= values[sum->products.at[i].symbols[k]];
        *value += product;
    }
    return !sum->is_unknown;
}

/* --- boxes ------------------------------------------------------------------------------------ */

struct words_box {
    struct affine lower[SUBSCRIPTS_MAX], upper[SUBSCRIPTS_MAX];
};
typedef VEC(struct words_box) box_list;

/* The box of an access; false if a bound of it is no form. */
static bool box_of(const struct scop *scop, int depth, const struct scop_access *access,
                   struct words_box *box)
{
    bool good = !access->alternatives.count;
    for (int dim = 0; dim < access->array->n_dims && good; dim++)
        good = access->is_affine[dim] &&
               affine_bound(scop, depth, &access->subscripts[dim], false, &box->lower[dim]) &&
               affine_bound(scop, depth, &access->subscripts[dim], true, &box->upper[dim]);
    return good;
}

/* Adds the box to the list, or widens a box of the list that differs from it by constants. */
static void box_push(struct arena *arena, box_list *list, const struct words_box *box, int n_dims)
{
    for (size_t i = 0; i < list->count; i++) {
        struct words_box both = list->at[i];
        bool joins = true;
        for (int dim = 0; dim < n_dims && joins; dim++)
            joins = bound_join(&both.lower[dim], &box->lower[dim], false) &&
                    bound_join(&both.upper[dim], &box->upper[dim], true);
        if (!joins)
            continue;
        list->at[i] = both;
        return;
    }
    vec_push(arena, list, *box);
}

static struct words_sum boxes_size(struct arena *arena, const box_list *list, int n_dims)
{
    struct words_sum sum = {0};
    const struct affine one = affine_constant(1);
    for (size_t i = 0; i < list->count; i++) {
        struct words_sum size = {0};
        words_product_add(arena, &size, &(struct words_product){.factor = 1});
        for (int dim = 0; dim < n_dims; dim++) {
            struct affine extent = list->at[i].upper[dim];
            if (!affine_add(&extent, &list->at[i].lower[dim], -1) ||
                !affine_add(&extent, &one, 1))
                size.is_unknown = true;
            size = words_times(arena, &size, &extent);
        }
        words_add(arena, &sum, &size);
    }
    return sum;
}

/* --- values that a thread has ----------------------------------------------------------------- */

/* Does the write give the read its element, in the thread of each point? */
static bool write_covers(const struct plan_region *region, const struct plan_member *member,
                         const struct scop_stmt *writer, const struct scop_access *write,
                         const struct scop_stmt *reader, const struct scop_access *read)
{
    bool is_before = writer->id < reader->id ||
                     (writer == reader && write->reduction && read->reduction);
    if (!write->is_write || write->is_may || write->reduction || !is_before ||
        !accesses_are_equal(region, member->part, write, read))
        return false;
    isl_set *written = isl_map_range(isl_map_intersect_domain(isl_map_copy(write->relation),
                                                              isl_set_copy(writer->domain)));
    isl_set *taken = isl_map_range(isl_map_intersect_domain(isl_map_copy(read->relation),
                                                            isl_set_copy(reader->domain)));
    isl_bool covers = isl_set_is_subset(taken, written);
    isl_set_free(written);
    isl_set_free(taken);
    return covers == isl_bool_true;
}

/* A strip's region with the lanes' loops as a second axis: an accumulation reads elements of arrays
   of two axes that the block has stored from its rows (strips.h). */
static struct plan_region strip_plane(struct scop *scop, int depth,
                                      const struct plan_region *region)
{
    struct plan_region plane = {.n_axes = 2};
    for (size_t i = 0; i < region->members.count; i++) {
        struct plan_member member = region->members.at[i];
        member.axes[1] = strip_lanes(&member, depth);
        if (member.axes[1] != LANES_NONE)
            vec_push(scop->arena, &plane.members, member);
    }
    return plane;
}

static bool value_is_written(const struct plan_region *region, const struct scop_stmt *reader,
                      const struct scop_access *read)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++) {
            const struct scop_stmt *stmt = member->unit->stmts.at[k];
            for (size_t a = 0; a < stmt->accesses.count; a++)
                if (stmt->accesses.at[a].array == read->array &&
                    write_covers(region, member, stmt, &stmt->accesses.at[a], reader, read))
                    return true;
        }
    }
    return false;
}

/* --- rows ------------------------------------------------------------------------------------- */

struct words_find {
    struct scop *scop;
    int depth;
    const struct plan_region *region;
    struct words_row *row;
    box_list boxes[2];               /* read, written */
};

static bool stmt_accumulates(const struct scop_stmt *stmt)
{
    for (size_t a = 0; a < stmt->accesses.count; a++)
        if (stmt->accesses.at[a].reduction)
            return true;
    return false;
}

static void access_take(struct words_find *f, const struct scop_stmt *stmt,
                        const struct scop_access *access)
{
    struct words_box box;
    struct words_sum *sum = access->is_write ? &f->row->writes : &f->row->reads;
    if (!access->is_write && value_is_written(f->region, stmt, access))
        return;
    if (!access->is_write && stmt_accumulates(stmt) && f->region->is_strip) {
        struct plan_region plane = strip_plane(f->scop, f->depth, f->region);
        if (value_is_written(&plane, stmt, access))
            return;
    }
    if (box_of(f->scop, f->depth, access, &box))
        box_push(f->scop->arena, &f->boxes[access->is_write], &box, access->array->n_dims);
    else
        sum->is_unknown = true;
}

static void stmt_take(struct words_find *f, const struct scop_stmt *stmt)
{
    for (size_t a = 0; a < stmt->accesses.count; a++)
        if (stmt->accesses.at[a].array == f->row->array)
            access_take(f, stmt, &stmt->accesses.at[a]);
}

static bool is_touched_else(const struct scop *scop, const struct plan_region *region,
                            const struct scop_array *array)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (!region_member(region, walk.stmt->unit))
            return true;
    return false;
}

static bool is_of_function(const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && !decl->is_static && !decl->is_global &&
           !decl->is_extern && decl->type && decl->type->element && decl->type->extent;
}

/* The sum of the array if threads of several blocks have parts of an element that a second kernel
   adds: it lacks an axis, and is no atomic operation. */
static const struct plan_sum *sum_with_parts(const struct plan_region *region,
                                           const struct scop_array *array)
{
    for (size_t i = 0; i < region->sums.count; i++)
        if (region->sums.at[i].array == array &&
            !reduction_is_atomic(region->sums.at[i].reduction, sum_type(array)))
            return &region->sums.at[i];
    return NULL;
}

/* The elements of an array of parts of sums: the number of blocks is fixed where they go over one
   axis. With several it depends on tunables. */
static struct words_sum words_of_parts(struct arena *arena, const struct plan_region *region,
                                       const struct words_sum *elements)
{
    int64_t blocks = region->is_strip ? SUM_WALKS_MOST : SUM_BLOCKS_ALONE;
    struct words_sum parts = {.is_unknown = elements->is_unknown || region->n_axes != 1};
    for (size_t i = 0; i < elements->products.count && !parts.is_unknown; i++) {
        struct words_product product = elements->products.at[i];
        product.factor *= blocks;
        words_product_add(arena, &parts, &product);
    }
    return parts;
}

static void row_fill(struct words_find *f)
{
    const struct scop_array *array = f->row->array;
    for (size_t i = 0; i < f->region->members.count; i++) {
        const struct scop_unit *unit = f->region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            stmt_take(f, unit->stmts.at[k]);
    }
    for (int writes = 0; writes < 2; writes++) {
        struct words_sum size = boxes_size(f->scop->arena, &f->boxes[writes], array->n_dims);
        words_add(f->scop->arena, writes ? &f->row->writes : &f->row->reads, &size);
    }
    f->row->partial = sum_with_parts(f->region, array);
    if (f->row->partial)
        f->row->parts = words_of_parts(f->scop->arena, f->region, &f->row->writes);
    bool is_read = f->row->reads.products.count || f->row->reads.is_unknown;
    f->row->vanishes = array->n_dims && is_of_function(array->decl) && !is_read &&
                       !f->row->partial && !is_touched_else(f->scop, f->region, array) &&
                       !variable_is_read_behind(f->scop, array->decl);
}

static bool rows_have(const words_list *list, const struct scop_array *array)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].array == array)
            return true;
    return false;
}

void region_words(struct scop *scop, int depth, const struct plan_region *region, words_list *list)
{
    for (size_t i = 0; i < region->members.count; i++)
        for (size_t k = 0; k < region->members.at[i].unit->stmts.count; k++) {
            const struct scop_stmt *stmt = region->members.at[i].unit->stmts.at[k];
            for (size_t a = 0; a < stmt->accesses.count; a++) {
                const struct scop_array *array = stmt->accesses.at[a].array;
                bool counts = !array->is_private && (array->n_dims || array->is_summed);
                if (!counts || rows_have(list, array))
                    continue;
                struct words_row row = {.array = array};
                vec_push(scop->arena, list, row);
                struct words_find find = {scop, depth, region, &list->at[list->count - 1],
                                          {{0}, {0}}};
                row_fill(&find);
            }
        }
}

int region_launches(const struct plan_region *region, const words_list *words)
{
    int launches = region->is_serial ? 0 : 1;
    for (size_t i = 0; i < words->count; i++)
        if (words->at[i].partial)
            return launches + 1;
    return launches;
}
