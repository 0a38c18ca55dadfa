/* cpl_module_emit: any stage's text. */
#include "lib/driver/internal.h"
#include "lib/dl/dl.h"

typedef struct emit_job {
    cpl_module *m;
    const char *function;
    const cpl_spec *spec;
    cpl_stage stage;
    const cpl_emit_options *emit;
    int64_t options[OPTION_COUNT];
    cpl_stats stats;
    strbuf out, log;
    artifact about; /* CPL_STAGE_HEADER: the entry */
} emit_job;

/* Of a function of a host program; NULL: of all of them. */
static cpl_status emit_hosts(emit_job *j, compilation *c)
{
    size_t first = 0, end = j->m->host_count;
    if (j->function) {
        first = module_find_host(j->m, j->function);
        end = first + 1;
    }
    if (first == SIZE_MAX) {
        diag_error(&c->diags, CPL_ENOTFOUND, (cpl_span){0}, "there is no function '%s'",
                   j->function);
        return CPL_ENOTFOUND;
    }
    for (size_t i = first; i < end; i++) {
        const sema_host *h = module_host_at(j->m, i);
        ast_file *f = front_function(c, h->src, h);
        if (!f) return CPL_ESYNTAX;
        if (j->stage == CPL_STAGE_TOKENS) token_print(&j->out, &f->tokens);
        else ast_print(&j->out, f, NULL);
    }
    return CPL_OK;
}

/* Of an algorithm's function, "cpl.chunks.parts", the library's file: *name is what it has there.
 */
static const source *front_source(const emit_job *j, const char **name)
{
    const source *library = j->function ? module_library_of(j->m, j->function) : NULL;
    size_t index = j->function && !library ? module_function_index(j->m, j->function) : SIZE_MAX;
    *name = library             ? strrchr(j->function, '.') + 1
            : index == SIZE_MAX ? j->function
                                : j->m->functions[index].name;
    return library ? library : &j->m->src->src;
}

static cpl_status emit_front(emit_job *j, compilation *c)
{
    const char *name;
    const source *src = front_source(j, &name);
    if (j->m->hosts && src == &j->m->src->src) return emit_hosts(j, c);
    if (j->m->is_ir) {
        diag_error(&c->diags, CPL_EARG, (cpl_span){src->id, 0, 0},
                   "typed IR has no tokens and no syntax tree");
        return CPL_EARG;
    }
    if (j->stage == CPL_STAGE_TOKENS) {
        token_list tokens = {0};
        lex_file(c, src, &tokens);
        token_print(&j->out, &tokens);
        return CPL_OK;
    }
    ast_file *f = front_file(c, src);
    if (!f) return CPL_ESYNTAX;
    ast_func *fn = name ? ast_find_func(f, name) : NULL;
    if (name && !fn) {
        diag_error(&c->diags, CPL_ENOTFOUND, (cpl_span){src->id, 0, 0}, "there is no function '%s'",
                   j->function);
        return CPL_ENOTFOUND;
    }
    ast_print(&j->out, f, fn);
    return CPL_OK;
}

static bool wants_passes(const emit_job *j)
{
    return j->stage > CPL_STAGE_IR || j->spec->passes || j->emit->print_after ||
           j->emit->time_passes;
}

static const struct {
    const char *name, *where;
} stages[] = {
#define STAGE(name, number, text, where, target, ending, form) [number] = {text, where},
#include "cpl/stage.def"
#undef STAGE
};

/* "host, cuda and opencl:spv1.2" */
static const char *targets_of(const pipeline *p, const char *where)
{
    const char *text = "";
    for (size_t i = 0; where[i]; i++)
        text = arena_printf(&p->comp->arena, "%s%s%s", text,
                            !i             ? ""
                            : where[i + 1] ? ", "
                                           : " and ",
                            target_of_letter(where[i]));
    return text;
}

