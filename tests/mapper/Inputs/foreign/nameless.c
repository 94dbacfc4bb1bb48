typedef struct table {
    int n;
    struct { int ahead; int action; } *list, *look;
} table;
int count(table *p, int m, int i)
{
    int j, n = 0;
    for (j = 0; j < p->n; j++) {
        if (p->list[j].ahead < 0) continue;
        if (p->list[j].ahead == j + m - i) n++;
    }
    return n;
}
