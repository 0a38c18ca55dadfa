/* Every scalar operation on every type it takes: what the compiled code computes is what ir_eval_op
 * says, bit by bit. */
#include "figures.h"
#include "host.h"

#include <math.h>

enum { ROUNDS = 1000 };

__extension__ typedef _Float16 half_float;

static const char *const type_names[] = {"bool",   "int8",    "int16",   "int32",
                                         "int64",  "uint8",   "uint16",  "uint32",
                                         "uint64", "float16", "float32", "float64"};
enum { TYPES = sizeof type_names / sizeof *type_names, FIRST_INT = 1, FIRST_FLOAT = 9 };
static const cpl_type *types[TYPES];

typedef struct op_case {
    ir_op op;
    int operand[3], result; /* indices into types */
    uint32_t operands;
} op_case;

typedef struct state {
    type_table *table;
    op_case cases[2000];
    uint32_t n;
    strbuf text;
    uint64_t random;
} state;

static bool is_float(int t)
{
    return t >= FIRST_FLOAT;
}

static bool takes(char letter, int t)
{
    switch (letter) {
    case 'n': return t >= FIRST_INT;
    case 'i':
    case 'x': return t >= FIRST_INT && !is_float(t);
    case 'f': return is_float(t);
    case 'b': return t == 0;
    case 'k': return !is_float(t);
    default: return letter == 's';
    }
}

static uint64_t next_random(state *s) /* xorshift64 */
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    return s->random ^= s->random << 17;
}

static void add(state *s, ir_op op, int a, int b, int result, uint32_t operands)
{
    assert_true(s->n < COUNT_OF(s->cases));
    s->cases[s->n] = (op_case){op, {a, b, a}, result, operands};
    const char *names[] = {type_names[a], type_names[b]};
    sb_printf(&s->text, "\nentry func t%u(r: %s*, a: %s*, b: %s*, c: %s*) {\n  store(r, %s",
              (unsigned)s->n, type_names[result], names[0], names[1], names[0], ir_ops[op].text);
    if (ir_ops[op].attr == IR_ATTR_TYPE) sb_printf(&s->text, "<%s>", type_names[result]);
    sb_printf(&s->text, "(load(a)%s%s))\n}\n", operands > 1 ? ", load(b)" : "",
              operands > 2 ? ", load(c)" : "");
    s->n++;
}

static void add_conversions(state *s, ir_op op, int from)
{
    for (int to = 0; to < TYPES; to++) {
        if (op == IR_RAWCONVERT && !takes('i', to)) continue;
        if (op == IR_BITS && (from == 0 || to == 0 || types[from]->size != types[to]->size))
            continue;
        add(s, op, from, from, to, 1);
    }
}

/* Not uint64: ir_eval_op does not learn the exponent's type. */
static void add_exponents(state *s, int a)
{
    for (int b = FIRST_INT; b < FIRST_FLOAT - 1; b++) add(s, IR_LDEXP, a, b, a, 2);
}

static bool needs_guards(ir_op op, int t)
{
    return !is_float(t) && (op == IR_DIV || op == IR_REM || op == IR_FLOORDIV ||
                            op == IR_FLOORMOD || op == IR_SHL || op == IR_SHR);
}

static void add_cases(state *s)
{
    for (ir_op op = 0; op < IR_OP_COUNT; op++) {
        const char *letters = ir_ops[op].operands;
        if (ir_ops[op].class_ != IR_CLASS_EXPR || ir_op_kind(op) == IR_KIND_CHECK || !*letters ||
            strpbrk(letters, "pv"))
            continue;
        for (int a = 0; a < TYPES; a++) {
            if (!takes(letters[0], a) || needs_guards(op, a)) continue;
            int result = ir_ops[op].result == IR_RESULT_BOOL ? 0 : a;
            if (op == IR_CONVERT || op == IR_RAWCONVERT || op == IR_BITS) add_conversions(s, op, a);
            else if (op == IR_LDEXP) add_exponents(s, a);
            else add(s, op, a, a, result, (uint32_t)strlen(letters));
        }
    }
}

