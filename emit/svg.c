/* The decision trees as a picture that needs no other program: a fork stands in the row of the
   branch on which its condition holds, the other branch below, as in the page. In: the trees. Out:
   one SVG, in light or dark as its reader has it. */
#include "emit/emit.h"
#include "emit/names.h"
#include <string.h>

enum { WIDTH = 240, HEIGHT = 42, GAP_X = 48, GAP_Y = 12, MARGIN = 12, LETTERS = 29 };

struct picture {
    struct ctx *ctx;
    const struct tree *tree;
    struct str boxes, edges;
    int rows, columns;
};

static int left_of(int column)
{
    return MARGIN + column * (WIDTH + GAP_X);
}

static int top_of(int row)
{
    return MARGIN + row * (HEIGHT + GAP_Y);
}

/* At most `most` letters, of UTF-8 too. */
static void add_text(struct str *out, const char *text, int most)
{
    size_t length = 0;
    for (int n = 0; text[length]; length++) {
        n += ((unsigned char)text[length] & 0xc0) != 0x80;
        if (n >= most && text[length + 1])
            break;
    }
    str_markup(out, text, length);
    str_add(out, text[length] ? "…" : "");
}

static void add_box(struct picture *picture, int column, int row, const char *kind,
                    const char *title, const char *below)
{
    struct str *out = &picture->boxes;
    str_addf(out, "<g class=\"%s\" transform=\"translate(%d %d)\"><title>", kind, left_of(column),
             top_of(row));
    add_text(out, title, 1000);
    str_addf(out, "</title><rect width=\"%d\" height=\"%d\" rx=\"%d\"/><text x=\"10\" y=\"18\">",
             WIDTH, HEIGHT, strcmp(kind, "leaf") == 0 ? 14 : 4);
    add_text(out, title, LETTERS);
    str_add(out, "</text><text class=\"below\" x=\"10\" y=\"34\">");
    add_text(out, below, LETTERS + 4);
    str_add(out, "</text></g>\n");
}

/* From the fork in that row to a box one column further. */
static void add_edge(struct picture *picture, int column, int from, int to, bool holds)
{
    int x1 = left_of(column) + WIDTH, x2 = left_of(column + 1), middle = (x1 + x2) / 2,
        y1 = top_of(from) + HEIGHT / 2, y2 = top_of(to) + HEIGHT / 2;
    str_addf(&picture->edges,
             "<path d=\"M%d %dC%d %d %d %d %d %d\"/>"
             "<text class=\"below\" x=\"%d\" y=\"%d\">%s</text>\n",
             x1, y1, middle, y1, middle, y2, x2, y2, x2 - 24, y2 - 5, holds ? "yes" : "no");
}

static void add_leaf(struct picture *picture, const struct node *leaf, int column, int row)
{
    const struct variant *variant = tree_end_variant(picture->tree, leaf);
    struct str below = str_new(picture->ctx->arena);
    if (!variant) {
        add_box(picture, column, row, "leaf", "no leaf", "");
        return;
    }
    for (size_t i = 0; i < variant->n_strategies; i++)
        str_addf(&below, "%s%s", i ? ", " : "", variant->strategies[i]->name);
    add_box(picture, column, row, "leaf",
            arena_printf(picture->ctx->arena, "leaf %d%s", variant->id,
                         variant->safe ? " (safe)" : ""),
            below.text);
}

/* The node in the first free row, whatever is below it; the row. */
static int add_node(struct picture *picture, const struct node *node, int column)
{
    int row = picture->rows;
    picture->columns = column >= picture->columns ? column + 1 : picture->columns;
    if (!node || node->kind != NODE_FORK) {
        picture->rows++;
        add_leaf(picture, node, column, row);
        return row;
    }
    add_box(picture, column, row, "fork",
            constraint_text(picture->ctx->arena, node->constraint, picture->tree->machine),
            node->counter ? node->counter : "");
    add_edge(picture, column, row, add_node(picture, node->accept, column + 1), true);
    add_edge(picture, column, row, add_node(picture, node->refuse, column + 1), false);
    return row;
}

/* A row of its own. */
static void add_heading(struct picture *picture, const char *region)
{
    str_addf(&picture->boxes, "<text x=\"%d\" y=\"%d\">region %s</text>\n", MARGIN,
             top_of(picture->rows++) + HEIGHT - 4, region);
}

static const char style[] =
    "<style>text{font:13px ui-monospace,monospace;fill:#1b1f24}.below{font-size:11px;fill:#57606a}"
    "rect{fill:#fff;stroke:#8c959f}.leaf rect{fill:#eef3fa;stroke:#0a58ca}"
    "path{fill:none;stroke:#8c959f}@media(prefers-color-scheme:dark){text{fill:#e6e9ed}"
    ".below{fill:#a4adb8}rect{fill:#12161c}.leaf rect{fill:#1b2636;stroke:#7db4ff}}</style>\n";

void emit_svg(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees)
{
    struct picture picture = {
        .ctx = ctx, .boxes = str_new(ctx->arena), .edges = str_new(ctx->arena)};
    for (size_t r = 0; r < program->n_regions; r++) {
        picture.tree = trees[r];
        if (program->n_regions > 1)
            add_heading(&picture, trees[r]->region->name);
        add_node(&picture, trees[r]->root, 0);
    }
    struct str name = str_new(ctx->arena);
    add_text(&name, program->stem, 1000);
    int width = left_of(picture.columns) - GAP_X + MARGIN,
        height = top_of(picture.rows) - GAP_Y + MARGIN;
    str_addf(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
             "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Case tree of %s\">\n%s%s%s</svg>\n",
             width, height, width, height, name.text, style, picture.edges.text,
             picture.boxes.text);
}
