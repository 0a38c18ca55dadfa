/* cpl/ir.h: modules built through the API run, errors stick and are told once, and memory may run
 * out anywhere. */
#include "unit.h"

#include "collect.h"
#include "launches.h"

#include <stdio.h>

typedef struct world {
    messages said;
    cpl_context *cx;
    cpl_ir_builder *b;
    const cpl_type *f64, *i64, *i32, *array;
} world;

static const cpl_type *type(world *w, const char *text)
{
    const cpl_type *t;
    assert_int_equal(cpl_type_parse(w->cx, text, &t), CPL_OK);
    return t;
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    *state = w;
    if (cpl_context_create(&options, &w->cx)) return 1;
    w->f64 = type(w, "float64");
    w->i64 = type(w, "int64");
    w->i32 = type(w, "int32");
    w->array = type(w, "float64 global*");
    return cpl_ir_builder_create(w->cx, "made", &w->b);
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_ir_builder_free(w->b);
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

static cpl_kernel *compile(world *w, cpl_module *m, const char *name)
{
    cpl_spec spec;
    cpl_spec_init(&spec);
    cpl_kernel *k = NULL;
    cpl_status status = spec_kernel(m, name, &spec, &k);
    if (status) print_error("%s", w->said.text);
    assert_int_equal(status, CPL_OK);
    return k;
}

static cpl_module *finish(world *w)
{
    cpl_module *m = NULL;
    cpl_status status = cpl_ir_finish(w->b, &m);
    if (status) print_error("%s", w->said.text);
    assert_int_equal(status, CPL_OK);
    assert_non_null(m);
    return m;
}

/* x used twice is evaluated twice. */
static void square(void **state)
{
    world *w = *state;
    cpl_ir_builder *b = w->b;
    cpl_ir_func *f = cpl_ir_function(b, "square", CPL_IR_ENTRY, w->f64);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", w->f64, 0);
    cpl_ir_begin(b, f);
    cpl_ir_value *value = cpl_ir_use(b, x);
    cpl_ir_return(b, cpl_ir_op2(b, "mul", value, value));
    cpl_ir_end(b);
    cpl_module *m = finish(w);
    assert_true(cpl_module_is_ir(m));
    assert_string_equal(cpl_module_function(m, 0), "square");
    cpl_kernel *k = compile(w, m, "square");
    double (*square_of)(double) = (double (*)(double))(uintptr_t)cpl_kernel_address(k);
    assert_true(square_of(1.5) == 2.25);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* The text of every kind of statement, as a check that each is appended where it belongs. */
static const char all_text[] = "cir 1\n"
                               "\n"
                               "struct Pair { first: int32, second: float64 }\n"
                               "\n"
                               "extern pure func triple(float64) -> float64\n"
                               "\n"
                               "func helper(p: Pair*) -> float64 {\n"
                               "  return load(field<second>(p))\n"
                               "}\n"
                               "\n"
                               "entry func all(n: int64, x: float64 global* noalias, "
                               "k: int32* readonly extent n, x_len: int64 length(x), "
                               "x_stride: int64 stride(x), record: uint8 global* fault) {\n"
                               "  var i: int64\n"
                               "  var s: Pair\n"
                               "  var sum: float64\n"
                               "  var n_1: int32\n"
                               "  store(field<second>(addr(s)), 0.5:float64)\n"
                               "  sum = call helper(ptrcast<Pair*>(addr(s)))\n"
                               "  parallel for i in (0:int64, n, 1:int64) schedule(dynamic, 16) "
                               "threads(2) reduce(add sum) private(n_1) {\n"
                               "    if lt(i, 10:int64) {\n"
                               "      sum = add(sum, load(elem(x, i)))\n"
                               "      continue\n"
                               "    } else {\n"
                               "      n_1 = atomic_add<relaxed, device>(k, 1:int32)\n"
                               "      call triple(sum)\n"
                               "    }\n"
                               "  }\n"
                               "  while true {\n"
                               "    break\n"
                               "  }\n"
                               "  for i in (0:int64, n, 2:int64) {\n"
                               "    printf(\"%d\\n\", convert<int32>(i))\n"
                               "  }\n"
                               "  fence<seq_cst, system>()\n"
                               "  assert(isnan(nan:float64))\n"
                               "  return\n"
                               "}\n";

static void build_all(world *w)
{
    cpl_ir_builder *b = w->b;
    const cpl_field fields[] = {{"first", w->i32, 0}, {"second", w->f64, 0}};
    const cpl_type *pair;
    assert_int_equal(cpl_type_struct(w->cx, "Pair", fields, 2, &pair), CPL_OK);
    const cpl_type *pair_pointer = type(w, "Pair*");
    cpl_ir_func *triple = cpl_ir_function(b, "triple", CPL_IR_EXTERN_PURE, w->f64);
    cpl_ir_param(b, triple, "x", w->f64, 0);
    cpl_ir_func *helper = cpl_ir_function(b, "helper", CPL_IR_INTERNAL, w->f64);
    cpl_ir_var *p = cpl_ir_param(b, helper, "p", pair_pointer, 0);
    cpl_ir_begin(b, helper);
    cpl_ir_return(b, cpl_ir_op1(b, "load", cpl_ir_field(b, cpl_ir_use(b, p), "second")));
    cpl_ir_end(b);

    cpl_ir_func *f = cpl_ir_function(b, "all", CPL_IR_ENTRY, NULL);
    cpl_ir_var *n = cpl_ir_param(b, f, "n", w->i64, 0);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", w->array, CPL_IR_NOALIAS);
    cpl_ir_var *k = cpl_ir_param(b, f, "k", type(w, "int32*"), CPL_IR_READONLY);
    cpl_ir_extent(b, k, n);
    cpl_ir_role(b, cpl_ir_param(b, f, "x_len", w->i64, 0), CPL_IR_LENGTH, x, 0);
    cpl_ir_role(b, cpl_ir_param(b, f, "x_stride", w->i64, 0), CPL_IR_STRIDE, x, 0);
    cpl_ir_role(b, cpl_ir_param(b, f, "record", type(w, "uint8 global*"), 0), CPL_IR_FAULT, NULL,
                0);
    cpl_ir_begin(b, f);
    cpl_ir_var *i = cpl_ir_local(b, "i", w->i64), *s = cpl_ir_local(b, "s", pair);
    cpl_ir_var *sum = cpl_ir_local(b, "sum", w->f64), *other_n = cpl_ir_local(b, "n", w->i32);
    cpl_ir_do(b, cpl_ir_op2(b, "store", cpl_ir_field(b, cpl_ir_addr(b, s), "second"),
                            cpl_ir_float(b, CPL_FLOAT64, 0.5)));
    cpl_ir_value *argument = cpl_ir_typed_op(b, "ptrcast", pair_pointer, cpl_ir_addr(b, s));
    cpl_ir_assign(b, sum, cpl_ir_call(b, helper, &argument, 1));

    cpl_ir_loop_options options;
    cpl_ir_loop_options_init(&options);
    const cpl_ir_reduction reduction = {"add", sum};
    options.schedule = CPL_IR_DYNAMIC;
    options.chunk = 16;
    options.threads = 2;
    options.reductions = &reduction;
    options.reduction_count = 1;
    options.privates = &other_n;
    options.private_count = 1;
    cpl_ir_parallel_for(b, i, cpl_ir_int(b, CPL_INT64, 0), cpl_ir_use(b, n),
                        cpl_ir_int(b, CPL_INT64, 1), &options);
    cpl_ir_if(b, cpl_ir_op2(b, "lt", cpl_ir_use(b, i), cpl_ir_int(b, CPL_INT64, 10)));
    cpl_ir_value *element =
        cpl_ir_op1(b, "load", cpl_ir_op2(b, "elem", cpl_ir_use(b, x), cpl_ir_use(b, i)));
    cpl_ir_assign(b, sum, cpl_ir_op2(b, "add", cpl_ir_use(b, sum), element));
    cpl_ir_continue(b);
    cpl_ir_else(b);
    cpl_ir_value *operands[] = {cpl_ir_use(b, k), cpl_ir_int(b, CPL_INT32, 1)};
    cpl_ir_assign(b, other_n,
                  cpl_ir_atomic(b, "atomic_add", CPL_IR_RELAXED, CPL_IR_DEVICE, operands, 2));
    argument = cpl_ir_use(b, sum);
    cpl_ir_do(b, cpl_ir_call(b, triple, &argument, 1));
    cpl_ir_end(b);
    cpl_ir_end(b);

    cpl_ir_while(b, cpl_ir_int(b, CPL_BOOL, 1));
    cpl_ir_break(b);
    cpl_ir_end(b);
    cpl_ir_for(b, i, cpl_ir_int(b, CPL_INT64, 0), cpl_ir_use(b, n), cpl_ir_int(b, CPL_INT64, 2));
    argument = cpl_ir_typed_op(b, "convert", w->i32, cpl_ir_use(b, i));
    cpl_ir_printf(b, "%d\n", &argument, 1);
    cpl_ir_end(b);
    cpl_ir_do(b, cpl_ir_atomic(b, "fence", CPL_IR_SEQ_CST, CPL_IR_SYSTEM, NULL, 0));
    cpl_ir_do(b, cpl_ir_op1(b, "assert",
                            cpl_ir_op1(b, "isnan",
                                       cpl_ir_float(b, CPL_FLOAT64, strtod("nan", NULL)))));
    cpl_ir_return(b, NULL);
    cpl_ir_end(b);
}

static void every_statement(void **state)
{
    world *w = *state;
    build_all(w);
    cpl_blob text;
    assert_int_equal(cpl_ir_text(w->b, &text), CPL_OK);
    assert_string_equal(text.data, all_text);
    cpl_blob_free(&text);
    cpl_module *m = finish(w);
    assert_string_equal(cpl_module_parameter(m, "all", 1), "x");
    assert_string_equal(cpl_module_parameter(m, "all", 2), "k");
    assert_null(cpl_module_parameter(m, "all", 3)); /* what has a role is not given */
    cpl_module_release(m);
}

/* A parallel loop with a reduction, run. */
static void runs(void **state)
{
    world *w = *state;
    cpl_ir_builder *b = w->b;
    cpl_ir_func *f = cpl_ir_function(b, "total", CPL_IR_ENTRY, w->f64);
    cpl_ir_var *n = cpl_ir_param(b, f, "n", w->i64, 0),
               *x = cpl_ir_param(b, f, "x", w->array, CPL_IR_READONLY);
    cpl_ir_begin(b, f);
    cpl_ir_var *i = cpl_ir_local(b, "i", w->i64), *sum = cpl_ir_local(b, "sum", w->f64);
    cpl_ir_loop_options options;
    cpl_ir_loop_options_init(&options);
    const cpl_ir_reduction reduction = {"add", sum};
    options.reductions = &reduction;
    options.reduction_count = 1;
    cpl_ir_parallel_for(b, i, cpl_ir_int(b, CPL_INT64, 0), cpl_ir_use(b, n),
                        cpl_ir_int(b, CPL_INT64, 1), &options);
    cpl_ir_value *element =
        cpl_ir_op1(b, "load", cpl_ir_op2(b, "elem", cpl_ir_use(b, x), cpl_ir_use(b, i)));
    cpl_ir_assign(b, sum, cpl_ir_op2(b, "add", cpl_ir_use(b, sum), element));
    cpl_ir_end(b);
    cpl_ir_return(b, cpl_ir_use(b, sum));
    cpl_ir_end(b);
    cpl_module *m = finish(w);
    cpl_kernel *k = compile(w, m, "total");
    double values[1000];
    for (int j = 0; j < 1000; j++) values[j] = j;
    double (*total)(int64_t, double *) =
        (double (*)(int64_t, double *))(uintptr_t)cpl_kernel_address(k);
    assert_true(total(1000, values) == 499500);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* out[0] = x[i], with what a launch knows of the arrays: lengths, a stride, a record of faults. */
static cpl_module *make_pick(world *w)
{
    cpl_ir_builder *b = w->b;
    cpl_ir_func *f = cpl_ir_function(b, "pick", CPL_IR_ENTRY, w->f64);
    cpl_ir_var *record = cpl_ir_param(b, f, "record", type(w, "uint8*"), 0),
               *stride = cpl_ir_param(b, f, "stride", w->i64, 0),
               *x = cpl_ir_param(b, f, "x", w->array, 0), *i = cpl_ir_param(b, f, "i", w->i64, 0),
               *length = cpl_ir_param(b, f, "length", w->i64, 0);
    cpl_ir_role(b, record, CPL_IR_FAULT, NULL, 0);
    cpl_ir_role(b, stride, CPL_IR_STRIDE, x, 0);
    cpl_ir_role(b, length, CPL_IR_LENGTH, x, 0);
    cpl_ir_begin(b, f);
    cpl_ir_return(b, cpl_ir_op1(b, "load",
                                cpl_ir_op3(b, "strided", cpl_ir_use(b, x), cpl_ir_use(b, i),
                                           cpl_ir_use(b, stride))));
    cpl_ir_end(b);
    return finish(w);
}

static void roles_are_filled_in(void **state)
{
    world *w = *state;
    double values[] = {1, 2, 3, 4, 5, 6}, result = 0;
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    cpl_module *m = make_pick(w);
    assert_string_equal(cpl_module_parameter(m, "pick", 0), "x");
    assert_string_equal(cpl_module_parameter(m, "pick", 1), "i");
    assert_null(cpl_module_parameter(m, "pick", 2));
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, values, 3), cpl_arg_int(2)};
    args[0].stride = 16;
    assert_int_equal(call_once(m, "pick", args, 2, &result, NULL), CPL_OK);
    assert_true(result == 5);
    args[1] = cpl_arg_int(3);
    assert_int_equal(call_once(m, "pick", args, 2, &result, NULL), CPL_EBOUNDS);
    assert_non_null(strstr(w->said.text, "index 3 is out of bounds of 'x', which has 3 elements"));
    cpl_kernel *k = compile(w, m, "pick");
    assert_string_equal(cpl_kernel_signature(k),
                        "double pick(cpl_fault *record, int64_t stride, const "
                        "double *x, int64_t i, int64_t length)");
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* x[i, j] of an array of rows, whose shape and steps a launch fills in. */
static cpl_module *make_pick_of_rows(world *w)
{
    cpl_ir_builder *b = w->b;
    cpl_ir_func *f = cpl_ir_function(b, "pick", CPL_IR_ENTRY, w->f64);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", w->array, 0), *i = cpl_ir_param(b, f, "i", w->i64, 0),
               *j = cpl_ir_param(b, f, "j", w->i64, 0);
    static const char *const names[] = {"rows", "columns", "row", "column"};
    cpl_ir_var *given[4];
    for (unsigned k = 0; k < 4; k++) {
        given[k] = cpl_ir_param(b, f, names[k], w->i64, 0);
        cpl_ir_role(b, given[k], k < 2 ? CPL_IR_SHAPE : CPL_IR_STRIDE, x, k % 2);
    }
    cpl_ir_begin(b, f);
    cpl_ir_value *row =
        cpl_ir_op3(b, "strided", cpl_ir_use(b, x), cpl_ir_use(b, i), cpl_ir_use(b, given[2]));
    cpl_ir_return(b, cpl_ir_op1(b, "load",
                                cpl_ir_op3(b, "strided", row, cpl_ir_use(b, j),
                                           cpl_ir_use(b, given[3]))));
    cpl_ir_end(b);
    return finish(w);
}

static void shapes_are_filled_in(void **state)
{
    world *w = *state;
    double values[] = {1, 2, 3, 4, 5, 6}, result = 0;
    cpl_module *m = make_pick_of_rows(w);
    const int64_t rows[] = {2, 3}, columns[] = {3, 2}, strides[] = {8, 24};
    cpl_arg args[] = {cpl_arg_array_nd(CPL_FLOAT64, values, 2, rows, NULL), cpl_arg_int(1),
                      cpl_arg_int(2)};
    assert_int_equal(call_once(m, "pick", args, 3, &result, NULL), CPL_OK);
    assert_true(result == 6);
    args[0] = cpl_arg_array_nd(CPL_FLOAT64, values, 2, columns, strides);
    args[2] = cpl_arg_int(1);
    assert_int_equal(call_once(m, "pick", args, 3, &result, NULL), CPL_OK);
    assert_true(result == 5);
    cpl_module_release(m);
}

/* A complex number is two parameters, which the caller gives as one, and comes back in memory. */
static void complex_numbers_are_taken_apart(void **state)
{
    world *w = *state;
    cpl_ir_builder *b = w->b;
    cpl_ir_func *f = cpl_ir_function(b, "real", CPL_IR_ENTRY, w->f64);
    cpl_ir_var *re = cpl_ir_param(b, f, "z", w->f64, 0), *im = cpl_ir_param(b, f, "i", w->f64, 0);
    cpl_ir_role(b, im, CPL_IR_IMAG, re, 0);
    cpl_ir_begin(b, f);
    cpl_ir_return(b, cpl_ir_op2(b, "sub", cpl_ir_use(b, re), cpl_ir_use(b, im)));
    cpl_ir_end(b);
    cpl_module *m = finish(w);
    double result = 0;
    cpl_arg z = cpl_arg_complex(5, 2);
    assert_int_equal(call_once(m, "real", &z, 1, &result, NULL), CPL_OK);
    assert_true(result == 3);
    cpl_module_release(m);
}

/* Without roles all is the caller's, however it is called. */
static void plain_parameters_are_given(void **state)
{
    world *w = *state;
    cpl_ir_builder *b = w->b;
    cpl_ir_func *f = cpl_ir_function(b, "plain", CPL_IR_ENTRY, w->i64);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", w->array, 0),
               *length = cpl_ir_param(b, f, "x_len", w->i64, 0);
    cpl_ir_param(b, f, "cpl_fault_record", type(w, "uint8 global*"), 0);
    cpl_ir_extent(b, x, length);
    cpl_ir_begin(b, f);
    cpl_ir_return(b, cpl_ir_use(b, length));
    cpl_ir_end(b);
    cpl_module *m = finish(w);
    double values[3] = {0};
    uint8_t bytes[2] = {0};
    int64_t result = 0;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, values, 3), cpl_arg_int(7),
                      cpl_arg_array(CPL_UINT8, bytes, 2)};
    assert_int_equal(call_once(m, "plain", args, 3, &result, NULL), CPL_OK);
    assert_int_equal(result, 7);
    cpl_module_release(m);
}

