/* The addresses behind abi.def. They are taken at link time, so a kernel calls the libm that this
 * library was linked with. */
#include "runtime/resolve.h"
#include "lib/dl/dl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

typedef void (*function)(void);

/* Support functions of the compiler, which no header declares. Only their addresses are used. */
void __extendhfsf2(void);
void __extendhfdf2(void);
void __truncsfhf2(void);
void __truncdfhf2(void);
void __udivti3(void);
void __divti3(void);
void __umodti3(void);
void __modti3(void);
/* In glibc since 2.25; math.h shows them under feature macros that other compilers' headers
 * lack. */
double roundeven(double);
float roundevenf(float);

typedef struct row {
    const char *symbol;
    function address;
} row;

#define ADDRESS_MATH(name) (function) name
#define ADDRESS_LIBC(name) (function) name
#define ADDRESS_GCC(name)  (function) name
#define ADDRESS_OMP(name)  (function) team##name
static const row rows[] = {
#define ABI(symbol, source) {#symbol, ADDRESS_##source(symbol)},
#include "lib/support/abi.def"
#undef ABI
};

void *abi_resolve(const char *symbol)
{
    if (!strncmp(symbol, "_ZGV", 4)) return dl_mvec_symbol(symbol);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].symbol, symbol)) continue;
        /* ISO C has no cast from function to object pointer; POSIX says that they are alike */
        void *address;
        memcpy(&address, &rows[i].address, sizeof address);
        return address;
    }
    return NULL;
}
