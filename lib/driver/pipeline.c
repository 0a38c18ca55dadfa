/* The stages in order: source -> AST -> types -> IR -> passes -> code for a target. */
#include "lib/codegen/symbol.h"
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"
#include "lib/lower/lower.h"
#include "lib/opencl/opencl.h"
#include "lib/support/clock.h"
#include "lib/target/nvptx.h"
#include "lib/target/spirv.h"

#include <unistd.h>

/* NULL, and an error, when it is none. */
static const tgt_target *read_target(compilation *c, const char *text)
{
    tgt_target *t = arena_new(&c->arena, tgt_target);
    if (target_parse(text, t)) return t;
    diag *d = diag_error(&c->diags, CPL_EARG, (cpl_span){0}, "there is no target '%s'", text);
    diag_hint(&c->diags, d,
              "targets are host, cuda, cuda:sm_90, opencl, opencl:spv1.2, opencl:c1.2; features "
              "follow: opencl,-fp64");
    return NULL;
}

/*
 * Where CUDA has no libdevice the functions of the language take the place of libclc's, which need
 * up to 20 times as long. They rely on the order of their sums.
 */
static bool prefers_elementary(const tgt_target *t, const int64_t options[OPTION_COUNT])
{
    return t && t->kind == TGT_CUDA && !nvptx_has_libdevice() && !options[OPT_reassoc] &&
           !options[OPT_finite_math];
}

void pipeline_init(pipeline *p, compilation *c, cpl_module *m, const char *function,
                   const cpl_spec *spec, const int64_t options[OPTION_COUNT], cpl_stats *stats)
{
    const tgt_target *target = read_target(c, spec->target);
    *p = (pipeline){
        .comp = c, .module = m, .function = function, .options = options, .stats = stats};
    if (!function) p->function = cpl_module_default_function(m);
    p->form = spec->form;
    p->types = spec->types;
    p->type_count = spec->type_count;
    p->binds = spec->binds;
    p->bind_count = spec->bind_count;
    p->passes = spec->passes;
    p->runner.cx =
        (pass_context){.comp = c,
                       .bounds_check = options[OPT_bounds_check] != 0,
                       .precise = options[OPT_precise] != 0,
                       .reproducible = options[OPT_reproducible] != 0,
                       .elementary = prefers_elementary(target, options),
                       .in_order = options[OPT_in_order] || spec->facts & CPL_FACT_IN_ORDER,
                       .target = target,
                       .float32 = options[OPT_float32] != 0,
                       .threads = (int32_t)options[OPT_num_threads],
                       .facts = spec->facts,
                       .find_elementary = pipeline_elementary,
                       .user = p};
    p->runner.verify = options[OPT_verify] != 0;
}

/* The name of the function to compile, known to be one of the module's. */
static bool choose_function(pipeline *p)
{
    cpl_module *m = p->module;
    diag_list *l = &p->comp->diags;
    /* functions of a host program have no file in common */
    cpl_span place = {m->hosts ? 0 : m->src->src.id, 0, 0};
    if (!p->function) {
        diag *d = diag_error(l, CPL_ENOTFOUND, place,
                             m->hosts            ? "the module has several functions; name one"
                             : m->function_count ? "the file has several functions; name one"
                                                 : "the file has no function");
        for (size_t i = 0; i < m->function_count && i < 8; i++)
            diag_note(l, d, (cpl_span){0}, "there is '%s'", m->functions[i].name);
        return false;
    }
    size_t index = module_function_index(m, p->function);
    if (index != SIZE_MAX) p->function = m->functions[index].name;
    if (index != SIZE_MAX) return true;
    suggester s;
    suggest_init(&s, p->function);
    for (size_t i = 0; i < m->function_count; i++) suggest_offer(&s, m->functions[i].name);
    diag *d = diag_error(l, CPL_ENOTFOUND, place, "there is no function '%s'", p->function);
    if (suggest_best(&s)) diag_hint(l, d, "did you mean '%s'?", suggest_best(&s));
    return false;
}

bool pipeline_front(pipeline *p)
{
    double start = now_ms();
    const source *library = p->function ? module_library_of(p->module, p->function) : NULL;
    if (!p->runner.cx.target || !(library || choose_function(p))) return false;
    if (!p->module->is_ir) p->file = module_parse(p->module, p->comp, p->function);
    if (library) p->library = library_parse(p->module->cx, p->comp, library);
    p->stats->front_ms += now_ms() - start;
    return p->module->is_ir || (p->file && p->comp->diags.errors == 0);
}

