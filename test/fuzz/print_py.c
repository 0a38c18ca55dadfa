/*
 * A program as restricted Python that means the same. Every operation is converted to the type it
 * has in the IR, except where the language's own rules give that type: then the conversion is left
 * out for some, so that joins and weak literals are tested too.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

typedef struct printer {
    const prog *p;
    const func *f;
    text *t;
    int16_t own, one; /* as in print_ir.c */
} printer;

static void expr(printer *pr, const node *n);

static bool negative_zero_or_less(double v)
{
    return signbit(v) != 0;
}

/* A literal without its type. */
static void literal(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->type == T_BOOL) text_add(t, n->bits ? "True" : "False");
    else if (n->type >= T_F16 && isnan(n->number)) text_add(t, "NAN");
    else if (n->type >= T_F16 && isinf(n->number))
        text_add(t, n->number < 0 ? "(-INFINITY)" : "INFINITY");
    else if (n->type >= T_F16) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.17g", fabs(n->number));
        bool minus = negative_zero_or_less(n->number);
        text_add(t, "%s%s%s%s", minus ? "(-" : "", digits, strpbrk(digits, ".e") ? "" : ".0",
                 minus ? ")" : "");
    } else if (ty_is_signed((ty)n->type))
        text_add(t, n->bits < 0 ? "(%lld)" : "%lld", (long long)n->bits);
    else text_add(t, "%llu", (unsigned long long)n->bits);
}

/* Whether a literal takes this type by itself beside another operand of it. */
static bool weak_beside(const node *n, const node *other)
{
    if (n->kind != E_CONST || other->kind == E_CONST || n->type != other->type) return false;
    return n->type == T_I32 || n->type == T_I64 || n->type == T_U32 || n->type == T_U64 ||
           n->type == T_F32 || n->type == T_F64;
}

/* Of two different integers, of which one has 32 bits or more, the signed type that holds both;
 * uint64 beside anything is that. */
static ty join_integers(ty a, ty b)
{
    bool both = !ty_is_signed(a) && !ty_is_signed(b), wide = ty_size(a) == 8 || ty_size(b) == 8;
    if (a == T_U64 || b == T_U64) return T_U64;
    if (both) return wide ? T_U64 : T_U32;
    return wide || a == T_U32 || b == T_U32 ? T_I64 : T_I32;
}

static bool at_least_32(ty t)
{
    return ty_is_int(t) && ty_size(t) >= 4;
}

/* Whether the join makes this conversion anyway, beside another operand of its type; where that is
 * a conversion too, whichever of them is left out. Comparisons do not make uint64 of what is
 * signed. */
static bool joins(const node *n, const node *other, bool compares)
{
    if (n->kind != E_CONVERT || n->kid[0]->kind == E_CONST || other->kind == E_CONST) return false;
    ty from = (ty)n->kid[0]->type, to = (ty)n->type;
    bool shown = other->kind != E_CONVERT || !(other->style & 1); /* the other's type */
    if (at_least_32(to) && ty_is_int(from) && from != T_BOOL) {
        if (join_integers(from, to) != to) return false;
        compares &= to == T_U64;
        if (compares && ty_is_signed(from)) return false;
        if (shown) return true;
        ty beside = (ty)other->kid[0]->type;
        if (compares && ty_is_signed(beside)) return false;
        bool wide = at_least_32(from) || at_least_32(beside);
        return ty_is_int(beside) && beside != T_BOOL && beside != from && wide &&
               join_integers(from, beside) == to && other->kid[0]->kind != E_CONST;
    }
    return shown && (to == T_F64 || (to == T_F32 && from != T_F64));
}

static void beside(printer *pr, const node *n, const node *other, bool compares)
{
    if (weak_beside(n, other) && (n->style & 1)) literal(pr, n);
    else if (joins(n, other, compares) && (n->style & 1)) expr(pr, n->kid[0]);
    else expr(pr, n);
}

static void masked(printer *pr, const node *index, int64_t length)
{
    text *t = pr->t;
    if (index->kind == E_CONST) {
        text_add(t, "%lld", (long long)(index->bits & (length - 1)));
        return;
    }
    text_add(t, "(");
    expr(pr, index);
    text_add(t, " & %lld)", (long long)length - 1);
}

