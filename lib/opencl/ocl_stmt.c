/* Statements. */
#include "lib/opencl/ocl_int.h"

void ocl_indent(ocl *o)
{
    for (uint32_t i = 0; i < o->depth; i++) sb_put(o->out, "    ");
}

void ocl_line(ocl *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ocl_indent(o);
    sb_vprintf(o->out, format, args);
    sb_putc(o->out, '\n');
    va_end(args);
}

void ocl_body(ocl *o, const ir_block *b)
{
    sb_put(o->out, " {\n");
    o->depth++;
    ocl_block(o, b);
    o->depth--;
    ocl_indent(o);
    sb_putc(o->out, '}');
}

/* "// axpb.py:3: y[i] = a*sin(x[i]) + b" where the source goes on to another line. */
static void show_source(ocl *o, cpl_span span)
{
    if (!o->options->lines || !span.file || !o->c->find_source) return;
    const source *src = o->c->find_source(o->c->find_source_user, span.file);
    if (!src) return;
    source_place at = source_locate(src, span.begin);
    if (span.file == o->file && at.line == o->line) return;
    o->file = span.file;
    o->line = at.line;
    uint32_t first = 0, length = at.text_length;
    while (first < length && (at.text[first] == ' ' || at.text[first] == '\t')) first++;
    /* a backslash would go on with the comment */
    while (length > first && (at.text[length - 1] == '\\' || at.text[length - 1] == '\r')) length--;
    ocl_indent(o);
    sb_printf(o->out, "// %s:%u: ", src->name, (unsigned)at.line);
    for (uint32_t i = first; i < length; i++) {
        char c = at.text[i];
        sb_putc(o->out, (unsigned char)c < 32 || (unsigned char)c > 126 ? '?' : c);
    }
    /* "??/" is a backslash too */
    if (length > first && at.text[length - 1] == '/') sb_putc(o->out, '.');
    sb_putc(o->out, '\n');
}

static bool is_atomic(const ir_node *n)
{
    return ir_op_kind(n->op) == IR_KIND_ATOMIC;
}

static void assign(ocl *o, const ir_node *n)
{
    const ir_node *value = n->kids[0];
    const ocl_var *v = ocl_of(n->var);
    bool half_bits = ocl_is_half(n->var->type) && v->addressed;
    const char *exchanged = NULL;
    if (is_atomic(value)) ocl_atomic_before(o, value);
    if (value->op == IR_ATOMIC_CAS && ocl_is_v2(o)) exchanged = ocl_exchange(o, value);
    ocl_indent(o);
    sb_printf(o->out, "%s = ",
              v->declared == n ? ocl_declare(o, n->var->type, v->name, OCL_VALUE, "") : v->name);
    if (half_bits) sb_printf(o->out, "%s(", ocl_half_bits(o));
    if (exchanged) sb_put(o->out, exchanged);
    else ocl_expr(o, value, PREC_NONE);
    sb_put(o->out, half_bits ? ");\n" : ";\n");
    if (is_atomic(value)) ocl_atomic_after(o, value);
}

static void evaluate(ocl *o, const ir_node *n)
{
    if (is_atomic(n)) ocl_atomic_before(o, n);
    if (n->op == IR_ATOMIC_CAS && ocl_is_v2(o)) {
        ocl_exchange(o, n);
    } else {
        ocl_indent(o);
        ocl_expr(o, n, PREC_NONE);
        sb_put(o->out, ";\n");
    }
    if (is_atomic(n)) ocl_atomic_after(o, n);
}

static void choose(ocl *o, const ir_node *n)
{
    ocl_indent(o);
    for (;;) {
        sb_put(o->out, "if (");
        ocl_expr(o, n->kids[0], PREC_NONE);
        sb_putc(o->out, ')');
        ocl_body(o, n->body);
        if (!n->orelse || n->orelse->n == 0) break;
        sb_put(o->out, " else");
        if (n->orelse->n != 1 || n->orelse->at[0]->op != IR_IF) {
            ocl_body(o, n->orelse);
            break;
        }
        sb_putc(o->out, ' ');
        n = n->orelse->at[0];
    }
    sb_putc(o->out, '\n');
}

/* In C's quotes. In OpenCL C an l alone stands for 64 bits. */
static void format(ocl *o, const char *text)
{
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\' || c == '?') sb_printf(o->out, "\\%c", c);
        else if (c == '\n') sb_put(o->out, "\\n");
        else if (c < 32 || c > 126) sb_printf(o->out, "\\%03o", c);
        else sb_putc(o->out, (char)c);
        if (c != '%') continue;
        if (p[1] == '%') {
            sb_putc(o->out, *++p);
            continue;
        }
        while (p[1] && strchr("-+ #0123456789.", p[1])) sb_putc(o->out, *++p);
        if (p[1] == 'l' && p[2] == 'l') p++;
    }
}

