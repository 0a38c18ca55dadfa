/* The text form of the IR (README.md). Regular ops follow op.def; what parse.c reads back prints
 * the same again. */
#include "lib/ir/ir.h"

#include <inttypes.h>

typedef struct printer {
    strbuf *sb;
    /* for the names of fault sites; NULL when a function or node is printed alone */
    const ir_module *m;
    int indent;
} printer;

static void print_expr(printer *p, const ir_node *n);
static void print_block(printer *p, const ir_block *b);

static void print_string(strbuf *sb, const char *text)
{
    sb_putc(sb, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        switch (*c) {
        case '"': sb_put(sb, "\\\""); break;
        case '\\': sb_put(sb, "\\\\"); break;
        case '\n': sb_put(sb, "\\n"); break;
        case '\t': sb_put(sb, "\\t"); break;
        case '\r': sb_put(sb, "\\r"); break;
        default:
            /* three digits: the next character cannot join in */
            if (*c < 0x20 || *c >= 0x7f) sb_printf(sb, "\\%03o", *c);
            else sb_putc(sb, (char)*c);
        }
    }
    sb_putc(sb, '"');
}

static void print_const(printer *p, const ir_node *n)
{
    if (type_is_bool(n->type)) {
        sb_put(p->sb, n->bits ? "true" : "false");
        return;
    }
    if (type_is_float(n->type)) sb_float(p->sb, n->number, n->type->dtype);
    else if (type_is_unsigned(n->type)) sb_printf(p->sb, "%" PRIu64, n->bits);
    else sb_printf(p->sb, "%" PRId64, (int64_t)n->bits);
    sb_printf(p->sb, ":%s", n->type->text);
}

static const char *field_name(const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type;
    if (!type_is_pointer(t) || !type_is_struct(t->elem) || n->field >= t->elem->field_count)
        return "?";
    return t->elem->fields[n->field].name;
}

static void print_site(printer *p, uint32_t site)
{
    sb_printf(p->sb, "<%" PRIu32, site);
    if (p->m && site < p->m->sites.n) {
        sb_put(p->sb, ", ");
        print_string(p->sb, p->m->sites.at[site].arg ? p->m->sites.at[site].arg : "");
        if (p->m->sites.at[site].axis >= 0)
            sb_printf(p->sb, ", %" PRId32, p->m->sites.at[site].axis);
    }
    sb_putc(p->sb, '>');
}

/* What stands in <> behind the name of an op. */
static void print_attribute(printer *p, const ir_node *n)
{
    switch (ir_ops[n->op].attr) {
    case IR_ATTR_TYPE: sb_printf(p->sb, "<%s>", n->type->text); break;
    case IR_ATTR_FIELD: sb_printf(p->sb, "<%s>", field_name(n)); break;
    case IR_ATTR_SPACE: sb_printf(p->sb, "<%s>", ir_space_text[n->space]); break;
    case IR_ATTR_ORDER:
        sb_printf(p->sb, "<%s, %s>", ir_order_text[n->order], ir_scope_text[n->scope]);
        break;
    case IR_ATTR_DIM:
    case IR_ATTR_AXIS: sb_printf(p->sb, "<%" PRIu32 ">", n->dim); break;
    case IR_ATTR_LANES: sb_printf(p->sb, "<%" PRIu32 ">", n->lanes); break;
    case IR_ATTR_OWN:
        if (n->op == IR_FAULT) print_site(p, n->site);
        if (n->op == IR_ASSERT && n->text) {
            sb_putc(p->sb, '<');
            print_string(p->sb, n->text);
            sb_putc(p->sb, '>');
        }
        break;
    case IR_ATTR_NONE:
    case IR_ATTR_FUNC:
    case IR_ATTR_VAR: break;
    }
}

static void print_operands(printer *p, const ir_node *n)
{
    const char *separator = "";
    sb_putc(p->sb, '(');
    if (n->op == IR_ADDR) sb_put(p->sb, n->var->name);
    if (n->op == IR_PRINTF) {
        print_string(p->sb, n->text);
        separator = ", ";
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        sb_put(p->sb, separator);
        print_expr(p, n->kids[i]);
        separator = ", ";
    }
    sb_putc(p->sb, ')');
}

