/* Arguments of an algorithm: where they are, how many elements they have. */
#include "runtime/algo/algo.h"
#include "lib/support/plural.h"

/* What is learned of it: by its name and the first argument's type, whatever its operator. */
static uint64_t key_of(const algo_load *load, const cpl_arg *args, size_t count)
{
    const cpl_arg *first = count ? &args[0] : NULL;
    const cpl_array *a = first && first->kind == CPL_ARG_ARRAY ? first->array : NULL;
    uint64_t type = a ? a->dtype : first ? first->dtype : 0;
    return hash_bytes(load->name, strlen(load->name), type) | 1;
}

static cpl_status choose_for(const algo_call *c, const algo_load *load, const cpl_arg *args,
                             size_t count, device_choice *chosen)
{
    const choice_of w = {.name = load->name,
                         .key = key_of(load, args, count),
                         .writes = load->writes,
                         .passes = load->passes,
                         .results = load->results,
                         .args = args,
                         .count = count};
    return choice_make(module_context(c->module), &w, chosen);
}

/* Where it was asked to run, or is expected to be done first. */
static cpl_status place_call(algo_call *c, const algo_load *load, const cpl_arg *args, size_t count)
{
    cpl_context *cx = module_context(c->module);
    if (!choice_wanted(cx, c->options, args, count))
        return place_begin(&c->p, cx, c->options, args, count);
    device_choice chosen;
    cpl_launch_options there = *c->options;
    cpl_status status = choose_for(c, load, args, count, &chosen);
    if (status) return status;
    there.queue = chosen.queue;
    there.automatic = true;
    status = place_begin(&c->p, cx, &there, args, count);
    c->choice = chosen;
    return status;
}

cpl_status algo_begin(algo_call *c, const algo_load *load, cpl_module *module,
                      const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    cpl_context *cx = module_context(module);
    c->module = module; /* most of it is large, and stays as it is until it is used */
    c->options = options;
    c->p.count = 0;
    c->choice = (device_choice){0};
    c->known = NULL;
    c->commutes = c->plain = false;
    c->of_op = "cpl.chunks.of_op";
    c->of_source = "cpl.chunks.of_map";
    c->of_key = "cpl.chunks.of_key";
    c->inputs = count;
    c->flags = 0;
    c->nodes = c->key_nodes = 0;
    c->failed = CPL_OK;
    c->step_count = 0;
    c->once = NULL;
    if (!options) return CPL_EARG;
    if (cpl_module_is_ir(module))
        return context_report(cx, CPL_EUNSUPPORTED,
                              "algorithms take functions of a kernel file, and the module holds "
                              "typed IR");
    if (count > MOST_INPUTS)
        return context_report(cx, CPL_ELIMIT, "an algorithm takes %d arguments at most",
                              MOST_INPUTS);
    cpl_status status = place_call(c, load, args, count);
    if (status) return status;
    c->n = options->n;
    status = launch_count(cx, NULL, c->p.args, count, &c->n);
    if (status) return status;
    return algo_library(c, &algo_chunks);
}

cpl_status algo_end(algo_call *c, cpl_status status)
{
    status = place_end(&c->p, status);
    choice_end(&c->choice, status);
    return status;
}

cpl_launch_options algo_part(const algo_call *c)
{
    cpl_launch_options part = *c->options;
    part.n = c->n;
    part.queue = c->p.queue;
    part.automatic = c->p.moves;
    part.event = NULL;
    return part;
}

cpl_status algo_library(algo_call *c, const library_file *file)
{
    return module_add_library(c->module, file) ? CPL_OK
                                               : context_no_memory(module_context(c->module));
}

cpl_status algo_alone(const algo_call *c, const cpl_reduce_spec *spec)
{
    if (!spec->next) return CPL_OK;
    return context_report(module_context(c->module), CPL_EUNSUPPORTED,
                          "several reductions in one pass are cpl_reduce's: next is NULL here");
}

/* --- sizes --- */

enum {
    LEAST = 4096, /* elements of a piece: as many as its counts take time */
    SIDE = 4,     /* pieces for each thread, so that none waits long for the others */
    PIECES = 256, /* of a device */
};

static int64_t pieces_on(const cpl_device *d)
{
    int64_t threads = device_threads(d);
    return threads ? SIDE * threads : PIECES;
}

int64_t algo_piece_size(const cpl_device *d, int64_t n)
{
    int64_t size = divided(n, pieces_on(d));
    if (size < LEAST) size = LEAST;
    return size > INT32_MAX ? INT32_MAX : size;
}

/* --- arrays --- */

static cpl_status check_array(const algo_call *c, size_t index, const cpl_type *type, int64_t n,
                              const char *what)
{
    cpl_context *cx = module_context(c->module);
    const cpl_arg *arg = &c->p.args[index];
    if (arg->kind != CPL_ARG_ARRAY) return context_report(cx, CPL_EARG, "%s is no array", what);
    const cpl_type *elements = arg_elements(context_types(cx), arg);
    if (elements != type)
        return context_report(cx, CPL_EARG, "%s has elements of %s, and the values are %s", what,
                              elements->text, type->text);
    if (arg->length >= n) return CPL_OK;
    return context_report(cx, CPL_EARG, "%s has %lld element%s and takes %lld", what,
                          (long long)arg->length, plural(arg->length), (long long)n);
}

