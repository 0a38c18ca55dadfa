/*
 * The IR builder in careless hands: calls at random with handles at random, NULL among them,
 * nothing begun or ended as it should be. Whatever comes is refused with a word, or makes a module
 * that is IR: its text is read back, and says the same again. Then each misuse by itself.
 */
#include "fault.h"

static const char *const ops[] = {
#define OP(id, text, class, operands, result, attr, flags, kind, effects, cost, meaning, example)  \
    text,
#include "lib/ir/op.def"
#undef OP
};
enum { OPS = sizeof ops / sizeof *ops, POOL = 24 };

static unsigned next_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

/* What a sequence of calls has at hand. */
typedef struct hands {
    unsigned r;
    cpl_context *cx;
    cpl_ir_builder *b;
    const cpl_type *types[10];
    cpl_ir_func *funcs[4];
    cpl_ir_var *vars[POOL];
    cpl_ir_value *values[POOL];
    unsigned func_count, var_count, value_count;
    unsigned care; /* in 1000: how often a handle is right */
} hands;

static bool careless(hands *h)
{
    return next_random(&h->r) % 1000 >= h->care;
}

static const cpl_type *type(hands *h)
{
    return careless(h) ? NULL : h->types[next_random(&h->r) % 10];
}

static cpl_ir_func *func(hands *h)
{
    return careless(h) || !h->func_count ? NULL : h->funcs[next_random(&h->r) % h->func_count];
}

static cpl_ir_var *var(hands *h)
{
    return careless(h) || !h->var_count ? NULL : h->vars[next_random(&h->r) % h->var_count];
}

static cpl_ir_value *value(hands *h)
{
    return careless(h) || !h->value_count ? NULL : h->values[next_random(&h->r) % h->value_count];
}

static void keep_value(hands *h, cpl_ir_value *v)
{
    if (v) h->values[h->value_count < POOL ? h->value_count++ : next_random(&h->r) % POOL] = v;
}

static void keep_var(hands *h, cpl_ir_var *v)
{
    if (v) h->vars[h->var_count < POOL ? h->var_count++ : next_random(&h->r) % POOL] = v;
}

static const char *name(hands *h)
{
    static const char *const names[] = {"f", "g.1", "x",   "y",    "if", "a_long_name_of_a_thing",
                                        "",  "1x",  "a b", "\xff", "x"};
    return careless(h) ? names[next_random(&h->r) % 11]
                       : names[next_random(&h->r) % 4 == 1 ? 0 : 2 + next_random(&h->r) % 2];
}

static void declare(hands *h)
{
    char text[16];
    snprintf(text, sizeof text, "f%u", next_random(&h->r) % 8);
    cpl_ir_func *f = cpl_ir_function(h->b, careless(h) ? name(h) : text,
                                     (cpl_ir_kind)(next_random(&h->r) % (careless(h) ? 9 : 6)),
                                     next_random(&h->r) % 3 ? NULL : type(h));
    if (!f) return;
    h->funcs[h->func_count < 4 ? h->func_count++ : next_random(&h->r) % 4] = f;
    for (unsigned i = next_random(&h->r) % 4; i > 0; i--)
        keep_var(h, cpl_ir_param(h->b, f, name(h), type(h), next_random(&h->r) % 4));
    cpl_ir_begin(h->b, f);
}

