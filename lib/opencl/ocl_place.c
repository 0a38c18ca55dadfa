/* Addresses, loads and stores. */
#include "lib/opencl/ocl_int.h"

/* A pointer that is printed as the place it leads to, with & in front. */
static bool is_place(const ir_node *n)
{
    return n->op == IR_ADDR || n->op == IR_ITEM || n->op == IR_FIELD || n->op == IR_ELEM;
}

/* A place of array type is an array: no different from what points to its first item when it is
 * indexed. */
static void place(ocl *o, const ir_node *pointer, int prec)
{
    const ir_node *base = pointer->kid_count ? pointer->kids[0] : NULL;
    bool p;
    int64_t index;
    switch (pointer->op) {
    case IR_ADDR: sb_put(o->out, ocl_of(pointer->var)->name); return;
    case IR_ELEM:
    case IR_ITEM:
        if (pointer->op == IR_ELEM && is_place(base) && ir_is_int_const(pointer->kids[1], &index) &&
            index == 0) {
            place(o, base, prec);
            return;
        }
        if (pointer->op == IR_ELEM) ocl_expr(o, base, PREC_POSTFIX);
        else place(o, base, PREC_POSTFIX);
        sb_putc(o->out, '[');
        ocl_expr(o, pointer->kids[1], PREC_NONE);
        sb_putc(o->out, ']');
        return;
    case IR_FIELD:
        if (is_place(base)) place(o, base, PREC_POSTFIX);
        else ocl_expr(o, base, PREC_POSTFIX);
        sb_printf(o->out, "%s%s", is_place(base) ? "." : "->",
                  ocl_field_name(o, base->type->elem->fields[pointer->field].name));
        return;
    default:
        p = ocl_open(o, prec > PREC_UNARY);
        sb_putc(o->out, '*');
        ocl_expr(o, pointer, PREC_UNARY);
        ocl_close(o, p);
    }
}

static void strided(ocl *o, const ir_node *n)
{
    sb_printf(o->out, "(%s)((%s char *)", ocl_cast(o, n->type), ocl_space(o, n->type->space));
    ocl_expr(o, n->kids[0], PREC_UNARY);
    sb_put(o->out, " + ");
    ocl_expr(o, ir_strided_bytes(o->m, n), PREC_MUL);
    sb_putc(o->out, ')');
}

void ocl_pointer(ocl *o, const ir_node *n, int prec)
{
    bool half = ocl_is_half(n->type->elem), p = false;
    switch (n->op) {
    case IR_ELEM:
        /* a half is no value whose address could be taken */
        if (half || ocl_is_narrow(n->kids[1]->type)) {
            p = ocl_open(o, prec > PREC_ADD);
            ocl_expr(o, n->kids[0], PREC_ADD);
            sb_put(o->out, " + ");
            ocl_expr(o, n->kids[1], PREC_MUL);
            break;
        }
        p = ocl_open(o, prec > PREC_UNARY);
        sb_putc(o->out, '&');
        place(o, n, PREC_UNARY);
        break;
    case IR_ADDR:
    case IR_ITEM:
    case IR_FIELD:
        p = ocl_open(o, prec > PREC_UNARY);
        if (half) sb_printf(o->out, "(%s)", ocl_cast(o, n->type)); /* stored as ushort */
        sb_putc(o->out, '&');
        place(o, n, PREC_UNARY);
        break;
    case IR_STRIDED:
        p = ocl_open(o, prec > PREC_UNARY);
        strided(o, n);
        break;
    default:
        p = ocl_open(o, prec > PREC_UNARY);
        sb_printf(o->out, "(%s)", ocl_cast(o, n->type));
        ocl_expr(o, n->kids[0], PREC_UNARY);
    }
    ocl_close(o, p);
}

/* A half in memory that is not aligned to it is an ushort to be read and written. */
static bool is_odd_half(const ir_node *pointer)
{
    return ocl_is_half(pointer->type->elem) && ir_is_misaligned(pointer);
}

