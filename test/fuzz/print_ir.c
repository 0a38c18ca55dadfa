/* A program as typed IR. Whatever an op leaves undefined is excluded here: divisors, counts and
 * indices are brought into range. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

typedef struct printer {
    const prog *p;
    const func *f;
    text *t;
    int16_t own; /* variable that is the round's index */
    int16_t one; /* the round whose index is wanted as a number; -1: the index of any */
} printer;

static void expr(printer *pr, const node *n);

static void constant(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->type == T_BOOL) text_add(t, n->bits ? "true" : "false");
    else if (n->type >= T_F16 && isnan(n->number)) text_add(t, "nan:%s", ty_name((ty)n->type));
    else if (n->type >= T_F16 && isinf(n->number))
        text_add(t, "%sinf:%s", n->number < 0 ? "-" : "", ty_name((ty)n->type));
    else if (n->type >= T_F16) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.17g", n->number);
        text_add(t, "%s%s:%s", digits, strpbrk(digits, ".e") ? "" : ".0", ty_name((ty)n->type));
    } else if (ty_is_signed((ty)n->type))
        text_add(t, "%lld:%s", (long long)n->bits, ty_name((ty)n->type));
    else text_add(t, "%llu:%s", (unsigned long long)n->bits, ty_name((ty)n->type));
}

/* An index of any value, in range for `length`, a power of two of at most 128 where the index is an
 * int8. */
static void masked(printer *pr, const node *index, int64_t length)
{
    ty t = (ty)index->type;
    uint64_t mask = (uint64_t)length - 1;
    if (t == T_I8 && mask > 127) mask = 127;
    if (t == T_U8 && mask > 255) mask = 255;
    if (index->kind == E_CONST) {
        text_add(pr->t, "%llu:%s", (unsigned long long)index->bits & mask, ty_name(t));
        return;
    }
    bool checked = index_is_checked(index, length);
    text_add(pr->t, checked ? "within<0>(and(" : "and(");
    expr(pr, index);
    text_add(pr->t, ", %llu:%s)", (unsigned long long)mask, ty_name(t));
    if (checked) text_add(pr->t, ", %lld:%s)", (long long)length, ty_name(t));
}

/* The slot of an array that belongs to the round: see enum role and array.map. */
static void own_index(printer *pr, const array *a, const node *n)
{
    const char *type = ty_name((ty)pr->f->vars[pr->own].type);
    int i = pr->own;
    if (pr->one >= 0) {
        text_add(pr->t, "%lld:%s", (long long)own_slot(pr->p, a, n, pr->one), type);
        return;
    }
    switch (a->map) {
    case 0: text_add(pr->t, "v%d", i); break;
    case 1: text_add(pr->t, "sub(%lld:%s, v%d)", (long long)pr->p->n - 1, type, i); break;
    case 2: text_add(pr->t, "xor(v%d, %u:%s)", i, a->twist, type); break;
    default: text_add(pr->t, "add(mul(v%d, %u:%s), %d:%s)", i, a->twist, type, n->b, type);
    }
}

static void element(printer *pr, const node *n)
{
    const array *a = &pr->p->arrays[n->a];
    bool strided = a->record < 0 && (n->style & 15) == 0,
         again = a->record < 0 && (n->style & 15) == 1;
    const char *type = a->record < 0 ? ty_name((ty)a->type) : "";
    if (again) text_add(pr->t, "ptrcast<%s*>(", type);
    text_add(pr->t, "%s(a%d, ", strided ? "strided" : "elem", n->a);
    if (n->mode == INDEX_OWN) own_index(pr, a, n);
    else masked(pr, n->kid[0], a->length);
    if (strided) text_add(pr->t, ", %u:int64", ty_size((ty)a->type));
    text_add(pr->t, again ? "))" : ")");
}

static void field(printer *pr, const record *r, int k, const node *index)
{
    if (r->length[k]) {
        text_add(pr->t, ", ");
        masked(pr, index, r->length[k]);
        text_add(pr->t, ")");
    }
}