static void make_value(hands *h)
{
    cpl_ir_value *args[4];
    unsigned n = next_random(&h->r) % 4;
    for (unsigned i = 0; i < 4; i++) args[i] = value(h);
    switch (next_random(&h->r) % 10) {
    case 0:
        keep_value(h, cpl_ir_int(h->b, (cpl_dtype)(next_random(&h->r) % 14),
                                 (int64_t)next_random(&h->r) - 100));
        break;
    case 1:
        keep_value(h, cpl_ir_float(h->b, (cpl_dtype)(next_random(&h->r) % 16),
                                   0.1 * next_random(&h->r)));
        break;
    case 2:
    case 3: keep_value(h, cpl_ir_use(h->b, var(h))); break;
    case 4: keep_value(h, cpl_ir_addr(h->b, var(h))); break;
    case 5:
        keep_value(h, cpl_ir_typed_op(h->b, careless(h) ? "no_op" : "convert", type(h), args[0]));
        break;
    case 6:
        keep_value(h, cpl_ir_index(h->b, (cpl_ir_place)(next_random(&h->r) % 5),
                                   next_random(&h->r) % 4));
        break;
    case 7: keep_value(h, cpl_ir_field(h->b, args[0], careless(h) ? NULL : "first")); break;
    default:
        keep_value(h,
                   cpl_ir_op(h->b, careless(h) ? name(h) : ops[next_random(&h->r) % OPS], args, n));
        break;
    }
}

static void make_statement(hands *h)
{
    cpl_ir_value *args[3] = {value(h), value(h), value(h)};
    cpl_ir_loop_options o;
    cpl_ir_loop_options_init(&o);
    o.schedule = (cpl_ir_schedule)(next_random(&h->r) % (careless(h) ? 5 : 3));
    o.chunk = careless(h) ? -1 : 0;
    cpl_ir_reduction reduction = {careless(h) ? "div" : "add", var(h)};
    o.reductions = &reduction;
    o.reduction_count = next_random(&h->r) % 2;
    switch (next_random(&h->r) % 18) {
    case 0: cpl_ir_assign(h->b, var(h), args[0]); break;
    case 1:
        cpl_ir_do(h->b, cpl_ir_op(h->b, next_random(&h->r) % 2 ? "store" : "clear", args,
                                  1 + next_random(&h->r) % 2));
        break;
    case 2: cpl_ir_printf(h->b, careless(h) ? "%q %" : "%d\n", args, next_random(&h->r) % 2); break;
    case 3: cpl_ir_barrier(h->b, (cpl_ir_space)(next_random(&h->r) % 3)); break;
    case 4: cpl_ir_vcopy(h->b, next_random(&h->r) % 5, args[0], args[1]); break;
    case 5: cpl_ir_break(h->b); break;
    case 6: cpl_ir_continue(h->b); break;
    case 7: cpl_ir_return(h->b, args[0]); break;
    case 8: cpl_ir_if(h->b, args[0]); break;
    case 9: cpl_ir_else(h->b); break;
    case 10: cpl_ir_while(h->b, args[0]); break;
    case 11: cpl_ir_for(h->b, var(h), args[0], args[1], args[2]); break;
    case 12:
        cpl_ir_parallel_for(h->b, var(h), args[0], args[1], args[2],
                            next_random(&h->r) % 2 ? &o : NULL);
        break;
    case 13: keep_var(h, cpl_ir_local(h->b, name(h), type(h))); break;
    case 14: cpl_ir_extent(h->b, var(h), var(h)); break;
    case 15:
        cpl_ir_role(h->b, var(h), (cpl_ir_param_role)(next_random(&h->r) % (careless(h) ? 12 : 4)),
                    next_random(&h->r) % 3 ? var(h) : NULL, next_random(&h->r) % 3);
        break;
    case 16:
        cpl_ir_assign(h->b, var(h), cpl_ir_call(h->b, func(h), args, next_random(&h->r) % 3));
        break;
    default:
        cpl_ir_do(h->b, cpl_ir_atomic(h->b, careless(h) ? "add" : "atomic_add",
                                      (cpl_ir_order)(next_random(&h->r) % 6),
                                      (cpl_ir_scope)(next_random(&h->r) % 4), args,
                                      next_random(&h->r) % 3));
        break;
    }
}

/* Calls that fit together: float64 alone, each block ended. */
static cpl_ir_value *some_value(hands *h)
{
    static const char *const plain[] = {"add", "sub", "mul", "div", "min", "max"};
    if (next_random(&h->r) % 3 == 0)
        return cpl_ir_float(h->b, CPL_FLOAT64, (double)(next_random(&h->r) % 100));
    cpl_ir_value *v = cpl_ir_use(h->b, h->vars[next_random(&h->r) % h->var_count]);
    return next_random(&h->r) % 2
               ? v
               : cpl_ir_op2(h->b, plain[next_random(&h->r) % 6], v, some_value(h));
}

