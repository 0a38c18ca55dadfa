/* Specialisations, as callers give them. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"

void cpl_spec_init(cpl_spec *spec)
{
    if (!spec) return;
    *spec = (cpl_spec){.size = sizeof *spec};
}

static const char *bad_bind(const cpl_context *cx, const cpl_bind *b)
{
    if (b->reserved[0] | b->reserved[1]) return "has reserved members that are not zero";
    switch (b->kind) {
    case CPL_BIND_NONE:
    case CPL_BIND_INTEGER: return NULL;
    case CPL_BIND_TYPE:
        if (!b->type) return "is no type";
        return b->type->table == cx->types ? NULL : "is a type of another context";
    case CPL_BIND_FUNCTION: return b->text ? NULL : "names no function";
    case CPL_BIND_EXPRESSION: return b->text ? NULL : "has no text";
    }
    return "has no valid kind";
}

cpl_status context_check_bind(cpl_context *cx, const char *what, const cpl_bind *b)
{
    const char *wrong = bad_bind(cx, b);
    if (!wrong && binds_text(b) && strnlen(b->text, SOURCE_LIMIT + 1) > SOURCE_LIMIT)
        return context_report(cx, CPL_ELIMIT, "%s is a text larger than %d MiB", what,
                              (int)(SOURCE_LIMIT >> 20));
    if (!wrong) return CPL_OK;
    return context_report(cx, CPL_EARG, "%s %s", what, wrong);
}

cpl_status context_check_param_bind(cpl_context *cx, size_t i, const cpl_bind *b)
{
    char what[64];
    snprintf(what, sizeof what, "what parameter %zu stands for", i + 1);
    return context_check_bind(cx, what, b);
}

static cpl_status check_spec(cpl_context *cx, const cpl_spec *spec)
{
    if ((spec->type_count && !spec->types) || (spec->option_count && !spec->options) ||
        (spec->bind_count && !spec->binds))
        return thread_report(CPL_EARG, "a specialisation's list is NULL, but not empty");
    if ((unsigned)spec->form > CPL_FORM_KERNEL)
        return context_report(cx, CPL_EARG, "a specialisation has no valid form");
    if (spec->facts & ~(uint32_t)ALL_FACTS)
        return context_report(cx, CPL_EARG, "a specialisation has facts that are none");
    for (size_t i = 0; i < spec->type_count; i++)
        if (spec->types[i] && spec->types[i]->table != cx->types)
            return context_report(cx, CPL_EARG, "type %zu is another context's", i + 1);
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < spec->bind_count && !status; i++) {
        status = context_check_param_bind(cx, i, &spec->binds[i]);
        if (!status && spec->binds[i].kind && i < spec->type_count && spec->types[i])
            status = context_report(cx, CPL_EARG,
                                    "parameter %zu has a type, and stands for something too: one "
                                    "of both",
                                    i + 1);
    }
    for (size_t i = 0; i < spec->option_count && i < OPTION_COUNT && !status; i++)
        if (spec->options[i] != INT64_MIN) status = option_check(cx, (int)i, spec->options[i]);
    return status;
}

cpl_status context_read_spec(cpl_context *cx, const cpl_spec *given, cpl_spec *spec)
{
    cpl_spec_init(spec);
    cpl_status status = READ_STRUCT(spec, given, cpl_spec);
    return status ? status : check_spec(cx, spec);
}
