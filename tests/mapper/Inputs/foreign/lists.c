struct node {
    int value;
    struct node *next;
};
int longest(struct node *list, int n, double *restrict a)
{
    int i, count = 0;
    struct node *p;
    for (p = list; p; p = p->next)
        count += p->value > 0;
    for (i = 0; i < n; i++)
        a[i] = 2 * a[i];
    while (list->next)
        list = list->next;
    return count + list->value;
}