/* What is wrong, and the words in which it is told. Each leaves the function "f" begun. */
static void unknown_op(world *w)
{
    cpl_ir_op1(w->b, "sinn", cpl_ir_float(w->b, CPL_FLOAT64, 1));
}
static void wrong_count(world *w)
{
    cpl_ir_op1(w->b, "add", cpl_ir_float(w->b, CPL_FLOAT64, 1));
}
static void other_builder(world *w)
{
    cpl_ir_op1(w->b, "fork", cpl_ir_float(w->b, CPL_FLOAT64, 1));
}
static void missing_operand(world *w)
{
    cpl_ir_op1(w->b, "sin", NULL);
}
static void unused_value(world *w)
{
    cpl_ir_do(w->b, cpl_ir_float(w->b, CPL_FLOAT64, 1));
}
static void call_twice(world *w)
{
    cpl_ir_func *g = cpl_ir_function(w->b, "g", CPL_IR_EXTERN, NULL);
    cpl_ir_value *call = cpl_ir_call(w->b, g, NULL, 0);
    cpl_ir_do(w->b, call);
    cpl_ir_do(w->b, call);
}
static void second_function(world *w)
{
    cpl_ir_function(w->b, "f", CPL_IR_ENTRY, NULL);
}
static void bad_name(world *w)
{
    cpl_ir_local(w->b, "1st", w->f64);
}
static void bad_type(world *w)
{
    cpl_ir_local(w->b, "x", type(w, "float64[:]"));
}
static cpl_ir_var *number(world *w)
{
    return cpl_ir_param(w->b, cpl_ir_function(w->b, "g", CPL_IR_INTERNAL, NULL), "n", w->i64, 0);
}
static void role_of_local(world *w)
{
    cpl_ir_role(w->b, cpl_ir_local(w->b, "n", w->i64), CPL_IR_FAULT, NULL, 0);
}
static void role_of_nothing(world *w)
{
    cpl_ir_role(w->b, NULL, CPL_IR_FAULT, NULL, 0);
}
static void unknown_role(world *w)
{
    cpl_ir_role(w->b, number(w), (cpl_ir_param_role)10, NULL, 0);
}
static void two_roles(world *w)
{
    cpl_ir_func *g = cpl_ir_function(w->b, "g", CPL_IR_ELEMENTWISE, NULL);
    cpl_ir_role(w->b, cpl_ir_param(w->b, g, "n", w->i64, 0), CPL_IR_FAULT, NULL, 0);
}
static void role_of_the_count(world *w)
{
    cpl_ir_role(w->b, number(w), (cpl_ir_param_role)4, NULL, 0);
}
static void shape_alone(world *w)
{
    cpl_ir_role(w->b, number(w), CPL_IR_SHAPE, NULL, 0);
}
static void ninth_dimension(world *w)
{
    cpl_ir_var *n = number(w);
    cpl_ir_role(w->b, n, CPL_IR_SHAPE, n, 8);
}
static void length_along(world *w)
{
    cpl_ir_var *n = number(w);
    cpl_ir_role(w->b, n, CPL_IR_LENGTH, n, 1);
}
static void length_alone(world *w)
{
    cpl_ir_role(w->b, number(w), CPL_IR_LENGTH, NULL, 0);
}
static void fault_of_another(world *w)
{
    cpl_ir_var *n = number(w);
    cpl_ir_role(w->b, n, CPL_IR_FAULT, n, 0);
}
static void length_of_number(world *w)
{
    cpl_ir_var *n = number(w);
    cpl_ir_role(w->b, n, CPL_IR_LENGTH, n, 0);
    cpl_ir_end(w->b);
}
static void lone_else(world *w)
{
    cpl_ir_else(w->b);
}
static void else_twice(world *w)
{
    cpl_ir_if(w->b, cpl_ir_int(w->b, CPL_BOOL, 1));
    cpl_ir_else(w->b);
    cpl_ir_return(w->b, NULL);
    cpl_ir_else(w->b);
}
static void else_behind_the_end(world *w)
{
    cpl_ir_if(w->b, cpl_ir_int(w->b, CPL_BOOL, 1));
    cpl_ir_end(w->b);
    cpl_ir_else(w->b);
}
static void else_in_a_loop_in_an_if(world *w)
{
    cpl_ir_if(w->b, cpl_ir_int(w->b, CPL_BOOL, 1));
    cpl_ir_while(w->b, cpl_ir_int(w->b, CPL_BOOL, 0));
    cpl_ir_else(w->b);
}
static void else_of_a_for(world *w)
{
    cpl_ir_var *i = cpl_ir_local(w->b, "i", w->i64);
    cpl_ir_for(w->b, i, cpl_ir_int(w->b, CPL_INT64, 0), cpl_ir_int(w->b, CPL_INT64, 2),
               cpl_ir_int(w->b, CPL_INT64, 1));
    cpl_ir_else(w->b);
}
static void extra_end(world *w)
{
    cpl_ir_end(w->b);
    cpl_ir_end(w->b);
}
static void not_ended(world *w)
{
    cpl_ir_while(w->b, cpl_ir_int(w->b, CPL_BOOL, 0));
    cpl_ir_end(w->b);
}
static void wrong_type(world *w)
{
    cpl_ir_assign(w->b, cpl_ir_local(w->b, "x", w->i32), cpl_ir_float(w->b, CPL_FLOAT64, 1));
    cpl_ir_end(w->b);
}
static void wrong_return(world *w)
{
    cpl_ir_return(w->b, cpl_ir_float(w->b, CPL_FLOAT64, 1));
    cpl_ir_end(w->b);
}
/* Copies double each time, and no memory may be enough for them. */
static void copies(world *w)
{
    cpl_ir_value *v = cpl_ir_float(w->b, CPL_FLOAT64, 1);
    for (int i = 0; i < 100; i++) v = cpl_ir_op2(w->b, "add", v, v);
}
static void too_deep(world *w)
{
    cpl_ir_value *v = cpl_ir_float(w->b, CPL_FLOAT64, 1);
    for (int i = 0; i < 5000; i++) v = cpl_ir_op1(w->b, "neg", v);
}