static void careful(hands *h)
{
    const cpl_type *f64 = h->types[2];
    unsigned open = 0;
    cpl_ir_func *f = cpl_ir_function(h->b, "careful", CPL_IR_ENTRY, f64);
    for (h->var_count = 0; h->var_count < 3;)
        h->vars[h->var_count++] = cpl_ir_param(h->b, f, "x", f64, 0);
    cpl_ir_begin(h->b, f);
    for (unsigned n = 5 + next_random(&h->r) % 40; n > 0; n--) switch (next_random(&h->r) % 6) {
        case 0:
            cpl_ir_if(h->b, cpl_ir_op2(h->b, "lt", some_value(h), some_value(h)));
            open++;
            break;
        case 1:
            if (open > 0) cpl_ir_end(h->b), open--;
            break;
        case 2:
            if (h->var_count < POOL) h->vars[h->var_count++] = cpl_ir_local(h->b, "t", f64);
            break;
        default:
            cpl_ir_assign(h->b, h->vars[next_random(&h->r) % h->var_count], some_value(h));
            break;
        }
    for (; open > 0; open--) cpl_ir_end(h->b);
    cpl_ir_return(h->b, some_value(h));
    cpl_ir_end(h->b);
}

static bool same_again(cpl_context *cx, cpl_ir_builder *b)
{
    cpl_blob first, second;
    cpl_module *m;
    assert_int_equal(cpl_ir_text(b, &first), CPL_OK);
    assert_int_equal(cpl_module_from_ir(cx, "again.cir", first.data, first.size, &m), CPL_OK);
    bool has_entry = cpl_module_default_function(m) != NULL;
    if (has_entry) {
        cpl_spec spec;
        cpl_spec_init(&spec);
        cpl_status status = cpl_module_emit(m, NULL, &spec, CPL_STAGE_IR, NULL, &second);
        assert_true(status != CPL_EINTERNAL && status != CPL_ECOMPILER);
        if (!status) cpl_blob_free(&second);
    }
    cpl_module_release(m);
    cpl_blob_free(&first);
    return has_entry;
}

static void calls_at_random(void **state)
{
    (void)state;
    long sequences = test_rounds(4000, 40000), finished = 0, refused = 0;
    messages said;
    hands h = {.r = 88172645u};
    h.cx = fault_context(NULL, &said);
    static const char *const names[] = {"int32", "int64",     "float64",         "float32",
                                        "bool",  "uint8",     "float64 global*", "int32 private*",
                                        "pair",  "float64[4]"};
    const cpl_type *i32;
    assert_int_equal(cpl_type_parse(h.cx, "int32", &i32), CPL_OK);
    cpl_field fields[] = {{"first", i32, 0}, {"second", i32, 0}};
    const cpl_type *pair;
    assert_int_equal(cpl_type_struct(h.cx, "pair", fields, 2, &pair), CPL_OK);
    for (int i = 0; i < 10; i++)
        assert_int_equal(cpl_type_parse(h.cx, names[i], &h.types[i]), CPL_OK);
    for (long k = 0; k < sequences; k++) {
        said.n = 0;
        h.care = k % 3 ? 1000 : 950;
        h.func_count = h.var_count = h.value_count = 0;
        assert_int_equal(cpl_ir_builder_create(h.cx, "random", &h.b), CPL_OK);
        if (k % 4 == 0) careful(&h);
        if (k % 4) declare(&h);
        for (unsigned n = k % 4 ? next_random(&h.r) % 60 : 0; n > 0; n--) {
            if (next_random(&h.r) % 3) make_value(&h);
            else make_statement(&h);
            if (next_random(&h.r) % 16 == 0) cpl_ir_end(h.b);
            if (next_random(&h.r) % 40 == 0) declare(&h);
        }
        for (unsigned n = k % 4 && k % 7 ? 6 : 0; n > 0 && !cpl_ir_builder_status(h.b); n--)
            if (next_random(&h.r) % 4) cpl_ir_end(h.b);
        cpl_module *m = NULL;
        cpl_status status = cpl_ir_finish(h.b, &m);
        if (status) {
            assert_null(m);
            if (!said.n) fail_msg("sequence %ld: status %d without a word", k, status);
            if (status == CPL_EINTERNAL || status == CPL_ECOMPILER)
                fail_msg("sequence %ld: status %d: %s", k, status, said.text);
            refused++;
        } else {
            same_again(h.cx, h.b);
            finished++;
        }
        cpl_module_release(m);
        cpl_ir_builder_free(h.b);
    }
    fault_figures("builder", "\"sequences\": %ld, \"refused\": %ld, \"modules\": %ld", sequences,
                  refused, finished);
    assert_int_equal(finished >= sequences / 4, true);
    assert_true(refused > sequences / 4);
    cpl_context_release(h.cx);
}

