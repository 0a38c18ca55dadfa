/*
 * The short way from arguments to the values of parameters, against the long one: what it takes,
 * args_bind takes, with the same values, and args_facts knows no less of it. Every argument is made
 * odd in every way that is listed, with every oddity of the others.
 */
#include "unit.h"

#include "runtime/runtime.h"

enum { ROUNDS, X, Y, A, X_LENGTH, FAULT, RESULT, PARAMS, LENGTH = 4 };

static double memory[4 * LENGTH];

typedef struct odd {
    const char *name;
    void (*make)(cpl_arg *arg);
    bool usual; /* it is none: the short way has to take it */
} odd;

#define ODD(name, what)                                                                            \
    static void name(cpl_arg *arg)                                                                 \
    {                                                                                              \
        what;                                                                                      \
    }
ODD(nothing, (void)arg)
ODD(shorter, arg->length--)
ODD(none, arg->length = 0)
ODD(null, arg->data = NULL)
ODD(null_and_none, (arg->data = NULL, arg->length = 0))
ODD(negative, arg->length = -1)
ODD(longest, arg->length = INT32_MAX)
ODD(too_long, arg->length = (int64_t)INT32_MAX + 1)
ODD(endless, arg->length = INT64_MAX)
ODD(misaligned, arg->data = (char *)arg->data + 2)
ODD(high, arg->data = (void *)(UINTPTR_MAX - 63))
ODD(strided, arg->stride = 16)
ODD(shaped, (arg->dims = 1, arg->shape = &arg->length))
ODD(readonly, arg->readonly = true)
ODD(reserved, arg->reserved = 1)
ODD(no_type, arg->dtype = CPL_VOID)
ODD(other_type, arg->dtype = CPL_UINT32)
ODD(unknown_type, arg->dtype = (cpl_dtype)200)
ODD(of_the_host, arg->array = (cpl_array *)memory)
ODD(scalar, arg->kind = CPL_ARG_SCALAR)
ODD(bound, arg->kind = CPL_ARG_BOUND)
ODD(local, arg->kind = CPL_ARG_LOCAL)
ODD(no_kind, arg->kind = (cpl_arg_kind)77)
ODD(in_the_other, arg->data = (char *)arg->data + 16)
ODD(whole, *arg = cpl_arg_int(7))
ODD(negative_number, *arg = cpl_arg_int(-7))
ODD(wide, *arg = cpl_arg_int(INT64_MAX))
ODD(unsigned_wide, (*arg = cpl_arg_int(-1), arg->is_unsigned = true))
ODD(fraction, *arg = cpl_arg_float(0.5))
ODD(nan_number, *arg = cpl_arg_float(0.0 / 0.0))
ODD(complex_number, *arg = cpl_arg_complex(1, 2))
ODD(array, *arg = cpl_arg_array(CPL_FLOAT64, memory, 1))
#undef ODD

static const odd of_arrays[] = {
    {"nothing", nothing, true},
    {"shorter", shorter, true},
    {"none", none, true},
    {"NULL", null, false},
    {"NULL and none", null_and_none, false},
    {"negative", negative, false},
    {"longest", longest, false},
    {"too long", too_long, false},
    {"endless", endless, false},
    {"misaligned", misaligned, false},
    {"high", high, false},
    {"strided", strided, false},
    {"shaped", shaped, false},
    {"readonly", readonly, false},
    {"reserved", reserved, false},
    {"no type", no_type, false},
    {"other type", other_type, false},
    {"unknown type", unknown_type, false},
    {"of the host", of_the_host, false},
    {"scalar", scalar, false},
    {"bound", bound, false},
    {"local", local, false},
    {"no kind", no_kind, false},
    {"in the other", in_the_other, false},
    {"a number", whole, false},
};

static const odd of_numbers[] = {
    {"nothing", nothing, true},
    {"whole", whole, true},
    {"negative", negative_number, false},
    {"wide", wide, false},
    {"unsigned", unsigned_wide, false},
    {"fraction", fraction, false},
    {"NaN", nan_number, false},
    {"complex", complex_number, false},
    {"reserved", reserved, false},
    {"scalar", scalar, false},
    {"no type", no_type, false},
    {"bound", bound, false},
    {"local", local, false},
    {"array", array, false},
};

enum {
    ARRAYS = sizeof of_arrays / sizeof *of_arrays,
    NUMBERS = sizeof of_numbers / sizeof *of_numbers,
};

typedef struct world {
    type_table *types;
    artifact_param params[PARAMS];
    artifact a;
} world;

static artifact_param given(const cpl_type *t, uint32_t arg)
{
    return (artifact_param){.role = PARAM_ARG, .type = t, .arg = arg, .name = (char[]){"x"}};
}

/* y[i] = x[i]*a, or of what is written in x too. */
static void set_up(world *w, cpl_dtype number, bool x_written)
{
    w->types = type_table_create(&mem_libc);
    const cpl_type *f64 = type_scalar(w->types, CPL_FLOAT64),
                   *i64 = type_scalar(w->types, CPL_INT64);
    w->params[ROUNDS] = (artifact_param){.role = PARAM_COUNT, .type = i64};
    w->params[X] = given(type_pointer(w->types, f64, SPACE_GLOBAL), 0);
    w->params[X].readonly = !x_written;
    w->params[Y] = given(type_pointer(w->types, type_scalar(w->types, CPL_INT32), SPACE_GLOBAL), 1);
    w->params[A] = given(type_scalar(w->types, number), 2);
    w->params[X_LENGTH] = (artifact_param){.role = PARAM_LENGTH, .type = i64, .of = X, .arg = 0};
    w->params[FAULT] = (artifact_param){.role = PARAM_FAULT, .type = w->params[X].type};
    w->params[RESULT] = (artifact_param){.role = PARAM_RESULT, .type = w->params[X].type};
    w->a = (artifact){.params = w->params,
                      .param_count = PARAMS,
                      .arg_count = 3,
                      .elementwise = true,
                      .indices = 1};
}

