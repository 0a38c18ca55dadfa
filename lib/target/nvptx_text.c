/*
 * PTX in place of which NVIDIA's compilers (ptxas 13.0, and that of the driver 580.159) make wrong
 * code, written in another way. What they do:
 *
 * - min and max of 16 bits and a comparison that follows become one instruction on two halves,
 * whose second half overwrites the answer (sm_90 on).
 * - neg.s16 of -32768 is 32768 in what follows, and so is sub.s16 of it from what is found to be 0.
 * - shr of 16 bits takes in what stands above them in the register of a minimum that was put there
 * in two ways.
 * - What a float converted to 16 bits is, moved to another register, loses the zeros or signs above
 * them that comparisons count on (up to ptxas 13.5). It is converted to 32 bits and cut.
 * - max(max(x, -y), z) of int32, and min alike, forget the sign of y (sm_90 on).
 * - `p ? -1.0f : -0.0f` becomes a conversion of an int; |x| of what is -0.0 or positive is x.
 * - |x| > -1.0f is true even of a NaN, and whatever else is known to lie in a range: x*x, sums of
 * absolute values, sin, cos, exp2. The opposite comparison, which is true of NaNs, is left to the
 * machine.
 * - -x of an x that is a truth value made a number is `p ? -1.0 : 0.0`, where it should be -0.0.
 * - The high half of a product of 32 bits, less another uint32, both as 64 bits, is -2^32 where
 * both are 0: the borrow is taken for granted. mad.hi with 0 is not taken for a part of the
 * difference.
 * - The low bits of a float, stored in fewer bytes than it has, become those of the float made an
 * integer.
 * - 1.0f and all bits set, or the NaN whose opposite that is, in one register by two ways: both are
 * taken for true, and become 1.0f.
 * - Unrolling a loop that ends at a number close to the limits of its type, the limit of several
 * rounds wraps around.
 *
 * All this is done on text, for the back end makes such instructions late, of other ones. What
 * replaces an instruction costs nothing (comparisons, selections) or one or two more.
 */
#include "lib/target/nvptx_job.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ARGS = 5, NEAR = 1 << 16 };

typedef enum fact {                 /* of the whole text */
                    MINUS_ZERO = 1, /* there is a -0.0f */
                    LIMITS = 2,     /* minima or maxima of int32 */
                    RANGED = 4,     /* floats whose range the compiler knows */
                    FAR_END = 8,    /* a comparison with a number close to the limits of its type */
                    TRUTHS = 16,    /* numbers of truth values */
                    MADE_FLOAT = 32, /* floats made of integers */
                    ONE = 64         /* 1.0f is put into a register */
} fact;

typedef struct piece {
    const char *at;
    size_t n;
} piece;

typedef struct instruction {
    piece op, args[MOST_ARGS];
    unsigned count;
} instruction;

static bool starts(piece p, const char *with)
{
    size_t n = strlen(with);
    return p.n >= n && memcmp(p.at, with, n) == 0;
}

static bool is(piece p, const char *text)
{
    return p.n == strlen(text) && starts(p, text);
}

static bool is_same(piece a, piece b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static bool is_literal(piece p)
{
    return p.n && (*p.at == '-' || (*p.at >= '0' && *p.at <= '9'));
}

static int64_t number(piece p)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%.*s", (int)p.n, p.at);
    return strtoll(digits, NULL, 10);
}

/* A line that is an instruction without a predicate. */
static bool parse(piece line, instruction *i)
{
    const char *at = line.at, *end = line.at + line.n;
    while (at < end && (*at == '\t' || *at == ' ')) at++;
    if (at == end || *at < 'a' || *at > 'z' || end[-1] != ';') return false;
    i->op.at = at;
    while (at < end && *at != '\t' && *at != ' ' && *at != ';') at++;
    i->op.n = (size_t)(at - i->op.at);
    for (i->count = 0; at < end && i->count < MOST_ARGS; i->count++) {
        while (at < end && (*at == '\t' || *at == ' ' || *at == ',')) at++;
        if (at == end || *at == ';') break;
        piece *arg = &i->args[i->count];
        arg->at = at;
        while (at < end && *at != ',' && *at != ';') at++;
        arg->n = (size_t)(at - arg->at);
    }
    return true;
}

static bool contains(piece p, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= p.n; i++)
        if (memcmp(p.at + i, text, n) == 0) return true;
    return false;
}

