/*
 * An ExecutionSession with JITLink's ObjectLinkingLayer and no more: no compile layers, no
 * platform, no view of the process. LLJIT, which the C API offers, brings all three.
 */
#include "lib/target/hooks.h"
#include "lib/target/guard.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h>
#include <llvm/ExecutionEngine/Orc/ObjectFileInterface.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <thread>

using namespace llvm;
using namespace llvm::orc;

/* Names and places of the functions of linked objects, for those who asked. */
class FunctionLister : public ObjectLinkingLayer::Plugin {
public:
    struct function {
        std::string name;
        const void *address;
        size_t size;
    };

    void modifyPassConfig(MaterializationResponsibility &mr, jitlink::LinkGraph &,
                          jitlink::PassConfiguration &config) override
    {
        JITDylib *dylib = &mr.getTargetJITDylib();
        config.PrePrunePasses.push_back([this](jitlink::LinkGraph &graph) {
            keep(graph);
            return Error::success();
        });
        config.PostFixupPasses.push_back([this, dylib](jitlink::LinkGraph &graph) {
            list(dylib, graph);
            return Error::success();
        });
    }

    std::vector<function> take(JITDylib *dylib)
    {
        std::lock_guard<std::mutex> guard(lock);
        std::vector<function> all = std::move(functions[dylib]);
        functions.erase(dylib);
        return all;
    }

    Error notifyFailed(MaterializationResponsibility &) override { return Error::success(); }
    Error notifyRemovingResources(JITDylib &, ResourceKey) override { return Error::success(); }
    void notifyTransferringResources(JITDylib &, ResourceKey, ResourceKey) override {}

private:
    std::mutex lock;
    std::map<JITDylib *, std::vector<function>> functions;

    /* An internal function is called through its section, so its own symbol looks dead. */
    void keep(jitlink::LinkGraph &graph)
    {
        for (jitlink::Symbol *symbol : graph.defined_symbols())
            if (symbol->hasName() && symbol->isCallable()) symbol->setLive(true);
    }

    void list(JITDylib *dylib, jitlink::LinkGraph &graph)
    {
        std::lock_guard<std::mutex> guard(lock);
        for (jitlink::Symbol *symbol : graph.defined_symbols())
            if (symbol->hasName() && symbol->isCallable() && symbol->getSize())
                functions[dylib].push_back({(*symbol->getName()).str(),
                                            symbol->getAddress().toPtr<const void *>(),
                                            (size_t)symbol->getSize()});
    }
};

enum { WATCH_DEBUGGER = 1, WATCH_FUNCTIONS = 2, WATCH_KINDS = 4 };

struct hook_session {
    std::unique_ptr<ExecutionSession> es;
    std::unique_ptr<jitlink::JITLinkMemoryManager> memory;
    /* by who is told; all but the first are made on demand */
    std::unique_ptr<ObjectLinkingLayer> layers[WATCH_KINDS];
    std::shared_ptr<FunctionLister> lister;
    std::atomic<uint64_t> count{0};
    /* ORC reports why a link failed beside the lookup's own error, on the thread that looks up. */
    std::mutex lock;
    std::map<std::thread::id, std::string> reports;

    void report(Error e)
    {
        std::string text = toString(std::move(e));
        std::lock_guard<std::mutex> guard(lock);
        std::string &all = reports[std::this_thread::get_id()];
        all += all.empty() ? text : "; " + text;
    }

    std::string take_reports()
    {
        std::lock_guard<std::mutex> guard(lock);
        auto found = reports.find(std::this_thread::get_id());
        if (found == reports.end()) return "";
        std::string text = std::move(found->second);
        reports.erase(found);
        return text;
    }
};

static void put_error(hook_session *s, Error e, char *error, size_t error_size)
{
    std::string text = toString(std::move(e)), more = s ? s->take_reports() : "";
    if (!more.empty()) text += " (" + more + ")";
    snprintf(error, error_size, "%s", text.c_str());
}

static JITDylib &dylib_of(hook_code *code)
{
    return *reinterpret_cast<JITDylib *>(code);
}