static void place(printer *pr, const node *n)
{
    text *t = pr->t;
    const var *v = n->a >= 0 ? &pr->f->vars[n->a] : NULL;
    switch (n->kind) {
    case P_ELEM: element(pr, n); break;
    case P_SELEM: {
        const array *a = &pr->p->arrays[n->a];
        const record *r = &pr->p->records[a->record];
        if (n->c < 0) {
            element(pr, n);
            break;
        }
        text_add(t, r->length[n->c] ? "item(field<f%d>(" : "field<f%d>(", n->c);
        element(pr, n);
        text_add(t, ")");
        field(pr, r, n->c, r->length[n->c] ? n->kid[n->mode != INDEX_OWN] : NULL);
        break;
    }
    case P_ITEM:
        text_add(t, n->kids == 2 ? "item(item(addr(v%d), " : "item(addr(v%d), ", n->a);
        masked(pr, n->kid[0], v->dims[0]);
        if (n->kids == 2) {
            text_add(t, "), ");
            masked(pr, n->kid[1], v->dims[1]);
        }
        text_add(t, ")");
        break;
    case P_FIELD: {
        const record *r = &pr->p->records[v->record];
        text_add(t, r->length[n->c] ? "item(field<f%d>(addr(v%d))" : "field<f%d>(addr(v%d))", n->c,
                 n->a);
        field(pr, r, n->c, n->kids ? n->kid[0] : NULL);
        break;
    }
    case P_VAR: text_add(t, "addr(v%d)", n->a); break;
    default:
        text_add(t, "elem(v%d, ", n->a);
        masked(pr, n->kid[0], v->array >= 0 ? pr->p->arrays[v->array].length / 2 : v->dims[0]);
        text_add(t, ")");
    }
}

/* A float that is not a NaN: max gives its first operand where they do not compare. */
static void number(printer *pr, const node *n)
{
    text_add(pr->t, "max(-inf:%s, ", ty_name((ty)n->type));
    expr(pr, n);
    text_add(pr->t, ")");
}

/* A raw op behind a condition that it is defined: nothing may run it ahead of that. */
static void guarded(printer *pr, const node *n)
{
    text *t = pr->t;
    ty type = (ty)n->kid[0]->type;
    bool shift = n->op == OP_RAWSHL || n->op == OP_RAWSHR;
    text_add(t, shift ? "cond(and(ge(" : "cond(gt(");
    expr(pr, n->kid[1]);
    if (shift) {
        text_add(t, ", 0:%s), lt(", ty_name(type));
        expr(pr, n->kid[1]);
        text_add(t, ", %u:%s))", ty_bits(type), ty_name(type));
    } else {
        text_add(t, ", 0:%s)", ty_name(type));
    }
    text_add(t, ", %s(", op_rows[n->op].text);
    for (int i = 0; i < 2; i++) {
        expr(pr, n->kid[i]);
        text_add(t, i ? "), " : ", ");
    }
    expr(pr, n->kid[0]);
    text_add(t, ")");
}

static void operation(printer *pr, const node *n)
{
    text *t = pr->t;
    ty type = (ty)n->kid[0]->type;
    bool raw = n->op == OP_RAWDIV || n->op == OP_RAWREM || n->op == OP_RAWSHL || n->op == OP_RAWSHR;
    if (raw && (n->style & 12) == 0) {
        guarded(pr, n);
        return;
    }
    text_add(t, "%s(", op_rows[n->op].text);
    for (int i = 0; i < n->kids; i++) {
        if (i) text_add(t, ", ");
        bool second = i == 1;
        if (second && (n->op == OP_RAWSHL || n->op == OP_RAWSHR)) {
            text_add(t, "and(");
            expr(pr, n->kid[i]);
            text_add(t, ", %u:%s)", ty_bits(type) - 1, ty_name(type));
        } else if (second && (n->op == OP_RAWDIV || n->op == OP_RAWREM)) {
            text_add(t, "or(and(");
            expr(pr, n->kid[i]);
            text_add(t, ", 63:%s), 1:%s)", ty_name(type), ty_name(type));
        } else if (second && n->op == OP_COPYSIGN) { /* the sign of a NaN is free */
            number(pr, n->kid[i]);
        } else {
            expr(pr, n->kid[i]);
        }
    }
    text_add(t, ")");
}

static void expr(printer *pr, const node *n)
{
    text *t = pr->t;
    switch (n->kind) {
    case E_CONST: constant(pr, n); break;
    case E_VAR: text_add(t, "v%d", n->a); break;
    case E_OP: operation(pr, n); break;
    case E_CONVERT:
        text_add(t, "convert<%s>(", ty_name((ty)n->type));
        expr(pr, n->kid[0]);
        text_add(t, ")");
        break;
    case E_BITS: /* neither NaN's bits nor NaNs that signal */
        if (ty_is_float((ty)n->type)) text_add(t, "max(-inf:%s, ", ty_name((ty)n->type));
        text_add(t, "bits<%s>(", ty_name((ty)n->type));
        if (ty_is_float((ty)n->kid[0]->type)) number(pr, n->kid[0]);
        else expr(pr, n->kid[0]);
        text_add(t, ty_is_float((ty)n->type) ? "))" : ")");
        break;
    case E_RAWCONVERT: {
        const char *type = ty_name((ty)n->a);
        text_add(t, "rawconvert<%s>(mul(convert<%s>(", ty_name((ty)n->type), type);
        expr(pr, n->kid[0]);
        text_add(t, "), %.17g%s:%s))", n->number, n->number == floor(n->number) ? ".0" : "", type);
        break;
    }
    case E_COND:
        text_add(t, "cond(");
        for (int i = 0; i < 3; i++) {
            if (i) text_add(t, ", ");
            expr(pr, n->kid[i]);
        }
        text_add(t, ")");
        break;
    default:
        text_add(t, "load(");
        place(pr, n->kid[0]);
        text_add(t, ")");
    }
}

