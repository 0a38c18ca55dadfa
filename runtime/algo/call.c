/* Arguments of an algorithm: where they are, how many elements they have. */
#include "runtime/algo/algo.h"

enum { MOST_BOUND = 20 }; /* parameters of the library's kernels in front of the caller's */

cpl_status algo_begin(algo_call *c, cpl_module *module, const cpl_launch_options *options,
                      const cpl_arg *args, size_t count)
{
    cpl_context *cx = module_context(module);
    c->module = module; /* most of it is large, and stays as it is until it is used */
    c->options = options;
    c->p.count = 0;
    c->flags = 0;
    c->step_count = 0;
    if (!options) return CPL_EARG;
    if (cpl_module_is_ir(module))
        return context_report(cx, CPL_EUNSUPPORTED,
                              "algorithms take functions of a kernel file, and the module holds "
                              "typed IR");
    if (count > MOST_ARGUMENTS - MOST_BOUND)
        return context_report(cx, CPL_ELIMIT, "an algorithm takes %d arguments at most",
                              MOST_ARGUMENTS - MOST_BOUND);
    cpl_status status = place_begin(&c->p, cx, options->queue, args, count);
    if (status) return status;
    c->n = options->n;
    status = launch_count(cx, NULL, c->p.args, count, &c->n);
    if (status) return status;
    return module_add_library(module, &algo_chunks) ? CPL_OK : context_no_memory(cx);
}

cpl_status algo_check_array(const algo_call *c, size_t index, int64_t n, const char *what)
{
    cpl_context *cx = module_context(c->module);
    const cpl_arg *arg = &c->p.args[index];
    if (arg->kind != CPL_ARG_ARRAY) return context_report(cx, CPL_EARG, "%s is no array", what);
    const cpl_type *elements = arg_elements(context_types(cx), arg);
    if (elements != c->type)
        return context_report(cx, CPL_EARG, "%s has elements of %s, and the values are %s", what,
                              elements->text, c->type->text);
    if (arg->length >= n) return CPL_OK;
    return context_report(cx, CPL_EARG, "%s has %lld elements and takes %lld", what,
                          (long long)arg->length, (long long)n);
}