/* Each misuse alone, on a builder that is otherwise in order. */
static const cpl_type *type_of_ints, *type_of_nothing, *type_strided; /* of the context at hand */

typedef void (*misuse)(cpl_ir_builder *b, cpl_ir_func *f, cpl_ir_var *x, const cpl_type *f64);

#define MISUSE(name, call)                                                                         \
    static void name(cpl_ir_builder *b, cpl_ir_func *f, cpl_ir_var *x, const cpl_type *f64)        \
    {                                                                                              \
        (void)b, (void)f, (void)x, (void)f64;                                                      \
        call;                                                                                      \
    }
MISUSE(no_name, cpl_ir_function(b, NULL, CPL_IR_ENTRY, f64))
MISUSE(bad_name, cpl_ir_function(b, "a-b", CPL_IR_ENTRY, f64))
MISUSE(bad_kind, cpl_ir_function(b, "g", (cpl_ir_kind)99, f64))
MISUSE(same_name, cpl_ir_function(b, "f", CPL_IR_ENTRY, f64))
MISUSE(param_of_nothing, cpl_ir_param(b, NULL, "y", f64, 0))
MISUSE(param_without_type, cpl_ir_param(b, f, "y", NULL, 0))
MISUSE(param_without_name, cpl_ir_param(b, f, NULL, f64, 0))
MISUSE(param_of_dotted_name, cpl_ir_param(b, f, "a.b", f64, 0))
MISUSE(local_without_type, cpl_ir_local(b, "y", NULL))
MISUSE(pointer_to_nothing, cpl_ir_local_pointer(b, NULL))
MISUSE(extent_of_nothing, cpl_ir_extent(b, NULL, x))
MISUSE(role_of_nothing, cpl_ir_role(b, NULL, CPL_IR_FAULT, NULL, 0))
MISUSE(role_without_pointer, cpl_ir_role(b, x, CPL_IR_STRIDE, NULL, 0))
MISUSE(unknown_role, cpl_ir_role(b, x, (cpl_ir_param_role)0, NULL, 0))
MISUSE(begin_inside, cpl_ir_begin(b, f))
MISUSE(begin_nothing, cpl_ir_begin(b, NULL))
MISUSE(end_too_often, (cpl_ir_end(b), cpl_ir_end(b)))
MISUSE(int_of_float, cpl_ir_int(b, CPL_FLOAT64, 1))
MISUSE(float_of_int, cpl_ir_float(b, CPL_INT32, 1))
MISUSE(use_nothing, cpl_ir_use(b, NULL))
MISUSE(address_of_nothing, cpl_ir_addr(b, NULL))
MISUSE(bad_place, cpl_ir_index(b, (cpl_ir_place)9, 0))
MISUSE(bad_dimension, cpl_ir_index(b, CPL_IR_LOCAL_ID, 3))
MISUSE(no_op, cpl_ir_op(b, NULL, NULL, 0))
MISUSE(unknown_op, cpl_ir_op1(b, "nonsense", cpl_ir_use(b, x)))
MISUSE(wrong_count, cpl_ir_op1(b, "add", cpl_ir_use(b, x)))
MISUSE(null_operand, cpl_ir_op2(b, "add", cpl_ir_use(b, x), NULL))
MISUSE(op_with_attribute, cpl_ir_op1(b, "convert", cpl_ir_use(b, x)))
MISUSE(typed_op_without_type, cpl_ir_typed_op(b, "convert", NULL, cpl_ir_use(b, x)))
MISUSE(typed_op_unknown, cpl_ir_typed_op(b, "add", f64, cpl_ir_use(b, x)))
MISUSE(field_of_scalar, cpl_ir_field(b, cpl_ir_use(b, x), "first"))
MISUSE(field_of_nothing, cpl_ir_field(b, NULL, NULL))
MISUSE(call_of_nothing, cpl_ir_call(b, NULL, NULL, 0))
MISUSE(call_with_null, (cpl_ir_call(b, f, (cpl_ir_value *[]){NULL}, 1)))
MISUSE(call_too_many,
       (cpl_ir_assign(
           b, x, cpl_ir_call(b, f, (cpl_ir_value *[]){cpl_ir_use(b, x), cpl_ir_use(b, x)}, 2))))