/* Statements. */

static void line(printer *pr)
{
    text_add(pr->t, "%*s", 2 * pr->t->indent, "");
}

static void statement(printer *pr, const node *n);

static void block(printer *pr, const node *n)
{
    text_add(pr->t, " {\n");
    pr->t->indent++;
    for (int i = 0; i < n->kids; i++) statement(pr, n->kid[i]);
    pr->t->indent--;
    line(pr);
    text_add(pr->t, "}");
}

/* "(start, stop, step)" of a counted loop: at most eight rounds. */
static void bounds(printer *pr, const node *n)
{
    text *t = pr->t;
    const char *type = ty_name((ty)n->type);
    bool down = n->bits < 0;
    for (int i = 0; i < 2; i++) {
        text_add(t, i ? ", " : "(");
        if (n->mode == 1) { /* so near to the end of the type that the last step would pass it */
            int64_t top = (int64_t)((UINT64_C(1) << (ty_bits((ty)n->type) - 1)) - 1);
            int64_t end = down ? -top - 1 : top, away = down ? 4 : -4;
            text_add(t, "%lld:%s", (long long)((i == 1) ? end : end + away), type);
        } else {
            text_add(t, "and(");
            expr(pr, n->kid[(i == 1) != down]);
            text_add(t, ", 7:%s)", type);
        }
    }
    text_add(t, ", %lld:%s)", (long long)n->bits, type);
}

static void call(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->a >= 0) text_add(t, "v%d = ", n->a);
    text_add(t, "call h%d(", n->c);
    for (int i = 0; i < n->kids; i++) {
        if (i) text_add(t, ", ");
        if (n->kid[i]->kind == S_POINTER) text_add(t, "item(addr(v%d), 0:int32)", n->kid[i]->a);
        else expr(pr, n->kid[i]);
    }
    text_add(t, ")\n");
}

static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const scopes[] = {"group", "device", "system"};

static void atomic(printer *pr, const node *n)
{
    text *t = pr->t;
    if (n->a >= 0) text_add(t, "v%d = ", n->a);
    text_add(t, "%s<%s, %s>(", op_rows[n->op].text, orders[n->mode % 8], scopes[n->mode / 8]);
    place(pr, n->kid[0]);
    for (int i = 1; i < n->kids; i++) {
        text_add(t, ", ");
        expr(pr, n->kid[i]);
    }
    text_add(t, ")\n");
}

static bool is_private(const var *v, const node *loop, const func *f)
{
    return v->round && v->loop == f->vars[loop->a].loop && v != &f->vars[loop->a] &&
           var_used(f, (int)(v - f->vars));
}

static void parallel(printer *pr, const node *n)
{
    static const char *const schedules[] = {"static", "dynamic", "guided"};
    text *t = pr->t;
    const func *f = pr->f;
    const char *type = ty_name((ty)f->vars[n->a].type), *separator = " private(";
    bool down = n->bits < 0;
    char stop[60];
    snprintf(stop, sizeof stop, f->vars[n->a].type == T_I64 ? "v0" : "convert<%s>(v0)", type);
    if (down)
        text_add(t, "parallel for v%d in (sub(%s, 1:%s), -1:%s, %lld:%s)", n->a, stop, type, type,
                 (long long)n->bits, type);
    else
        text_add(t, "parallel for v%d in (0:%s, %s, %lld:%s)", n->a, type, stop, (long long)n->bits,
                 type);
    text_add(t, " schedule(%s, %d)", schedules[n->mode], n->b);
    if (n->c) text_add(t, " threads(%d)", n->c);
    const char *reduce = " reduce(";
    for (int i = 0; i < f->var_count; i++) {
        const var *v = &f->vars[i];
        if (!v->reduced || v->loop != f->vars[n->a].loop || !var_used(f, i)) continue;
        text_add(t, "%s%s v%d", reduce, op_rows[v->reduce].text, i);
        reduce = ", ";
    }
    if (reduce[0] == ',') text_add(t, ")");
    for (int i = 0; i < f->var_count; i++) {
        if (!is_private(&f->vars[i], n, f)) continue;
        text_add(t, "%sv%d", separator, i);
        separator = ", ";
    }
    text_add(t, separator[0] == ',' ? ") {\n" : " {\n");
    t->indent++;
    pr->own = n->a;
    for (int i = 0; i < f->var_count; i++) { /* what is private to a round has no value at first */
        const var *v = &f->vars[i];
        if (!is_private(v, n, f)) continue;
        line(pr);
        text_add(t,
                 v->kind == V_SCALAR && v->type == T_BOOL ? "v%d = false\n"
                 : v->kind == V_SCALAR                    ? "v%d = 0%s:%s\n"
                                                          : "clear(addr(v%d))\n",
                 i, ty_is_float((ty)v->type) ? ".0" : "", ty_name((ty)v->type));
    }
    for (int i = 0; i < n->kid[0]->kids; i++) statement(pr, n->kid[0]->kid[i]);
    t->indent--;
    pr->own = -1;
    line(pr);
    text_add(t, "}\n");
}

