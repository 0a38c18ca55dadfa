/*
 * Short vectors: structs whose lanes operators and functions of numbers work on one by one. A
 * number beside a vector stands for one whose lanes are all that.
 */
#include "lib/sema/sema_int.h"

bool sema_is_vector(const cpl_type *t)
{
    return sema_is_known(t) && type_lanes(t) > 0;
}

/* The type of a lane, or of a number. */
static const cpl_type *lane(const cpl_type *t)
{
    return sema_is_vector(t) ? t->fields[0].type : t;
}

static const cpl_type *with_lanes(instance *in, const cpl_type *t, uint32_t lanes)
{
    compilation *c = in->s->comp;
    const cpl_type *v = type_vector_of(c->types, sema_default(c, t), lanes);
    return v ? v : &sema_error_type; /* of bool: there is none */
}

/* How many lanes operands have in common; 0 after an error. */
static uint32_t common_lanes(instance *in, const ast_node *n, ast_node *const *kids, uint32_t count)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cpl_type *t = in->f.types[kids[i]->id];
        uint32_t own = sema_is_vector(t) ? type_lanes(t) : 0;
        if (own ? !lanes || lanes == own : sema_is_number(t)) {
            if (own) lanes = own;
            continue;
        }
        if (own)
            sema_error(in, n->span, "%s has %u lanes, and its other operand %u", sema_name(in, t),
                       own, lanes);
        else sema_error(in, n->span, "%s does not go with a vector", sema_name(in, t));
        return 0;
    }
    return lanes;
}

/* Numbers beside vectors take the type of a lane. */
static const cpl_type *finish(instance *in, ast_node *const *kids, uint32_t count,
                              const cpl_type *t, uint32_t lanes)
{
    for (uint32_t i = 0; i < count; i++) sema_settle(in, kids[i], t);
    return with_lanes(in, t, lanes);
}

const cpl_type *sema_vector_binary(instance *in, ast_node *n, token_kind op, ast_node *a,
                                   ast_node *b)
{
    ast_node *kids[] = {a, b};
    const cpl_type *ta = lane(in->f.types[a->id]), *tb = lane(in->f.types[b->id]);
    uint32_t lanes = common_lanes(in, n, kids, 2);
    bool whole =
        op == TOK_BITAND || op == TOK_BITOR || op == TOK_BITXOR || op == TOK_SHL || op == TOK_SHR;
    if (!lanes) return &sema_error_type;
    if (op == TOK_MATMUL || (whole && (type_is_float(ta) || type_is_float(tb)))) {
        sema_error(in, n->span, "'%s' does not work on %s and %s", token_text(op),
                   sema_name(in, in->f.types[a->id]), sema_name(in, in->f.types[b->id]));
        return &sema_error_type;
    }
    const cpl_type *t =
        op == TOK_POW ? sema_power(in, a, b, ta, tb) : sema_arith(in->s->comp, ta, tb);
    return finish(in, kids, op == TOK_POW && type_is_int(t) ? 1 : 2, t, lanes);
}

const cpl_type *sema_vector_unary(instance *in, const ast_node *n)
{
    const cpl_type *t = in->f.types[n->kids[0]->id], *of = lane(t);
    if (n->op != TOK_BITNOT || !type_is_float(of))
        return with_lanes(in, sema_arith(in->s->comp, of, of), type_lanes(t));
    sema_error(in, n->span, "~ needs integers, found %s", sema_name(in, t));
    return &sema_error_type;
}

const cpl_type *sema_vector_call(instance *in, ast_node *n, sema_builtin b)
{
    ast_node **kids = n->kids + 1;
    uint32_t count = n->kid_count - 1;
    const cpl_type *t = NULL;
    sema_group group = sema_builtins[b].group;
    bool lanewise = (group == BG_MATH && b != BI_LDEXP) || group == BG_NUM;
    if (!lanewise) {
        sema_error(in, n->span, "'%s' takes numbers, not vectors", sema_builtins[b].name);
        return &sema_error_type;
    }
    uint32_t lanes = common_lanes(in, n, kids, count);
    if (!lanes) return &sema_error_type;
    for (uint32_t i = 0; i < count; i++)
        t = sema_join(in->s->comp, t, lane(in->f.types[kids[i]->id]));
    if (group == BG_MATH) t = sema_float_of(in, t);
    if (b == BI_POW) {
        const cpl_type *x = lane(in->f.types[kids[0]->id]), *y = lane(in->f.types[kids[1]->id]);
        t = sema_power(in, kids[0], kids[1], x, y);
    }
    return finish(in, kids, count, t, lanes);
}

/* float4(x), float4(x, y, z, w), float4(v, z, w) with v a float2: numbers and vectors that have as
 * many lanes together, or one number for all. */
const cpl_type *sema_call_vector(instance *in, ast_node *n, const cpl_type *t)
{
    sema_site c = sema_site_of(in, n, NULL);
    uint32_t lanes = 0;
    bool good = c.keywords == 0;
    for (uint32_t i = 0; i < c.count && good; i++) {
        const cpl_type *given = in->f.types[c.args[i]->id];
        if (!given) return NULL;
        good = sema_is_number(given) || sema_is_vector(given);
        lanes += sema_is_vector(given) ? type_lanes(given) : 1;
        sema_settle_store(in, c.args[i], t->fields[0].type);
    }
    bool splat = c.count == 1 && lanes == 1;
    if (good && (c.count == 0 || splat || lanes == type_lanes(t))) {
        in->f.refs[n->id] = (sema_ref){.kind = REF_VECTOR};
        return t;
    }
    diag *d = sema_error(in, n->span, "'%s' takes %u numbers, or one for all lanes, found %u",
                         t->name, type_lanes(t), lanes);
    sema_hint(in, d, "%s(0) has zeros in all lanes; vectors count as many numbers", t->name);
    sema_arguments(in, n);
    return &sema_error_type;
}