static void array_index(printer *pr, const array *a, const node *n)
{
    text *t = pr->t;
    if (n->mode != INDEX_OWN) {
        bool wild = pr->p->wild && (n->style & 3) == 0 && n->kid[0]->kind != E_CONST;
        if (wild) text_add(t, "(");
        masked(pr, n->kid[0], wild ? 2 * a->length : a->length);
        if (wild) text_add(t, " - %d)", a->length / 2);
        return;
    }
    int i = pr->own;
    if (pr->one >= 0) {
        text_add(t, "%lld", (long long)own_slot(pr->p, a, n, pr->one));
        return;
    }
    switch (a->map) {
    case 0: text_add(t, "v%d", i); break;
    case 1: text_add(t, "%lld - v%d", (long long)pr->p->n - 1, i); break;
    case 2: text_add(t, "v%d ^ %u", i, a->twist); break;
    default: text_add(t, "v%d*%u + %d", i, a->twist, n->b);
    }
}

static void field(printer *pr, const record *r, int k, const node *index)
{
    text_add(pr->t, ".f%d", k);
    if (!r->length[k]) return;
    text_add(pr->t, "[");
    masked(pr, index, r->length[k]);
    text_add(pr->t, "]");
}

static void place(printer *pr, const node *n)
{
    text *t = pr->t;
    const var *v = n->a >= 0 ? &pr->f->vars[n->a] : NULL;
    switch (n->kind) {
    case P_ELEM:
    case P_SELEM: {
        const array *a = &pr->p->arrays[n->a];
        text_add(t, "a%d[", n->a);
        array_index(pr, a, n);
        text_add(t, "]");
        if (n->kind == P_SELEM && n->c >= 0) {
            const record *r = &pr->p->records[a->record];
            field(pr, r, n->c, r->length[n->c] ? n->kid[n->mode != INDEX_OWN] : NULL);
        }
        break;
    }
    case P_ITEM:
        text_add(t, "v%d[", n->a);
        masked(pr, n->kid[0], v->dims[0]);
        if (n->kids == 2) {
            text_add(t, n->style & 1 ? ", " : "][");
            masked(pr, n->kid[1], v->dims[1]);
        }
        text_add(t, "]");
        break;
    case P_FIELD:
        text_add(t, "v%d", n->a);
        field(pr, &pr->p->records[v->record], n->c, n->kids ? n->kid[0] : NULL);
        break;
    case P_VAR: text_add(t, "v%d", n->a); break;
    default:
        text_add(t, "v%d[", n->a);
        masked(pr, n->kid[0], v->array >= 0 ? pr->p->arrays[v->array].length / 2 : v->dims[0]);
        text_add(t, "]");
    }
}

static const char *infix(const node *n)
{
    bool logic = n->kid[0]->type == T_BOOL && (n->style & 2);
    switch (n->op) {
    case OP_ADD: return "+";
    case OP_SUB: return "-";
    case OP_MUL: return "*";
    case OP_DIV: return "/";
    case OP_FLOORDIV: return "//";
    case OP_FLOORMOD: return "%";
    case OP_AND: return logic ? "and" : "&";
    case OP_OR: return logic ? "or" : "|";
    case OP_XOR: return "^";
    case OP_SHL: return "<<";
    case OP_SHR: return ">>";
    case OP_EQ: return "==";
    case OP_NE: return "!=";
    case OP_LT: return "<";
    case OP_LE: return "<=";
    case OP_GT: return ">";
    case OP_GE: return ">=";
    case OP_POW: return n->style & 2 ? "**" : NULL;
    default: return NULL;
    }
}

/* The type that the language gives the operation by itself. */
static ty natural(const node *n)
{
    ty t = (ty)n->kid[0]->type;
    if (n->type == T_BOOL) return T_BOOL;
    if (n->op == OP_MIN || n->op == OP_MAX || (n->op == OP_ABS && t != T_F16))
        return t == T_F16 ? T_F32 : t;
    if (t == T_F16) return T_F32;
    return ty_is_int(t) && ty_size(t) < 4 ? T_I32 : t;
}

/* An operand of mathematics; that of float16 is computed in float32, with `reproducible` in
 * float64, and rounded again, as the IR has it. */
static void math_operand(printer *pr, const node *n, const node *kid)
{
    bool wide = n->type == T_F16 && op_is_math((op)n->op);
    if (wide) text_add(pr->t, "cast(");
    expr(pr, kid);
    if (wide) text_add(pr->t, pr->p->reproducible ? ", 'float64')" : ", 'float32')");
}