cpl_status algo_check_written(const algo_call *c, size_t index, const char *what)
{
    if (!c->p.args[index].readonly) return CPL_OK;
    return context_report(module_context(c->module), CPL_EARG,
                          "read-only memory is given for %s, and results go there", what);
}

/* The same of an argument that takes results. */
static cpl_status check_result(const algo_call *c, size_t index, const cpl_type *type, int64_t n,
                               const char *what)
{
    cpl_status status = check_array(c, index, type, n, what);
    return status ? status : algo_check_written(c, index, what);
}

cpl_status algo_check_result(const algo_call *c, size_t index, int64_t n, const char *what)
{
    return check_result(c, index, c->type, n, what);
}

cpl_status algo_place_one(algo_call *c, const cpl_arg *array, const char *what)
{
    cpl_status status = arg_check_result(module_context(c->module), what, array);
    return status ? status : place_more(&c->p, array, what);
}

cpl_status algo_place(algo_call *c, const cpl_arg *array, const cpl_type *type, int64_t n,
                      const char *what)
{
    cpl_status status = algo_place_one(c, array, what);
    return status ? status : check_result(c, c->p.count - 1, type, n, what);
}

const cpl_type *algo_scalar(const algo_call *c, cpl_dtype d)
{
    return type_scalar(context_types(module_context(c->module)), d);
}

cpl_status algo_place_number(algo_call *c, const cpl_arg *number, const char *what)
{
    return algo_place(c, number, algo_scalar(c, CPL_INT64), 1, what);
}

cpl_status algo_place_results(algo_call *c, const cpl_arg *out, const cpl_type *given,
                              const char *what)
{
    cpl_status status = algo_place_one(c, out, what);
    if (status) return status;
    const cpl_arg *placed_out = &c->p.args[c->p.count - 1];
    bool found = !given && placed_out->kind == CPL_ARG_ARRAY;
    if (found) given = arg_elements(context_types(module_context(c->module)), placed_out);
    if (given) status = op_type(c, given);
    return status ? status : check_result(c, c->p.count - 1, c->type, 0, what);
}

cpl_status algo_array(const algo_call *c, int64_t n, cpl_arg *array)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = array->dtype;
    o.record = array->record;
    o.dims = 1;
    o.shape[0] = n;
    o.uninitialized = c->n > 0; /* of something all of it is written */
    return cpl_array_create_with(module_context(c->module), c->p.device, &o, &array->array);
}

cpl_dtype algo_moved_as(cpl_dtype d)
{
    return d == CPL_FLOAT16   ? CPL_UINT16
           : d == CPL_FLOAT32 ? CPL_UINT32
           : d == CPL_FLOAT64 ? CPL_UINT64
                              : d;
}

void algo_move_bits(cpl_arg *array)
{
    if (!array->record) array->dtype = algo_moved_as(array->dtype);
}

bool algo_is_index(const cpl_arg *arg)
{
    return arg->kind == CPL_ARG_ARRAY && !arg->record &&
           (arg->dtype == CPL_INT32 || arg->dtype == CPL_INT64);
}

cpl_status algo_no_index(const algo_call *c, const cpl_arg *arg, const char *what)
{
    cpl_context *cx = module_context(c->module);
    if (arg->kind != CPL_ARG_ARRAY)
        return context_report(cx, CPL_EARG, "%s no array of int32 or int64", what);
    return context_report(cx, CPL_EARG, "%s no array of int32 or int64, but of %s", what,
                          arg_elements(context_types(cx), arg)->text);
}

cpl_status algo_place_index(algo_call *c, const cpl_arg *array, int64_t most, int64_t n,
                            const char *what)
{
    cpl_context *cx = module_context(c->module);
    cpl_status status = place_more(&c->p, array, what);
    if (status) return status;
    const cpl_arg *arg = &c->p.args[c->p.count - 1];
    if (!algo_is_index(arg)) {
        char is[64];
        snprintf(is, sizeof is, "%s is", what);
        return algo_no_index(c, arg, is);
    }
    if (arg->dtype == CPL_INT32 && most > INT32_MAX)
        return context_report(cx, CPL_EARG, "%s takes numbers up to %lld, which are no int32", what,
                              (long long)most);
    if (arg->length >= n) return algo_check_written(c, c->p.count - 1, what);
    return context_report(cx, CPL_EARG, "%s has %lld element%s and takes %lld", what,
                          (long long)arg->length, plural(arg->length), (long long)n);
}

/* Where the caller has it: on a device an array may have been made of it. */
static cpl_arg given_argument(const algo_call *c, size_t i)
{
    cpl_arg arg = c->p.args[i];
    if (c->p.made[i]) arg.data = c->p.given[i];
    return arg;
}

bool algo_share(const algo_call *c, size_t i, size_t k)
{
    const cpl_arg pair[] = {given_argument(c, i), given_argument(c, k)};
    return args_share(NULL, pair, 2) != ARGS_APART;
}

cpl_status algo_check_results(const algo_call *c, size_t first)
{
    for (size_t i = first; i < c->p.count; i++)
        for (size_t k = 0; k < i; k++)
            if (algo_share(c, i, k))
                return context_report(module_context(c->module), CPL_EOVERLAP,
                                      "an array of results shares memory with another array");
    return CPL_OK;
}