/* What its file calls the function. */
static const char *function_in_file(const pipeline *p)
{
    if (p->library) return strrchr(p->function, '.') + 1;
    return p->file->host ? front_only(p->file)->name : p->function;
}

bool pipeline_sema(pipeline *p)
{
    if (p->module->is_ir) return true;
    double start = now_ms();
    sema_env env = module_env(p->module);
    sema_request request = {.function = function_in_file(p),
                            .library = p->library,
                            .types = p->types,
                            .type_count = (uint32_t)p->type_count,
                            .form = (sema_form)p->form,
                            .bounds_check = p->options[OPT_bounds_check] != 0,
                            .in_order = p->options[OPT_in_order] != 0};
    if (!read_binds(p, &request))
        diag_error(&p->comp->diags, CPL_ENOMEM, (cpl_span){0}, "out of memory");
    else p->program = sema_analyse(p->comp, p->file, &request, &env);
    p->stats->sema_ms += now_ms() - start;
    return p->program && p->comp->diags.errors == 0;
}

void keep_kernel(ir_module *m, const ir_func *kernel)
{
    uint32_t kept = 0; /* nothing calls a kernel */
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->kernel || f == kernel || f == kernel->after) m->funcs.at[kept++] = f;
    }
    m->funcs.n = kept;
}

/* Makes the function asked for the only entry of a module that was read as IR. */
static bool choose_entry(pipeline *p)
{
    ir_func *entry = ir_find(p->ir, p->function);
    for (uint32_t i = 0; i < p->ir->funcs.n; i++) {
        ir_func *f = p->ir->funcs.at[i];
        if (f == entry || f == entry->after || f->linkage != IR_ENTRY) continue;
        f->linkage = IR_INTERNAL;
        ir_var *count = ir_param_of(f, PARAM_COUNT, NULL);
        if (count) ir_set_role(count, PARAM_ARG, NULL);
        f->elementwise = false; /* internal functions are called as they are */
    }
    keep_kernel(p->ir, entry);
    entry->linkage = IR_ENTRY;
    for (uint32_t i = 0; i < p->ir->funcs.n; i++) {
        const ir_func *f = p->ir->funcs.at[i];
        if (f->linkage != IR_EXTERN || extern_is_known(p->module->cx, f->name)) continue;
        diag_error(&p->comp->diags, CPL_ENOTFOUND, f->span,
                   "external function '%s' is not registered", f->name);
    }
    return p->comp->diags.errors == 0;
}

/* OpenCL C goes into no SPIR-V: the kernel becomes OpenCL C as well. */
static bool speak_opencl_c(pipeline *p, const ir_func *f)
{
    if (!p->any_opencl) {
        diag *d = diag_error(&p->comp->diags, CPL_EUNSUPPORTED, f->span,
                             "'%s' is text of OpenCL C, which goes into no SPIR-V", f->name);
        diag_hint(&p->comp->diags, d, "use the target opencl:c1.2");
        return false;
    }
    tgt_target *c = arena_new(&p->comp->arena, tgt_target);
    *c = *p->runner.cx.target;
    c->kind = TGT_OPENCL_C;
    c->version = 12;
    c->subgroups = false;
    p->runner.cx.target = c;
    return true;
}

/* What external functions are on the target: an address, or a text. legal refuses others. */
static bool find_externs(pipeline *p)
{
    cpl_context *cx = p->module->cx;
    for (uint32_t i = 0; i < p->ir->funcs.n; i++) {
        ir_func *f = p->ir->funcs.at[i];
        if (f->linkage != IR_EXTERN) continue;
        if (!target_is_device(p->runner.cx.target)) {
            if (extern_address(cx, f->name)) continue;
            diag_error(&p->comp->diags, CPL_EUNSUPPORTED, f->span,
                       "'%s' has text for devices only: it has no address on the host", f->name);
            continue;
        }
        bool cuda = p->runner.cx.target->kind == TGT_CUDA;
        ext_text text = extern_text(cx, f->name, cuda ? EXT_PTX : EXT_OPENCL_C);
        f->text = text.text;
        if (text.text && p->runner.cx.target->kind == TGT_SPIRV && !speak_opencl_c(p, f))
            return false;
    }
    return p->comp->diags.errors == 0;
}