static void call_form(printer *pr, const node *n)
{
    text *t = pr->t;
    text_add(t, "%s(",
             n->op == OP_REM                                                 ? "fmod"
             : n->op == OP_ABS && ty_is_float((ty)n->type) && (n->style & 2) ? "fabs"
                                                                             : op_rows[n->op].text);
    for (int i = 0; i < n->kids; i++) {
        if (i) text_add(t, ", ");
        if (n->op == OP_COPYSIGN && i == 1) { /* the sign of a NaN is free */
            text_add(t, "max(cast(-INFINITY, '%s'), ", ty_name((ty)n->type));
            expr(pr, n->kid[i]);
            text_add(t, ")");
        } else {
            math_operand(pr, n, n->kid[i]);
        }
    }
    text_add(t, ")");
}

static void operation(printer *pr, const node *n)
{
    text *t = pr->t;
    ty type = (ty)n->kid[0]->type;
    bool compares = n->type == T_BOOL && type != T_BOOL;
    bool cast = natural(n) != n->type || (n->style & 12) == 0;
    const char *word = infix(n);
    if (cast) text_add(t, "cast(");
    if (n->op == OP_NEG || n->op == OP_NOT) {
        text_add(t, n->op == OP_NEG ? "(-" : type == T_BOOL ? "(not " : "(~");
        expr(pr, n->kid[0]);
        text_add(t, ")");
    } else if (word) {
        text_add(t, "(");
        if (n->op == OP_POW) math_operand(pr, n, n->kid[0]);
        else beside(pr, n->kid[0], n->kid[1], compares);
        text_add(t, " %s ", word);
        bool narrow = (n->op == OP_SHL || n->op == OP_SHR) && ty_size(type) < 4;
        if (narrow) text_add(t, "(");
        if (n->op == OP_POW || narrow) math_operand(pr, n, n->kid[1]);
        else beside(pr, n->kid[1], n->kid[0], compares);
        if (narrow) text_add(t, " & %u)", ty_bits(type) - 1); /* computed as int32 */
        text_add(t, ")");
    } else {
        call_form(pr, n);
    }
    if (cast) text_add(t, ", '%s')", ty_name((ty)n->type));
}

static void expr(printer *pr, const node *n)
{
    text *t = pr->t;
    switch (n->kind) {
    case E_CONST:
        text_add(t, "cast(");
        literal(pr, n);
        text_add(t, ", '%s')", ty_name((ty)n->type));
        break;
    case E_VAR: text_add(t, "v%d", n->a); break;
    case E_OP: operation(pr, n); break;
    case E_CONVERT:
        text_add(t, "cast(");
        expr(pr, n->kid[0]);
        text_add(t, ", '%s')", ty_name((ty)n->type));
        break;
    case E_COND:
        text_add(t, n->type == T_F16 ? "cast((" : "(");
        expr(pr, n->kid[1]);
        text_add(t, " if ");
        expr(pr, n->kid[0]);
        text_add(t, " else ");
        expr(pr, n->kid[2]);
        text_add(t, n->type == T_F16 ? "), 'float16')" : ")");
        break;
    default: place(pr, n->kid[0]);
    }
}

static void line(printer *pr)
{
    text_add(pr->t, "%*s", 4 * pr->t->indent, "");
}

static void statement(printer *pr, const node *n);

static void block(printer *pr, const node *n)
{
    text_add(pr->t, ":\n");
    pr->t->indent++;
    if (!n->kids) {
        line(pr);
        text_add(pr->t, "pass\n");
    }
    for (int i = 0; i < n->kids; i++) statement(pr, n->kid[i]);
    pr->t->indent--;
}

static void bounds(printer *pr, const node *n)
{
    text *t = pr->t;
    const char *type = ty_name((ty)n->type);
    bool down = n->bits < 0;
    for (int i = 0; i < 2; i++) {
        if (n->mode == 1) {
            int64_t top = (int64_t)((UINT64_C(1) << (ty_bits((ty)n->type) - 1)) - 1);
            int64_t end = down ? -top - 1 : top, away = down ? 4 : -4;
            text_add(t, "cast(%lld, '%s'), ", (long long)(i == 1 ? end : end + away), type);
        } else {
            text_add(t, "(");
            expr(pr, n->kid[(i == 1) != down]);
            text_add(t, " & 7), ");
        }
    }
    text_add(t, "%lld)", (long long)n->bits);
}

