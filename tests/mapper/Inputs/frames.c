/* Pictures behind pointers: a frame has pixels, a pixel a colour and a place, all of floats; filters that go from frame to frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct colour {
    float r, g, b;
};

struct pixel {
    struct colour c;
    float far;
    struct { float x, y; } at;
};

struct frame {
    int rows, columns;
    struct pixel *all;
};

static struct colour plus(struct colour a, struct colour b)
{
    a.r += b.r, a.g += b.g, a.b += b.b;
    return a;
}

static struct colour times(struct colour a, float s)
{
    struct colour c = {.r = a.r * s, .b = a.b * s, .g = a.g * s};
    return c;
}

static float light(struct colour c)
{
    return 0.25f * c.r + 0.5f * c.g + 0.25f * c.b;
}

void paint(struct frame *f)
{
    for (int y = 0; y < f->rows; y++)
        for (int x = 0; x < f->columns; x++) {
            int k = y * f->columns + x;
            struct colour c = {x % 7 * 0.125f, y % 5 * 0.25f, 0.5f};
            if ((x - 20) * (x - 20) + y * y < 90)
                c = (struct colour){2, 2, 1.5f};
            f->all[k].c = c;
            f->all[k].far = 1.0f - y * 0.01f;
            f->all[k].at.x = x;
            f->all[k].at.y = y;
        }
}

/* What is brighter than most, spread along the rows. */
void glow(const struct frame *from, struct frame *to, float most, int reach)
{
    for (int y = 0; y < from->rows; y++)
        for (int x = 0; x < from->columns; x++) {
            struct colour sum = {0};
            for (int k = -reach; k <= reach; k++) {
                int other = x + k;
                if (other >= 0 && other < from->columns) {
                    int place = y * from->columns + other;
                    struct colour c = from->all[place].c;
                    if (light(c) > most)
                        sum = plus(sum, times(c, 1.0f / (1 + k * k)));
                }
            }
            to->all[y * from->columns + x].c = sum;
        }
}

void mix(struct frame *to, const struct frame *from, float s)
{
    for (int i = 0; i < to->rows * to->columns; i++) {
        struct colour c = times(from->all[i].c, s);
        to->all[i].c = plus(to->all[i].c, c);
        to->all[i].far = from->all[i].far;
    }
}

/* The struct's own numbers change: the loops stay right, whatever becomes of them. */
void shrink(struct frame *f)
{
    for (int i = 0; i < f->columns; i++) {
        f->all[i].far += i;
        if (i > 50)
            f->columns--;
    }
}

static void show(const struct frame *f)
{
    double s = 0;
    for (int i = 0; i < f->rows * f->columns; i++)
        s += light(f->all[i].c) * (i % 7) + f->all[i].far + f->all[i].at.x - f->all[i].at.y;
    printf("%.12g\n", s);
}

int main(void)
{
    struct frame a = {61, 83, calloc(61 * 83, sizeof(struct pixel))}, b = {61, 83, calloc(61 * 83, sizeof(struct pixel))};
    paint(&a);
    show(&a);
    glow(&a, &b, 0.6f, 3);
    show(&b);
    mix(&a, &b, 0.5f);
    show(&a);
    mix(&a, &a, 0.25f);
    show(&a);
    shrink(&a);
    printf("%d\n", a.columns);
    show(&a);
    return 0;
}
