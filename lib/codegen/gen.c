/* Modules and functions: symbols, linkage, the C ABI of entries and externs, attributes. */
#include "lib/codegen/gen_int.h"

#include <assert.h>
#include <ctype.h>

/* What generated code calls, and names that mean something to a C linker. Entries must not take
 * these symbols. */
static const char *const reserved_symbols[] = {
#define ABI(symbol, source) #symbol,
#include "lib/support/abi.def"
#undef ABI
    "main", "_init", "_fini", "_start", "_GLOBAL_OFFSET_TABLE_",
};

/* What a program that an object is linked into, and the libraries of it, call by these names: the
 * object's would be taken in their place. */
static const char *const libc_symbols[] = {
    "abort",  "abs",      "accept",   "access",    "alarm",   "atexit",    "atof",    "atoi",
    "bind",   "bsearch",  "calloc",   "chdir",     "chmod",   "clock",     "close",   "connect",
    "creat",  "div",      "dup",      "dup2",      "environ", "exit",      "fclose",  "fcntl",
    "feof",   "fflush",   "fgetc",    "fgets",     "fopen",   "fork",      "fprintf", "fputc",
    "fputs",  "fread",    "free",     "fscanf",    "fseek",   "fstat",     "fsync",   "ftell",
    "fwrite", "getc",     "getenv",   "getpid",    "gets",    "index",     "ioctl",   "kill",
    "labs",   "link",     "listen",   "localtime", "longjmp", "lseek",     "malloc",  "memchr",
    "mkdir",  "mktime",   "mmap",     "mprotect",  "munmap",  "nanosleep", "open",    "pause",
    "perror", "pipe",     "poll",     "pread",     "putc",    "putchar",   "puts",    "pwrite",
    "qsort",  "raise",    "rand",     "random",    "read",    "realloc",   "recv",    "remove",
    "rename", "rewind",   "rindex",   "scanf",     "select",  "send",      "setenv",  "setjmp",
    "signal", "sleep",    "snprintf", "socket",    "sprintf", "srand",     "srandom", "sscanf",
    "stat",   "stderr",   "stdin",    "stdout",    "strcat",  "strchr",    "strcmp",  "strcpy",
    "strdup", "strerror", "strncmp",  "strstr",    "strtod",  "strtol",    "symlink", "sync",
    "system", "time",     "times",    "tolower",   "toupper", "truncate",  "ungetc",  "unlink",
    "usleep", "utime",    "wait",     "waitpid",   "write",
};

static bool is_among(const char *name, const char *const *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(all[i], name)) return true;
    return false;
}

static bool is_reserved(const char *name)
{
    return is_among(name, reserved_symbols, COUNT_OF(reserved_symbols)) ||
           !strncmp(name, "__kmpc_", 7) || !strncmp(name, "_ZGV", 4);
}

const char *gen_symbol(arena *a, const char *name)
{
    char *symbol = arena_strdup(a, name);
    for (char *p = symbol; *p; p++)
        if (!isalnum((unsigned char)*p)) *p = '_';
    bool taken = is_reserved(symbol) || is_among(symbol, libc_symbols, COUNT_OF(libc_symbols));
    return taken || isdigit((unsigned char)*symbol) ? arena_printf(a, "cpl_fn_%s", symbol) : symbol;
}

/* C passes bool and small integers extended to 32 bits. */
static const char *extension(const cpl_type *t)
{
    if (type_is_bool(t)) return "zeroext";
    if (!type_is_int(t) || type_bits(t) >= 32) return NULL;
    return type_is_signed(t) ? "signext" : "zeroext";
}

static LLVMTypeRef function_type(gen *g, const ir_func *f)
{
    unsigned more = gen_takes_stack(f);
    LLVMTypeRef *params = arena_array(&g->c->arena, f->params.n + more, sizeof *params);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const cpl_type *t = f->params.at[i]->type;
        params[i] = f->kernel ? gen_kernel_param(g, t) : gen_type(g, t);
    }
    if (more) params[f->params.n] = g->t_ptr;
    return LLVMFunctionType(gen_type(g, f->result), params, f->params.n + more, 0);
}

static void add_c_abi(gen *g, LLVMValueRef fn, const ir_func *f)
{
    const char *name = extension(f->result);
    if (name) gen_attr(g, fn, LLVMAttributeReturnIndex, name);
    for (uint32_t i = 0; i < f->params.n; i++)
        if ((name = extension(f->params.at[i]->type))) gen_attr(g, fn, i + 1, name);
}

/* noalias and readonly hold for the pointer's copies too, so they stay true when it is captured for
 * a fork. */
