/*
 * Forks: a loop's parts dealt out to the threads of OpenMP, or of the host. A fork calls
 * __kmpc_fork_call with a microtask of ours, which calls the outlined body for its parts of [0, n):
 * static ones follow from the thread's number in the team, OpenMP's runtime deals out the others
 * (kmp.h of LLVM's holds the entries and numbers), ours shares (runtime/share.c). What is loaded
 * into the process cuts the parts and asks in between whether the launch is to end
 * (runtime/team.c).
 */
#include "lib/codegen/gen_int.h"
#include "lib/support/abi.h"

/* Schedules, enum sched_type. */
enum { SCHED_DYNAMIC = 35, SCHED_GUIDED = 36 };

/*
 * Rounds below which the calling thread does all. Waking the others costs a few microseconds:
 * FORK_COST in micro-operations of the cost model, one evaluation after the other. A body whose
 * length is not known (a loop that runs an unknown number of rounds, a call) is forked from two
 * rounds on.
 */
enum { FORK_COST = 32000, LEAST_ROUNDS = 2 };

static uint64_t least_rounds(const ir_node *n)
{
    static const ir_guess guess = {.rounds = FORK_COST, .call = FORK_COST, .most = FORK_COST};
    const ir_node *loop = ir_rounds(n->func->body);
    double cost = loop ? ir_block_cost(loop->body, &guess) : 0;
    uint64_t rounds = (uint64_t)(FORK_COST / (cost + 1));
    return loop && rounds > LEAST_ROUNDS ? rounds : LEAST_ROUNDS;
}

/* ident_t: who calls. OpenMP wants one for every entry but looks at it only when it reports
 * something; what is loaded is given one that also says whose threads there are. */
static LLVMValueRef ident(gen *g)
{
    if (g->ident) return g->ident;
    if (g->options->loaded) return g->ident = LLVMAddGlobal(g->mod, g->t_i8, ABI_PLACE);
    static const char where[] = ABI_IDENT_SOURCE;
    LLVMValueRef text = LLVMConstStringInContext2(g->cx, where, sizeof where - 1, 0);
    LLVMValueRef name = LLVMAddGlobal(g->mod, LLVMTypeOf(text), ".ident.text");
    LLVMSetInitializer(name, text);
    LLVMValueRef zero = gen_int(g->t_i32, 0);
    LLVMValueRef fields[] = {zero, gen_int(g->t_i32, ABI_IDENT_FLAGS), zero,
                             gen_int(g->t_i32, sizeof where - 1), name};
    LLVMValueRef record = LLVMConstStructInContext(g->cx, fields, COUNT_OF(fields), 0);
    g->ident = LLVMAddGlobal(g->mod, LLVMTypeOf(record), ".ident");
    LLVMSetInitializer(g->ident, record);
    LLVMValueRef globals[] = {name, g->ident};
    for (int i = 0; i < 2; i++) {
        LLVMSetLinkage(globals[i], LLVMPrivateLinkage);
        LLVMSetGlobalConstant(globals[i], 1);
        LLVMSetUnnamedAddress(globals[i], LLVMGlobalUnnamedAddr);
    }
    return g->ident;
}

static LLVMValueRef call_kmpc(gen *g, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                              unsigned n)
{
    LLVMTypeRef params[16];
    for (unsigned i = 0; i < n; i++) params[i] = LLVMTypeOf(args[i]);
    return gen_call_runtime(g, gen_runtime(g, symbol, LLVMFunctionType(result, params, n, 0)), args,
                            n);
}

typedef struct task { /* the microtask under construction */
    const ir_func *body;
    LLVMValueRef cut; /* its abi_cut; NULL: it does all its rounds */
    LLVMValueRef captures;
    LLVMValueRef thread; /* its number in the process */
    LLVMValueRef member; /* its number in the team, i64 */
    LLVMValueRef rounds; /* n */
    LLVMValueRef chunk;  /* i64 */
} task;

/* noinline: the body is compiled once, not once for each caller, and it does the work of many
 * rounds a call. */