static bool is_far(const instruction *i)
{
    if (i->count != 3 || (!starts(i->op, "setp.ne.") && !starts(i->op, "setp.eq.")) ||
        !is_literal(i->args[2]))
        return false;
    char type = i->op.at[8];
    bool wide = contains(i->op, "64");
    if (type == 'f' || !(wide || contains(i->op, "32"))) return false;
    int64_t v = number(i->args[2]), most = wide ? INT64_MAX : INT32_MAX,
            least = wide ? INT64_MIN : INT32_MIN;
    return v > most - NEAR || v < least + NEAR;
}

static bool is_square(const instruction *i)
{
    return contains(i->op, "mul.") && contains(i->op, ".f32") && i->count == 3 &&
           is_same(i->args[1], i->args[2]);
}

/* A number in hexadecimal. */
static bool is_number(piece p)
{
    return starts(p, "0f") || starts(p, "0d");
}

static bool is_zero(piece p)
{
    return is(p, "0f00000000") || is(p, "0d0000000000000000");
}

static bool is_one(piece p)
{
    return is(p, "0f3F800000") || is(p, "0fBF800000") || is(p, "0d3FF0000000000000") ||
           is(p, "0dBFF0000000000000");
}

static bool is_selection(const instruction *i)
{
    return i->count == 4 && (is(i->op, "selp.f32") || is(i->op, "selp.f64"));
}

static bool is_of_numbers(const instruction *i)
{
    return is_selection(i) && is_number(i->args[1]) && is_number(i->args[2]);
}

/* What nvptx_mend.c makes of a truth value. */
static bool is_of_truth(const instruction *i)
{
    piece a = i->args[1], b = i->args[2];
    return is_selection(i) && ((is_one(a) && is_zero(b)) || (is_zero(a) && is_one(b)));
}

static bool is_move(const instruction *i)
{
    return i->count == 2 && is(i->op, "mov.b32");
}

/* All bits but the sign in digits for prmt, whose first operand is 0x7fff; NULL: another number. */
static const char *ones(const instruction *i)
{
    piece a = i->args[1];
    if (is(a, "-1") || is(a, "0fFFFFFFFF")) return "0";
    return is(a, "0f7FFFFFFF") || is(a, "2147483647") ? "0x1000" : NULL;
}

static unsigned facts_of(piece line)
{
    instruction i;
    unsigned facts = contains(line, "0f80000000") ? MINUS_ZERO : 0;
    if (!parse(line, &i)) return facts;
    if (is(i.op, "min.s32") || is(i.op, "max.s32")) facts |= LIMITS;
    if (starts(i.op, "abs.") || starts(i.op, "ex2.") || starts(i.op, "sin.") ||
        starts(i.op, "cos.") || contains(i.op, ".sat") || is_square(&i))
        facts |= RANGED;
    if (is_far(&i)) facts |= FAR_END;
    if (starts(i.op, "selp.b") && i.count == 4 && is_literal(i.args[1]) && is_literal(i.args[2]))
        facts |= TRUTHS;
    if (starts(i.op, "cvt.rn.f")) facts |= MADE_FLOAT;
    if (is_move(&i) && (is(i.args[1], "0f3F800000") || is(i.args[1], "1065353216"))) facts |= ONE;
    if (is_of_truth(&i)) facts |= TRUTHS | MADE_FLOAT;
    return facts;
}

/* Puts a on 32 bits into the register called name. */
static void widen(strbuf *out, const char *name, piece a, char sign)
{
    if (is_literal(a))
        sb_printf(out, " mov.b32 %s, %d;", name,
                  sign == 's' ? (int)(int16_t)number(a) : (int)(uint16_t)number(a));
    else sb_printf(out, " cvt.%c32.%c16 %s, %.*s;", sign, sign, name, (int)a.n, a.at);
}

/* min, max, neg, sub, shr of 16 bits. */
static void put_narrow(strbuf *out, const instruction *i)
{
    char sign = i->op.at[4];
    piece second = i->args[2]; /* how far to shift is of 32 bits */
    sb_put(out, "\t{ .reg .b32 %wa, %wb;");
    widen(out, "%wa", i->args[1], sign);
    if (i->count == 2) sb_put(out, " neg.s32 %wa, %wa;");
    else if (starts(i->op, "shr."))
        sb_printf(out, " mov.b32 %%wb, %.*s;", (int)second.n, second.at);
    else widen(out, "%wb", second, sign);
    if (i->count == 3) sb_printf(out, " %.4s%c32 %%wa, %%wa, %%wb;", i->op.at, sign);
    sb_printf(out, " cvt.u16.u32 %.*s, %%wa; }\n", (int)i->args[0].n, i->args[0].at);
}

