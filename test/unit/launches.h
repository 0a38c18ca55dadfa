/* Launches in one line each: what tests ask of cpl_launch, cpl_kernel_for, cpl_kernel_launch and
 * cpl_interpret, with the options among the arguments. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <cpl/launch.h>

static inline cpl_launch_options options_of(cpl_form as, cpl_queue *q)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.form = as;
    o.queue = q;
    return o;
}

static inline cpl_launch_options rounds_on(cpl_queue *q, int64_t n, cpl_event **e)
{
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
    o.n = n;
    o.event = e;
    return o;
}

/* global NULL: not given; local NULL: chosen */
static inline cpl_launch_options grid_on(cpl_queue *q, const int64_t *global, const int64_t *local,
                                         cpl_event **e)
{
    cpl_launch_options o = options_of(CPL_FORM_KERNEL, q);
    for (int i = 0; i < 3; i++) {
        if (global) o.global[i] = global[i];
        if (local) o.local[i] = local[i];
    }
    o.event = e;
    return o;
}

static inline cpl_launch_options once_on(cpl_queue *q, void *result, const cpl_type **type)
{
    cpl_launch_options o = options_of(CPL_FORM_FUNCTION, q);
    o.result = result;
    o.result_type = type;
    return o;
}

/* A kernel for a spec. */
static inline cpl_status spec_kernel(cpl_module *m, const char *function, const cpl_spec *spec,
                                     cpl_kernel **k)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.spec = spec;
    return cpl_kernel_for(m, function, &o, NULL, 0, k);
}

static inline cpl_status launch_rounds(cpl_module *m, const char *function, cpl_queue *q,
                                       const cpl_arg *args, size_t count, int64_t n, cpl_event **e)
{
    cpl_launch_options o = rounds_on(q, n, e);
    return cpl_launch(m, function, &o, args, count);
}

static inline cpl_status rounds_kernel_for(cpl_module *m, const char *function, cpl_queue *q,
                                           const cpl_arg *args, size_t count, cpl_kernel **k)
{
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
    return cpl_kernel_for(m, function, &o, args, count, k);
}

static inline cpl_status rounds_kernel(cpl_module *m, const char *function, const cpl_arg *args,
                                       size_t count, cpl_kernel **k)
{
    return cpl_kernel_for(m, function, NULL, args, count, k);
}

static inline cpl_status run_rounds(cpl_kernel *k, cpl_queue *q, const cpl_arg *args, size_t count,
                                    int64_t n, cpl_event **e)
{
    cpl_launch_options o = rounds_on(q, n, e);
    return cpl_kernel_launch(k, &o, args, count);
}

static inline cpl_status call_once_on(cpl_module *m, const char *function, cpl_queue *q,
                                      const cpl_arg *args, size_t count, void *result,
                                      const cpl_type **type)
{
    cpl_launch_options o = once_on(q, result, type);
    return cpl_launch(m, function, &o, args, count);
}

static inline cpl_status call_once(cpl_module *m, const char *function, const cpl_arg *args,
                                   size_t count, void *result, const cpl_type **type)
{
    return call_once_on(m, function, NULL, args, count, result, type);
}

static inline cpl_status once_kernel(cpl_module *m, const char *function, cpl_queue *q,
                                     const cpl_arg *args, size_t count, cpl_kernel **k)
{
    cpl_launch_options o = options_of(CPL_FORM_FUNCTION, q);
    return cpl_kernel_for(m, function, &o, args, count, k);
}

static inline cpl_status run_once(cpl_kernel *k, cpl_queue *q, const cpl_arg *args, size_t count,
                                  void *result)
{
    cpl_launch_options o = once_on(q, result, NULL);
    return cpl_kernel_launch(k, &o, args, count);
}

static inline cpl_status grid_kernel(cpl_module *m, const char *function, cpl_queue *q,
                                     const cpl_arg *args, size_t count, cpl_kernel **k)
{
    cpl_launch_options o = options_of(CPL_FORM_KERNEL, q);
    return cpl_kernel_for(m, function, &o, args, count, k);
}

static inline cpl_status run_grid(cpl_kernel *k, cpl_queue *q, const int64_t *global,
                                  const int64_t *local, const cpl_arg *args, size_t count,
                                  cpl_event **e)
{
    cpl_launch_options o = grid_on(q, global, local, e);
    return cpl_kernel_launch(k, &o, args, count);
}

static inline cpl_status interpret_rounds(cpl_module *m, const char *function, cpl_form as,
                                          const cpl_arg *args, size_t count, int64_t n,
                                          void *result, const cpl_type **type)
{
    cpl_launch_options o = once_on(NULL, result, type);
    o.form = as;
    o.n = n;
    return cpl_interpret(m, function, &o, args, count);
}

static inline cpl_status interpret_grid(cpl_module *m, const char *function, const int64_t *global,
                                        const int64_t *local, const cpl_arg *args, size_t count)
{
    cpl_launch_options o = grid_on(NULL, global, local, NULL);
    return cpl_interpret(m, function, &o, args, count);
}

#endif