extern "C" hook_session *hook_session_create(char *error, size_t error_size)
{
    auto control =
        SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
    if (!control) return put_error(nullptr, control.takeError(), error, error_size), nullptr;
    auto memory = jitlink::InProcessMemoryManager::Create();
    if (!memory) {
        put_error(nullptr, memory.takeError(), error, error_size);
        return nullptr;
    }
    auto *s = new hook_session;
    s->es = std::make_unique<ExecutionSession>(std::move(*control));
    s->es->setErrorReporter([s](Error e) { s->report(std::move(e)); });
    s->memory = std::move(*memory);
    s->layers[0] = std::make_unique<ObjectLinkingLayer>(*s->es, *s->memory);
    return s;
}

extern "C" void hook_session_free(hook_session *s)
{
    if (!s) return;
    if (Error e = s->es->endSession()) consumeError(std::move(e));
    for (auto &layer : s->layers) layer.reset();
    s->es.reset();
    delete s;
}

/* The layer whose plugins tell those who watch. */
static Expected<ObjectLinkingLayer *> layer_for(hook_session *s, unsigned kind)
{
    std::lock_guard<std::mutex> guard(s->lock);
    if (s->layers[kind]) return s->layers[kind].get();
    auto layer = std::make_unique<ObjectLinkingLayer>(*s->es, *s->memory);
    if (kind & WATCH_DEBUGGER) {
        Error e = Error::success();
        layer->addPlugin(std::make_shared<ELFDebugObjectPlugin>(*s->es, false, true, e));
        if (e) return e;
    }
    if (kind & WATCH_FUNCTIONS) {
        if (!s->lister) s->lister = std::make_shared<FunctionLister>();
        layer->addPlugin(s->lister);
    }
    s->layers[kind] = std::move(layer);
    return s->layers[kind].get();
}

/* Addresses of everything the object needs from outside. */
static Error resolve_undefined(hook_session *s, const object::ObjectFile &object,
                               void *(*resolve)(void *, const char *), void *user,
                               SymbolMap &addresses)
{
    for (const object::SymbolRef &symbol : object.symbols()) {
        Expected<uint32_t> flags = symbol.getFlags();
        if (!flags) return flags.takeError();
        if (!(*flags & object::SymbolRef::SF_Undefined) ||
            (*flags & object::SymbolRef::SF_FormatSpecific))
            continue;
        Expected<StringRef> name = symbol.getName();
        if (!name) return name.takeError();
        if (name->empty() || *name == "_GLOBAL_OFFSET_TABLE_") continue; /* JITLink's own */
        bool inside = guard_pause();
        void *address = resolve ? resolve(user, name->str().c_str()) : nullptr;
        guard_resume(inside);
        if (!address)
            return createStringError(inconvertibleErrorCode(), "symbol '%s' is not known",
                                     name->str().c_str());
        addresses[s->es->intern(*name)] = {ExecutorAddr::fromPtr(address),
                                           JITSymbolFlags::Exported};
    }
    return Error::success();
}

static Error link_object(hook_session *s, JITDylib &dylib, std::unique_ptr<MemoryBuffer> bytes,
                         void *(*resolve)(void *, const char *), void *user, unsigned kind)
{
    auto layer = layer_for(s, kind);
    if (!layer) return layer.takeError();
    auto object = object::ObjectFile::createObjectFile(bytes->getMemBufferRef());
    if (!object) return object.takeError();
    SymbolMap addresses;
    if (Error e = resolve_undefined(s, **object, resolve, user, addresses)) return e;
    if (!addresses.empty())
        if (Error e = dylib.define(absoluteSymbols(std::move(addresses)))) return e;
    auto interface = getObjectFileInterface(*s->es, bytes->getMemBufferRef());
    if (!interface) return interface.takeError();
    SymbolLookupSet wanted;
    for (auto &defined : interface->SymbolFlags) wanted.add(defined.first);
    if (wanted.empty())
        return createStringError(inconvertibleErrorCode(), "the object defines nothing");
    if (Error e = (*layer)->add(dylib.getDefaultResourceTracker(), std::move(bytes),
                                std::move(*interface)))
        return e;
    auto found = s->es->lookup({{&dylib, JITDylibLookupFlags::MatchAllSymbols}}, std::move(wanted));
    return found ? Error::success() : found.takeError();
}