static bool is_short_conversion(const instruction *i)
{
    return i->count == 2 && (starts(i->op, "cvt.rzi.u16.") || starts(i->op, "cvt.rzi.s16."));
}

/* What LLVM gives it lies in the range of 16 bits. */
static void put_short_conversion(strbuf *out, const instruction *i)
{
    sb_printf(out, "\t{ .reg .b32 %%wa; %.9s32%.*s %%wa, %.*s; cvt.u16.u32 %.*s, %%wa; }\n",
              i->op.at, (int)i->op.n - 11, i->op.at + 11, (int)i->args[1].n, i->args[1].at,
              (int)i->args[0].n, i->args[0].at);
}

/* -x is ~(x - 1). */
static void put_negation(strbuf *out, const instruction *i)
{
    sb_printf(out, "\t{ .reg .b32 %%wa; add.s32 %%wa, %.*s, -1; not.b32 %.*s, %%wa; }\n",
              (int)i->args[1].n, i->args[1].at, (int)i->args[0].n, i->args[0].at);
}

/* Whether a selection of floats may become what it should not: with a zero whose sign is lost, and
 * of two numbers a conversion, whose bits are taken for those of the integer. */
static bool is_fragile(const instruction *i, unsigned facts)
{
    return is_of_numbers(i) || ((facts & MINUS_ZERO) && is_selection(i) && is(i->op, "selp.f32"));
}

/* A selection of bits, which floats in hexadecimal are too. */
static void put_selection(strbuf *out, const instruction *i)
{
    sb_printf(out, "\tselp.b%s \t", is(i->op, "selp.f64") ? "64" : "32");
    for (unsigned k = 0; k < i->count; k++) {
        piece a = i->args[k];
        sb_printf(out, "%s%s%.*s", k ? ", " : "", is_number(a) ? "0x" : "",
                  (int)(is_number(a) ? a.n - 2 : a.n), is_number(a) ? a.at + 2 : a.at);
    }
    sb_put(out, ";\n");
}

static const char *opposite(piece op)
{
    static const char *const pairs[][2] = {{"setp.gt.f32", "leu"},
                                           {"setp.ge.f32", "ltu"},
                                           {"setp.lt.f32", "geu"},
                                           {"setp.le.f32", "gtu"}};
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        if (is(op, pairs[k][0])) return pairs[k][1];
    return NULL;
}

static void put_comparison(strbuf *out, const instruction *i)
{
    piece p = i->args[0], a = i->args[1], b = i->args[2];
    sb_printf(out, "\tsetp.%s.f32 \t%.*s, %.*s, %.*s;\n", opposite(i->op), (int)p.n, p.at, (int)a.n,
              a.at, (int)b.n, b.at);
    sb_printf(out, "\tnot.pred \t%.*s, %.*s;\n", (int)p.n, p.at, (int)p.n, p.at);
}

/* The sign as a bit. */
static void put_opposite(strbuf *out, const instruction *i)
{
    bool wide = is(i->op, "neg.f64");
    sb_printf(out, "\txor.b%s \t%.*s, %.*s, %s;\n", wide ? "64" : "32", (int)i->args[0].n,
              i->args[0].at, (int)i->args[1].n, i->args[1].at,
              wide ? "0x8000000000000000" : "0x80000000");
}

/* The bits of a register, by its name: %rsN, %rN, %rdN; 0: it is none, or of one bit. */
static unsigned width(piece p)
{
    if (starts(p, "{")) p.at++, p.n--;
    if (!starts(p, "%r") || p.n < 3) return 0;
    return p.at[2] == 's' ? 16 : p.at[2] == 'd' ? 64 : 32;
}

/* The bits of each element that an instruction stores. */
static unsigned stored_width(piece op)
{
    return contains(op, ".b8") ? 8 : contains(op, ".b16") ? 16 : contains(op, ".b32") ? 32 : 64;
}

static bool is_narrow_store(const instruction *i)
{
    if (!starts(i->op, "st.")) return false;
    for (unsigned k = 1; k < i->count; k++)
        if (width(i->args[k]) > stored_width(i->op)) return true;
    return false;
}