static void errors(void **state)
{
    static const struct {
        void (*make)(world *);
        cpl_status status;
        const char *message;
    } cases[] = {
        {unknown_op, CPL_EARG, "made: unknown op 'sinn'"},
        {wrong_count, CPL_EARG, "made: add has 2 operands, not 1"},
        {other_builder, CPL_EARG, "made: op 'fork' is built by another function"},
        {missing_operand, CPL_EARG, "made: an operand is NULL"},
        {unused_value, CPL_EARG, "made: the value of const is not used"},
        {call_twice, CPL_EARG, "made: call is used twice"},
        {second_function, CPL_EEXIST, "made: function 'f' is declared twice"},
        {bad_name, CPL_EARG, "made: '1st' cannot name a variable"},
        {bad_type, CPL_EARG, "made: variable 'x' cannot be float64[:]"},
        {role_of_local, CPL_EARG, "made: a role of no parameter"},
        {role_of_nothing, CPL_EARG, "made: a role of no parameter"},
        {unknown_role, CPL_EARG, "made: an unknown role"},
        {two_roles, CPL_EARG, "made: parameter 'n' has a role already"},
        {role_of_the_count, CPL_EARG, "made: an unknown role"},
        {length_alone, CPL_EARG, "made: parameter 'n': the role length is of another parameter"},
        {shape_alone, CPL_EARG, "made: parameter 'n': the role shape is of another parameter"},
        {ninth_dimension, CPL_EARG, "made: parameter 'n': the role shape has no dimension 8"},
        {length_along, CPL_EARG, "made: parameter 'n': the role length has no dimension 1"},
        {fault_of_another, CPL_EARG, "made: parameter 'n': the role fault is of no other"},
        {length_of_number, CPL_EIR,
         "function 'g': 'n', whose length is 'n', is no pointer parameter of this function"},
        {lone_else, CPL_EARG, "made: an else without its if"},
        {else_twice, CPL_EARG, "made: an else without its if"},
        {else_behind_the_end, CPL_EARG, "made: an else without its if"},
        {else_in_a_loop_in_an_if, CPL_EARG, "made: an else without its if"},
        {else_of_a_for, CPL_EARG, "made: an else without its if"},
        {extra_end, CPL_EARG, "made: an end without a beginning"},
        {not_ended, CPL_EARG, "made: function 'f' is not ended"},
        {wrong_type, CPL_EIR, "function 'f': assign: the value is float64, expected int32 as 'x'"},
        {wrong_return, CPL_EIR, "function 'f': return: 1 value, but the result is void"},
        {copies, CPL_ELIMIT, "made: more than 320000 ops"},
        {too_deep, CPL_ELIMIT, "made: ops nested deeper than 1600 levels"},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpl_ir_builder_free(w->b);
        w->said.n = 0;
        assert_int_equal(cpl_ir_builder_create(w->cx, "made", &w->b), CPL_OK);
        cpl_ir_begin(w->b, cpl_ir_function(w->b, "f", CPL_IR_ENTRY, NULL));
        cases[i].make(w);
        cpl_module *m = NULL;
        if (cpl_ir_finish(w->b, &m) != cases[i].status || m ||
            !strstr(w->said.text, cases[i].message))
            fail_msg("expected \"%s\", got \"%s\"", cases[i].message, w->said.text);
    }
}