static bool has_stage(const emit_job *j, const pipeline *p)
{
    const tgt_target *t = p->runner.cx.target;
    if (!t || strchr(stages[j->stage].where, target_letter(t))) return t != NULL;
    diag *d =
        diag_error(&p->comp->diags, CPL_EUNSUPPORTED, (cpl_span){0}, "target %s has no stage '%s'",
                   j->spec->target ? j->spec->target : "host", stages[j->stage].name);
    diag_hint(&p->comp->diags, d, "it is a stage of %s", targets_of(p, stages[j->stage].where));
    return false;
}

/* OpenCL C is there to be read too: of other targets, what the newest of it would be. */
static void show_in_opencl_c(pipeline *p)
{
    const tgt_target *t = p->runner.cx.target;
    if (!t || target_is_printed(t)) return;
    tgt_target *c = arena_new(&p->comp->arena, tgt_target);
    (void)target_parse("opencl:c3.0", c);
    c->fp64 = t->kind == TGT_HOST || t->fp64;
    p->runner.cx.target = c;
}

static void put_cubin(void *out, const void *bytes, size_t size)
{
    sb_putn(out, bytes, size);
}

/* By the driver where it has such a device, else by ptxas. */
static bool assemble(emit_job *j, const pipeline *p, const strbuf *ptx)
{
    char driver[512] = "", program[1024] = "";
    int sm = p->runner.cx.target->version;
    bool lines = j->options[OPT_debug_info] != 0;
    if (dl_cuda_assemble(ptx->at, ptx->n, sm, lines, put_cubin, &j->out, driver, sizeof driver))
        return true;
    if (ptxas_run(ptx->at, ptx->n, sm, lines, &j->out, program, sizeof program)) return true;
    diag *d =
        diag_error(&p->comp->diags, CPL_ENODEVICE, (cpl_span){0}, "no cubin was made: %s", program);
    diag_note(&p->comp->diags, d, (cpl_span){0}, "NVIDIA's driver: %s", driver);
    diag_hint(&p->comp->diags, d,
              "NVIDIA's assembler ptxas is needed: in PATH, or named by CPL_PTXAS");
    return false;
}

static bool emit_cubin(emit_job *j, pipeline *p)
{
    strbuf ptx;
    sb_init(&ptx, j->out.mem);
    bool ok = pipeline_emit(p, TGT_OBJ, &ptx);
    sb_putc(&ptx, '\0');
    ptx.n -= !ptx.failed;
    j->out.failed |= ptx.failed;
    ok = ok && !ptx.failed && assemble(j, p, &ptx);
    sb_free(&ptx);
    return ok && !j->out.failed;
}

static bool emit_ir(emit_job *j, pipeline *p)
{
    p->runner.print_after = j->emit->print_after;
    p->runner.log = &j->log;
    if (!pipeline_lower(p)) return false;
    /* as for a kernel */
    if (j->stage == CPL_STAGE_HEADER || (j->stage > CPL_STAGE_IR && !p->passes)) mark_parameters(p);
    if (wants_passes(j) && !pipeline_passes(p)) return false;
    if (j->emit->time_passes) pass_print_times(&j->log, &p->runner);
    switch (j->stage) {
    case CPL_STAGE_IR: ir_print(&j->out, p->ir); return true;
    case CPL_STAGE_HEADER:
        if (!host_know()) return false;
        if (!describe_entry(&j->about, p, ir_entry(p->ir))) longjmp(*p->comp->on_oom, 1);
        print_header(&j->out, p, &j->about);
        return true;
    case CPL_STAGE_CUBIN: return emit_cubin(j, p);
    default:
        return pipeline_emit(p,
                             j->stage == CPL_STAGE_LLVM  ? TGT_LLVM
                             : j->stage == CPL_STAGE_ASM ? TGT_ASM
                                                         : TGT_OBJ,
                             &j->out);
    }
}