bool pipeline_lower(pipeline *p)
{
    double start = now_ms();
    if (p->module->is_ir) {
        p->ir = ir_parse(p->comp, &p->module->src->src);
        if (!p->ir || p->comp->diags.errors || !choose_entry(p)) return false;
    } else {
        lower_options options = {(ir_schedule)p->options[OPT_schedule], p->options[OPT_chunk],
                                 (int32_t)p->options[OPT_num_threads],
                                 target_is_device(p->runner.cx.target)};
        p->ir = lower_program(p->program, &options);
        if (p->comp->diags.errors) return false;
    }
    const ir_func *entry = ir_entry(p->ir);
    p->over_grid = entry->kernel && !entry->elementwise;
    bool ok = ir_verify(p->ir, "lowering") && find_externs(p);
    p->stats->lower_ms += now_ms() - start;
    return ok;
}

static bool run(pipeline *p, pass_id pass)
{
    return pass_run(&p->runner, p->ir, &pass_table[pass]);
}

/* The last one: what code is made of is verified, whatever option verify says. */
static bool run_last(pipeline *p, pass_id pass)
{
    p->runner.verify = true;
    return run(p, pass);
}

/* A pass that not every compilation asks for. */
static bool run_if(pipeline *p, bool asked, pass_id pass)
{
    return !asked || run(p, pass);
}

/* Bodies in place of calls, and folded what arguments have made constant. */
static bool inline_calls(pipeline *p)
{
    const pass_context *cx = &p->runner.cx;
    return run_if(p, cx->reproducible || cx->elementary, PASS_elementary) &&
           run(p, PASS_fold) && /* so that constant branches are not inlined */
           run(p, PASS_exits) && run(p, PASS_inline) &&
           run(p, PASS_fold); /* arguments have become known */
}

/* Every operation total: narrow and bounds come first, since guards copy what they look at. */
static bool make_total(pipeline *p)
{
    const pass_context *cx = &p->runner.cx;
    return run_if(p, cx->facts & CPL_FACT_SMALL, PASS_narrow) &&
           run_if(p, cx->bounds_check, PASS_bounds) && run(p, PASS_guards) &&
           run(p, PASS_fold); /* guards that constants decide go */
}

/* The order of lib/README.md. */
static bool host_passes(pipeline *p)
{
    return inline_calls(p) && run_if(p, !p->interpreted, PASS_group) && run(p, PASS_trim) &&
           make_total(p) && run(p, PASS_reduce) &&
           run_if(p, p->runner.cx.facts & CPL_FACT_APART, PASS_tally) && run(p, PASS_dce) &&
           run(p, PASS_lanes) && run(p, PASS_outline) && /* behind dce: fewer captures */
           (p->interpreted ? run_last(p, PASS_dce) : run(p, PASS_dce));
}

static bool device_passes(pipeline *p)
{
    return run(p, PASS_single) &&                    /* first: what is folded is float32 then */
           inline_calls(p) && run(p, PASS_spaces) && /* of parameters that were inlined */
           make_total(p) && run_if(p, p->runner.cx.reproducible, PASS_reduce) && run(p, PASS_dce) &&
           run(p, PASS_grid) && run(p, PASS_atomics) && run(p, PASS_fold) &&
           run(p, PASS_dce); /* then legal: pipeline_emit */
}

bool pipeline_passes(pipeline *p)
{
    double start = now_ms();
    bool ok = p->passes                               ? pass_run_list(&p->runner, p->ir, p->passes)
              : target_is_device(p->runner.cx.target) ? device_passes(p)
                                                      : host_passes(p);
    p->stats->passes_ms += now_ms() - start;
    if (!ok || p->comp->diags.errors) return false;
    for (uint32_t i = 0; i < p->ir->funcs.n; i++)
        p->stats->ir_ops += ir_func_size(p->ir->funcs.at[i]);
    return true;
}

