/* The rules of roles: what parameters may be beside the caller's arguments (lib/support/role.def).
 */
#include "lib/ir/ir_int.h"

#include <inttypes.h>

static bool role_fits(const ir_var *p)
{
    const cpl_type *t = p->type, *elem = type_is_pointer(t) ? t->elem : NULL;
    switch (p->role) {
    case PARAM_LENGTH:
    case PARAM_SHAPE:
    case PARAM_STRIDE: return type_is(t, CPL_INT64);
    case PARAM_FAULT:
        return elem && type_is(elem, CPL_UINT8) && t->space != SPACE_LOCAL &&
               t->space != SPACE_PRIVATE && t->space != SPACE_CONSTANT;
    case PARAM_PARTS: return elem && t->space == SPACE_GLOBAL && type_is_scalar(elem);
    case PARAM_GRID: return elem && t->space == SPACE_GLOBAL && type_is(elem, CPL_INT64);
    case PARAM_IMAG: return type_is_float(t) && p->of && p->of->type == t;
    case PARAM_RESULT:
        return elem && t->space == SPACE_GLOBAL &&
               (type_is_scalar(elem) || type_is_pointer(elem) || type_is_complex(elem));
    default: return true; /* the type of a count is the header's */
    }
}

/* Whether the pointer has a shape as far as the dimension. */
static bool has_dimension(const ir_func *f, const ir_var *of, uint32_t axis)
{
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *q = f->params.at[i];
        if (q->role == PARAM_SHAPE && q->of == of && q->axis == axis) return true;
    }
    return false;
}

/* The last dimension that must be there for its role to tell of something. */
static uint32_t dimension_before(const ir_var *p)
{
    return p->role == PARAM_SHAPE ? p->axis - 1u : p->axis;
}

/* What its role is of. */
static void check_role_of(verifier *v, const ir_var *p)
{
    const char *word = ir_roles[p->role].word;
    const ir_var *of = p->of;
    bool is_imag = p->role == PARAM_IMAG;
    if (!of && !ir_roles[p->role].of) return;
    if (!of || !ir_roles[p->role].of)
        verify_error(v, p->span, "parameter '%s' has a role that is of %s", p->name,
                     of ? "no other, and another" : "a pointer, and no pointer");
    else if (!(verify_has_var(v->f, of) && of->is_param && (type_is_pointer(of->type) || is_imag)))
        verify_error(v, p->span, "'%s', whose %s is '%s', is no%s parameter of this function",
                     of->name, word, p->name, is_imag ? "" : " pointer");
    else if (of->role != PARAM_ARG)
        verify_error(v, p->span, "'%s', whose %s is '%s', has a role itself", of->name, word,
                     p->name);
    else if (p->axis >= TYPE_MOST_DIMS)
        verify_error(v, p->span, "'%s' is the %s of '%s' along a dimension that no array has",
                     p->name, word, of->name);
    else if (p->axis && !has_dimension(v->f, of, dimension_before(p)))
        verify_error(
            v, p->span,
            "'%s' is the %s of '%s' along dimension %d, and nothing is its shape along dimension "
            "%" PRIu32,
            p->name, word, of->name, p->axis, dimension_before(p));
    else if (p->role == PARAM_LENGTH && of->extent != p)
        verify_error(v, p->span, "'%s' is the length of '%s', whose extent is another", p->name,
                     of->name);
}

static const ir_var *first_like(const ir_func *f, const ir_var *p)
{
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *q = f->params.at[i];
        if (q->role == p->role && q->of == p->of && q->axis == p->axis) return q;
    }
    return NULL;
}

/* What functions a role belongs to, where the parameter's is none of them; NULL: it is. */
static const char *misplaced(const ir_func *f, const ir_var *p)
{
    if (ir_roles[p->role].kernel && (!f->kernel || f->elementwise))
        return "belongs to kernels that are not elementwise";
    if (p->role == PARAM_GRID && (f->kernel || f->elementwise))
        return "belongs to what runs a whole grid by itself, which no kernel does";
    if (p->role != PARAM_RESULT) return NULL;
    if (f->elementwise || !type_is_void(f->result))
        return "belongs to functions that return nothing and are not elementwise";
    bool kernel = f->kernel || ir_param_of(f, PARAM_GRID, NULL); /* or was one */
    return kernel || type_is_complex(p->type->elem)
               ? NULL
               : "belongs to kernels, unless it is a complex number: functions return others";
}

static void check_role(verifier *v, const ir_var *p)
{
    const ir_func *f = v->f;
    const ir_role_info *role = &ir_roles[p->role];
    const ir_var *first = first_like(f, p);
    const char *wrong;
    if (!p->type || (p->role == PARAM_ARG && !p->of)) return;
    if (!p->is_param || f->linkage == IR_EXTERN)
        verify_error(v, p->span, "'%s' has a role, which parameters of functions with a body have",
                     p->name);
    else if (p->role == PARAM_COUNT && !(f->elementwise && f->params.at[0] == p))
        verify_error(v, p->span,
                     "'%s' is no first parameter of an elementwise entry, yet its count", p->name);
    else if (!role_fits(p))
        verify_error(v, p->span, "the %s '%s' is %s, expected %s", role->word, p->name,
                     p->type->text, role->type);
    else if ((wrong = misplaced(f, p)))
        verify_error(v, p->span, "'%s' has the role %s, which %s", p->name, role->word, wrong);
    else if (role->once && first && first != p)
        verify_error(v, p->span, "'%s' has the role of '%s' once more: %s", p->name, first->name,
                     role->word);
    else check_role_of(v, p);
}

void verify_roles(verifier *v, const ir_func *f)
{
    for (uint32_t i = 0; i < f->params.n; i++) check_role(v, f->params.at[i]);
    for (uint32_t i = 0; i < f->vars.n; i++) check_role(v, f->vars.at[i]);
}