MISUSE(atomic_unknown, cpl_ir_atomic(b, "add", CPL_IR_RELAXED, CPL_IR_DEVICE, NULL, 0))
MISUSE(atomic_bad_order, cpl_ir_atomic(b, "fence", (cpl_ir_order)9, CPL_IR_DEVICE, NULL, 0))
MISUSE(assign_nothing, cpl_ir_assign(b, NULL, cpl_ir_use(b, x)))
MISUSE(assign_null, cpl_ir_assign(b, x, NULL))
MISUSE(do_nothing, cpl_ir_do(b, NULL))
MISUSE(do_a_value, cpl_ir_do(b, cpl_ir_use(b, x)))
MISUSE(printf_nothing, cpl_ir_printf(b, NULL, NULL, 0))
MISUSE(barrier_where, cpl_ir_barrier(b, (cpl_ir_space)7))
MISUSE(vcopy_of_five, cpl_ir_vcopy(b, 5, cpl_ir_addr(b, x), cpl_ir_addr(b, x)))
MISUSE(vcopy_null, cpl_ir_vcopy(b, 4, NULL, NULL))
MISUSE(else_without_if, cpl_ir_else(b))
MISUSE(else_of_while, (cpl_ir_while(b, cpl_ir_int(b, CPL_BOOL, 1)), cpl_ir_else(b)))
MISUSE(two_elses, (cpl_ir_if(b, cpl_ir_int(b, CPL_BOOL, 1)), cpl_ir_else(b), cpl_ir_else(b)))
MISUSE(if_null, cpl_ir_if(b, NULL))
MISUSE(while_null, cpl_ir_while(b, NULL))
MISUSE(for_null, cpl_ir_for(b, NULL, NULL, NULL, NULL))
MISUSE(parallel_null, cpl_ir_parallel_for(b, NULL, NULL, NULL, NULL, NULL))
MISUSE(break_outside, cpl_ir_break(b))
MISUSE(continue_outside, cpl_ir_continue(b))
MISUSE(left_open, cpl_ir_if(b, cpl_ir_int(b, CPL_BOOL, 1)))

/* A parallel loop with these options. */
static void loop_with(cpl_ir_builder *b, const cpl_ir_loop_options *options)
{
    const cpl_type *i32 = NULL;
    cpl_ir_value *zero = cpl_ir_int(b, CPL_INT32, 0);
    if (b) i32 = type_of_ints;
    cpl_ir_parallel_for(b, cpl_ir_local(b, "i", i32), zero, zero, zero, options);
    cpl_ir_end(b);
}

#define LOOP(...)                                                                                  \
    loop_with(b, &(cpl_ir_loop_options){.size = sizeof(cpl_ir_loop_options), __VA_ARGS__})