static void same_binding(const binding *b, const binding *c)
{
    for (int i = 0; i < PARAMS; i++) {
        bool own = i == FAULT || i == RESULT; /* a binding's, which stay with it */
        const char *from = b->values[i].pointer, *other = c->values[i].pointer;
        if (own) assert_int_equal(from - (const char *)b, other - (const char *)c);
        else assert_int_equal(b->values[i].u64, c->values[i].u64);
        assert_ptr_equal(b->pointers[i], &b->values[i]);
    }
    assert_int_equal(b->fault.taken, 0);
    assert_memory_equal(b->returned, c->returned, sizeof b->returned);
}

/* Whether it was taken at a glance. */
static bool agree(const world *w, const odd *x, const odd *y, const odd *a, uint64_t least)
{
    static binding quick, slow;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, memory, LENGTH),
                      cpl_arg_array(CPL_INT32, memory + LENGTH, LENGTH), cpl_arg_int(3)};
    x->make(&args[0]), y->make(&args[1]), a->make(&args[2]);
    memset(&quick, 0xA5, sizeof quick), memset(&slow, 0x5A, sizeof slow);
    if (!glance_bind(&w->a, args, 3, LENGTH, least, &quick)) return false;
    cpl_context *cx = (cpl_context *)w->types;
    uint64_t large = least == UINT64_MAX ? 0 : least;
    if (args_have_arrays(args, 3) || args_bind(cx, &w->a, args, 3, LENGTH, &slow) ||
        args_facts(&w->a, args, 3, LENGTH, large) != GLANCE_FACTS)
        fail_msg("x: %s, y: %s, a: %s: taken", x->name, y->name, a->name);
    same_binding(&quick, &slow);
    return true;
}

static void every_oddity(void **unused)
{
    (void)unused;
    static const cpl_dtype numbers[] = {CPL_FLOAT64, CPL_FLOAT32, CPL_INT8, CPL_UINT32, CPL_INT64};
    for (size_t kind = 0; kind < 2 * sizeof numbers / sizeof *numbers; kind++) {
        world w;
        set_up(&w, numbers[kind / 2], kind & 1);
        assert_true(glance_can(&w.a));
        for (int i = 0; i < ARRAYS * ARRAYS * NUMBERS; i++) {
            const odd *x = &of_arrays[i % ARRAYS], *y = &of_arrays[i / ARRAYS % ARRAYS],
                      *a = &of_numbers[i / ARRAYS / ARRAYS];
            bool taken = agree(&w, x, y, a, UINT64_MAX);
            if (!taken && x->usual && y->usual && a->usual)
                fail_msg("x: %s, y: %s, a: %s: not taken", x->name, y->name, a->name);
            assert_true(!agree(&w, x, y, a, sizeof(double)) ||
                        (x->make == none && y->make != nothing));
        }
        type_table_free(w.types);
    }
}

/* At each distance, in elements of 4 bytes; who only reads may share. */
static void every_distance(void **unused)
{
    (void)unused;
    for (int written = 0; written < 4; written++) {
        world w;
        set_up(&w, CPL_FLOAT64, written & 1);
        w.params[Y].readonly = !(written & 2);
        for (int at = 0; at <= 4 * LENGTH; at++) {
            binding b;
            cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, memory + LENGTH, LENGTH),
                              cpl_arg_array(CPL_INT32, (int32_t *)memory + at, LENGTH),
                              cpl_arg_int(3)};
            bool apart = at + LENGTH <= 2 * LENGTH || at >= 4 * LENGTH || !written;
            assert_int_equal(glance_bind(&w.a, args, 3, LENGTH, UINT64_MAX, &b), apart);
        }
        type_table_free(w.types);
    }
}

/* Numbers of arguments and of rounds, and parameters that take a closer look. */
static void not_for_everything(void **unused)
{
    (void)unused;
    binding b;
    world w;
    set_up(&w, CPL_FLOAT64, false);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, memory, LENGTH),
                      cpl_arg_array(CPL_INT32, memory + LENGTH, LENGTH), cpl_arg_float(3),
                      cpl_arg_float(3)};
    for (size_t count = 0; count <= 4; count++)
        assert_int_equal(glance_bind(&w.a, args, count, LENGTH, UINT64_MAX, &b), count == 3);
    assert_true(glance_bind(&w.a, args, 3, INT32_MAX, UINT64_MAX, &b));
    assert_false(glance_bind(&w.a, args, 3, (int64_t)INT32_MAX + 1, UINT64_MAX, &b));
    for (int change = 0; change < 6; change++) {
        artifact a = w.a;
        artifact_param params[PARAMS];
        memcpy(params, w.params, sizeof params);
        a.params = params;
        if (change == 0) a.indices = 2;
        if (change == 1) params[X].strided = true;
        if (change == 2) params[X].dims = 2;
        if (change == 3) params[X].type = type_pointer(w.types, params[X].type->elem, SPACE_LOCAL);
        if (change == 4) params[X_LENGTH].role = PARAM_STRIDE;
        if (change == 5) params[X_LENGTH].role = PARAM_IMAG;
        assert_false(glance_can(&a));
    }
    type_table_free(w.types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_oddity),
        cmocka_unit_test(every_distance),
        cmocka_unit_test(not_for_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