static void call_body(gen *g, const task *t, LLVMValueRef first, LLVMValueRef end)
{
    LLVMValueRef args[] = {t->captures, first, end, t->member};
    gen_call_attr(g, gen_call_runtime(g, t->body->user, args, t->body->params.n), "noinline");
}

/* A word of abi_cut: its first one is what is left until the next look. */
static LLVMValueRef cut_word(gen *g, const task *t, uint64_t at)
{
    LLVMValueRef index = gen_int(g->t_i64, at);
    return LLVMBuildInBoundsGEP2(g->b, g->t_i64, t->cut, &index, 1, "");
}

/* In rounds of cheap bodies some tenths of a millisecond; the runtime finds how long they take. */
enum { FIRST_CUT = 16 };

static void begin_cuts(gen *g, task *t, const ir_node *n)
{
    t->cut = gen_alloca(g, LLVMArrayType2(g->t_i64, ABI_CUT_WORDS), "cut");
    LLVMValueRef zero = gen_int(g->t_i64, 0),
                 first = gen_int(g->t_i64, FIRST_CUT * least_rounds(n));
    LLVMValueRef words[] = {first, first, zero};
    _Static_assert(COUNT_OF(words) == ABI_CUT_WORDS, "all of them");
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        LLVMBuildStore(g->b, words[i], cut_word(g, t, i));
}

/* Whether some rounds from `at` on are to be done, then how many of them. */
static LLVMValueRef go_on(gen *g, LLVMValueRef at, LLVMValueRef end, LLVMValueRef left)
{
    LLVMValueRef zero = gen_int(g->t_i64, 0);
    return LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, at, end, ""),
                        LLVMBuildICmp(g->b, LLVMIntNE, left, zero, ""), "");
}

/* All rounds of [first, end), or those until somebody wants no more of them. */
static void call_cut(gen *g, const task *t, LLVMValueRef first, LLVMValueRef end)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = gen_block_new(g, "cut"),
                      work = gen_block_new(g, "cut.work"), look = gen_block_new(g, "look"),
                      done = gen_block_new(g, "cut.end");
    LLVMBuildBr(g->b, head);
    gen_at(g, head);
    LLVMValueRef at = LLVMBuildPhi(g->b, g->t_i64, "at"), to = cut_word(g, t, 0);
    LLVMValueRef left = LLVMBuildLoad2(g->b, g->t_i64, to, "left");
    LLVMBuildCondBr(g->b, go_on(g, at, end, left), work, done);
    gen_at(g, work);
    LLVMValueRef rest = LLVMBuildSub(g->b, end, at, "");
    LLVMValueRef all = LLVMBuildICmp(g->b, LLVMIntULT, rest, left, "");
    LLVMValueRef size = LLVMBuildSelect(g->b, all, rest, left, "size"),
                 next = LLVMBuildAdd(g->b, at, size, "next");
    call_body(g, t, at, next);
    LLVMBuildStore(g->b, LLVMBuildSub(g->b, left, size, ""), to);
    LLVMBuildCondBr(g->b, all, head, look);
    gen_at(g, look);
    LLVMValueRef args[] = {ident(g), t->cut};
    call_kmpc(g, "__cpl_look", g->t_void, args, COUNT_OF(args));
    LLVMBuildBr(g->b, head);
    gen_at(g, done);
    LLVMValueRef values[] = {first, next, next};
    LLVMBasicBlockRef from[] = {before, work, look};
    LLVMAddIncoming(at, values, from, 3);
}

static void call_rounds(gen *g, const task *t, LLVMValueRef first, LLVMValueRef end)
{
    if (t->cut) call_cut(g, t, first, end);
    else call_body(g, t, first, end);
}

static LLVMValueRef team_size(gen *g)
{
    LLVMValueRef place = ident(g);
    LLVMValueRef size = call_kmpc(g, "__kmpc_bound_num_threads", g->t_i32, &place, 1);
    return LLVMBuildZExt(g->b, size, g->t_i64, "team");
}

/* `size` rounds from low on, or what is left of them. */
static void call_part(gen *g, const task *t, LLVMValueRef low, LLVMValueRef size)
{
    LLVMValueRef left = LLVMBuildSub(g->b, t->rounds, low, ""),
                 whole = LLVMBuildICmp(g->b, LLVMIntULT, size, left, "");
    LLVMValueRef rounds = LLVMBuildSelect(g->b, whole, size, left, "");
    call_rounds(g, t, low, LLVMBuildAdd(g->b, low, rounds, "end"));
}