static void arguments(void **state)
{
    world *w = *state;
    cpl_ir_builder *b;
    cpl_module *m;
    cpl_blob text;
    assert_int_equal(cpl_ir_builder_create(NULL, "x", &b), CPL_EARG);
    assert_int_equal(cpl_ir_builder_create(w->cx, NULL, &b), CPL_EARG);
    assert_int_equal(cpl_ir_builder_create(w->cx, "x", NULL), CPL_EARG);
    assert_int_equal(cpl_ir_finish(NULL, &m), CPL_EARG);
    assert_int_equal(cpl_ir_finish(w->b, NULL), CPL_EARG);
    assert_int_equal(cpl_ir_text(NULL, &text), CPL_EARG);
    assert_int_equal(cpl_ir_builder_status(NULL), CPL_EARG);
    assert_null(cpl_ir_int(w->b, (cpl_dtype)99, 1));
    assert_int_equal(cpl_ir_builder_status(w->b), CPL_EARG);
    assert_null(cpl_ir_int(w->b, CPL_INT32, 1));
    cpl_ir_builder_free(NULL);
}

/* Builds everything with the n-th request failing, for each n until it works. */
static void out_of_memory(void **state)
{
    (void)state;
    bool done = false;
    for (long n = 1; !done; n++) {
        flaky memory = {0};
        world w = {0};
        cpl_context_options options;
        cpl_context_options_init(&options);
        options.alloc = flaky_alloc;
        options.alloc_user = &memory;
        assert_int_equal(cpl_context_create(&options, &w.cx), CPL_OK);
        w.f64 = type(&w, "float64");
        w.i64 = type(&w, "int64");
        w.i32 = type(&w, "int32");
        w.array = type(&w, "float64 global*");
        const cpl_field fields[] = {{"first", w.i32, 0}, {"second", w.f64, 0}};
        const cpl_type *pair;
        assert_int_equal(cpl_type_struct(w.cx, "Pair", fields, 2, &pair), CPL_OK);
        type(&w, "Pair*");
        type(&w, "int32*");
        type(&w, "uint8 global*");
        memory.fail_at = memory.requests + n;
        cpl_module *m = NULL;
        cpl_status status = cpl_ir_builder_create(w.cx, "made", &w.b);
        if (!status) {
            build_all(&w);
            status = cpl_ir_finish(w.b, &m);
        }
        assert_true(status == CPL_OK || status == CPL_ENOMEM);
        assert_true((status == CPL_OK) == (m != NULL));
        done = status == CPL_OK && memory.requests < memory.fail_at;
        cpl_module_release(m);
        cpl_ir_builder_free(w.b);
        cpl_context_release(w.cx);
        assert_int_equal(memory.live_bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(square, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_statement, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(roles_are_filled_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shapes_are_filled_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(complex_numbers_are_taken_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(plain_parameters_are_given, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arguments, set_up, tear_down),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