bool pipeline_has_few_threads(const pipeline *p)
{
    enum { FEW_THREADS = 4 };
    const cpl_threads *given = context_threads(p->module->cx);
    int64_t threads = p->options[OPT_num_threads];
    if (p->options[OPT_cpu_level]) return false; /* where code is to run is not known */
    if (!threads) threads = given ? given->workers : sysconf(_SC_NPROCESSORS_ONLN);
    return threads <= FEW_THREADS;
}

/* A launch over large arrays, in parts that are no more in the caches. */
static bool goes_far(const pipeline *p)
{
    enum { LEAST_CHUNK = 1 << 14 };
    int64_t chunk = p->options[OPT_chunk];
    bool small = chunk ? chunk < LEAST_CHUNK : p->options[OPT_schedule] == IR_GUIDED;
    return p->runner.cx.facts & CPL_FACT_LARGE && !small;
}

/* Whether a round waits for memory. Loops within are of one round: they store in each. */
static bool is_light(const pipeline *p)
{
    enum { LONG_WORK = 75 };
    return work_of_round(p->ir, 1) < LONG_WORK;
}

/* Every part of a launch ends with a fence, which must be worth it. What a few threads compute for
 * so long does not wait for memory, but for such stores: with two of them tanh(x)*sin(x) takes 1.18
 * times as long with these as without, x^a*log(x+1) 1.09, sin(x) 1.0, and a line 0.75. */
static bool streams(const pipeline *p)
{
    return goes_far(p) && (!pipeline_has_few_threads(p) || is_light(p));
}

/* Instructions of the CPU that load for lanes at places of their own are for what is in the caches:
 * y[i] = x[k[i]] of 2^24 float64 takes 31.9 ms with them and 26.7 by loads one by one that are put
 * side by side, with indices close to i 16.1 and 7.9; of 2^15 it takes 0.7 of the time with them,
 * of 2^24 from 256 places 0.85 (Zen 5, two threads). */
static bool is_far(const pipeline *p)
{
    return goes_far(p) && is_light(p);
}

bool pipeline_emit(pipeline *p, tgt_stage stage, strbuf *out)
{
    const int64_t *o = p->options;
    tgt_options options = {.target = *p->runner.cx.target,
                           /* their errors would grow past 1 ULP by it */
                           .contract = o[OPT_contract] && !p->elementary[0].found.n &&
                                       !p->elementary[1].found.n,
                           .reassoc = o[OPT_reassoc],
                           .vector_math = o[OPT_vector_math],
                           .streams = streams(p),
                           .far = is_far(p),
                           .finite_math = o[OPT_finite_math],
                           .opt_level = (int)o[OPT_opt_level],
                           .debug_info = o[OPT_debug_info],
                           .cpu_level = (int)o[OPT_cpu_level],
                           .simd = (int)o[OPT_simd],
                           .loaded = p->loaded};
    /* kernels are for devices, and passes may have been chosen by hand */
    if (!run_last(p, PASS_legal) || p->comp->diags.errors) return false;
    tgt_times times = {0};
    bool ok = false;
    switch (options.target.kind) {
    case TGT_HOST: ok = host_emit(p->comp, p->ir, &options, stage, out, &times); break;
    case TGT_CUDA: ok = nvptx_emit(p->comp, p->ir, &options, stage, out, &times); break;
    case TGT_SPIRV: ok = spirv_emit(p->comp, p->ir, &options, stage, out, &times); break;
    case TGT_OPENCL_C: {
        double start = now_ms();
        ok = opencl_print(p->comp, p->ir,
                          &(opencl_options){options.target, options.contract, options.reassoc,
                                            options.debug_info},
                          out);
        times.emit_ms = now_ms() - start;
        break;
    }
    }
    p->stats->codegen_ms += times.codegen_ms;
    p->stats->llvm_ms += times.llvm_ms;
    p->stats->emit_ms += times.emit_ms;
    return ok && !out->failed && p->comp->diags.errors == 0;
}

const char *pipeline_symbol(const pipeline *p, const ir_func *f)
{
    return target_is_printed(p->runner.cx.target) ? opencl_symbol(&p->comp->arena, f->name)
                                                  : gen_symbol(&p->comp->arena, f->name);
}

void pipeline_identity(strbuf *out, const tgt_target *t)
{
    if (!target_is_device(t)) host_identity(out);
    else device_identity(out, t);
    if (t->kind == TGT_CUDA) nvptx_identity(out);
}
