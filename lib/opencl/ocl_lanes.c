/*
 * Sub-groups. bool and narrow integers go as int, which every driver has. Where the driver's
 * compiler takes inline PTX and OpenCL's functions are not there, they are written in it.
 */
#include "lib/opencl/ocl_int.h"

static bool by_ptx(const ocl *o)
{
    return o->options->target.ptx;
}

/* asm is volatile: it depends on which lanes come along. */
static const char lane_text[] = "static uint cpl_lane(void)\n{\n    uint lane;\n"
                                "    asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n"
                                "    return lane;\n}\n";

static const char bits_text[] =
    "static uint cpl_ballot_bits(int bit)\n{\n    uint bits;\n"
    "    asm volatile(\"{.reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1;}\" : "
    "\"=r\"(bits) : \"r\"(bit));\n"
    "    return bits;\n}\n";

static const char word_text[] =
    "static uint cpl_lane_word(uint word, uint lane)\n{\n    uint other;\n"
    "    asm volatile(\"shfl.sync.idx.b32 %0, %1, %2, 31, -1;\" : \"=r\"(other) : \"r\"(word), "
    "\"r\"(lane));\n"
    "    return other;\n}\n";

static const char words_text[] =
    "static uint2 cpl_lane_words(uint2 words, uint lane)\n{\n"
    "    return (uint2)(cpl_lane_word(words.x, lane), cpl_lane_word(words.y, lane));\n}\n";

/* how many lanes there are */
static const char lanes_text[] =
    "static uint cpl_lanes(void)\n{\n    return popcount(cpl_ballot_bits(1));\n}\n";

const char *ocl_lane(ocl *o)
{
    if (!by_ptx(o)) return "get_sub_group_local_id()";
    ocl_helper(o, "cpl_lane", lane_text);
    return "cpl_lane()";
}

const char *ocl_most_lanes(const ocl *o)
{
    return by_ptx(o) ? "32u" : "get_max_sub_group_size()";
}

static const char *lanes(ocl *o)
{
    if (!by_ptx(o)) return "get_sub_group_size()";
    ocl_helper(o, "cpl_ballot_bits", bits_text);
    ocl_helper(o, "cpl_lanes", lanes_text);
    return "cpl_lanes()";
}

static const char *lane_type(ocl *o, const cpl_type *t)
{
    if (type_is_bool(t) || ocl_is_narrow(t)) return type_is_unsigned(t) ? "uint" : "int";
    return ocl_scalar(o, t);
}

/* The function of a value and a lane that gives that lane's value. */
static const char *value_of_lane(ocl *o, const cpl_type *t)
{
    if (!by_ptx(o)) return "sub_group_shuffle";
    arena *a = &o->c->arena;
    bool wide = t->size == 8;
    const char *type = lane_type(o, t), *name = arena_printf(a, "cpl_lane_%s", type);
    ocl_helper(o, "cpl_lane_word", word_text);
    if (wide) ocl_helper(o, "cpl_lane_words", words_text);
    return ocl_helper(o, name,
                      arena_printf(a,
                                   "static %s %s(%s value, uint lane)\n{\n"
                                   "    return as_%s(cpl_lane_word%s(as_uint%s(value), lane));\n"
                                   "}\n",
                                   type, name, type, type, wide ? "s" : "", wide ? "2" : ""));
}

/* By the plain shuffle alone: no lane is asked that does not exist. */
static const char *shuffle(ocl *o, ir_op op, const cpl_type *t)
{
    arena *a = &o->c->arena;
    bool relative = op == IR_SHUFFLE_UP || op == IR_SHUFFLE_DOWN;
    const char *type = lane_type(o, t), *name = arena_printf(a, "cpl_%s_%s", ir_ops[op].text, type),
               *place = relative ? arena_printf(a, "    const uint own = %s;\n", ocl_lane(o)) : "",
               *lane;
    switch (op) {
    case IR_SHUFFLE: lane = arena_printf(a, "(ulong)lane %% %s", ocl_most_lanes(o)); break;
    case IR_SHUFFLE_XOR:
        lane = arena_printf(a, "(%s ^ (ulong)lane) %% %s", ocl_lane(o), ocl_most_lanes(o));
        break;
    case IR_SHUFFLE_UP: lane = "(ulong)lane <= own ? own - (ulong)lane : own"; break;
    default:
        lane = arena_printf(a, "(ulong)lane < %s - own ? own + (ulong)lane : own", lanes(o));
        break;
    }
    o->shuffles = true;
    const char *from = value_of_lane(o, t);
    return ocl_helper(o, name,
                      arena_printf(a,
                                   "static %s %s(%s value, long lane)\n{\n%s    return "
                                   "%s(value, (uint)(%s));\n}\n",
                                   type, name, type, place, from, lane));
}