/*
 * One part a thread, the last one shorter. The runtime's static schedule deals out much the same,
 * but its
 * __kmpc_for_static_init keeps books, half a microsecond of it where a small fork takes three.
 */
static void deal_whole(gen *g, const task *t)
{
    LLVMValueRef team = team_size(g), one = gen_int(g->t_i64, 1);
    LLVMValueRef whole = LLVMBuildUDiv(g->b, LLVMBuildSub(g->b, t->rounds, one, ""), team, "");
    LLVMValueRef size = LLVMBuildAdd(g->b, whole, one, "size"),
                 low = LLVMBuildMul(g->b, t->member, size, "low");
    LLVMBasicBlockRef work = gen_block_new(g, "work"), done = gen_block_new(g, "done");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, low, t->rounds, ""), work, done);
    gen_at(g, work);
    call_part(g, t, low, size);
    LLVMBuildBr(g->b, done);
    gen_at(g, done);
}

/* Which thread does a round decides nothing. */
static bool may_share(const gen *g, const ir_node *n)
{
    enum { WITHOUT_MEMBER = 3 };
    return g->options->loaded && n->func->params.n == WITHOUT_MEMBER;
}

/* Chunk after chunk in turn. They are counted instead of their rounds, which no chunk size makes
 * overflow. */
static void deal_chunks(gen *g, const task *t)
{
    LLVMValueRef one = gen_int(g->t_i64, 1), team = team_size(g);
    LLVMValueRef last =
        LLVMBuildUDiv(g->b, LLVMBuildSub(g->b, t->rounds, one, ""), t->chunk, "last");
    LLVMBasicBlockRef start = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef head = gen_block_new(g, "chunk"), work = gen_block_new(g, "work"),
                      done = gen_block_new(g, "done");
    LLVMBuildBr(g->b, head);
    gen_at(g, head);
    LLVMValueRef number = LLVMBuildPhi(g->b, g->t_i64, "number");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntULE, number, last, ""), work, done);
    gen_at(g, work);
    call_part(g, t, LLVMBuildMul(g->b, number, t->chunk, "low"), t->chunk);
    LLVMValueRef numbers[] = {t->member, LLVMBuildAdd(g->b, number, team, "")};
    LLVMBasicBlockRef from[] = {start, LLVMGetInsertBlock(g->b)};
    LLVMAddIncoming(number, numbers, from, 2);
    LLVMBuildBr(g->b, head);
    gen_at(g, done);
}

/* An entry of the runtime that has rounds for a thread, or none any more. */
typedef struct dealer {
    const char *entry;
    LLVMValueRef args[6];
    unsigned arg_count;
    LLVMValueRef low, high; /* where it stores the first of them, and the last */
} dealer;

static void deal_from(gen *g, const task *t, dealer *d)
{
    LLVMBasicBlockRef head = gen_block_new(g, "chunk"), work = gen_block_new(g, "work"),
                      done = gen_block_new(g, "done");
    LLVMBuildBr(g->b, head);
    gen_at(g, head);
    LLVMValueRef more = call_kmpc(g, d->entry, g->t_i32, d->args, d->arg_count);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, more, gen_int(g->t_i32, 0), ""), work,
                    done);
    gen_at(g, work);
    LLVMValueRef last = LLVMBuildLoad2(g->b, g->t_i64, d->high, "");
    LLVMValueRef end = LLVMBuildAdd(g->b, last, gen_int(g->t_i64, 1), "");
    call_rounds(g, t, LLVMBuildLoad2(g->b, g->t_i64, d->low, ""), end);
    LLVMBuildBr(g->b, head);
    gen_at(g, done);
}

/* The same shares as whole ones for threads that are there at once; what a thread has not come to
 * yet others take when they are done with theirs: it may still be asleep, or its rounds may be the
 * longer ones. */
