/*
 * printf: sema has matched directives and arguments; here length modifiers are made to fit the
 * types of the arguments, so that no directive reads what was not passed. Arguments are promoted as
 * C does.
 */
#include "lib/lower/lower_int.h"

typedef struct writer {
    lower *l;
    ir_node **args; /* behind the format, as evaluated; [count] */
    uint32_t count, used;
    ir_node **out; /* as passed */
    strbuf text;
} writer;

static ir_node *promoted(lower *l, ir_node *n)
{
    if (type_is_float(n->type)) return lower_convert(l, n, l->type_f64, n->span);
    if (type_is_bool(n->type) || type_bits(n->type) < 32)
        return lower_convert(l, n, l->type_i32, n->span);
    return n;
}

/* %d and %i print any integer as the number it is; the others show the bits of its type. */
static void put_conversion(writer *w, char conversion)
{
    lower *l = w->l;
    ir_node *n = promoted(l, w->args[w->used]);
    bool is_signed = conversion == 'd' || conversion == 'i';
    if (is_signed && type_is(n->type, CPL_UINT32)) n = lower_convert(l, n, l->type_i64, n->span);
    if (conversion == 'c') n = lower_convert(l, n, l->type_i32, n->span);
    if (type_bits(n->type) == 64 && !type_is_float(n->type)) sb_put(&w->text, "ll");
    sb_putc(&w->text, is_signed && type_is(n->type, CPL_UINT64) ? 'u' : conversion);
    w->out[w->used++] = n;
}

/* One directive, behind its %; returns what follows it. */
static const char *put_directive(writer *w, const char *at)
{
    sb_putc(&w->text, '%');
    if (*at == '%') {
        sb_putc(&w->text, '%');
        return at + 1;
    }
    for (; strchr("-+ #0123456789.", *at); at++) sb_putc(&w->text, *at);
    while (strchr("hlLqjzt", *at)) at++;
    put_conversion(w, *at);
    return at + 1;
}

void lower_printf(lower *l, const ast_node *e)
{
    const ast_node *format = e->kids[1];
    writer w = {.l = l, .count = e->kid_count - 2};
    w.args = arena_array(&l->comp->arena, w.count, sizeof *w.args);
    w.out = arena_array(&l->comp->arena, w.count, sizeof *w.out);
    lower_operands(l, e->kids + 2, w.count, w.args);
    sb_init(&w.text, l->comp->mem);
    for (const char *at = format->text; *at;) {
        if (*at == '%') at = put_directive(&w, at + 1);
        else sb_putc(&w.text, *at++);
    }
    ir_node *n = ir_op_new(l->m, IR_PRINTF, w.out, w.used, e->span);
    n->text = arena_strdup(&l->comp->arena, w.text.at ? w.text.at : "");
    sb_free(&w.text);
    l->effects++;
    lower_emit(l, n);
}