/* The last arguments of vload_half and vstore_half: how many elements from where. */
static void half_place(ocl *o, const ir_node *pointer)
{
    bool elem = pointer->op == IR_ELEM;
    if (elem) ocl_expr(o, pointer->kids[1], PREC_COND);
    else sb_putc(o->out, '0');
    sb_put(o->out, ", ");
    ocl_expr(o, elem ? pointer->kids[0] : pointer, PREC_COND);
    sb_putc(o->out, ')');
}

void ocl_load(ocl *o, const ir_node *n, int prec)
{
    if (is_odd_half(n->kids[0])) {
        sb_printf(o->out, "%s(", ocl_half_value(o));
        place(o, n->kids[0], PREC_COND);
        sb_putc(o->out, ')');
    } else if (ocl_is_half(n->type)) {
        sb_put(o->out, "vload_half(");
        half_place(o, n->kids[0]);
    } else {
        place(o, n->kids[0], prec);
    }
}

void ocl_store(ocl *o, const ir_node *n)
{
    const ir_node *pointer = n->kids[0], *value = n->kids[1];
    if (is_odd_half(pointer)) {
        place(o, pointer, PREC_NONE);
        sb_printf(o->out, " = %s(", ocl_half_bits(o));
        ocl_expr(o, value, PREC_COND);
        sb_putc(o->out, ')');
        return;
    }
    if (ocl_is_half(value->type)) {
        sb_put(o->out, "vstore_half_rte(");
        ocl_expr(o, value, PREC_COND);
        sb_put(o->out, ", ");
        half_place(o, pointer);
        return;
    }
    place(o, pointer, PREC_NONE);
    sb_put(o->out, " = ");
    ocl_expr(o, value, PREC_NONE);
}

/* The innermost items of an array, and how many there are. */
static const cpl_type *items(const cpl_type *t, unsigned long long *count)
{
    for (*count = 1; type_is_array(t); t = t->elem) *count *= t->count;
    return t;
}

static void clear_bytes(ocl *o, const ir_node *pointer)
{
    const char *k = ocl_local_name(o, "k");
    sb_printf(o->out, "for (ulong %s = 0; %s < %zu; %s++) ((%s uchar *)", k, k,
              pointer->type->elem->size, k, ocl_space(o, pointer->type->space));
    ocl_expr(o, pointer, PREC_UNARY);
    sb_printf(o->out, ")[%s] = 0;\n", k);
}

void ocl_clear(ocl *o, const ir_node *n)
{
    unsigned long long count;
    const ir_node *pointer = n->kids[0];
    const cpl_type *t = pointer->type->elem, *item = items(t, &count);
    const char *type = ocl_declare(o, item, "", OCL_STORED, "");
    const char *zero = type_is_struct(item) ? arena_printf(&o->c->arena, "(%s){0}", type) : "0";
    ocl_indent(o);
    if (type_is_array(t) && ir_is_misaligned(pointer)) {
        clear_bytes(o, pointer);
        return;
    }
    if (type_is_array(t)) {
        const char *k = ocl_local_name(o, "k");
        const char *target =
            ocl_declare(o, item, "*", OCL_STORED, ocl_space(o, pointer->type->space));
        if (type_is_pointer(item))
            target =
                ocl_declare(o, item,
                            arena_printf(&o->c->arena, "*%s ", ocl_space(o, pointer->type->space)),
                            OCL_STORED, "");
        sb_printf(o->out, "for (uint %s = 0; %s < %llu; %s++) ((%s)", k, k, count, k, target);
        ocl_expr(o, pointer, PREC_UNARY);
        sb_printf(o->out, ")[%s] = %s;\n", k, zero);
        return;
    }
    if (ocl_is_half(t) && !is_odd_half(pointer)) {
        sb_put(o->out, "vstore_half_rte(0.0f, ");
        half_place(o, pointer);
    } else {
        place(o, pointer, PREC_NONE);
        sb_printf(o->out, " = %s", zero);
    }
    sb_put(o->out, ";\n");
}