static const char *ballot(ocl *o)
{
    o->ballots = true;
    if (by_ptx(o)) return ocl_helper(o, "cpl_ballot_bits", bits_text);
    return ocl_helper(
        o, "cpl_ballot",
        "static ulong cpl_ballot(bool bit)\n{\n    const uint4 bits = sub_group_ballot(bit);\n"
        "    return bits.x | (ulong)bits.y << 32;\n}\n");
}

/* "v = v + other" of a lane's value and that of a later one */
static const char *joined(ocl *o, ir_op how, const cpl_type *t)
{
    if (how != IR_ADD)
        return arena_printf(&o->c->arena, "%s(v, other)", ocl_min_max_of(o, how == IR_MAX, t));
    if (type_is_float(t) || ocl_is_narrow(t)) return "v + other";
    const char *word = ocl_unsigned(t);
    return arena_printf(&o->c->arena, "(%s)((%s)v + (%s)other)", ocl_scalar(o, t), word, word);
}

/* A reduction: lane l joins what lane l + 16, 8, 4, 2, 1 has, if there is one; lane 0 then has all,
 * which it hands out. A scan: what lane l - 1, 2, 4, 8, 16 has. */
static const char *reduction_by_ptx(ocl *o, const ir_node *n)
{
    bool scan = ir_op_kind(n->op) == IR_KIND_SCAN;
    arena *a = &o->c->arena;
    const char *type = lane_type(o, n->type), *from = value_of_lane(o, n->type), *own = ocl_lane(o),
               *all = scan ? NULL : lanes(o), *join = joined(o, ir_plain_op(n->op), n->type),
               *name = arena_printf(a, "cpl_%s_%s", ir_ops[n->op].text, ocl_scalar(o, n->type));
    const char *text =
        scan ? arena_printf(a,
                            "    for (uint d = 1; d < 32; d *= 2) {\n"
                            "        const %s v = %s(value, lane - d), other = value;\n"
                            "        if (lane >= d) value = %s;\n    }\n    return value;\n",
                            type, from, join)
             : arena_printf(a,
                            "    const uint lanes = %s;\n    for (uint d = 16; d; d /= 2) {\n"
                            "        const %s v = value, other = %s(value, lane + d);\n"
                            "        if (lane + d < lanes) value = %s;\n    }\n"
                            "    return %s(value, 0);\n",
                            all, type, from, join, from);
    return ocl_helper(o, name,
                      arena_printf(a, "static %s %s(%s value)\n{\n    const uint lane = %s;\n%s}\n",
                                   type, name, type, own, text));
}

static const char *reduction(ocl *o, const ir_node *n)
{
    if (by_ptx(o)) return reduction_by_ptx(o, n);
    const char *what = ir_op_kind(n->op) == IR_KIND_SCAN ? "scan_inclusive" : "reduce";
    return arena_printf(&o->c->arena, "sub_group_%s_%s", what, ir_ops[ir_plain_op(n->op)].text);
}

static void lane_value(ocl *o, const ir_node *n)
{
    const char *type = lane_type(o, n->type);
    if (type_is_bool(n->type) || ocl_is_narrow(n->type)) sb_printf(o->out, "(%s)", type);
    ocl_expr(o, n, type_is_bool(n->type) || ocl_is_narrow(n->type) ? PREC_UNARY : PREC_COND);
}

void ocl_subgroup(ocl *o, const ir_node *n, int prec)
{
    o->subgroups = true;
    if (n->op == IR_BALLOT) {
        sb_printf(o->out, "%s(", ballot(o));
        ocl_expr(o, n->kids[0], PREC_COND);
        sb_putc(o->out, ')');
        return;
    }
    bool narrow = ocl_is_narrow(n->type), p = ocl_open(o, narrow && prec > PREC_UNARY),
         shuffled = ir_op_kind(n->op) == IR_KIND_SHUFFLE;
    bool rounded = ocl_is_half(n->type) && !shuffled;
    if (narrow) sb_printf(o->out, "(%s)", ocl_scalar(o, n->type));
    if (rounded) sb_printf(o->out, "%s(", ocl_half(o));
    sb_printf(o->out, "%s(", shuffled ? shuffle(o, (ir_op)n->op, n->type) : reduction(o, n));
    lane_value(o, n->kids[0]);
    if (shuffled) {
        sb_put(o->out, ", ");
        ocl_expr(o, n->kids[1], PREC_COND);
    }
    sb_put(o->out, rounded ? "))" : ")");
    ocl_close(o, p);
}