static void add_pointer_facts(gen *g, LLVMValueRef fn, const ir_func *f)
{
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *p = f->params.at[i];
        if (!type_is_pointer(p->type)) continue;
        if (p->noalias) gen_attr(g, fn, i + 1, "noalias");
        if (p->readonly) gen_attr(g, fn, i + 1, "readonly");
    }
}

/*
 * A function of the kernel's called like one of libm must not be taken for it, LLVM keeps names in
 * "llvm." to itself, and devices' libraries those with an underscore.
 */
static const char *internal_symbol(gen *g, const char *name)
{
    bool taken =
        is_reserved(name) || !strncmp(name, "llvm.", 5) || (gen_is_device(g) && *name == '_');
    return taken ? arena_printf(&g->c->arena, "fn.%s", name) : name;
}

static bool check_outside(gen *g, const ir_func *f, const char *symbol)
{
    bool aggregate = gen_is_aggregate(f->result);
    for (uint32_t i = 0; i < f->params.n; i++) aggregate |= gen_is_aggregate(f->params.at[i]->type);
    if (gen_is_aggregate(f->result) && f->linkage == IR_ENTRY) {
        diag_error(&g->c->diags, CPL_EUNSUPPORTED, f->span,
                   "function '%s' is called from outside and returns a struct; store it in an "
                   "element of an array instead: y[0] = p",
                   f->name);
    } else if (aggregate) {
        diag_error(
            &g->c->diags, CPL_EUNSUPPORTED, f->span,
            "function '%s' is called from C and passes a struct by value; pass a pointer to it",
            f->name);
    } else if (f->linkage == IR_EXTERN && is_reserved(symbol)) {
        diag_error(
            &g->c->diags, CPL_EEXIST, f->span,
            "external function '%s' has the name of a function that generated code calls itself",
            f->name);
    } else if (LLVMGetNamedFunction(g->mod, symbol)) {
        diag_error(&g->c->diags, CPL_EEXIST, f->span,
                   "function '%s' needs the C symbol '%s', which is taken", f->name, symbol);
    } else {
        return true;
    }
    return false;
}

/* Entries and externs are declared before internal functions, which LLVM renames when a symbol is
 * taken. */
static void declare(gen *g, ir_func *f)
{
    const char *symbol = f->linkage == IR_ENTRY    ? gen_symbol(&g->c->arena, f->name)
                         : f->linkage == IR_EXTERN ? f->name
                                                   : internal_symbol(g, f->name);
    if (f->linkage != IR_INTERNAL && !check_outside(g, f, symbol)) return;
    LLVMValueRef fn = LLVMAddFunction(g->mod, symbol, function_type(g, f));
    f->user = fn;
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "nounwind");
    if (f->linkage == IR_INTERNAL) LLVMSetLinkage(fn, LLVMInternalLinkage);
    if (gen_is_device(g)) {
        gen_device_declare(g, fn, f);
        if (f->linkage == IR_EXTERN) add_c_abi(g, fn, f);
        if (f->text) gen_attr_text(g, fn, GEN_TEXT_MARK, "");
        return;
    }
    if (f->linkage != IR_INTERNAL) add_c_abi(g, fn, f);
    if (f->linkage == IR_ENTRY) add_pointer_facts(g, fn, f);
    if (f->linkage == IR_EXTERN && f->pure) {
        gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory"); /* value 0: memory(none) */
        gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    }
}

static void set_width(gen *g, const ir_func *f)
{
    gen_choose_width(g, f);
    if (gen_is_device(g)) return;
    gen_attr_text(g, g->fn, "prefer-vector-width",
                  arena_printf(&g->c->arena, "%d", g->vector_bits));
    /* No code from outside with wider vectors in its signature is called: LLVM may use any width up
     * to the preferred one. */
    gen_attr_text(g, g->fn, "min-legal-vector-width", "0");
    if (g->options->no_gathers) gen_attr_text(g, g->fn, "target-features", g->options->no_gathers);
}