MISUSE(options_of_no_size, loop_with(b, &(cpl_ir_loop_options){.size = 0}))
MISUSE(options_too_large,
       loop_with(b, &(cpl_ir_loop_options){.size = sizeof(cpl_ir_loop_options) + 1}))
MISUSE(unknown_schedule, LOOP(.schedule = (cpl_ir_schedule)9))
MISUSE(no_reductions, LOOP(.reduction_count = 1))
MISUSE(no_privates, LOOP(.private_count = 1))
MISUSE(null_private, LOOP(.private_count = 1, .privates = (cpl_ir_var *[]){NULL}))
MISUSE(reduce_without_op, LOOP(.reduction_count = 1, .reductions = &(cpl_ir_reduction){NULL, x}))
MISUSE(reduce_by_nonsense,
       LOOP(.reduction_count = 1, .reductions = &(cpl_ir_reduction){"nonsense", x}))
MISUSE(reduce_by_quotient, LOOP(.reduction_count = 1, .reductions = &(cpl_ir_reduction){"div", x}))
MISUSE(reduce_nothing, LOOP(.reduction_count = 1, .reductions = &(cpl_ir_reduction){"add", NULL}))
MISUSE(float_of_no_type, cpl_ir_float(b, (cpl_dtype)99, 1))
MISUSE(operands_null, cpl_ir_op(b, "add", NULL, 2))
MISUSE(operands_too_many, cpl_ir_op(b, "add", (cpl_ir_value *[]){NULL}, 5000))
MISUSE(atomic_without_name, cpl_ir_atomic(b, NULL, CPL_IR_RELAXED, (cpl_ir_scope)9, NULL, 0))
MISUSE(typed_op_without_name, cpl_ir_typed_op(b, NULL, NULL, cpl_ir_use(b, x)))
MISUSE(field_of_null, cpl_ir_field(b, NULL, "first"))
MISUSE(pointer_to_void, cpl_ir_local_pointer(b, type_of_nothing))
MISUSE(local_of_void, cpl_ir_local(b, "y", type_of_nothing))
MISUSE(local_strided, cpl_ir_local(b, "y", type_strided))
MISUSE(begin_extern, (cpl_ir_return(b, cpl_ir_use(b, x)), cpl_ir_end(b),
                      cpl_ir_begin(b, cpl_ir_function(b, "outside", CPL_IR_EXTERN, f64))))
MISUSE(begin_again, (cpl_ir_return(b, cpl_ir_use(b, x)), cpl_ir_end(b), cpl_ir_begin(b, f)))

static void params_without_end(cpl_ir_builder *b, cpl_ir_func *f, cpl_ir_var *x,
                               const cpl_type *f64)
{
    (void)x;
    for (int i = 0; i < 4097; i++) cpl_ir_param(b, f, "y", f64, 0);
}

static void blocks_without_end(cpl_ir_builder *b, cpl_ir_func *f, cpl_ir_var *x,
                               const cpl_type *f64)
{
    (void)f, (void)x, (void)f64;
    for (int i = 0; i < 1700; i++) cpl_ir_if(b, cpl_ir_int(b, CPL_BOOL, 1));
}

