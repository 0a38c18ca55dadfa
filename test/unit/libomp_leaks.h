/* For tests in which teams of OpenMP change their size. */
#ifndef UNIT_LIBOMP_LEAKS_H
#define UNIT_LIBOMP_LEAKS_H

#ifdef __SANITIZE_ADDRESS__
/* libomp keeps what it made for threads that later regions did not use. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp";
}
#endif

#endif
