/* The tables of the typed IR: what op.def says of each op, and the words of the text form. */
#include "lib/ir/ir.h"

/* The words that rows of op.def use; they live here alone, so that their names stay free
   elsewhere. */
#define COMM IR_FLAG_COMM
#define FOLD IR_FLAG_FOLD
#define RAW  IR_FLAG_RAW

#define NONE   0
#define READ   IR_EFFECT_READ
#define WRITE  IR_EFFECT_WRITE
#define ORDER  IR_EFFECT_ORDER
#define OUTPUT IR_EFFECT_OUTPUT
#define ANY    IR_EFFECT_ANY

const ir_op_info ir_ops[IR_OP_COUNT] = {
#define OP(id, text, class, operands, result, attr, flags, kind, effects, cost, doc, example)      \
    {text,   IR_CLASS_##class, operands, IR_RESULT_##result, IR_ATTR_##attr,                       \
     flags,  IR_KIND_##kind,   effects,  IR_COST_##cost,     doc,                                  \
     example},
#include "lib/ir/op.def"
#undef OP
};

_Static_assert(IR_OP_COUNT <= UINT16_MAX, "ir_node.op holds 16 bits");

const char *const ir_order_text[IR_ORDER_COUNT] = {
    [IR_RELAXED] = "relaxed", [IR_ACQUIRE] = "acquire", [IR_RELEASE] = "release",
    [IR_ACQ_REL] = "acq_rel", [IR_SEQ_CST] = "seq_cst",
};
const char *const ir_scope_text[IR_SCOPE_COUNT] = {
    [IR_SCOPE_GROUP] = "group",
    [IR_SCOPE_DEVICE] = "device",
    [IR_SCOPE_SYSTEM] = "system",
};
const char *const ir_schedule_text[IR_SCHEDULE_COUNT] = {
    [IR_STATIC] = "static",
    [IR_DYNAMIC] = "dynamic",
    [IR_GUIDED] = "guided",
};
const char *const ir_space_text[IR_SPACE_COUNT] = {
    [SPACE_GENERIC] = "generic", [SPACE_GLOBAL] = "global",     [SPACE_LOCAL] = "local",
    [SPACE_PRIVATE] = "private", [SPACE_CONSTANT] = "constant",
};

#define OF     IR_ROLE_OF
#define ALONG  IR_ROLE_ALONG
#define ALONE  IR_ROLE_ALONE
#define ONCE   true
#define MANY   false
#define KERNEL true
#define BODY   false
const ir_role_info ir_roles[PARAM_ROLE_COUNT] = {
#define ROLE(id, word, of, once, kernel, type, doc) {word, of, once, kernel, type},
#include "lib/support/role.def"
#undef ROLE
};

param_role ir_role_find(const char *text, size_t length)
{
    for (int i = 0; length && i < PARAM_ROLE_COUNT; i++)
        if (strlen(ir_roles[i].word) == length && memcmp(ir_roles[i].word, text, length) == 0)
            return (param_role)i;
    return PARAM_ARG;
}

int ir_word_find(const char *const *words, int count, const char *text, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return i;
    return -1;
}

ir_op ir_op_find(const char *text, size_t length)
{
    for (int i = 0; i < IR_OP_COUNT; i++)
        if (strlen(ir_ops[i].text) == length && memcmp(ir_ops[i].text, text, length) == 0)
            return (ir_op)i;
    return IR_OP_COUNT;
}

bool ir_op_subgroup(uint32_t op)
{
    ir_kind k = ir_op_kind(op);
    return k == IR_KIND_LANE || k == IR_KIND_SHUFFLE || k == IR_KIND_JOIN || k == IR_KIND_SCAN;
}

bool ir_op_device(uint32_t op)
{
    return ir_op_kind(op) == IR_KIND_PLACE || ir_op_subgroup(op);
}

bool ir_lanes_fit(uint64_t lanes)
{
    return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

ir_op ir_plain_op(uint32_t op)
{
    switch (op) {
    case IR_ATOMIC_ADD:
    case IR_SUBGROUP_ADD:
    case IR_SUBGROUP_SCAN_ADD: return IR_ADD;
    case IR_ATOMIC_SUB: return IR_SUB;
    case IR_ATOMIC_MIN:
    case IR_SUBGROUP_MIN:
    case IR_SUBGROUP_SCAN_MIN: return IR_MIN;
    case IR_ATOMIC_MAX:
    case IR_SUBGROUP_MAX:
    case IR_SUBGROUP_SCAN_MAX: return IR_MAX;
    case IR_ATOMIC_AND: return IR_AND;
    case IR_ATOMIC_OR: return IR_OR;
    case IR_ATOMIC_XOR: return IR_XOR;
    default: return IR_OP_COUNT;
    }
}

bool ir_op_reduces(ir_op op)
{
    switch (op) {
    case IR_ADD:
    case IR_MUL:
    case IR_MIN:
    case IR_MAX:
    case IR_AND:
    case IR_OR:
    case IR_XOR: return true;
    default: return false;
    }
}