static ir_value random_value(state *s, int t)
{
    static const double special[] = {
        0,     -0.0,  1,          -1,         0.5,           -0.5,   1.5,
        2.5,   -2.5,  NAN,        INFINITY,   -INFINITY,     1e30,   3,
        -3,    7,     2147483647, 2147483648, -2147483649.0, 9.3e18, 1.9e19,
        255,   256,   65504,      65520,      1e-8,          5e-324, 1e-40,
        127.9, -128.9};
    uint64_t r = next_random(s), bits = next_random(s);
    ir_value v = {0};
    if (!is_float(t)) {
        if (r % 4 == 0) bits = bits % 7 - 3;
        else if (r % 4 == 1) bits = (UINT64_C(1) << bits % 64) - r / 4 % 3;
        else bits >>= r / 4 % 60;
        v.bits = ir_wrap_to(types[t], t == 0 ? bits & 1 : bits);
        return v;
    }
    double d;
    if (r % 4 == 0) d = special[bits % COUNT_OF(special)];
    else if (r % 4 == 1) d = (double)(int64_t)(bits % 2001 - 1000) / 8;
    else if (r % 4 == 2) d = ((double)bits / 18446744073709551616.0 - 0.5) * 4;
    else memcpy(&d, &bits, sizeof d);
    v.number = isnan(d) ? NAN : ir_round_to(types[t], d);
    return v;
}

static void to_memory(int t, ir_value v, void *p)
{
    half_float half = (half_float)v.number;
    float single = (float)v.number;
    if (!strcmp(type_names[t], "float16")) memcpy(p, &half, sizeof half);
    else if (!strcmp(type_names[t], "float32")) memcpy(p, &single, sizeof single);
    else memcpy(p, &v, 8);
}

static ir_value from_memory(int t, const void *p)
{
    ir_value v = {0};
    half_float half;
    float single;
    memcpy(&half, p, sizeof half);
    memcpy(&single, p, sizeof single);
    if (!strcmp(type_names[t], "float16")) v.number = (double)half;
    else if (!strcmp(type_names[t], "float32")) v.number = single;
    else memcpy(&v, p, types[t]->size);
    if (!is_float(t)) v.bits = ir_wrap_to(types[t], v.bits);
    return v;
}

static bool alike(int t, ir_value a, ir_value b)
{
    if (!is_float(t)) return a.bits == b.bits;
    return (isnan(a.number) && isnan(b.number)) || !memcmp(&a.number, &b.number, sizeof a.number);
}

/* Values that are worth a try: all of eight bits, 16 corners of wider integers, 256 floats at the
 * ends of what exponents and digits can be. */
static uint32_t corner_count(int t)
{
    return is_float(t)           ? (uint32_t)test_rounds(64, 256)
           : t == 0              ? 2
           : types[t]->size == 1 ? 256
                                 : 16;
}

static ir_value float_corner(int t, uint32_t i)
{
    uint32_t digits = t == FIRST_FLOAT       ? 10
                      : t == FIRST_FLOAT + 1 ? 23
                                             : 52,
             exponent_bits = t == FIRST_FLOAT       ? 5
                             : t == FIRST_FLOAT + 1 ? 8
                                                    : 11;
    uint64_t most = (UINT64_C(1) << digits) - 1, top = (UINT64_C(1) << exponent_bits) - 1,
             one = top / 2;
    const uint64_t exponents[] = {
        0,       1,       2,       3,       one - 2,          one - 1,
        one,     one + 1, one + 2, one + 7, one + digits - 1, one + digits,
        top - 3, top - 2, top - 1, top};
    const uint64_t mantissas[] = {0, 1, 2, most / 2, most / 2 + 1, most / 3, most - 1, most};
    i = i * 37 % 256; /* so that fewer of them are spread too */
    uint64_t bits = mantissas[i / 2 % 8] | exponents[i / 16] << digits |
                    (uint64_t)(i % 2) << (digits + exponent_bits);
    ir_value v = from_memory(t, &bits);
    return isnan(v.number) ? (ir_value){.number = NAN} : v;
}

