/* The names that need no definition, and the modules they live in. */
#include "lib/sema/sema_int.h"

#include <math.h>

const sema_builtin_info sema_builtins[BUILTIN_COUNT] = {
#define BUILTIN(id, name, group, args, doc) {name, BG_##group, args, doc},
#include "lib/sema/builtin.def"
#undef BUILTIN
};

enum {
    IN_BARE = 1,
    IN_MATH = 2,
    IN_NUMPY = 4,
    MASK_CUDA = 8,
    MASK_THREAD = 16,
    MASK_BLOCK = 32,
    MASK_THREADS = 64,
    MASK_BLOCKS = 128,
    MASK_ATOMIC = 256,
    MASK_SHARED = 512,
    MASK_PRIVATE = 1024
};
enum {
    MASK_BARE = IN_BARE,
    MASK_MATH = IN_BARE | IN_MATH,
    MASK_NUMPY = IN_NUMPY,
    MASK_BOTH = IN_BARE | IN_MATH | IN_NUMPY
};

typedef struct alias {
    const char *name;
    sema_builtin id;
    int where;
} alias;

static const alias aliases[] = {
#define BUILTIN(id, name, group, args, doc)
#define ALIAS(name, id, modules) {name, BI_##id, MASK_##modules},
#include "lib/sema/builtin.def"
#undef BUILTIN
};

typedef struct number {
    const char *name;
    double value;
    int where;
} number;

static const number numbers[] = {
#define BUILTIN(id, name, group, args, doc)
#define NUMBER(name, value, modules, doc) {name, value, MASK_##modules},
#include "lib/sema/builtin.def"
#undef BUILTIN
};

typedef struct refusal {
    const char *name, *instead;
} refusal;

static const refusal refusals[] = {
#define BUILTIN(id, name, group, args, doc)
#define REFUSED(name, instead) {name, instead},
#include "lib/sema/builtin.def"
#undef BUILTIN
};

static const struct {
    const char *name;
    sema_module of, module;
} modules[] = {
#define BUILTIN(id, name, group, args, doc)
#define MODULE(name, of, id) {name, MODULE_##of, MODULE_##id},
#include "lib/sema/builtin.def"
#undef BUILTIN
};

sema_module sema_find_module_in(const char *name, sema_module module)
{
    for (unsigned i = 0; i < COUNT_OF(modules); i++)
        if (modules[i].of == module && strcmp(modules[i].name, name) == 0) return modules[i].module;
    return MODULE_NONE;
}

/* Compyle's modules, as its own files and those in packages of its kind import them: ..types */
static bool is_relative_own(const char *name)
{
    static const char *const own[] = {"types", "low_level", "api", "extern", "parallel", "array"};
    const char *last = name + strspn(name, ".");
    for (size_t i = 0; last > name && i < COUNT_OF(own); i++)
        if (strcmp(last, own[i]) == 0) return true;
    return false;
}

sema_module sema_module_of(const char *name)
{
    static const char *const own[] = {"compyle", "cpl", "numba", "cython", "__future__", "typing"};
    if (sema_is_library(name)) return MODULE_OTHER; /* it is a file */
    if (is_relative_own(name)) return MODULE_OWN;
    if (strcmp(name, "math") == 0) return MODULE_MATH;
    if (strcmp(name, "numpy") == 0) return MODULE_NUMPY;
    if (strcmp(name, "numba") == 0) return MODULE_NUMBA;
    if (strcmp(name, "numba.cuda") == 0) return MODULE_CUDA;
    for (unsigned i = 0; i < COUNT_OF(own); i++) {
        size_t n = strlen(own[i]);
        if (strncmp(name, own[i], n) == 0 && (name[n] == 0 || name[n] == '.')) return MODULE_OWN;
    }
    return MODULE_OTHER;
}

bool sema_knows_module(const char *name)
{
    return sema_module_of(name) != MODULE_OTHER;
}

static int mask_of(sema_module module)
{
    static const int masks[MODULE_COUNT] = {
        [MODULE_MATH] = IN_MATH,       [MODULE_NUMPY] = IN_NUMPY,
        [MODULE_CUDA] = MASK_CUDA,     [MODULE_THREAD] = MASK_THREAD,
        [MODULE_BLOCK] = MASK_BLOCK,   [MODULE_THREADS] = MASK_THREADS,
        [MODULE_BLOCKS] = MASK_BLOCKS, [MODULE_ATOMIC] = MASK_ATOMIC,
        [MODULE_SHARED] = MASK_SHARED, [MODULE_PRIVATE] = MASK_PRIVATE};
    return masks[module] ? masks[module] : IN_BARE;
}

/* NumPy's round takes digits, and its remainder is that of floor division: cpl.numpy has them. */
static int where_is(const sema_builtin_info *b)
{
    bool differs = strcmp(b->name, "round") == 0 || strcmp(b->name, "remainder") == 0;
    if (strchr(b->name, '.')) return 0; /* an ALIAS has it */
    if (b->group == BG_ARRAY) return MASK_NUMPY;
    if (b->group > BG_NUM) return MASK_BARE;
    return differs ? MASK_MATH : MASK_BOTH;
}

bool sema_find_builtin(const char *name, sema_module module, sema_builtin *out)
{
    int mask = mask_of(module);
    for (unsigned i = 0; i < BUILTIN_COUNT; i++)
        if (strcmp(sema_builtins[i].name, name) == 0 && (where_is(&sema_builtins[i]) & mask)) {
            *out = (sema_builtin)i;
            return true;
        }
    for (unsigned i = 0; i < COUNT_OF(aliases); i++)
        if ((aliases[i].where & mask) && strcmp(aliases[i].name, name) == 0) {
            *out = aliases[i].id;
            return true;
        }
    return false;
}

bool sema_is_function(sema_builtin b)
{
    sema_group g = sema_builtins[b].group;
    return g == BG_MATH || g == BG_TEST || g == BG_NUM;
}

bool sema_find_number(const char *name, sema_module module, double *out)
{
    for (unsigned i = 0; i < COUNT_OF(numbers); i++)
        if ((numbers[i].where & mask_of(module)) && strcmp(numbers[i].name, name) == 0) {
            *out = numbers[i].value;
            return true;
        }
    return false;
}

const char *sema_find_refused(const char *name)
{
    for (unsigned i = 0; i < COUNT_OF(refusals); i++)
        if (strcmp(refusals[i].name, name) == 0) return refusals[i].instead;
    return NULL;
}

void sema_offer_builtins(suggester *s, sema_module module)
{
    int mask = mask_of(module);
    for (unsigned i = 0; i < BUILTIN_COUNT; i++)
        if (where_is(&sema_builtins[i]) & mask) suggest_offer(s, sema_builtins[i].name);
    for (unsigned i = 0; i < COUNT_OF(aliases); i++)
        if (aliases[i].where & mask) suggest_offer(s, aliases[i].name);
    for (unsigned i = 0; i < COUNT_OF(numbers); i++)
        if (numbers[i].where & mask) suggest_offer(s, numbers[i].name);
}

const char *cpl_builtin_name(size_t index)
{
    for (unsigned i = 0; i < BUILTIN_COUNT; i++)
        if ((where_is(&sema_builtins[i]) & IN_BARE) && index-- == 0) return sema_builtins[i].name;
    for (unsigned i = 0; i < COUNT_OF(aliases); i++)
        if ((aliases[i].where & IN_BARE) && index-- == 0) return aliases[i].name;
    for (unsigned i = 0; i < COUNT_OF(numbers); i++)
        if ((numbers[i].where & IN_BARE) && index-- == 0) return numbers[i].name;
    return NULL;
}
