/* Which ops were generated at which types. */
#include "fuzz.h"

#include <string.h>

static void count_place(coverage *c, const node *n)
{
    ty t = (ty)n->type;
    if (t == T_VOID) return;
    bool bytes = n->kind == P_ELEM && (n->style & 15) == 0,
         cast = n->kind == P_ELEM && (n->style & 15) == 1;
    c->count[n->kind == P_ITEM    ? OP_ITEM
             : n->kind == P_FIELD ? OP_FIELD
             : bytes              ? OP_STRIDED
                                  : OP_ELEM][t]++;
    if (cast) c->count[OP_PTRCAST][t]++;
    if (n->kind == P_SELEM && n->c >= 0) c->count[OP_FIELD][t]++;
    if (n->kind == P_ITEM || n->kind == P_FIELD) c->count[OP_ADDR][t]++;
}

static void count(void *user, node *n)
{
    coverage *c = user;
    ty t = (ty)n->type;
    switch (n->kind) {
    case E_CONST: c->count[OP_CONST][t]++; break;
    case E_VAR: c->count[OP_VAR][t]++; break;
    case E_OP: c->count[n->op][n->kid[0]->type]++; break;
    case E_CONVERT:
        c->count[OP_CONVERT][n->kid[0]->type]++;
        c->converts[n->kid[0]->type][t]++;
        break;
    case E_BITS: c->count[OP_BITS][n->kid[0]->type]++; break;
    case E_RAWCONVERT: c->count[OP_RAWCONVERT][n->a]++; break;
    case E_COND: c->count[OP_COND][t]++; break;
    case E_LOAD: c->count[OP_LOAD][t]++; break;
    case P_ELEM:
    case P_SELEM:
    case P_ITEM:
    case P_FIELD:
    case P_PTR: count_place(c, n); break;
    case S_STORE: c->count[OP_STORE][n->kid[1]->type]++; break;
    case S_ATOMIC: c->count[n->op][n->kid[0]->type]++; break;
    default: break;
    }
}

static void count_clears(coverage *c, const func *f, node *n)
{
    if (n->kind == S_CLEAR && f->vars[n->a].kind == V_MATRIX)
        c->count[OP_CLEAR][f->vars[n->a].type]++;
    for (int i = 0; i < n->kids; i++) count_clears(c, f, n->kid[i]);
}

static void count_index(coverage *c, const node *index, int64_t length)
{
    if (index_is_checked(index, length)) c->count[OP_WITHIN][index->type]++;
}

static void count_indices(coverage *c, const prog *p, const func *f, node *n)
{
    bool whole = (n->kind == P_ELEM || n->kind == P_SELEM) && n->mode != INDEX_OWN;
    if (whole) count_index(c, n->kid[0], p->arrays[n->a].length);
    for (int i = 0; n->kind == P_ITEM && i < n->kids; i++)
        count_index(c, n->kid[i], f->vars[n->a].dims[i]);
    for (int i = 0; i < n->kids; i++) count_indices(c, p, f, n->kid[i]);
}

static void cover_func(coverage *c, const prog *p, const func *f)
{
    count_clears(c, f, f->body);
    count_indices(c, p, f, f->body);
}

void cover_add(coverage *c, prog *p)
{
    prog_walk(p, count, c);
    for (int i = 0; i < p->helper_count; i++) cover_func(c, p, &p->helpers[i]);
    cover_func(c, p, &p->kernel);
}

/* Whether the host can compile the row's example of op.def: what it cannot belongs to device
 * targets. */
static bool host_has(op o)
{
    text t = {0};
    cpl_context *cx;
    cpl_module *m = NULL;
    cpl_kernel *k = NULL;
    cpl_spec spec;
    cpl_launch_options options;
    if (cpl_context_create(NULL, &cx)) return true;
    text_add(&t,
             "cir 1\nstruct Pair { first: int32, second: float64 }\nfunc half(a: float64) -> "
             "float64 { return a }\n"
             "entry func f(x: float64 global*, k: int32 global*, a: float64, b: float64, i: int32, "
             "j: int32, n: int64, c: bool) {\n"
             "  var s: Pair\n  var m: float64[2][3]\n  %s\n}\n",
             op_rows[o].example);
    cpl_spec_init(&spec);
    cpl_launch_options_init(&options);
    options.spec = &spec;
    bool ok = cpl_module_from_ir(cx, "example.cir", t.at, t.n, &m) == CPL_OK &&
              cpl_kernel_for(m, "f", &options, NULL, 0, &k) == CPL_OK;
    cpl_kernel_release(k);
    cpl_module_release(m);
    cpl_context_release(cx);
    text_free(&t);
    return ok;
}

static bool asked_for(op o, ty t)
{
    bool atomic = o >= OP_ATOMIC_LOAD && o <= OP_ATOMIC_XOR;
    if (atomic) {
        bool wide = t == T_I32 || t == T_I64 || t == T_U32 || t == T_U64;
        return wide || ((t == T_F32 || t == T_F64) && o < OP_ATOMIC_AND);
    }
    if (strcmp(op_rows[o].class_, "EXPR") != 0 && o != OP_STORE && o != OP_CLEAR) return false;
    if (o == OP_CONST || o == OP_VAR || o == OP_ADDR || op_rows[o].operands[0] == 'p') return true;
    return op_admits(o, t);
}

/* Conversions of floats to integers that occur less often. */
static int thin_converts(const coverage *c, uint32_t least, bool all, FILE *out)
{
    int thin = 0;
    for (ty from = T_F16; from <= T_F64; from++)
        for (ty to = T_BOOL; to < T_F16; to++) {
            bool few = c->converts[from][to] < least;
            thin += few;
            if (all || few)
                fprintf(out, "%s to %s: %u%c\n", ty_name(from), ty_name(to), c->converts[from][to],
                        few ? '!' : ' ');
        }
    return thin;
}

bool cover_print(const coverage *c, uint32_t least, bool all, FILE *out)
{
    int rows = 0, cells = 0, thin = 0;
    if (all) {
        fprintf(out, "%-14s", "");
        for (ty t = T_BOOL; t < T_COUNT; t++) fprintf(out, "%9s", ty_name(t));
        fputc('\n', out);
    }
    for (op o = (op)0; o < OP_COUNT; o++) {
        int asked = 0, missing = 0;
        for (ty t = T_BOOL; t < T_COUNT; t++)
            if (asked_for(o, t)) asked++, missing += c->count[o][t] < least;
        if (!asked || (missing && !host_has(o))) continue;
        rows++;
        cells += asked;
        thin += missing;
        if (all || missing) fprintf(out, "%-14s", op_rows[o].text);
        for (ty t = T_BOOL; t < T_COUNT && (all || missing); t++) {
            if (!asked_for(o, t)) fprintf(out, "%9s", "");
            else fprintf(out, "%8u%c", c->count[o][t], c->count[o][t] < least ? '!' : ' ');
        }
        if (all || missing) fputc('\n', out);
    }
    thin += thin_converts(c, least, all, out);
    fprintf(out, "%d rows at %d types altogether, %d of these below %u\n", rows, cells, thin,
            least);
    return rows > 0 && thin == 0;
}
