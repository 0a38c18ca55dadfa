/* Types for use inside a compilation, where out of memory is a jump. */
#include "lib/support/support.h"

static const cpl_type *or_jump(compilation *c, const cpl_type *t)
{
    if (!t) longjmp(*c->on_oom, 1);
    return t;
}

const cpl_type *comp_scalar(compilation *c, cpl_dtype dtype)
{
    return or_jump(c, type_scalar(c->types, dtype));
}

const cpl_type *comp_pointer(compilation *c, const cpl_type *elem, type_space space)
{
    return or_jump(c, type_pointer(c->types, elem, space));
}

const cpl_type *comp_shaped(compilation *c, const cpl_type *elem, uint32_t dims, bool strided)
{
    return or_jump(c, type_shaped(c->types, elem, dims, strided));
}

const cpl_type *comp_array(compilation *c, const cpl_type *elem, uint64_t count)
{
    return or_jump(c, type_array(c->types, elem, count));
}

const cpl_type *comp_parse_type(compilation *c, const char *text)
{
    const cpl_type *t;
    if (type_read(c->types, text, strlen(text), &t) == CPL_ENOMEM) longjmp(*c->on_oom, 1);
    return t;
}