static void deal_shares(gen *g, const task *t)
{
    LLVMValueRef low = gen_alloca(g, g->t_i64, "low"), high = gen_alloca(g, g->t_i64, "high");
    dealer d = {"__cpl_share", {ident(g), t->member, t->rounds, low, high}, 5, low, high};
    deal_from(g, t, &d);
}

/* Parts on demand. */
static void deal_dynamic(gen *g, const task *t, bool guided)
{
    LLVMValueRef one = gen_int(g->t_i64, 1), is_last = gen_alloca(g, g->t_i32, "is_last");
    LLVMValueRef low = gen_alloca(g, g->t_i64, "low"), high = gen_alloca(g, g->t_i64, "high"),
                 stride = gen_alloca(g, g->t_i64, "stride");
    LLVMValueRef init[] = {ident(g),
                           t->thread,
                           gen_int(g->t_i32, guided ? SCHED_GUIDED : SCHED_DYNAMIC),
                           gen_int(g->t_i64, 0),
                           LLVMBuildSub(g->b, t->rounds, one, ""),
                           one,
                           t->chunk};
    call_kmpc(g, "__kmpc_dispatch_init_8", g->t_void, init, COUNT_OF(init));
    LLVMValueRef place = ident(g);
    dealer d = {
        "__kmpc_dispatch_next_8", {place, t->thread, is_last, low, high, stride}, 6, low, high};
    deal_from(g, t, &d);
}

/*
 * The size of a chunk. Without one given, dynamic deals out 256 parts, which balances a few dozen
 * threads at a cost that does not show; guided goes down to single rounds.
 */
static LLVMValueRef chunk_size(gen *g, const ir_loop *l, LLVMValueRef n)
{
    if (l->chunk > 0) return gen_int(g->t_i64, (uint64_t)l->chunk);
    if (l->schedule != IR_DYNAMIC) return gen_int(g->t_i64, 1);
    LLVMValueRef part = LLVMBuildUDiv(g->b, n, gen_int(g->t_i64, 256), "");
    return LLVMBuildAdd(g->b, part, gen_int(g->t_i64, 1), "");
}

/* void task(int32 *thread, int32 *member, uint8 *captures, int64 n), n > 0 */
static LLVMValueRef microtask(gen *g, const ir_node *n)
{
    const ir_loop *l = n->loop;
    LLVMTypeRef params[] = {g->t_ptr, g->t_ptr, g->t_ptr, g->t_i64};
    LLVMTypeRef type = LLVMFunctionType(g->t_void, params, COUNT_OF(params), 0);
    LLVMValueRef fn =
        LLVMAddFunction(g->mod, arena_printf(&g->c->arena, "%s.task", n->func->name), type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "nounwind");
    /* runs once a thread: no second way to divide */
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "optsize");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMValueRef outer = g->fn;
    gen_place place = gen_debug_save(g);
    g->fn = fn;
    gen_debug_enter(g, fn, LLVMGetValueName(fn), n->span);
    gen_debug_at(g, n->span);
    gen_at(g, LLVMAppendBasicBlockInContext(g->cx, fn, "entry"));
    task t = {.body = n->func, .captures = LLVMGetParam(fn, 2), .rounds = LLVMGetParam(fn, 3)};
    t.thread = LLVMBuildLoad2(g->b, g->t_i32, LLVMGetParam(fn, 0), "thread");
    t.member = LLVMBuildZExt(g->b, LLVMBuildLoad2(g->b, g->t_i32, LLVMGetParam(fn, 1), ""),
                             g->t_i64, "member");
    t.chunk = chunk_size(g, l, t.rounds);
    if (g->options->loaded) begin_cuts(g, &t, n);
    if (l->schedule != IR_STATIC) deal_dynamic(g, &t, l->schedule == IR_GUIDED);
    else if (l->chunk > 0) deal_chunks(g, &t);
    else if (may_share(g, n)) deal_shares(g, &t);
    else deal_whole(g, &t);
    LLVMBuildRetVoid(g->b);
    g->fn = outer;
    gen_at(g, here);
    gen_debug_restore(g, place);
    return fn;
}

/* Rounds up to which a thread alone loses less time than it takes to start the process's OpenMP: a
 * few times as many as are worth a fork. None where they may be long, or where it matters which
 * thread does which, or how many there are. */