static cpl_status emit(compilation *c, void *arg)
{
    emit_job *j = arg;
    if (j->stage <= CPL_STAGE_AST) return emit_front(j, c);
    pipeline p;
    pipeline_init(&p, c, j->m, j->function, j->spec, j->options, &j->stats);
    if (j->stage == CPL_STAGE_OPENCL_C) show_in_opencl_c(&p);
    if (!has_stage(j, &p) || !pipeline_front(&p) || !pipeline_sema(&p)) return CPL_EINTERNAL;
    if (j->stage == CPL_STAGE_TYPES && !j->m->is_ir) {
        print_types(&j->out, &p);
        return CPL_OK;
    }
    if (j->stage == CPL_STAGE_TYPES) {
        diag_error(&c->diags, CPL_EARG, (cpl_span){j->m->src->src.id, 0, 0},
                   "typed IR carries its types; ask for ir");
        return CPL_EARG;
    }
    return emit_ir(j, &p) ? CPL_OK : j->out.failed ? CPL_ENOMEM : CPL_EINTERNAL;
}

/* Hands a buffer over to a blob; false when it failed. */
static bool to_blob(cpl_context *cx, strbuf *sb, cpl_blob *blob)
{
    sb_putn(sb, "", 0);
    char *data = sb->failed ? NULL : mem_realloc(sb->mem, sb->at, sb->capacity, sb->n + 1);
    if (!data) {
        sb_free(sb);
        return false;
    }
    *blob = (cpl_blob){data, sb->n, cx};
    return true;
}

cpl_status cpl_module_emit(cpl_module *module, const char *function, const cpl_spec *spec,
                           cpl_stage stage, const cpl_emit_options *options, cpl_blob *out)
{
    if (out) *out = (cpl_blob){0};
    if (MISSING("module out", module, out)) return CPL_EARG;
    if ((unsigned)stage >= COUNT_OF(stages))
        return thread_report(CPL_EARG, "there is no stage %d", (int)stage);
    if (stage >= CPL_STAGE_TYPES && MISSING("spec", spec)) return CPL_EARG;
    cpl_spec given;
    cpl_emit_options emit_options;
    cpl_emit_options_init(&emit_options);
    cpl_context *cx = module->cx;
    cpl_status status = CPL_OK;
    if (options) status = READ_STRUCT(&emit_options, options, cpl_emit_options);
    if (spec && !status) status = context_read_spec(cx, spec, &given);
    if (spec && !status) status = module_check_binds(module, given.binds, given.bind_count);
    if (status) return status;
    if (spec) spec = &given;
    emit_job j = {
        .m = module, .function = function, .spec = spec, .stage = stage, .emit = &emit_options};
    if (j.emit->log) *j.emit->log = (cpl_blob){0};
    sb_init(&j.out, &cx->mem);
    sb_init(&j.log, &cx->mem);
    j.about.mem = &cx->mem;
    sb_init(&j.about.object, &cx->mem);
    context_options(cx, spec, j.options);
    status = context_compile(cx, j.options, emit, &j);
    artifact_free(&j.about);
    if (j.emit->log && !to_blob(cx, &j.log, j.emit->log)) status = CPL_ENOMEM;
    if (!j.emit->log) sb_free(&j.log);
    if (status) sb_free(&j.out);
    else if (!to_blob(cx, &j.out, out)) status = CPL_ENOMEM;
    return status;
}

static const struct {
    const char *name;
    bool on;
    const char *doc;
} pass_rows[] = {
#define ON                          true
#define OFF                         false
#define PASS(name, default_on, doc) {#name, default_on, doc},
#include "passes/pass.def"
#undef PASS
#undef ON
#undef OFF
};

const char *cpl_pass_name(size_t index, const char **doc, bool *default_on)
{
    if (index >= COUNT_OF(pass_rows)) return NULL;
    if (doc) *doc = pass_rows[index].doc;
    if (default_on) *default_on = pass_rows[index].on;
    return pass_rows[index].name;
}