static const struct {
    const char *name;
    misuse misuse;
} misuses[] = {
#define ROW(name) {#name, name}
    ROW(no_name),
    ROW(bad_name),
    ROW(bad_kind),
    ROW(same_name),
    ROW(param_of_nothing),
    ROW(param_without_type),
    ROW(param_without_name),
    ROW(param_of_dotted_name),
    ROW(local_without_type),
    ROW(pointer_to_nothing),
    ROW(extent_of_nothing),
    ROW(role_of_nothing),
    ROW(role_without_pointer),
    ROW(unknown_role),
    ROW(begin_inside),
    ROW(begin_nothing),
    ROW(end_too_often),
    ROW(int_of_float),
    ROW(float_of_int),
    ROW(use_nothing),
    ROW(address_of_nothing),
    ROW(bad_place),
    ROW(bad_dimension),
    ROW(no_op),
    ROW(unknown_op),
    ROW(wrong_count),
    ROW(null_operand),
    ROW(op_with_attribute),
    ROW(typed_op_without_type),
    ROW(typed_op_unknown),
    ROW(field_of_scalar),
    ROW(field_of_nothing),
    ROW(call_of_nothing),
    ROW(call_with_null),
    ROW(call_too_many),
    ROW(atomic_unknown),
    ROW(atomic_bad_order),
    ROW(assign_nothing),
    ROW(assign_null),
    ROW(do_nothing),
    ROW(do_a_value),
    ROW(printf_nothing),
    ROW(barrier_where),
    ROW(vcopy_of_five),
    ROW(vcopy_null),
    ROW(else_without_if),
    ROW(else_of_while),
    ROW(two_elses),
    ROW(if_null),
    ROW(while_null),
    ROW(for_null),
    ROW(parallel_null),
    ROW(break_outside),
    ROW(continue_outside),
    ROW(left_open),
    ROW(options_of_no_size),
    ROW(options_too_large),
    ROW(unknown_schedule),
    ROW(no_reductions),
    ROW(no_privates),
    ROW(null_private),
    ROW(reduce_without_op),
    ROW(reduce_by_nonsense),
    ROW(reduce_by_quotient),
    ROW(reduce_nothing),
    ROW(float_of_no_type),
    ROW(operands_null),
    ROW(operands_too_many),
    ROW(atomic_without_name),
    ROW(typed_op_without_name),
    ROW(field_of_null),
    ROW(pointer_to_void),
    ROW(local_of_void),
    ROW(local_strided),
    ROW(begin_extern),
    ROW(begin_again),
    ROW(params_without_end),
    ROW(blocks_without_end),
};

static void each_misuse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        messages said = {0};
        cpl_context *cx = fault_context(NULL, &said);
        const cpl_type *f64;
        cpl_ir_builder *b;
        cpl_module *m = NULL;
        assert_int_equal(cpl_type_parse(cx, "float64", &f64), CPL_OK);
        assert_int_equal(cpl_type_parse(cx, "int32", &type_of_ints), CPL_OK);
        assert_int_equal(cpl_type_parse(cx, "void", &type_of_nothing), CPL_OK);
        assert_int_equal(cpl_type_parse(cx, "float64[:]", &type_strided), CPL_OK);
        assert_int_equal(cpl_ir_builder_create(cx, "m", &b), CPL_OK);
        cpl_ir_func *f = cpl_ir_function(b, "f", CPL_IR_ENTRY, f64);
        cpl_ir_var *x = cpl_ir_param(b, f, "x", f64, 0);
        cpl_ir_begin(b, f);
        misuses[i].misuse(b, f, x, f64);
        misuses[i].misuse(NULL, f, x, f64); /* without a builder nothing happens at all */
        cpl_ir_return(b, cpl_ir_use(b, x));
        cpl_ir_end(b);
        cpl_status status = cpl_ir_finish(b, &m);
        if (status != CPL_EARG && status != CPL_EEXIST && status != CPL_EIR && status != CPL_ELIMIT)
            fail_msg("%s: status %d", misuses[i].name, status);
        assert_null(m);
        if (!said.n) fail_msg("%s: refused without a word", misuses[i].name);
        cpl_ir_builder_free(b);
        cpl_context_release(cx);
    }
}

static void builders_that_are_not_there(void **state)
{
    (void)state;
    cpl_context *cx = fault_context(NULL, NULL);
    cpl_ir_builder *b;
    cpl_module *m;
    cpl_blob text;
    assert_int_equal(cpl_ir_builder_create(NULL, "m", &b), CPL_EARG);
    assert_int_equal(cpl_ir_builder_create(cx, "m", NULL), CPL_EARG);
    assert_int_equal(cpl_ir_finish(NULL, &m), CPL_EARG);
    assert_int_equal(cpl_ir_text(NULL, &text), CPL_EARG);
    cpl_ir_builder_free(NULL);
    cpl_context_release(cx);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_at_random),
        cmocka_unit_test(each_misuse),
        cmocka_unit_test(builders_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