static void declare(printer *pr, const var *v, int i)
{
    text *t = pr->t;
    line(pr);
    if (v->kind == V_SCALAR) text_add(t, "v%d = declare('%s')\n", i, ty_name((ty)v->type));
    else if (v->kind == V_MATRIX && v->dims[1])
        text_add(t, "v%d = declare('matrix((%d, %d), \"%s\")')\n", i, v->dims[0], v->dims[1],
                 ty_name((ty)v->type));
    else if (v->kind == V_MATRIX)
        text_add(t, "v%d = declare('matrix(%d, \"%s\")')\n", i, v->dims[0], ty_name((ty)v->type));
    else if (v->kind == V_STRUCT)
        text_add(t, "v%d = declare('S%d_%llx')\n", i, v->record, (unsigned long long)pr->p->seed);
    else {
        text_add(t, "v%d = declare('%s*')\n", i, ty_name((ty)v->type));
        line(pr);
        text_add(t, "v%d = address(a%d[0])\n", i, v->array);
    }
}

static void parallel(printer *pr, const node *n)
{
    static const char *const schedules[] = {"static", "dynamic", "guided"};
    text *t = pr->t;
    const func *f = pr->f;
    const char *type = ty_name((ty)f->vars[n->a].type);
    bool wide = f->vars[n->a].type == T_I64;
    char stop[60];
    snprintf(stop, sizeof stop, wide ? "v0" : "cast(v0, '%s')", type);
    if (n->bits < 0)
        text_add(t, "for v%d in prange(%s - 1, -1, %lld", n->a, stop, (long long)n->bits);
    else text_add(t, "for v%d in prange(0, %s, %lld", n->a, stop, (long long)n->bits);
    text_add(t, ", schedule='%s'", schedules[n->mode]);
    if (n->b) text_add(t, ", chunksize=%d", n->b);
    if (n->c) text_add(t, ", num_threads=%d", n->c);
    text_add(t, "):\n");
    t->indent++;
    pr->own = n->a;
    for (int i = 0; i < f->var_count; i++) {
        const var *v = &f->vars[i];
        if (v->round && v->loop == f->vars[n->a].loop && i != n->a && var_used(f, i))
            declare(pr, v, i);
    }
    line(pr);
    text_add(t, "pass\n");
    for (int i = 0; i < n->kid[0]->kids; i++) statement(pr, n->kid[0]->kid[i]);
    t->indent--;
    pr->own = -1;
}

static void arguments(printer *pr, const node *n, int first)
{
    for (int i = first; i < n->kids; i++) {
        if (i) text_add(pr->t, ", ");
        if (n->kid[i]->kind == S_POINTER) text_add(pr->t, "v%d", n->kid[i]->a);
        else expr(pr, n->kid[i]);
    }
}

static void assign(printer *pr, const node *n)
{
    text *t = pr->t;
    const node *e = n->kid[0];
    const char *word = e->kind == E_OP && e->kids == 2 ? infix(e) : NULL;
    ty v = (ty)pr->f->vars[n->a].type;
    bool self = word && e->kid[0]->kind == E_VAR && e->kid[0]->a == n->a &&
                strpbrk(word, "+-*/%&|^<>") && e->type != T_BOOL && e->op != OP_POW;
    if (self && ty_size(v) >= 4 && (e->style & 2)) {
        text_add(t, "v%d %s= ", n->a, word);
        beside(pr, e->kid[1], e->kid[0], false);
    } else {
        text_add(t, "v%d = ", n->a);
        expr(pr, e);
    }
    text_add(t, "\n");
}

static void reduction(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->op == OP_MIN || n->op == OP_MAX)
        text_add(t, "v%d = %s(v%d, ", n->a, op_rows[n->op].text, n->a);
    else
        text_add(t, "v%d %s= (", n->a,
                 n->op == OP_ADD   ? "+"
                 : n->op == OP_MUL ? "*"
                 : n->op == OP_AND ? "&"
                 : n->op == OP_OR  ? "|"
                                   : "^");
    expr(pr, n->kid[0]);
    text_add(t, ")\n");
}

static void copy_out(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->mode) text_add(t, "v%d = ", n->a);
    place(pr, n->kid[0]);
    if (!n->mode) text_add(t, " = v%d", n->a);
    text_add(t, "\n");
}

static void loop(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->kind == S_FOR) {
        text_add(t, "for v%d in range(", n->a);
        bounds(pr, n);
        block(pr, n->kid[2]);
        return;
    }
    text_add(t, "v%d = 0\n", n->a);
    line(pr);
    text_add(t, "while v%d < %lld and ", n->a, (long long)n->bits);
    expr(pr, n->kid[0]);
    text_add(t, ":\n");
    t->indent++;
    line(pr);
    text_add(t, "v%d += 1\n", n->a);
    for (int i = 0; i < n->kid[1]->kids; i++) statement(pr, n->kid[1]->kid[i]);
    t->indent--;
}

