/*
 * The packed entry: one C signature for every kernel, so that the runtime can call a function whose
 * type it learns at run time:
 *
 *     void F.packed(const void *const *args, void *result)    args[i] points to the i-th argument
 */
#include "lib/driver/internal.h"

ir_func *packed_entry(ir_module *m, ir_func *entry)
{
    compilation *c = m->comp;
    const cpl_type *byte = comp_pointer(c, comp_scalar(c, CPL_UINT8), SPACE_GENERIC);
    const cpl_type *index = comp_scalar(c, CPL_INT64);
    cpl_span none = {0};
    ir_func *f = ir_func_new(m, arena_printf(&c->arena, "%s.packed", entry->name), IR_ENTRY,
                             comp_scalar(c, CPL_VOID), none);
    ir_var *args = ir_param_new(m, f, "args", comp_pointer(c, byte, SPACE_GENERIC), none);
    ir_var *result = ir_param_new(m, f, "result", byte, none);
    f->body = ir_block_new(m);

    ir_node **values = arena_array(&c->arena, entry->params.n, sizeof *values);
    for (uint32_t i = 0; i < entry->params.n; i++) {
        const cpl_type *pointer = comp_pointer(c, entry->params.at[i]->type, SPACE_GENERIC);
        ir_node *slot = ir_op2(m, IR_ELEM, ir_use(m, args, none), ir_int(m, index, i, none), none);
        ir_node *address = ir_typed(m, IR_PTRCAST, pointer, ir_op1(m, IR_LOAD, slot, none), none);
        values[i] = ir_op1(m, IR_LOAD, address, none);
    }
    ir_node *call = ir_call(m, entry, values, entry->params.n, none);
    if (type_is_void(entry->result)) {
        ir_append(m, f->body, ir_eval(m, call, none));
    } else {
        ir_var *value = ir_var_new(m, f, "value", entry->result, none);
        ir_node *target = ir_typed(m, IR_PTRCAST, comp_pointer(c, entry->result, SPACE_GENERIC),
                                   ir_use(m, result, none), none);
        ir_append(m, f->body, ir_assign(m, value, call, none));
        ir_append(m, f->body, ir_op2(m, IR_STORE, target, ir_use(m, value, none), none));
    }
    ir_append(m, f->body, ir_return(m, NULL, none));
    return f;
}
