/* Types: spelling, interning, layout against the C compiler's, refusals. */
#include "unit.h"

#include "lib/support/support.h"

#include <pthread.h>

static type_table *table;

static int set_up(void **state)
{
    (void)state;
    table = type_table_create(&mem_libc);
    return table == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    type_table_free(table);
    return 0;
}

static const cpl_type *parse(const char *text)
{
    return type_parse(table, text, strlen(text));
}

static void dtypes_have_sizes_and_names(void **state)
{
    (void)state;
#define DTYPE(name, number, text, c, bytes, kind, spellings)                                       \
    assert_int_equal(cpl_dtype_size(CPL_##name), bytes);                                           \
    assert_string_equal(cpl_dtype_name(CPL_##name), text);                                         \
    assert_int_equal(cpl_dtype_parse(text), CPL_##name);
#include "cpl/type.def"
#undef DTYPE
    assert_int_equal(cpl_dtype_parse("double"), CPL_FLOAT64);
    assert_int_equal(cpl_dtype_parse("unsigned long long"), CPL_UINT64);
    assert_int_equal(cpl_dtype_parse("signed char"), CPL_INT8);
    assert_int_equal(cpl_dtype_parse("doubles"), CPL_DTYPE_COUNT);
    assert_int_equal(cpl_dtype_parse(""), CPL_DTYPE_COUNT);
    assert_int_equal(cpl_dtype_size((cpl_dtype)999), 0);
    assert_string_equal(cpl_dtype_name((cpl_dtype)999), "?");
}

static void spellings_have_one_canonical_text(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"double", "float64"},
        {"unsigned int", "uint32"},
        {" float64 * ", "float64*"},
        {"float64 local*", "float64 local*"},
        {"float[]", "float32 global*"},
        {"float32 global*", "float32 global*"},
        {"int32[:]", "int32[:]"},
        {"int32[,]", "int32[,]"},
        {"int[ : , : , : ]", "int32[:,:,:]"},
        {"float64[2][,,,,,,,]", "float64[2][,,,,,,,]"},
        {"int32[2][3]", "int32[2][3]"},
        {"int32 [ 2 ] [ 3 ]", "int32[2][3]"},
        {"float64[3][]", "float64[3] global*"},
        {"float64**", "float64**"},
        {"float64*[4]", "float64*[4]"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        const cpl_type *t = parse(pairs[i][0]);
        assert_non_null(t);
        assert_string_equal(cpl_type_text(t), pairs[i][1]);
        assert_ptr_equal(parse(cpl_type_text(t)), t); /* print, parse: the same type */
    }
}

static void what_is_no_type_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "*",
                                      "flaot64",
                                      "float64[",
                                      "float64[0]",
                                      "float64[-1]",
                                      "float64]",
                                      "float64[:]*",
                                      "float64[,]*",
                                      "float64[:,]",
                                      "float64[,:]",
                                      "float64[:,:",
                                      "float64[,,,,,,,,]",
                                      "local float64[,]",
                                      "void[,]",
                                      "void[]",
                                      "float64 x*",
                                      "bfloat16",
                                      "int32[99999999999999999999]",
                                      "int32[9223372036854775807]",
                                      "float64 global"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) assert_null(parse(bad[i]));
}

static void equal_types_are_one_pointer(void **state)
{
    (void)state;
    const cpl_type *f64 = type_scalar(table, CPL_FLOAT64);
    assert_ptr_equal(parse("double"), f64);
    assert_ptr_equal(parse("float64 private*"), type_pointer(table, f64, SPACE_PRIVATE));
    assert_ptr_not_equal(type_pointer(table, f64, SPACE_LOCAL),
                         type_pointer(table, f64, SPACE_GLOBAL));
    assert_ptr_equal(parse("float64[2][3]"), type_array(table, type_array(table, f64, 3), 2));
    assert_ptr_equal(parse("float64[:]"), type_strided(table, f64));
    assert_ptr_equal(parse("float64[:,:]"), type_shaped(table, f64, 2, true));
    assert_ptr_equal(parse("float64[]"), type_shaped(table, f64, 1, false));
    assert_int_equal(parse("float64[,,]")->dims, 3);
    assert_int_equal(cpl_type_dtype(parse("float64[2][3]")), CPL_FLOAT64);
    assert_int_equal(cpl_type_size(parse("float64[2][3]")), 48);
}

static void predicates_agree_with_the_table(void **state)
{
    (void)state;
    assert_true(type_is_void(parse("void")));
    assert_true(type_is_bool(parse("bool")) && !type_is_int(parse("bool")) &&
                type_bits(parse("bool")) == 1);
    assert_true(type_is_signed(parse("int8")) && !type_is_unsigned(parse("int8")));
    assert_true(type_is_unsigned(parse("uint64")) && type_bits(parse("uint64")) == 64);
    assert_true(type_is_float(parse("float16")) && type_bits(parse("float16")) == 16);
    assert_true(type_is_scalar(parse("float32")) && !type_is_scalar(parse("void")) &&
                !type_is_scalar(parse("int*")));
}

typedef struct particle {
    bool alive;
    double x[3];
    int16_t kind;
    float mass;
    int8_t tag;
} particle;

typedef struct cell {
    int8_t n;
    particle p[2];
    int64_t key;
    __extension__ _Float16 h;
} cell;

static void structs_are_laid_out_as_c_does(void **state)
{
    (void)state;
    cpl_field fields[] = {{"alive", parse("bool"), 0},
                          {"x", parse("float64[3]"), 0},
                          {"kind", parse("short"), 0},
                          {"mass", parse("float"), 0},
                          {"tag", parse("int8"), 0}};
    const cpl_type *p, *c, *again;
    assert_int_equal(type_declare_struct(table, "Particle", fields, COUNT_OF(fields), &p), CPL_OK);
    assert_int_equal(cpl_type_size(p), sizeof(particle));
    assert_int_equal(cpl_type_align(p), _Alignof(particle));
    size_t n;
    const cpl_field *f = cpl_type_fields(p, &n);
    assert_int_equal(n, 5);
    assert_int_equal(f[1].offset, offsetof(particle, x));
    assert_int_equal(f[2].offset, offsetof(particle, kind));
    assert_int_equal(f[3].offset, offsetof(particle, mass));
    assert_int_equal(f[4].offset, offsetof(particle, tag));

    cpl_field outer[] = {{"n", parse("int8"), 0},
                         {"p", parse("Particle[2]"), 0},
                         {"key", parse("int64"), 0},
                         {"h", parse("half"), 0}};
    assert_int_equal(type_declare_struct(table, "Cell", outer, COUNT_OF(outer), &c), CPL_OK);
    f = cpl_type_fields(c, &n);
    assert_int_equal(f[1].offset, offsetof(cell, p));
    assert_int_equal(f[2].offset, offsetof(cell, key));
    assert_int_equal(f[3].offset, offsetof(cell, h));
    assert_int_equal(cpl_type_size(c), sizeof(cell));
    assert_string_equal(cpl_type_text(parse("Cell []")), "Cell global*");

    assert_int_equal(type_declare_struct(table, "Particle", fields, COUNT_OF(fields), &again),
                     CPL_OK);
    assert_ptr_equal(again, p);
    assert_int_equal(type_declare_struct(table, "Particle", fields, 4, &again), CPL_EEXIST);
    assert_null(again);
}

static void bad_structs_are_refused(void **state)
{
    (void)state;
    const cpl_type *t;
    cpl_field twice[] = {{"a", parse("int32"), 0}, {"a", parse("int32"), 0}};
    cpl_field empty[] = {{"a", parse("void"), 0}};
    cpl_field unnamed[] = {{"1a", parse("int32"), 0}};
    cpl_field strided[] = {{"a", parse("int32[:]"), 0}};
    cpl_field good[] = {{"a", parse("int32"), 0}};
    cpl_field huge[] = {{"a", parse("int8[36028797018963967]"), 0}, {"b", NULL, 0}};
    assert_int_equal(type_declare_struct(table, "S", twice, 2, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "S", empty, 1, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "S", unnamed, 1, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "S", strided, 1, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "S", huge, 2, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "S", good, 0, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "double", good, 1, &t), CPL_EARG);
    assert_int_equal(type_declare_struct(table, "no good", good, 1, &t), CPL_EARG);
    assert_null(type_struct(table, "S"));
}

#pragma pack(push, 1)
typedef struct packed_record {
    int8_t tag;
    double value;
    int32_t pair[2];
} packed_record;
#pragma pack(pop)

static cpl_status declare_at(const char *name, const cpl_field *fields, size_t count, size_t size,
                             size_t align, const cpl_type **type, const char *why)
{
    type_layout layout = {.size = size, .align = align};
    cpl_status status = type_declare_struct_at(table, name, fields, count, &layout, type);
    assert_int_equal(status != CPL_OK, *layout.why != 0);
    if (!strstr(layout.why, why)) fail_msg("\"%s\" in place of \"%s\"", layout.why, why);
    return status;
}

static void structs_lie_where_they_are_told(void **state)
{
    (void)state;
    const cpl_type *t, *again;
    cpl_field f[] = {{"tag", parse("int8"), 0},
                     {"value", parse("float64"), offsetof(packed_record, value)},
                     {"pair", parse("int32[2]"), offsetof(packed_record, pair)}};
    size_t n, size = sizeof(packed_record);
    assert_int_equal(declare_at("Packed", f, 3, size, 1, &t, ""), CPL_OK);
    assert_int_equal(cpl_type_size(t), size);
    assert_int_equal(cpl_type_align(t), 1);
    const cpl_field *laid = cpl_type_fields(t, &n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(laid[i].offset, f[i].offset);
        assert_string_equal(laid[i].name, f[i].name);
        assert_ptr_equal(laid[i].type, f[i].type);
    }
    assert_int_equal(declare_at("Packed", f, 3, size, 1, &again, ""), CPL_OK);
    assert_ptr_equal(again, t);
    /* one name, one layout, whoever comes first */
    assert_int_equal(declare_at("Packed", f, 3, size + 1, 1, &again, "another layout"), CPL_EEXIST);
    assert_int_equal(type_declare_struct(table, "Packed", f, 3, &again), CPL_EEXIST);
    /* nameless ones are the same where the layout is */
    const cpl_type *a, *b, *c;
    assert_int_equal(declare_at(NULL, f, 3, size, 1, &a, ""), CPL_OK);
    assert_int_equal(declare_at(NULL, f, 3, size, 1, &b, ""), CPL_OK);
    assert_int_equal(declare_at(NULL, f, 3, size + 1, 1, &c, ""), CPL_OK);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    assert_ptr_equal(parse(cpl_type_text(a)), a);
}

/* A layout is another one if anything of it is: under its name it is refused, nameless ones are
 * another type. */
static void each_part_of_a_layout_counts(void **state)
{
    (void)state;
    enum { FIELDS = 3, SIZE = 24, ALIGN = 4 };
    static const char *const alike[] = {"uint8", "float32", "uint16[2]"};
    const cpl_field base[FIELDS] = {{"a", parse("int8"), 1},
                                    {"b", parse("int32"), 4},
                                    {"c", parse("int16[2]"), 12}};
    const cpl_type *named, *nameless, *t;
    assert_int_equal(declare_at("Loose", base, FIELDS, SIZE, ALIGN, &named, ""), CPL_OK);
    assert_int_equal(declare_at(NULL, base, FIELDS, SIZE, ALIGN, &nameless, ""), CPL_OK);
    for (int part = 0; part < 3 * FIELDS + 3; part++) {
        cpl_field f[FIELDS];
        memcpy(f, base, sizeof f);
        cpl_field *changed = &f[part % FIELDS];
        size_t count = FIELDS, size = SIZE, align = ALIGN;
        if (part < FIELDS) changed->offset += 2;
        else if (part < 2 * FIELDS) changed->type = parse(alike[part % FIELDS]);
        else if (part < 3 * FIELDS) changed->name = "z";
        else if (part == 3 * FIELDS) count--;
        else if (part == 3 * FIELDS + 1) size += ALIGN;
        else align /= 2;
        if (declare_at("Loose", f, count, size, align, &t, "another layout") != CPL_EEXIST)
            fail_msg("part %d of a layout does not count", part);
        assert_int_equal(declare_at(NULL, f, count, size, align, &t, ""), CPL_OK);
        if (t == nameless) fail_msg("part %d of a nameless layout does not count", part);
    }
    assert_int_equal(declare_at("Loose", base, FIELDS, SIZE, ALIGN, &t, ""), CPL_OK);
    assert_ptr_equal(t, named);
    assert_int_equal(declare_at(NULL, base, FIELDS, SIZE, ALIGN, &t, ""), CPL_OK);
    assert_ptr_equal(t, nameless);
}

/* Where the offsets are C's, it is the struct that cpl_type_struct makes. */
static void placed_as_c_does_is_the_same(void **state)
{
    (void)state;
    const cpl_type *t, *again, *holder;
    cpl_field f[] = {{"a", parse("int8"), 0}, {"b", parse("float64"), 8}};
    assert_int_equal(declare_at("Natural", f, 2, 16, 8, &t, ""), CPL_OK);
    assert_int_equal(type_declare_struct(table, "Natural", f, 2, &again), CPL_OK);
    assert_ptr_equal(again, t);
    assert_false(t->placed || t->packed);
    /* a struct of C's layout around a placed one */
    cpl_field outer[] = {{"a", parse("int8"), 0}, {"p", parse("Packed[2]"), 0}};
    assert_int_equal(type_declare_struct(table, "Outer", outer, 2, &holder), CPL_OK);
    assert_true(!holder->placed && holder->packed);
    assert_int_equal(cpl_type_size(holder), 1 + 2 * sizeof(packed_record));
}

static void bad_places_are_refused(void **state)
{
    (void)state;
    const cpl_type *t, *i32 = parse("int32");
    cpl_field good[] = {{"a", i32, 0}, {"b", i32, 4}};
    cpl_field over[] = {{"a", i32, 0}, {"b", i32, 3}}, back[] = {{"a", i32, 4}, {"b", i32, 0}};
    cpl_field twice[] = {{"a", i32, 0}, {"a", i32, 4}}, typeless[] = {{"a", NULL, 0}};
    cpl_field unnamed[] = {{NULL, i32, 0}}, far[] = {{"a", i32, SIZE_MAX}};
    assert_int_equal(declare_at("B", over, 2, 8, 4, &t, "'b' at byte 3 lies in or before 'a'"),
                     CPL_EARG);
    assert_int_equal(declare_at("B", back, 2, 8, 4, &t, "'b' at byte 0 lies in or before 'a'"),
                     CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, 4, 4, &t, "ends past the size 4"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, 0, 4, &t, "ends past the size 0"), CPL_EARG);
    assert_int_equal(declare_at("B", far, 1, 8, 4, &t, "ends past the size 8"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, 10, 4, &t, "no multiple of the alignment"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, SIZE_MAX, 1, &t, "no multiple"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, 8, 0, &t, "not 0"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, 8, 3, &t, "not 3"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 2, 32, 32, &t, "not 32"), CPL_EARG);
    assert_int_equal(declare_at("B", twice, 2, 8, 4, &t, "'a', is there twice"), CPL_EARG);
    assert_int_equal(declare_at("B", unnamed, 1, 8, 4, &t, "has no name"), CPL_EARG);
    assert_int_equal(declare_at("B", typeless, 1, 8, 4, &t, "has no type"), CPL_EARG);
    assert_int_equal(declare_at("B", good, 0, 8, 4, &t, "1 to 65535 fields"), CPL_EARG);
    assert_int_equal(declare_at("double", good, 2, 8, 4, &t, "cannot name a struct"), CPL_EARG);
    assert_null(t);
    assert_null(type_struct(table, "B"));
}

static void long_texts_are_interned(void **state)
{
    (void)state;
    char name[300];
    memset(name, 'S', sizeof name - 1);
    name[sizeof name - 1] = 0;
    cpl_field field[] = {{"a", parse("int32"), 0}};
    const cpl_type *s;
    assert_int_equal(type_declare_struct(table, name, field, 1, &s), CPL_OK);
    const cpl_type *p = type_pointer(table, s, SPACE_GLOBAL);
    assert_ptr_equal(p, type_pointer(table, s, SPACE_GLOBAL));
    assert_int_equal(strlen(cpl_type_text(p)), 299 + strlen(" global*"));
}

/* Of each length, one more than what is kept on the stack among them. */
static void texts_of_all_lengths_are_whole(void **state)
{
    (void)state;
    static const struct {
        type_space space;
        const char *suffix;
    } ends[] = {{SPACE_GENERIC, "*"}, {SPACE_GLOBAL, " global*"}, {SPACE_LOCAL, " local*"}};
    cpl_field field[] = {{"a", parse("int32"), 0}};
    char name[300] = "";
    for (size_t n = 1; n < sizeof name; n++) {
        name[n - 1] = 'T';
        const cpl_type *s, *made[COUNT_OF(ends) + 3];
        assert_int_equal(type_declare_struct(table, name, field, 1, &s), CPL_OK);
        for (size_t i = 0; i < COUNT_OF(ends); i++) {
            made[i] = type_pointer(table, s, ends[i].space);
            const char *text = cpl_type_text(made[i]);
            assert_int_equal(strlen(text), n + strlen(ends[i].suffix));
            assert_memory_equal(text, name, n);
            assert_string_equal(text + n, ends[i].suffix);
        }
        made[3] = type_array(table, s, 7);
        assert_string_equal(cpl_type_text(made[3]) + n, "[7]");
        made[4] = type_shaped(table, s, 2, true);
        assert_string_equal(cpl_type_text(made[4]) + n, "[:,:]");
        made[5] = type_pointer(table, made[0], SPACE_GENERIC);
        assert_string_equal(cpl_type_text(made[5]) + n, "**");
        for (size_t i = 0; i < COUNT_OF(made); i++)
            for (size_t k = 0; k < i; k++) assert_ptr_not_equal(made[i], made[k]);
    }
}

/* What is longer than the reader's words is no type, and nothing is written behind them. */
static void words_of_all_lengths_are_read_or_refused(void **state)
{
    (void)state;
    enum { MOST_LETTERS = 63, MOST_DIGITS = 23 };
    static const char *const forms[] = {"%s", "%s*", "local %s[]", "%s[]", " %s local*", "%s[3]"};
    cpl_field field[] = {{"a", parse("int32"), 0}};
    char name[200] = "", text[512];
    for (size_t n = 1; n < sizeof name; n++) {
        name[n - 1] = 'W';
        const cpl_type *s;
        assert_int_equal(type_declare_struct(table, name, field, 1, &s), CPL_OK);
        for (size_t i = 0; i < COUNT_OF(forms); i++) {
            snprintf(text, sizeof text, forms[i], name);
            assert_int_equal(parse(text) != NULL, n <= MOST_LETTERS);
        }
        snprintf(text, sizeof text, "int32 %s*", name);
        assert_null(parse(text));
        snprintf(text, sizeof text, "int32[%0*d]", (int)n, 5);
        assert_int_equal(parse(text) != NULL, n <= MOST_DIGITS);
        snprintf(text, sizeof text, "%*sint32%*s*", (int)n, "", (int)n, "");
        assert_ptr_equal(parse(text), parse("int32*"));
    }
}

static void *intern_many(void *user)
{
    const cpl_type **out = user;
    for (int i = 0; i < 500; i++)
        out[i] = type_array(table, type_scalar(table, CPL_INT32), 1000u + (unsigned)i);
    return NULL;
}

static void two_threads_intern_the_same(void **state)
{
    (void)state;
    static const cpl_type *a[500], *b[500];
    pthread_t one, two;
    assert_int_equal(pthread_create(&one, NULL, intern_many, a), 0);
    assert_int_equal(pthread_create(&two, NULL, intern_many, b), 0);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert_memory_equal(a, b, sizeof a);
}

static cpl_status use_table(const mem *m)
{
    type_table *t = type_table_create(m);
    if (!t) return CPL_ENOMEM;
    cpl_field fields[] = {{"a", type_scalar(t, CPL_INT32), 0},
                          {"b", type_scalar(t, CPL_FLOAT64), 0}};
    const cpl_type *s;
    cpl_status status = type_declare_struct(t, "Pair", fields, 2, &s);
    if (status == CPL_OK && !type_parse(t, "Pair[4][]", 9)) status = CPL_ENOMEM;
    type_table_free(t);
    return status;
}

static void every_failing_request_is_reported(void **state)
{
    (void)state;
    for (long n = 1;; n++) {
        flaky f = {.fail_at = n};
        mem m = {flaky_alloc, &f};
        cpl_status status = use_table(&m);
        assert_int_equal(f.live_bytes, 0);
        if (status == CPL_OK) break;
        assert_int_equal(status, CPL_ENOMEM);
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dtypes_have_sizes_and_names),
        cmocka_unit_test(spellings_have_one_canonical_text),
        cmocka_unit_test(what_is_no_type_is_refused),
        cmocka_unit_test(equal_types_are_one_pointer),
        cmocka_unit_test(predicates_agree_with_the_table),
        cmocka_unit_test(structs_are_laid_out_as_c_does),
        cmocka_unit_test(bad_structs_are_refused),
        cmocka_unit_test(structs_lie_where_they_are_told),
        cmocka_unit_test(each_part_of_a_layout_counts),
        cmocka_unit_test(placed_as_c_does_is_the_same),
        cmocka_unit_test(bad_places_are_refused),
        cmocka_unit_test(long_texts_are_interned),
        cmocka_unit_test(texts_of_all_lengths_are_whole),
        cmocka_unit_test(words_of_all_lengths_are_read_or_refused),
        cmocka_unit_test(two_threads_intern_the_same),
        cmocka_unit_test(every_failing_request_is_reported),
    };
    return cmocka_run_group_tests_name("types", tests, set_up, tear_down);
}