extern "C" hook_code *hook_link(hook_session *s, const char *object, size_t size,
                                void *(*resolve)(void *user, const char *symbol), void *user,
                                const hook_watch *watch, char *error, size_t error_size)
{
    unsigned kind = 0;
    if (watch && watch->debugger) kind |= WATCH_DEBUGGER;
    if (watch && watch->function) kind |= WATCH_FUNCTIONS;
    std::string name = "code" + std::to_string(s->count++);
    auto bytes = MemoryBuffer::getMemBufferCopy(StringRef(object, size), name);
    JITDylib &dylib = s->es->createBareJITDylib(name);
    auto *code = reinterpret_cast<hook_code *>(&dylib);
    if (Error e = link_object(s, dylib, std::move(bytes), resolve, user, kind)) {
        put_error(s, std::move(e), error, error_size);
        if (kind & WATCH_FUNCTIONS && s->lister) s->lister->take(&dylib);
        hook_unlink(s, code);
        return nullptr;
    }
    if (kind & WATCH_FUNCTIONS)
        for (const FunctionLister::function &f : s->lister->take(&dylib)) {
            bool inside = guard_pause();
            watch->function(watch->user, f.name.c_str(), f.address, f.size);
            guard_resume(inside);
        }
    return code;
}

extern "C" void *hook_symbol(hook_session *s, hook_code *code, const char *symbol, char *error,
                             size_t error_size)
{
    auto found = s->es->lookup({&dylib_of(code)}, symbol);
    if (!found) {
        put_error(s, found.takeError(), error, error_size);
        return nullptr;
    }
    return found->getAddress().toPtr<void *>();
}

extern "C" void hook_unlink(hook_session *s, hook_code *code)
{
    if (Error e = s->es->removeJITDylib(dylib_of(code))) s->report(std::move(e));
    s->take_reports();                                /* nobody is left to hear them */
    s->es->getSymbolStringPool()->clearDeadEntries(); /* names would pile up with every load */
}

extern "C" LLVMMetadataRef hook_distinct_node(LLVMContextRef context, LLVMMetadataRef *operands,
                                              unsigned count)
{
    SmallVector<Metadata *, 4> list;
    for (unsigned i = 0; i < count; i++) list.push_back(unwrap(operands[i]));
    MDNode *node = MDNode::getDistinct(*unwrap(context), list);
    for (unsigned i = 0; i < count; i++)
        if (!operands[i]) node->replaceOperandWith(i, node);
    return wrap(node);
}

/* Part of the process record: what was there when the first section opened. Written under its
 * lock. */
static std::atomic<std::new_handler> host_new_handler{nullptr};

static void on_new_failed()
{
    guard_fail(CPL_ENOMEM, "no memory for LLVM");
    std::new_handler host = host_new_handler;
    if (host) host();
    /* what operator new does without a handler; thrown by libstdc++, since this file knows no
     * exceptions */
    else std::__throw_bad_alloc();
}

static void on_bad_alloc(void *, const char *, bool)
{
    guard_fail(CPL_ENOMEM, "no memory for LLVM");
    std::terminate(); /* what LLVM does without a handler; it must not return */
}

static void on_fatal(void *, const char *reason, bool)
{
    /* LLVM ends the process when it returns, as it does without a handler */
    guard_fail(CPL_ECOMPILER, reason);
}

/* The ways, among a loop's own instructions and the masks of its blocks, from each of them to what
 * all rounds share; infinite for what differs between rounds. They double with each square of a
 * square: hence no integers. */
class Ways {
public:
    Ways(Loop &of, const DominatorTree &from_above, const PostDominatorTree &from_below)
        : loop(of), above(from_above), below(from_below)
    {
    }

    double all(LoopInfo &loops)
    {
        LoopBlocksRPO order(&loop);
        order.perform(&loops);
        double sum = 0;
        for (const BasicBlock *block : order) {
            ways[block] = block == loop.getHeader() ? 1 : mask(*block);
            for (const Instruction &i : *block) {
                double own = ways[&i] = instruction(i);
                if (own < DIFFERS) sum += own;
            }
        }
        return sum;
    }

private:
    static constexpr double DIFFERS = std::numeric_limits<double>::infinity();
    Loop &loop;
    const DominatorTree &above;
    const PostDominatorTree &below;
    DenseMap<const Value *, double> ways; /* of a block: of its mask */