static void copy_out(printer *pr, const node *n)
{
    text *t = pr->t;
    text_add(t, n->mode ? "v%d = load(" : "store(", n->a);
    place(pr, n->kid[0]);
    if (!n->mode) text_add(t, ", v%d", n->a);
    text_add(t, ")\n");
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
    case S_ASSIGN:
        text_add(t, "v%d = ", n->a);
        expr(pr, n->kid[0]);
        text_add(t, "\n");
        break;
    case S_STORE:
        if (n->c >= 0)
            text_add(t, "if eq(v%d, %d:%s) { ", pr->own, n->c,
                     ty_name((ty)pr->f->vars[pr->own].type));
        text_add(t, "store(");
        pr->one = n->c;
        place(pr, n->kid[0]);
        pr->one = -1;
        text_add(t, ", ");
        expr(pr, n->kid[1]);
        text_add(t, n->c >= 0 ? ") }\n" : ")\n");
        break;
    case S_IF:
        text_add(t, "if ");
        expr(pr, n->kid[0]);
        block(pr, n->kid[1]);
        if (n->kids == 3) {
            text_add(t, " else");
            block(pr, n->kid[2]);
        }
        text_add(t, "\n");
        break;
    case S_FOR:
        text_add(t, "for v%d in ", n->a);
        bounds(pr, n);
        block(pr, n->kid[2]);
        text_add(t, "\n");
        break;
    case S_WHILE:
        text_add(t, "v%d = 0:int32\n", n->a);
        line(pr);
        text_add(t, "while and(lt(v%d, %lld:int32), ", n->a, (long long)n->bits);
        expr(pr, n->kid[0]);
        text_add(t, ") {\n");
        t->indent++;
        line(pr);
        text_add(t, "v%d = add(v%d, 1:int32)\n", n->a, n->a);
        for (int i = 0; i < n->kid[1]->kids; i++) statement(pr, n->kid[1]->kid[i]);
        t->indent--;
        line(pr);
        text_add(t, "}\n");
        break;
    case S_PAR: parallel(pr, n); break;
    case S_BREAK: text_add(t, "break\n"); break;
    case S_CONTINUE: text_add(t, "continue\n"); break;
    case S_RETURN:
        text_add(t, "return");
        if (n->kids) {
            text_add(t, " ");
            expr(pr, n->kid[0]);
        }
        text_add(t, "\n");
        break;
    case S_CALL: call(pr, n); break;
    case S_ATOMIC: atomic(pr, n); break;
    case S_CLEAR: text_add(t, "clear(addr(v%d))\n", n->a); break;
    case S_COPY: text_add(t, "v%d = v%d\n", n->a, n->b); break;
    case S_COPYOUT: copy_out(pr, n); break;
    case S_FENCE: text_add(t, "fence<%s, %s>()\n", orders[n->mode % 8], scopes[n->mode / 8]); break;
    case S_ASSUME:
        text_add(t, "assume(ge(and(");
        expr(pr, n->kid[0]);
        text_add(t, ", 63:%s), 0:%s))\n", ty_name((ty)n->kid[0]->type),
                 ty_name((ty)n->kid[0]->type));
        break;
    case S_SETPTR: {
        const var *v = &pr->f->vars[n->a];
        text_add(t, "v%d = elem(a%d, ", n->a, v->array);
        masked(pr, n->kid[0], pr->p->arrays[v->array].length / 2);
        text_add(t, ")\n");
        break;
    }
    default: { /* S_REDUCE */
        text_add(t, "v%d = %s(v%d, ", n->a, op_rows[n->op].text, n->a);
        expr(pr, n->kid[0]);
        text_add(t, ")\n");
    }
    }
}

