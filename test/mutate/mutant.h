/* Comes first in each file that has mutants: which one is chosen (CPL_MUTANT), and which are passed
   (CPL_MUTANT_TRACE: a file that gets their numbers, two bytes each, once by file and process; with
   CPL_MUTANT_DIFFERS where the change made a difference to the value there). */
#ifndef TEST_MUTATE_MUTANT_H
#define TEST_MUTATE_MUTANT_H

#include <sys/syscall.h>

#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"

enum { CPL_MUTANT_DIFFERS = 1 << 15, CPL_MUTANTS_MAX = 2 * CPL_MUTANT_DIFFERS };
enum { CPL_MUTANT_APPEND = 02101 /* O_WRONLY | O_CREAT | O_APPEND */ };

/* Declared here: headers of the system would bring names that a file may have given to its own. */
char *getenv(const char *name);
int *__errno_location(void);
long syscall(long number, ...);

static int cpl_mutant;
static const char *cpl_mutant_trace;
static unsigned char cpl_mutant_seen[CPL_MUTANTS_MAX];

__attribute__((constructor(101))) static void cpl_mutant_choose(void)
{
    const char *number = getenv("CPL_MUTANT");
    while (number && *number) cpl_mutant = 10 * cpl_mutant + (*number++ - '0');
    cpl_mutant_trace = getenv("CPL_MUTANT_TRACE");
}

static void cpl_mutant_note(int number)
{
    if (cpl_mutant_seen[number]) return;
    cpl_mutant_seen[number] = 1;
    unsigned char bytes[] = {(unsigned char)number, (unsigned char)(number >> 8)};
    int *error = __errno_location(), kept = *error;
    long file = syscall(SYS_openat, -100 /* AT_FDCWD */, cpl_mutant_trace, CPL_MUTANT_APPEND, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, bytes, sizeof bytes);
        syscall(SYS_close, file);
    }
    *error = kept;
}

static inline int cpl_mutant_is(int number)
{
    if (__builtin_expect(cpl_mutant_trace != 0, 0)) cpl_mutant_note(number);
    return number == cpl_mutant;
}

/* The same, and notes whether `differs`, which has no effect. */
#define cpl_mutant_tells(number, differs)                                                          \
    ((__builtin_expect(cpl_mutant_trace != 0, 0) && (differs)                                      \
          ? cpl_mutant_note((number) | CPL_MUTANT_DIFFERS)                                         \
          : (void)0),                                                                              \
     cpl_mutant_is(number))

#endif