    double known(const Value *v) const
    {
        auto found = ways.find(v);
        return found == ways.end() ? DIFFERS : found->second;
    }

    double value(const Value *v) const
    {
        const auto *inner = dyn_cast<Instruction>(v);
        return inner && loop.contains(inner) ? known(inner) : 1;
    }

    /* Of a jump: of its condition and of whether its block is run at all. */
    double edge(const BasicBlock &from) const
    {
        const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
        if (!branch) return DIFFERS;
        return known(&from) + (branch->isConditional() ? value(branch->getCondition()) : 1);
    }

    /* Where branches meet again it is what it was where they parted. */
    double mask(const BasicBlock &block) const
    {
        const BasicBlock *parted = above.getNode(&block)->getIDom()->getBlock();
        if (below.dominates(&block, parted)) return known(parted);
        double sum = 0;
        for (const BasicBlock *from : predecessors(&block)) sum += edge(*from);
        return sum;
    }

    double instruction(const Instruction &i) const
    {
        if (const auto *phi = dyn_cast<PHINode>(&i)) return choice(*phi);
        if (i.isTerminator() || i.mayHaveSideEffects()) return DIFFERS;
        double sum = 1;
        for (const Value *operand : i.operands()) sum += value(operand);
        return sum;
    }

    /* Of what the masks of the jumps choose among. */
    double choice(const PHINode &phi) const
    {
        if (phi.getParent() == loop.getHeader()) return DIFFERS;
        double sum = 1;
        for (unsigned k = 0; k < phi.getNumIncomingValues(); k++)
            sum += value(phi.getIncomingValue(k)) + edge(*phi.getIncomingBlock(k));
        return sum;
    }
};

extern "C" void hook_limit_vectors(LLVMModuleRef module, double most)
{
    for (Function &f : *unwrap(module)) {
        if (f.isDeclaration()) continue;
        DominatorTree tree(f);
        LoopInfo loops(tree);
        if (loops.empty()) continue;
        PostDominatorTree below(f);
        for (Loop *loop : loops.getLoopsInPreorder())
            if (loop->isInnermost() && Ways(*loop, tree, below).all(loops) > most)
                addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    }
}

#ifdef CPL_SPIRV_STATE
/* bytes of llvm::SPIRVModuleAnalysis::MAI, whose class no installed header declares */
extern "C" char _ZN4llvm19SPIRVModuleAnalysis3MAIE[];
extern "C" void _ZN4llvm5SPIRV18ModuleAnalysisInfoD2Ev(void *object);

/* of empty containers: the same bytes at the same address are that again */
static char spirv_state[CPL_SPIRV_STATE];

extern "C" void hook_spirv_keep(void)
{
    memcpy(spirv_state, _ZN4llvm19SPIRVModuleAnalysis3MAIE, sizeof spirv_state);
}

extern "C" void hook_spirv_fresh(int whole)
{
    if (whole) _ZN4llvm5SPIRV18ModuleAnalysisInfoD2Ev(_ZN4llvm19SPIRVModuleAnalysis3MAIE);
    memcpy(_ZN4llvm19SPIRVModuleAnalysis3MAIE, spirv_state, sizeof spirv_state);
}
#else
extern "C" void hook_spirv_keep(void)
{
}
extern "C" void hook_spirv_fresh(int)
{
}
#endif

extern "C" void hook_handlers_install(void)
{
    host_new_handler = std::set_new_handler(on_new_failed);
    install_bad_alloc_error_handler(on_bad_alloc);
    install_fatal_error_handler(on_fatal);
}

extern "C" void hook_handlers_remove(void)
{
    remove_fatal_error_handler();
    remove_bad_alloc_error_handler();
    /* else the host has set one meanwhile */
    if (std::get_new_handler() == on_new_failed) std::set_new_handler(host_new_handler);
}