static void define(gen *g, ir_func *f)
{
    g->func = f;
    g->fn = f->user;
    g->loop = NULL;
    set_width(g, f);
    gen_at(g, LLVMAppendBasicBlockInContext(g->cx, g->fn, "entry"));
    gen_debug_enter(g, g->fn, f->name, f->span);
    gen_look_at_stack(g);
    for (uint32_t i = 0; i < f->params.n; i++) {
        ir_var *p = f->params.at[i];
        LLVMValueRef v = LLVMGetParam(g->fn, i);
        LLVMSetValueName2(v, p->name, strlen(p->name));
        p->user = gen_variable(g, p->type, arena_printf(&g->c->arena, "%s.var", p->name));
        if (f->kernel) v = gen_kernel_value(g, v, p->type);
        gen_store(g, p->user, (gen_val){v, p->type});
    }
    gen_share_slots(g, f);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        ir_var *v = f->vars.at[i];
        if (v->user) continue;
        if (v->local) {
            v->user = gen_local_var(g, v);
            continue;
        }
        v->user = gen_table(g, v);
        if (v->user) continue;
        v->user = gen_variable(g, v->type, v->name);
        gen_clear(g, v->user, v->type, v->type->align);
    }
    gen_block(g, f->body);
    if (gen_ended(g)) return;
    gen_debug_at(g, (cpl_span){0});
    /* Reached only where the source's author knows better than the verifier: a function starts its
     * result at zero too. */
    if (type_is_void(f->result)) LLVMBuildRetVoid(g->b);
    else LLVMBuildRet(g->b, gen_zero(g, f->result));
}

static void init(gen *g)
{
    g->b = LLVMCreateBuilderInContext(g->cx);
    g->t_void = LLVMVoidTypeInContext(g->cx);
    g->t_i1 = LLVMInt1TypeInContext(g->cx);
    g->t_i8 = LLVMInt8TypeInContext(g->cx);
    g->t_i16 = LLVMInt16TypeInContext(g->cx);
    g->t_i32 = LLVMInt32TypeInContext(g->cx);
    g->t_i64 = LLVMInt64TypeInContext(g->cx);
    g->t_f16 = LLVMHalfTypeInContext(g->cx);
    g->t_f32 = LLVMFloatTypeInContext(g->cx);
    g->t_f64 = LLVMDoubleTypeInContext(g->cx);
    g->t_ptr = LLVMPointerTypeInContext(g->cx, 0);
    if (g->options->contract) g->fast |= LLVMFastMathAllowContract;
    if (g->options->reassoc) g->fast |= LLVMFastMathAllowReassoc;
    if (g->options->finite_math)
        g->fast |= LLVMFastMathNoNaNs | LLVMFastMathNoInfs | LLVMFastMathNoSignedZeros;
}

static void keep_used(gen *g)
{
    if (!g->used.n) return;
    LLVMValueRef list = LLVMConstArray2(g->t_ptr, g->used.at, g->used.n);
    LLVMValueRef global = LLVMAddGlobal(g->mod, LLVMTypeOf(list), "llvm.compiler.used");
    LLVMSetInitializer(global, list);
    LLVMSetLinkage(global, LLVMAppendingLinkage);
    LLVMSetSection(global, "llvm.metadata");
}

/* What the module does that matters to all of its code. */
static bool survey(void *user, ir_node *n)
{
    gen *g = user;
    g->convergent |= gen_is_device(g) && (n->op == IR_BARRIER || ir_op_subgroup(n->op));
    g->counts |= n->op == IR_CONVERT && type_is_float(n->type) && !type_is_float(n->kids[0]->type);
    return true;
}

static void build(gen *g)
{
    ir_walk_module(g->m, survey, g);
    for (int inner = 0; inner <= 1; inner++)
        for (uint32_t i = 0; i < g->m->funcs.n; i++)
            if ((g->m->funcs.at[i]->linkage == IR_INTERNAL) == inner) declare(g, g->m->funcs.at[i]);
    if (g->c->diags.errors) return;
    gen_debug_begin(g);
    for (uint32_t i = 0; i < g->m->funcs.n; i++)
        if (g->m->funcs.at[i]->body) define(g, g->m->funcs.at[i]);
    keep_used(g);
}

/* An allocation that fails jumps through here, to give LLVM's objects back. */
LLVMModuleRef gen_module(compilation *c, ir_module *m, const gen_options *options,
                         LLVMContextRef context, const char *triple, const char *layout)
{
    gen *g = arena_new(&c->arena, gen);
    g->c = c;
    g->m = m;
    g->options = options;
    g->kind = options->target ? (int)options->target->kind : TGT_HOST;
    g->traits = gen_traits_of(g->kind);
    g->cx = context;
    jmp_buf oom, *outer = c->arena.on_oom;
    init(g);
    g->mod = LLVMModuleCreateWithNameInContext(m->name, context);
    c->arena.on_oom = &oom;
    bool jumped = setjmp(oom) != 0;
    if (!jumped) {
        LLVMSetTarget(g->mod, triple);
        LLVMSetDataLayout(g->mod, layout);
        build(g);
    }
    c->arena.on_oom = outer;
    gen_debug_end(g);
    LLVMDisposeBuilder(g->b);
    if (jumped || c->diags.errors) {
        LLVMDisposeModule(g->mod);
        if (jumped) longjmp(*outer, 1);
        return NULL;
    }
    return g->mod;
}