/* What makes 32 bits of a register, or of a number (0). */
static const char *to_word(unsigned bits)
{
    return bits == 64 ? "cvt.u32.u64" : bits == 16 ? "cvt.u32.u16" : "mov.b32";
}

/* By way of registers that no operation on floats has written. */
static void put_store(strbuf *out, const instruction *i)
{
    sb_put(out, "\t{ .reg .b32 %wa, %wb, %wc, %wd;");
    for (unsigned k = 1; k < i->count; k++) {
        piece a = i->args[k];
        bool first = *a.at == '{', last = a.at[a.n - 1] == '}';
        sb_printf(out, " %s %%w%c, %.*s;", to_word(width(a)), 'a' + (int)k - 1,
                  (int)(a.n - first - last), a.at + first);
    }
    sb_printf(out, " %.*s %.*s, ", (int)i->op.n, i->op.at, (int)i->args[0].n, i->args[0].at);
    bool several = *i->args[1].at == '{';
    for (unsigned k = 1; k < i->count; k++)
        sb_printf(out, "%s%%w%c", k > 1 ? ", " : several ? "{" : "", 'a' + (int)k - 1);
    sb_put(out, several ? "}; }\n" : "; }\n");
}

static void put_ones(strbuf *out, const instruction *i)
{
    sb_printf(out, "\tprmt.b32 \t%.*s, 0x7FFF, 0, %s;\n", (int)i->args[0].n, i->args[0].at,
              ones(i));
}

static void put_high_half(strbuf *out, const instruction *i)
{
    sb_printf(out, "\tmad.hi.%c32 \t%.*s, %.*s, %.*s, 0;\n", i->op.at[7], (int)i->args[0].n,
              i->args[0].at, (int)i->args[1].n, i->args[1].at, (int)i->args[2].n, i->args[2].at);
}

static bool is_narrow(const instruction *i)
{
    if (i->count == 2) return is(i->op, "neg.s16");
    static const char *const narrow[] = {"min.s16", "max.s16", "min.u16", "max.u16",
                                         "sub.s16", "shr.s16", "shr.u16"};
    for (size_t k = 0; k < COUNT_OF(narrow); k++)
        if (i->count == 3 && is(i->op, narrow[k])) return true;
    return false;
}

/* False: nothing was put, the instruction is fine. */
static bool put_better(strbuf *out, const instruction *i, unsigned facts)
{
    const unsigned numbers = TRUTHS | MADE_FLOAT;
    if (is_narrow(i)) put_narrow(out, i);
    else if (is_short_conversion(i)) put_short_conversion(out, i);
    else if ((facts & LIMITS) && i->count == 2 && is(i->op, "neg.s32")) put_negation(out, i);
    else if (is_fragile(i, facts)) put_selection(out, i);
    else if ((facts & RANGED) && i->count == 3 && opposite(i->op)) put_comparison(out, i);
    else if ((facts & numbers) == numbers && i->count == 2 &&
             (is(i->op, "neg.f32") || is(i->op, "neg.f64")))
        put_opposite(out, i);
    else if (is_narrow_store(i)) put_store(out, i);
    else if ((facts & ONE) && is_move(i) && ones(i)) put_ones(out, i);
    else if (i->count == 3 && (is(i->op, "mul.hi.u32") || is(i->op, "mul.hi.s32")))
        put_high_half(out, i);
    else return false;
    return true;
}

static void put_line(strbuf *out, piece line, unsigned facts)
{
    instruction i;
    if (parse(line, &i) && put_better(out, &i, facts)) return;
    sb_putn(out, line.at, line.n);
    sb_putc(out, '\n');
    if ((facts & FAR_END) && starts(line, ".address_size")) sb_put(out, ".pragma \"nounroll\";\n");
}

/* The next line of a text, without its end. */
static bool next_line(piece *rest, piece *line)
{
    if (!rest->n) return false;
    const char *end = memchr(rest->at, '\n', rest->n);
    line->at = rest->at;
    line->n = end ? (size_t)(end - rest->at) : rest->n;
    size_t used = line->n + (end != NULL);
    rest->at += used;
    rest->n -= used;
    return true;
}

void nvptx_mend_text(strbuf *out, const char *text, size_t size)
{
    unsigned facts = 0;
    piece line;
    for (piece rest = {text, size}; next_line(&rest, &line);) facts |= facts_of(line);
    for (piece rest = {text, size}; next_line(&rest, &line);) put_line(out, line, facts);
}
