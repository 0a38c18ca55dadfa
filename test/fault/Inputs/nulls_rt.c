/* What kernels compiled ahead of time link, with NULL in place of each pointer. */
#include <cpl/rt.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const cplrt_site site = {"k.py", 3, 5, "f", "x", -1};
    const cpl_fault fault = {1, 0, 7, 4};
    char text[100];
    size_t n = cplrt_fault_text(&site, 1, &fault, text, sizeof text);
    int wrong = n != strlen(text) || !strstr(text, "index 7 is out of bounds of 'x'");
    wrong += cplrt_fault_text(&site, 1, &fault, NULL, sizeof text) != n;
    wrong += cplrt_fault_text(&site, 1, NULL, text, sizeof text) != 0 || *text;
    wrong += cplrt_fault_text(NULL, 1, &fault, text, sizeof text) == 0;
    wrong += !cplrt_cpu_supports(NULL);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