static ir_value corner(int t, uint32_t i)
{
    if (is_float(t)) return float_corner(t, i);
    uint32_t width = type_bits(types[t]);
    uint64_t sign = UINT64_C(1) << (width - 1), half = UINT64_C(1) << width / 2;
    const uint64_t corners[] = {
        0,        1,        2,    3,        7,     half - 1,     half,         sign / 3,
        sign - 2, sign - 1, sign, sign + 1, ~half, ~UINT64_C(6), ~UINT64_C(1), ~UINT64_C(0)};
    return (ir_value){.bits = ir_wrap_to(types[t], types[t]->size == 1 ? i : corners[i])};
}

typedef void (*function)(void *, void *, void *, void *);

/* 1 if the compiled code disagrees on these operands. */
static uint32_t try_operands(const op_case *k, function fn, ir_value v[3])
{
    ir_value want = {0};
    char memory[4][8] = {{0}};
    if (k->op == IR_RAWSHL || k->op == IR_RAWSHR) v[1].bits %= type_bits(types[k->result]);
    for (uint32_t i = 0; i < k->operands; i++) to_memory(k->operand[i], v[i], memory[i + 1]);
    if (!ir_eval_op(k->op, types[k->result], types[k->operand[0]], v, &want)) return 0;
    fn(memory[0], memory[1], memory[2], memory[3]);
    return !alike(k->result, want, from_memory(k->result, memory[0]));
}

static uint32_t try_corners(const op_case *k, function fn, uint64_t *tried)
{
    uint32_t wrong = 0, second = k->operands > 1 ? corner_count(k->operand[1]) : 1;
    for (uint32_t i = 0; i < corner_count(k->operand[0]); i++)
        for (uint32_t j = 0; j < second; j++, ++*tried) {
            ir_value v[3] = {corner(k->operand[0], i),
                             k->operands > 1 ? corner(k->operand[1], j) : (ir_value){0},
                             corner(k->operand[2], (i + j) % 2)};
            wrong += try_operands(k, fn, v);
        }
    return wrong;
}

static uint32_t check_case(state *s, const op_case *k, function fn, uint64_t *tried)
{
    uint32_t wrong = try_corners(k, fn, tried);
    for (int round = 0; round < ROUNDS; round++, ++*tried) {
        ir_value v[3] = {0};
        for (uint32_t i = 0; i < k->operands; i++) v[i] = random_value(s, k->operand[i]);
        wrong += try_operands(k, fn, v);
    }
    if (wrong)
        print_error("%s on %s to %s: %u differ\n", ir_ops[k->op].text, type_names[k->operand[0]],
                    type_names[k->result], (unsigned)wrong);
    return wrong;
}

static void check_all(void **unused, int opt_level)
{
    (void)unused;
    static state s;
    s = (state){.table = type_table_create(&mem_libc), .random = 88172645463325252u};
    for (int t = 0; t < TYPES; t++)
        types[t] = type_parse(s.table, type_names[t], strlen(type_names[t]));
    sb_init(&s.text, &mem_libc);
    sb_put(&s.text, "cir 1\n");
    add_cases(&s);
    code_loader *l = host_loader();
    code *c = host_load(l, s.text.at, s.text.n, opt_level);
    uint32_t wrong = 0;
    uint64_t tried = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", (unsigned)i);
        void *address = host_symbol(c, name);
        function fn;
        memcpy(&fn, &address, sizeof fn);
        wrong += check_case(&s, &s.cases[i], fn, &tried);
    }
    code_unload(l, c);
    code_loader_free(l);
    sb_free(&s.text);
    type_table_free(s.table);
    assert_int_equal(wrong, 0);
    assert_true(s.n > 500);
    fault_figures(opt_level ? "operations-O3" : "operations-O0",
                  "\"operations\": %u, \"compared\": %llu, \"mismatches\": 0", (unsigned)s.n,
                  (unsigned long long)tried);
}

static void unoptimised(void **unused)
{
    check_all(unused, 0);
}

static void optimised(void **unused)
{
    check_all(unused, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unoptimised), cmocka_unit_test(optimised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