static void statement(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->kind == S_BLOCK) {
        for (int i = 0; i < n->kids; i++) statement(pr, n->kid[i]);
        return;
    }
    line(pr);
    switch (n->kind) {
    case S_ASSIGN: assign(pr, n); break;
    case S_STORE:
        if (n->c >= 0) {
            text_add(t, "if v%d == %d:\n", pr->own, n->c);
            text_add(t, "%*s", 4 * (t->indent + 1), "");
        }
        pr->one = n->c;
        place(pr, n->kid[0]);
        pr->one = -1;
        text_add(t, " = ");
        expr(pr, n->kid[1]);
        text_add(t, "\n");
        break;
    case S_IF:
        text_add(t, "if ");
        expr(pr, n->kid[0]);
        block(pr, n->kid[1]);
        if (n->kids == 3) {
            line(pr);
            text_add(t, "else");
            block(pr, n->kid[2]);
        }
        break;
    case S_FOR:
    case S_WHILE: loop(pr, n); break;
    case S_PAR: parallel(pr, n); break;
    case S_BREAK: text_add(t, "break\n"); break;
    case S_CONTINUE: text_add(t, "continue\n"); break;
    case S_RETURN:
        text_add(t, n->kids ? "return " : "return");
        if (n->kids) expr(pr, n->kid[0]);
        text_add(t, "\n");
        break;
    case S_CALL:
        if (n->a >= 0) text_add(t, "v%d = ", n->a);
        text_add(t, "h%d(", n->c);
        arguments(pr, n, 0);
        text_add(t, ")\n");
        break;
    case S_ATOMIC:
        if (n->a >= 0) text_add(t, "v%d = ", n->a);
        text_add(t, "%s(", op_rows[n->op].text);
        place(pr, n->kid[0]);
        arguments(pr, n, 1);
        text_add(t, ")\n");
        break;
    case S_COPY: text_add(t, "v%d = v%d\n", n->a, n->b); break;
    case S_COPYOUT: copy_out(pr, n); break;
    case S_SETPTR: {
        const var *v = &pr->f->vars[n->a];
        text_add(t, "v%d = address(a%d[", n->a, v->array);
        masked(pr, n->kid[0], pr->p->arrays[v->array].length / 2);
        text_add(t, "])\n");
        break;
    }
    case S_REDUCE: reduction(pr, n); break;
    default: text_add(t, "pass\n"); /* S_CLEAR, S_FENCE, S_ASSUME are of the IR alone */
    }
}

static void body(printer *pr, const func *f)
{
    pr->f = f;
    pr->t->indent = 1;
    for (int i = f->param_count; i < f->var_count; i++)
        if (!f->vars[i].round && var_used(f, i)) declare(pr, &f->vars[i], i);
    line(pr);
    text_add(pr->t, "pass\n");
    for (int i = 0; i < f->body->kids; i++) statement(pr, f->body->kid[i]);
    pr->t->indent = 0;
    text_add(pr->t, "\n\n");
}

void print_py(const prog *p, text *t)
{
    printer pr = {.p = p, .t = t, .own = -1, .one = -1};
    for (int i = 0; i < p->record_count; i++) {
        text_add(t, "@struct\nclass S%d_%llx:\n", i, (unsigned long long)p->seed);
        for (int k = 0; k < p->records[i].field_count; k++) {
            const char *type = ty_name((ty)p->records[i].type[k]);
            if (p->records[i].length[k])
                text_add(t, "    f%d: 'matrix(%d, \"%s\")'\n", k, p->records[i].length[k], type);
            else text_add(t, "    f%d: '%s'\n", k, type);
        }
        text_add(t, "\n\n");
    }
    for (int h = 0; h < p->helper_count; h++) {
        const func *f = &p->helpers[h];
        if (f->result != T_VOID) text_add(t, "@annotate(return_='%s')\n", ty_name(f->result));
        text_add(t, "def h%d(", h);
        for (int i = 0; i < f->param_count; i++) text_add(t, i ? ", v%d" : "v%d", i);
        text_add(t, "):\n");
        body(&pr, f);
    }
    text_add(t, "def k(v0");
    for (int i = 1; i < p->kernel.param_count; i++) text_add(t, ", v%d", i);
    for (int i = 0; i < p->array_count; i++) text_add(t, ", a%d", i);
    text_add(t, "):\n");
    if (p->form == FORM_ELEMENTWISE) pr.own = 0;
    body(&pr, &p->kernel);
}