static void print(ocl *o, const ir_node *n)
{
    ocl_indent(o);
    sb_put(o->out, "printf(\"");
    format(o, n->text);
    sb_putc(o->out, '"');
    for (uint32_t i = 0; i < n->kid_count; i++) {
        sb_put(o->out, ", ");
        ocl_exact(o, n->kids[i]);
    }
    sb_put(o->out, ");\n");
}

static void fault(ocl *o, const ir_node *n)
{
    const char *function = ocl_record_fault(o);
    ocl_indent(o);
    sb_printf(o->out, "%s((%s cpl_fault *)", function, ocl_space(o, SPACE_GLOBAL));
    ocl_expr(o, n->kids[0], PREC_UNARY);
    sb_printf(o->out, ", %u, ", (unsigned)n->site);
    ocl_expr(o, n->kids[1], PREC_COND);
    sb_put(o->out, ", ");
    ocl_expr(o, n->kids[2], PREC_COND);
    sb_put(o->out, ", ");
    if (n->kid_count > 3) ocl_expr(o, n->kids[3], PREC_COND);
    else sb_put(o->out, "-1");
    sb_put(o->out, ");\n");
}

static void simple(ocl *o, const ir_node *n, void (*put)(ocl *, const ir_node *))
{
    ocl_indent(o);
    put(o, n);
    sb_put(o->out, ";\n");
}

static void give_back(ocl *o, const ir_node *n)
{
    ocl_indent(o);
    sb_put(o->out, n->kid_count ? "return " : "return");
    if (n->kid_count) ocl_expr(o, n->kids[0], PREC_NONE);
    sb_put(o->out, ";\n");
}

static void repeat(ocl *o, const ir_node *n)
{
    ocl_keep_order(o, n);
    ocl_indent(o);
    sb_put(o->out, "while (");
    ocl_expr(o, n->kids[0], PREC_NONE);
    sb_putc(o->out, ')');
    ocl_body(o, n->body);
    sb_putc(o->out, '\n');
}

/* vloadN and vstoreN want no more alignment than an element has. float16 goes as its bits. */
static void vector_pointer(ocl *o, const ir_node *n)
{
    if (ocl_is_half(n->type->elem))
        sb_printf(o->out, "(%s ushort *)", ocl_space(o, n->type->space));
    ocl_expr(o, n, ocl_is_half(n->type->elem) ? PREC_UNARY : PREC_COND);
}

static void vcopy(ocl *o, const ir_node *n)
{
    sb_printf(o->out, "vstore%u(vload%u(0, ", (unsigned)n->lanes, (unsigned)n->lanes);
    vector_pointer(o, n->kids[1]);
    sb_put(o->out, "), 0, ");
    vector_pointer(o, n->kids[0]);
    sb_putc(o->out, ')');
}

static void statement(ocl *o, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN: assign(o, n); break;
    case IR_EVAL: evaluate(o, n->kids[0]); break;
    case IR_STORE: simple(o, n, ocl_store); break;
    case IR_VCOPY: simple(o, n, vcopy); break;
    case IR_CLEAR: ocl_clear(o, n); break;
    case IR_IF: choose(o, n); break;
    case IR_WHILE: repeat(o, n); break;
    case IR_FOR: ocl_for(o, n); break;
    case IR_BREAK: ocl_line(o, "break;"); break;
    case IR_CONTINUE: ocl_line(o, "continue;"); break;
    case IR_RETURN: give_back(o, n); break;
    case IR_PRINTF: print(o, n); break;
    case IR_BARRIER: ocl_barrier(o, n); break;
    case IR_FENCE: ocl_fence(o, n); break;
    /* the bounds pass makes checks of the former; C has no words for the others */
    case IR_ASSERT:
    case IR_ASSUME:
    case IR_NANOSLEEP: break;
    case IR_FAULT: fault(o, n); break;
    default:
        if (ir_ops[n->op].class_ == IR_CLASS_EFFECT) evaluate(o, n);
        else ocl_error(o, n, "is not accepted here");
    }
}

/* What follows a jump is never reached. */
void ocl_block(ocl *o, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        ir_op op = (ir_op)b->at[i]->op;
        if (op != IR_ASSERT && op != IR_ASSUME) show_source(o, b->at[i]->span);
        statement(o, b->at[i]);
        if (op == IR_BREAK || op == IR_CONTINUE || op == IR_RETURN) return;
    }
}
