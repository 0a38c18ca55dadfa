/* Without arguments a unit test, with one the program of lit's test. */
#include "test/tiny.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    int sum = 0;
    if (argc == 2) {
        count(&sum, 3);
        return puts(sum == 3 ? "counted" : "lost") < 0;
    }
    return larger(2, 1) != 2 || larger(1, 2) != 2 || !equals_itself(argc) || !is_small(3);
}