static void print_expr(printer *p, const ir_node *n)
{
    switch (n->op) {
    case IR_CONST: print_const(p, n); return;
    case IR_VAR: sb_put(p->sb, n->var->name); return;
    case IR_CALL: sb_printf(p->sb, "call %s", n->func->name); break;
    default: sb_put(p->sb, ir_ops[n->op].text); print_attribute(p, n);
    }
    print_operands(p, n);
}

static void print_indent(printer *p)
{
    for (int i = 0; i < p->indent; i++) sb_put(p->sb, "  ");
}

static void print_reductions(printer *p, const ir_loop *l)
{
    for (uint32_t i = 0; i < l->reductions.n; i++)
        sb_printf(p->sb, "%s%s %s", i ? ", " : " reduce(", ir_ops[l->reductions.at[i].op].text,
                  l->reductions.at[i].var->name);
    if (l->reductions.n) sb_putc(p->sb, ')');
}

static void print_loop_options(printer *p, const ir_loop *l)
{
    sb_printf(p->sb, " schedule(%s, %" PRId64 ")", ir_schedule_text[l->schedule], l->chunk);
    if (l->threads) sb_printf(p->sb, " threads(%" PRId32 ")", l->threads);
    print_reductions(p, l);
    for (uint32_t i = 0; i < l->privates.n; i++)
        sb_printf(p->sb, "%s%s", i ? ", " : " private(", l->privates.at[i]->name);
    if (l->privates.n) sb_putc(p->sb, ')');
}

static void print_loop(printer *p, const ir_node *n)
{
    sb_printf(p->sb, "%s %s in ", ir_ops[n->op].text, n->loop->var->name);
    print_operands(p, n);
    if (n->op == IR_PARALLEL_FOR) print_loop_options(p, n->loop);
    if (n->loop->independent) {
        sb_put(p->sb, " independent");
        print_reductions(p, n->loop);
    }
    sb_putc(p->sb, ' ');
    print_block(p, n->body);
}

static void print_stmt(printer *p, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN:
        sb_printf(p->sb, "%s = ", n->var->name);
        print_expr(p, n->kids[0]);
        break;
    case IR_EVAL: print_expr(p, n->kids[0]); break;
    case IR_IF:
    case IR_WHILE:
        sb_printf(p->sb, "%s ", ir_ops[n->op].text);
        print_expr(p, n->kids[0]);
        sb_putc(p->sb, ' ');
        print_block(p, n->body);
        if (n->orelse) {
            sb_put(p->sb, " else ");
            print_block(p, n->orelse);
        }
        break;
    case IR_FOR:
    case IR_PARALLEL_FOR: print_loop(p, n); break;
    case IR_FORK:
        sb_printf(p->sb, "fork %s", n->func->name);
        print_operands(p, n);
        print_loop_options(p, n->loop);
        break;
    case IR_BREAK:
    case IR_CONTINUE: sb_put(p->sb, ir_ops[n->op].text); break;
    case IR_RETURN:
        sb_put(p->sb, "return");
        if (n->kid_count) {
            sb_putc(p->sb, ' ');
            print_expr(p, n->kids[0]);
        }
        break;
    default: print_expr(p, n);
    }
}

static void print_line(printer *p, const ir_node *n)
{
    print_indent(p);
    print_stmt(p, n);
    sb_putc(p->sb, '\n');
}

/* From { to }, without a newline behind. */
static void print_block(printer *p, const ir_block *b)
{
    sb_put(p->sb, "{\n");
    p->indent++;
    for (uint32_t i = 0; i < b->n; i++) print_line(p, b->at[i]);
    p->indent--;
    print_indent(p);
    sb_putc(p->sb, '}');
}

/* Of what its length says, the extent of a parameter is not said again. */
static bool has_length(const ir_var *v)
{
    return v->extent && v->extent->role == PARAM_LENGTH && v->extent->of == v;
}

