/* The text of --emit types. */
#include "lib/sema/sema_int.h"

static void print_func(strbuf *sb, arena *a, const sema_func *f)
{
    sb_printf(sb, "%s(", f->symbol);
    for (uint32_t i = 0; i < f->params.n; i++)
        sb_printf(sb, "%s%s: %s", i ? ", " : "", f->params.at[i]->name,
                  sema_type_name(a, f->params.at[i]->type));
    sb_printf(sb, ") -> %s\n", sema_type_name(a, f->result));
    for (uint32_t i = 0; i < f->bound.n; i++)
        sb_printf(sb, "  %s = %s\n", f->bound.at[i]->name, f->bound.at[i]->type->text);
    for (uint32_t i = 0; i < f->vars.n; i++)
        sb_printf(sb, "  %s: %s%s\n", f->vars.at[i]->name,
                  f->vars.at[i]->local_memory ? "local " : "",
                  sema_type_name(a, f->vars.at[i]->type));
}

void sema_print(strbuf *sb, const sema_program *p)
{
    for (uint32_t i = 0; i < p->funcs.n; i++) print_func(sb, &p->comp->arena, p->funcs.at[i]);
}
