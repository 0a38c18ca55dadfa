/*
 * printf: the format is made to fit the types of the arguments, so that no conversion reads what was not passed. Integers and floats are
 * promoted as C does, then converted between each other where the format asks for the other kind.
 */
#include "lib/lower/lower_int.h"

typedef struct writer {
    lower *l;
    const ast_node *call;
    ir_node **args;  /* behind the format, as evaluated */
    uint32_t given, used;
    ir_node **out;   /* as passed */
    uint32_t n;
    strbuf text;
    bool failed;
} writer;

static void refuse(writer *w, const char *what)
{
    if (!w->failed)
        diag_error(&w->l->comp->diags, CPL_EUNSUPPORTED, w->call->kids[1]->span, "%s", what);
    w->failed = true;
}

static ir_node *next_argument(writer *w)
{
    if (w->used < w->given)
        return w->args[w->used++];
    refuse(w, "printf has fewer arguments than its format asks for");
    return ir_int(w->l->m, w->l->type_i32, 0, w->call->span);
}

static ir_node *promoted(lower *l, ir_node *n)
{
    if (type_is_float(n->type))
        return lower_convert(l, n, l->type_f64, n->span);
    if (type_is_bool(n->type) || type_bits(n->type) < 32)
        return lower_convert(l, n, l->type_i32, n->span);
    return n;
}

/* %d and %i print any integer as the number it is. */
static void put_signed(writer *w, ir_node *n)
{
    lower *l = w->l;
    if (type_is_float(n->type))
        n = lower_convert(l, n, l->type_i64, n->span);
    if (type_is(n->type, CPL_UINT32))
        n = lower_convert(l, n, l->type_i64, n->span);
    w->out[w->n++] = n;
    sb_put(&w->text, type_bits(n->type) < 64 ? "d" : type_is_unsigned(n->type) ? "llu" : "lld");
}

static void put_conversion(writer *w, char conversion)
{
    lower *l = w->l;
    ir_node *n = promoted(l, next_argument(w));
    if (!type_is_scalar(n->type)) {
        refuse(w, "printf takes numbers only");
        return;
    }
    if (strchr("di", conversion)) {
        put_signed(w, n);
    } else if (strchr("uoxX", conversion)) {
        if (type_is_float(n->type))
            n = lower_convert(l, n, l->type_i64, n->span);
        w->out[w->n++] = n;
        sb_put(&w->text, type_bits(n->type) == 64 ? "ll" : "");
        sb_putc(&w->text, conversion);
    } else if (conversion == 'c') {
        w->out[w->n++] = lower_convert(l, n, l->type_i32, n->span);
        sb_putc(&w->text, conversion);
    } else if (conversion && strchr("eEfFgGaA", conversion)) {
        w->out[w->n++] = lower_convert(l, n, l->type_f64, n->span);
        sb_putc(&w->text, conversion);
    } else {
        refuse(w, "printf knows the conversions d i u o x X c e E f F g G a A and %%");
    }
}

/* One conversion specification, behind its %; returns what follows it. */
static const char *put_specification(writer *w, const char *at)
{
    sb_putc(&w->text, '%');
    if (*at == '%') {
        sb_putc(&w->text, '%');
        return at + 1;
    }
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        if (*at == '*')
            w->out[w->n++] = lower_convert(w->l, next_argument(w), w->l->type_i32, w->call->span);
        sb_putc(&w->text, *at);
    }
    while (*at && strchr("hlLqjzt", *at))
        at++;
    put_conversion(w, *at);
    return *at ? at + 1 : at;
}

void lower_printf(lower *l, const ast_node *e)
{
    const ast_node *format = e->kids[1];
    if (format->kind != AST_STRING) {
        diag_error(&l->comp->diags, CPL_EUNSUPPORTED, format->span, "printf's format must be a string literal");
        return;
    }
    writer w = {.l = l, .call = e, .given = e->kid_count - 2};
    w.args = arena_array(&l->comp->arena, w.given, sizeof *w.args);
    w.out = arena_array(&l->comp->arena, w.given + strlen(format->text), sizeof *w.out);
    sb_init(&w.text, l->comp->mem);
    lower_operands(l, e->kids + 2, w.given, w.args);
    for (const char *at = format->text; *at && !w.failed;) {
        if (*at == '%')
            at = put_specification(&w, at + 1);
        else
            sb_putc(&w.text, *at++);
    }
    if (!w.failed && w.used < w.given)
        refuse(&w, "printf has more arguments than its format asks for");
    if (!w.failed) {
        ir_node *n = ir_op_new(l->m, IR_PRINTF, w.out, w.n, e->span);
        n->text = arena_strdup(&l->comp->arena, w.text.at ? w.text.at : "");
        lower_emit(l, n);
    }
    sb_free(&w.text);
}
