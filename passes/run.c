/*
 * The table of passes and the runner: times each pass, verifies what it made and dumps it where
 * asked.
 */
#include "passes/pass_int.h"
#include "lib/support/clock.h"

#define ON  true
#define OFF false
const pass_info pass_table[] = {
#define PASS(name, on, doc) {#name, pass_##name, on, doc},
#include "passes/pass.def"
#undef PASS
    {NULL, NULL, false, NULL},
};
#undef ON
#undef OFF

_Static_assert(COUNT_OF(pass_table) - 1 <= COUNT_OF(((pass_runner *)0)->ms),
               "the runner has a timer for each pass");

const pass_info *pass_find(const char *name, size_t length)
{
    for (const pass_info *p = pass_table; p->name; p++)
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) return p;
    return NULL;
}

/* Whether a comma-separated list has a name. */
static bool listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (list) {
        const char *comma = strchr(list, ',');
        size_t n = comma ? (size_t)(comma - list) : strlen(list);
        if (n == length && memcmp(list, name, n) == 0) return true;
        list = comma ? comma + 1 : NULL;
    }
    return false;
}

#define QUOTED_BYTES 4000 /* of a function's IR in a message */

static void quote_func(compilation *c, diag *d, const ir_module *m, const char *message)
{
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const ir_func *f = m->funcs.at[i];
        const char *quoted = arena_printf(&c->arena, "'%s'", f->name);
        if (!strstr(message, quoted)) continue;
        strbuf sb;
        sb_init(&sb, c->mem);
        ir_print_func(&sb, f);
        if (!sb.failed && sb.n <= QUOTED_BYTES) diag_note(&c->diags, d, f->span, "%s", sb.at);
        sb_free(&sb);
        return;
    }
}

/*
 * The limit on ops is for what users write and for inlining; guards and checks may make so much
 * more.
 */
#define ROOM 4

/*
 * What the verifier finds after a pass is our mistake, not the kernel's, but for a limit that is
 * exceeded.
 */
static bool verify(pass_runner *r, ir_module *m, const char *pass)
{
    compilation *c = r->cx.comp;
    diag_list before = c->diags;
    c->diags = (diag_list){.arena = before.arena};
    uint32_t max_ops = c->max_ops;
    c->max_ops = pass_max_ops(c) > UINT32_MAX / ROOM ? UINT32_MAX : pass_max_ops(c) * ROOM;
    bool ok = ir_verify(m, pass);
    c->max_ops = max_ops;
    diag_list found = c->diags;
    c->diags = before;
    if (ok) return true;
    for (const diag *d = found.first; d; d = d->next) {
        if (d->status == CPL_ELIMIT) {
            diag_error(&c->diags, CPL_ELIMIT, d->span, "%s", d->message);
            continue;
        }
        diag *e = diag_error(&c->diags, CPL_EINTERNAL, d->span,
                             "pass %s made IR that is not valid: %s", pass, d->message);
        if (d == found.first) quote_func(c, e, m, d->message);
    }
    return false;
}

bool pass_run(pass_runner *r, ir_module *m, const pass_info *pass)
{
    size_t row = (size_t)(pass - pass_table);
    uint32_t errors = r->cx.comp->diags.errors;
    double start = now_ms();
    pass->run(&r->cx, m);
    r->ms[row] += now_ms() - start;
    r->runs[row]++;
    if (r->log && r->print_after &&
        (listed(r->print_after, pass->name) || strcmp(r->print_after, "all") == 0)) {
        sb_printf(r->log, "// after %s\n", pass->name);
        ir_print(r->log, m);
    }
    if (r->cx.comp->diags.errors != errors) return false;
    return !r->verify || verify(r, m, pass->name);
}

static void unknown_pass(pass_runner *r, const char *name, size_t length)
{
    compilation *c = r->cx.comp;
    suggester s;
    suggest_init(&s, arena_strndup(&c->arena, name, length));
    for (const pass_info *p = pass_table; p->name; p++) suggest_offer(&s, p->name);
    diag *d = diag_error(&c->diags, CPL_EARG, (cpl_span){0}, "there is no pass '%.*s'", (int)length,
                         name);
    if (suggest_best(&s)) diag_hint(&c->diags, d, "did you mean '%s'?", suggest_best(&s));
}

bool pass_run_list(pass_runner *r, ir_module *m, const char *names)
{
    for (const char *at = names; at;) {
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (length > 0) { /* an empty list runs nothing */
            const pass_info *p = pass_find(at, length);
            if (!p) unknown_pass(r, at, length);
            if (!p || !pass_run(r, m, p)) return false;
        }
        at = comma ? comma + 1 : NULL;
    }
    return true;
}

void pass_print_times(strbuf *sb, const pass_runner *r)
{
    double total = 0;
    sb_printf(sb, "%-10s %5s %10s\n", "pass", "runs", "ms");
    for (size_t i = 0; pass_table[i].name; i++) {
        if (r->runs[i] == 0) continue;
        sb_printf(sb, "%-10s %5u %10.3f\n", pass_table[i].name, (unsigned)r->runs[i], r->ms[i]);
        total += r->ms[i];
    }
    sb_printf(sb, "%-10s %5s %10.3f\n", "total", "", total);
}
