/* Modules of functions of a host program, for their tests: sources, calls, what is said. */
#ifndef UNIT_FUNCTIONS_H
#define UNIT_FUNCTIONS_H

#include "world.h"
#include "launches.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* f of a file, without a table yet. */
static inline cpl_function_source source(const char *file, const char *text)
{
    return (cpl_function_source){.size = sizeof(cpl_function_source),
                                 .file = file,
                                 .text = text,
                                 .text_size = strlen(text)};
}

static inline cpl_function_source with_names(cpl_function_source f, const cpl_name *names,
                                             size_t count)
{
    f.names = names;
    f.name_count = count;
    return f;
}

static inline cpl_module *make(world *w, const cpl_function_source *functions, size_t count)
{
    cpl_module *m = NULL;
    w->said.n = 0;
    cpl_status status = cpl_module_from_functions(w->cx, functions, count, &m);
    if (status) fail_msg("status %d: %s", status, w->said.text);
    return m;
}

static inline double call(world *w, cpl_module *m, const char *function, double x)
{
    cpl_arg args[] = {cpl_arg_float(x)};
    double result = 0;
    cpl_status status = call_once(m, function, args, 1, &result, NULL);
    if (status) fail_msg("status %d: %s", status, w->said.text);
    return result;
}

/* The module of one function, and a call of it. */
static inline double call_one(world *w, cpl_function_source f, double x)
{
    cpl_module *m = make(w, &f, 1);
    double result = call(w, m, NULL, x);
    cpl_module_release(m);
    return result;
}

static inline void says(world *w, const char *part)
{
    if (!strstr(w->said.text, part)) fail_msg("no \"%s\" in\n%s", part, w->said.text);
}

/* That making a module of f fails. */
static inline void refused(world *w, cpl_function_source f, cpl_status wanted, const char *message)
{
    cpl_module *m = (cpl_module *)1;
    w->said.n = 0;
    *w->said.text = 0;
    cpl_status status = cpl_module_from_functions(w->cx, &f, 1, &m);
    if (status != wanted) fail_msg("status %d, not %d: %s", status, wanted, w->said.text);
    assert_null(m);
    says(w, message);
}

/* That the module is made, and a call of f(1) fails. */
static inline void fails(world *w, cpl_function_source f, cpl_status wanted, const char *message)
{
    cpl_arg args[] = {cpl_arg_float(1)};
    cpl_module *m = make(w, &f, 1);
    double result;
    w->said.n = 0;
    *w->said.text = 0;
    cpl_status status = call_once(m, NULL, args, 1, &result, NULL);
    if (status != wanted) fail_msg("status %d, not %d: %s", status, wanted, w->said.text);
    says(w, message);
    cpl_module_release(m);
}

#endif