static void print_var_attributes(strbuf *sb, const ir_var *v)
{
    if (v->noalias) sb_put(sb, " noalias");
    if (v->readonly) sb_put(sb, " readonly");
    if (v->local) sb_put(sb, " local");
    if (v->extent && !has_length(v)) sb_printf(sb, " extent %s", v->extent->name);
    if (*ir_roles[v->role].word) sb_printf(sb, " %s", ir_roles[v->role].word);
    if (v->of) sb_printf(sb, v->axis ? "(%s, %u)" : "(%s)", v->of->name, v->axis);
}

static void print_header(strbuf *sb, const ir_func *f)
{
    if (f->linkage == IR_ENTRY) sb_put(sb, "entry ");
    if (f->linkage == IR_EXTERN) sb_put(sb, "extern ");
    if (f->pure) sb_put(sb, "pure ");
    if (f->elementwise) sb_put(sb, "elementwise ");
    if (f->kernel) sb_put(sb, "kernel");
    if (f->kernel && f->items) sb_printf(sb, "<%u>", (unsigned)f->items);
    if (f->kernel) sb_putc(sb, ' ');
    if (f->most_items) sb_printf(sb, "bounds<%u, %u> ", f->most_items, f->least_groups);
    sb_printf(sb, "func %s(", f->name);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *v = f->params.at[i];
        if (i) sb_put(sb, ", ");
        if (f->linkage != IR_EXTERN) sb_printf(sb, "%s: ", v->name);
        sb_put(sb, v->type->text);
        print_var_attributes(sb, v);
    }
    sb_putc(sb, ')');
    if (!type_is_void(f->result)) sb_printf(sb, " -> %s", f->result->text);
    if (f->after) sb_printf(sb, " after %s", f->after->name);
}

static void print_func(printer *p, const ir_func *f)
{
    print_header(p->sb, f);
    if (f->linkage == IR_EXTERN) {
        sb_putc(p->sb, '\n');
        return;
    }
    sb_put(p->sb, " {\n");
    p->indent++;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        print_indent(p);
        sb_printf(p->sb, "var %s: %s", f->vars.at[i]->name, f->vars.at[i]->type->text);
        print_var_attributes(p->sb, f->vars.at[i]);
        sb_putc(p->sb, '\n');
    }
    for (uint32_t i = 0; i < f->body->n; i++) print_line(p, f->body->at[i]);
    p->indent--;
    sb_put(p->sb, "}\n");
}

static void print_struct(strbuf *sb, const cpl_type *t)
{
    sb_printf(sb, "struct %s ", t->name);
    if (t->placed) sb_printf(sb, "size %zu align %zu ", t->size, t->align);
    sb_putc(sb, '{');
    for (uint32_t i = 0; i < t->field_count; i++) {
        const cpl_field *f = &t->fields[i];
        sb_printf(sb, "%s %s: %s", i ? "," : "", f->name, f->type->text);
        if (t->placed) sb_printf(sb, " at %zu", f->offset);
    }
    sb_put(sb, " }\n");
}

void ir_print(strbuf *sb, const ir_module *m)
{
    printer p = {sb, m, 0};
    sb_put(sb, "cir 1\n");
    if (m->structs.n) sb_putc(sb, '\n');
    for (uint32_t i = 0; i < m->structs.n; i++)
        if (!type_is_complex(m->structs.at[i])) print_struct(sb, m->structs.at[i]);
    bool in_externs = false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        bool is_extern = m->funcs.at[i]->linkage == IR_EXTERN;
        if (!is_extern || !in_externs) sb_putc(sb, '\n');
        in_externs = is_extern;
        print_func(&p, m->funcs.at[i]);
    }
}

void ir_print_func(strbuf *sb, const ir_func *f)
{
    printer p = {sb, NULL, 0};
    print_func(&p, f);
}

void ir_print_node(strbuf *sb, const ir_node *n)
{
    printer p = {sb, NULL, 0};
    if (ir_ops[n->op].class_ == IR_CLASS_STMT) print_stmt(&p, n);
    else print_expr(&p, n);
}