enum { BEFORE_START = 16 };

static LLVMValueRef rounds_before_start(gen *g, const ir_node *n)
{
    uint64_t least = least_rounds(n);
    bool any = least > LEAST_ROUNDS && may_share(g, n) && !n->loop->threads;
    return gen_int(g->t_i64, any ? BEFORE_START * least : 0);
}

static void start_threads(gen *g, const ir_node *n, LLVMValueRef captures, LLVMValueRef rounds)
{
    LLVMValueRef place = ident(g);
    if (n->loop->threads > 0) {
        LLVMValueRef thread = call_kmpc(g, "__kmpc_global_thread_num", g->t_i32, &place, 1);
        LLVMValueRef args[] = {place, thread, gen_int(g->t_i32, (uint64_t)n->loop->threads)};
        call_kmpc(g, "__kmpc_push_num_threads", g->t_void, args, COUNT_OF(args));
    }
    LLVMTypeRef params[] = {g->t_ptr, g->t_i32, g->t_ptr};
    LLVMTypeRef type = LLVMFunctionType(g->t_void, params, COUNT_OF(params), 1);
    LLVMValueRef args[] = {place,  gen_int(g->t_i32, 2),     microtask(g, n), captures,
                           rounds, rounds_before_start(g, n)};
    unsigned count = COUNT_OF(args) - !g->options->loaded; /* ours takes one more */
    gen_call_runtime(g, gen_runtime(g, "__kmpc_fork_call", type), args, count);
}

/* What loaded code does with many rounds for one thread: as a team of one. */
static void start_alone(gen *g, const ir_node *n, LLVMValueRef captures, LLVMValueRef rounds)
{
    LLVMValueRef args[] = {ident(g), microtask(g, n), captures, rounds};
    call_kmpc(g, "__cpl_alone", g->t_void, args, COUNT_OF(args));
}

/* Where a launch is to end the function does so behind the loop that was cut: what it would do with
 * the results is not known to end. */
static void return_if_stopped(gen *g)
{
    LLVMValueRef stopped = call_kmpc(g, "__cpl_stopped", g->t_i32, NULL, 0);
    LLVMBasicBlockRef stop = gen_block_new(g, "stop"), on = gen_block_new(g, "fork.all");
    LLVMValueRef zero = gen_int(g->t_i32, 0);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, stopped, zero, ""), stop, on);
    gen_at(g, stop);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(g->fn));
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind) LLVMBuildRetVoid(g->b);
    else LLVMBuildRet(g->b, LLVMConstNull(result));
    gen_at(g, on);
}

/* A fork inside a fork runs on one thread: OpenMP's default of one active level. */
void gen_fork(gen *g, const ir_node *n)
{
    LLVMValueRef captures = gen_expr(g, n->kids[0]).v;
    LLVMValueRef rounds = gen_i64(g, gen_expr(g, n->kids[1])), zero = gen_int(g->t_i64, 0);
    LLVMBasicBlockRef some = gen_block_new(g, "fork.some"), alone = gen_block_new(g, "fork.alone");
    LLVMBasicBlockRef fork = gen_block_new(g, "fork"), done = gen_block_new(g, "fork.end");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSGT, rounds, zero, ""), some, done);
    gen_at(g, some);
    bool one = n->loop->threads == 1, loaded = g->options->loaded;
    LLVMValueRef few = one && !loaded ? gen_int(g->t_i1, 1)
                                      : LLVMBuildICmp(g->b, LLVMIntULT, rounds,
                                                      gen_int(g->t_i64, least_rounds(n)), "");
    LLVMBuildCondBr(g->b, few, alone, fork);
    gen_at(g, alone);
    task all = {.body = n->func, .captures = captures, .member = zero};
    call_body(g, &all, zero, rounds);
    LLVMBuildBr(g->b, done);
    gen_at(g, fork);
    if (one && loaded) start_alone(g, n, captures, rounds);
    else start_threads(g, n, captures, rounds);
    if (loaded) return_if_stopped(g);
    LLVMBuildBr(g->b, done);
    gen_at(g, done);
}
