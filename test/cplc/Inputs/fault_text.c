/* cplrt_fault_text against what its header promises. */
#include <cpl/rt.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SITES = 4, MOST_TEXT = 200 };

static const cplrt_site sites[SITES] = {{"k.py", 3, 5, "f", "x", -1},
                                        {"wave.py", 4000000000, 1, "g", NULL, -1},
                                        {"a b.py", 1, 4294967295, "long.name", "values", 7},
                                        {"last.py", 7, 8, "h", "y", 0}};
static const char *const texts[SITES] = {
    "k.py:3:5: in 'f': index -7 is out of bounds of 'x', which has 9223372036854775807 elements",
    "wave.py:4000000000:1: in 'g': assertion failed",
    "a b.py:1:4294967295: in 'long.name': index -7 is out of bounds of 'values', which has "
    "9223372036854775807 elements along dimension 7",
    "last.py:7:8: in 'h': index -7 is out of bounds of 'y', which has 9223372036854775807 elements "
    "along dimension 0"};

static int asked, wrong;

/* Of the first `count` sites. */
static void ask(size_t count, int64_t site, const char *expected)
{
    const cpl_fault fault = {1, (int32_t)site, -7, INT64_MAX};
    size_t length = strlen(expected);
    for (size_t size = 0; size <= length + 2; size++) {
        char text[MOST_TEXT];
        memset(text, '#', sizeof text);
        size_t kept = size > length ? length : size ? size - 1 : 0;
        bool good = cplrt_fault_text(sites, count, &fault, text, size) == length;
        good = good && !memcmp(text, expected, kept) && (!size || !text[kept]);
        for (size_t i = size; i < sizeof text; i++) good = good && text[i] == '#';
        if (!good) printf("site %d of %zu, %zu bytes: %.*s\n", (int)site, count, size, 99, text);
        asked++;
        wrong += !good;
    }
}

int main(void)
{
    for (size_t count = 0; count <= SITES; count++) {
        const int64_t beside[] = {INT32_MIN, -2, -1, (int64_t)count, (int64_t)count + 1, INT32_MAX};
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
            ask(count, beside[i], "a check failed");
        for (size_t i = 0; i < count; i++) ask(count, (int64_t)i, texts[i]);
    }
    printf("%d texts, %d wrong\n", asked, wrong);
    return wrong != 0;
}
