/*
 * Hints that look at how something else is written: what a name was assigned, what stands beside an
 * operator.
 */
#include "lib/sema/sema_int.h"

const char *sema_text_of(const instance *in, const ast_node *n)
{
    const char *text = in->f.fn->file->src->text + n->span.begin;
    size_t size = n->span.end - n->span.begin;
    if (memchr(text, '\n', size) || memchr(text, '\r', size)) return "...";
    return arena_printf(&in->s->comp->arena, "%.*s", (int)size, text);
}

static bool has_element(const ast_node *n)
{
    if (n->kind == AST_INDEX) return true;
    for (uint32_t i = 0; n->kind == AST_BINARY && i < n->kid_count; i++)
        if (has_element(n->kids[i])) return true;
    return false;
}

/* The value of an assignment to the name, d = p[j] - p[i], that has elements of arrays in it. */
static const ast_node *made_of_elements(const ast_list *list, const char *name)
{
    const ast_node *found = NULL;
    for (uint32_t i = 0; list && i < list->n && !found; i++) {
        const ast_node *n = list->at[i], *value = n->kid_count > 1 ? n->kids[1] : NULL;
        bool binds = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_NAME &&
                     strcmp(n->kids[0]->name, name) == 0;
        if (binds && value->kind == AST_BINARY && has_element(value)) found = value;
        if (!found) found = made_of_elements(n->body, name);
        if (!found) found = made_of_elements(n->orelse, name);
    }
    return found;
}

void sema_hint_number(instance *in, diag *d, const ast_node *n)
{
    const ast_node *value = n->kind == AST_NAME ? made_of_elements(sema_body(in), n->name) : NULL;
    if (value)
        sema_hint(in, d,
                  "what is changed element by element is an array of the function's own: "
                  "%s = np.zeros(3); %s[:] = %s, with rows as p[i, :]",
                  n->name, n->name, sema_text_of(in, value));
    else sema_hint(in, d, "a number stands without an index");
}

/* x, or a[i], where a may have rows. */
static bool may_be_array(const ast_node *n, const cpl_type *t)
{
    bool named = n->kind == AST_NAME && type_is_pointer(t);
    if (n->kind != AST_INDEX) return named;
    while (n->kind == AST_INDEX) n = n->kids[0];
    return n->kind == AST_NAME;
}

void sema_refuse_product(instance *in, const ast_node *n, const cpl_type *a, const cpl_type *b)
{
    static const char loops[] = "a product of matrices is written as loops";
    const ast_node *x = n->kids[0], *y = n->kids[1];
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "'@' is not supported");
    if (may_be_array(x, a) && may_be_array(y, b))
        sema_hint(in, d, "np.dot(%s, %s) where both have one dimension; %s", sema_text_of(in, x),
                  sema_text_of(in, y), loops);
    else if (type_is_scalar(a) && type_is_scalar(b))
        sema_hint(in, d, "numbers are multiplied by '*'; %s", loops);
    else sema_hint(in, d, "%s", loops);
}