static void variables(printer *pr, const func *f)
{
    text *t = pr->t;
    for (int i = f->param_count; i < f->var_count; i++) {
        const var *v = &f->vars[i];
        if (!var_used(f, i)) continue;
        text_add(t, "  var v%d: ", i);
        if (v->kind == V_STRUCT)
            text_add(t, "S%d_%llx", v->record, (unsigned long long)pr->p->seed);
        else text_add(t, "%s", ty_name((ty)v->type));
        if (v->kind == V_MATRIX)
            text_add(t, v->dims[1] ? "[%d][%d]" : "[%d]", v->dims[0], v->dims[1]);
        if (v->kind == V_POINTER) text_add(t, " global*");
        text_add(t, "\n");
    }
    for (int i = f->param_count; i < f->var_count; i++)
        if (f->vars[i].kind == V_POINTER && var_used(f, i))
            text_add(t, "  v%d = a%d\n", i, f->vars[i].array);
}

static void parameters(printer *pr, const func *f, const char *separator)
{
    for (int i = 0; i < f->param_count; i++) {
        const var *v = &f->vars[i];
        text_add(pr->t, "%sv%d: %s%s", separator, i, ty_name((ty)v->type),
                 v->kind == V_POINTER ? " private*" : "");
        separator = ", ";
    }
}

static void body(printer *pr, const func *f)
{
    pr->f = f;
    text_add(pr->t, " {\n");
    variables(pr, f);
    pr->t->indent = 1;
    for (int i = 0; i < f->body->kids; i++) statement(pr, f->body->kid[i]);
    pr->t->indent = 0;
    text_add(pr->t, "}\n\n");
}

static void array_parameters(printer *pr, bool attributes)
{
    static const char *const words[] = {"", " noalias", " readonly"};
    for (int i = 0; i < pr->p->array_count; i++) {
        const array *a = &pr->p->arrays[i];
        text_add(pr->t, ", a%d: ", i);
        if (a->record >= 0) text_add(pr->t, "S%d_%llx", a->record, (unsigned long long)pr->p->seed);
        else text_add(pr->t, "%s", ty_name((ty)a->type));
        text_add(pr->t, " global*%s", words[attributes ? a->attribute : 0]);
    }
}

const char *kernel_name(void)
{
    return "k";
}

void print_ir(const prog *p, text *t)
{
    printer pr = {.p = p, .t = t, .own = -1, .one = -1};
    text_add(t, "cir 1\n\n");
    for (int i = 0; i < p->record_count; i++) {
        text_add(t, "struct S%d_%llx {", i, (unsigned long long)p->seed);
        for (int k = 0; k < p->records[i].field_count; k++) {
            text_add(t, "%s f%d: %s", k ? "," : "", k, ty_name((ty)p->records[i].type[k]));
            if (p->records[i].length[k]) text_add(t, "[%d]", p->records[i].length[k]);
        }
        text_add(t, " }\n\n");
    }
    for (int i = 0; i < p->helper_count; i++) {
        const func *f = &p->helpers[i];
        text_add(t, "func h%d(", i);
        parameters(&pr, f, "");
        text_add(t, ")");
        if (f->result != T_VOID) text_add(t, " -> %s", ty_name(f->result));
        body(&pr, f);
    }
    const func *f = &p->kernel;
    bool elementwise = p->form == FORM_ELEMENTWISE;
    text_add(t, elementwise ? "func k.body(" : "entry func k(");
    parameters(&pr, f, "");
    array_parameters(&pr, true);
    text_add(t, ")");
    if (f->result != T_VOID) text_add(t, " -> %s", ty_name(f->result));
    if (elementwise) pr.own = 0;
    body(&pr, f);
    if (!elementwise) return;
    text_add(t, "entry elementwise func k(n: int64");
    for (int i = 1; i < f->param_count; i++)
        text_add(t, ", v%d: %s", i, ty_name((ty)f->vars[i].type));
    array_parameters(&pr, true);
    text_add(t, ") {\n  var i: int64\n  parallel for i in (0:int64, n, 1:int64) schedule(static, "
                "0) {\n    call k.body(i");
    for (int i = 1; i < f->param_count; i++) text_add(t, ", v%d", i);
    for (int i = 0; i < p->array_count; i++) text_add(t, ", a%d", i);
    text_add(t, ")\n  }\n}\n");
}
