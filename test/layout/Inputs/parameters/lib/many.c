/* Six and seven. */

int seven(int a, int (*f)(int, int), int c, int d, int e, int g, int h)
{
    return f(a + c, d + e) + g + h;
}

int six(int a, int (*f)(int, int), int c, int d, int e, int g)
{
    return seven(a, f, c, d, e, g, 1);
}
