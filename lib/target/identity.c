/*
 * What host objects depend on beside IR and options: the build of this library and of LLVM, the C
 * library's vector functions, the CPU. Builds are told apart by the GNU build id in the object that
 * holds a symbol, and of libcpl.a by a hash of its code; version numbers alone would not do.
 */
#include "lib/target/target.h"
#include "lib/dl/dl.h"

#include <link.h>
#include <llvm-c/Core.h>

typedef struct search {
    uintptr_t address; /* of a symbol in the object wanted */
    strbuf *out;
} search;

static bool holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && address >= start &&
            address < start + info->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

/* Notes are {name size, description size, type, name, description}, each padded to 4 bytes. */
static void put_build_id(strbuf *out, const char *notes, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~3u, description = (note.n_descsz + 3u) & ~3u,
               total = sizeof note + name + description;
        if (total > size) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + sizeof note, "GNU", 4) == 0)
            for (size_t i = 0; i < note.n_descsz; i++)
                sb_printf(out, "%02x", (unsigned char)notes[sizeof note + name + i]);
        notes += total;
        size -= total;
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    search *s = user;
    if (!holds(info, s->address)) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_NOTE)
            put_build_id(s->out, (const char *)(info->dlpi_addr + p->p_vaddr), p->p_memsz);
    }
    return 1;
}

static void put_build(strbuf *out, const char *what, uintptr_t address)
{
    sb_printf(out, "%s ", what);
    search s = {address, out};
    if (address) dl_iterate_phdr(visit, &s);
    sb_putc(out, '\n');
}

/* cmake/static.cmake writes it into libcpl.a, which holds LLVM too; volatile: elsewhere it is
 * empty, which the compiler must not count on. */
static const volatile char archive_hash[64] __attribute__((section("cpl_build"), used)) = "";

static bool put_archive_hash(strbuf *out)
{
    if (!archive_hash[0]) return false;
    sb_put(out, "archive ");
    for (size_t i = 0; i < sizeof archive_hash; i++) sb_putc(out, archive_hash[i]);
    sb_putc(out, '\n');
    return true;
}

static void put_builds(strbuf *out)
{
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    sb_printf(out, "cpl %s\nllvm %u.%u.%u\n", CPL_VERSION_TEXT, major, minor, patch);
    if (put_archive_hash(out)) return;
    /* what the build took of libclc is in it */
    put_build(out, "library", (uintptr_t)host_identity);
    put_build(out, "llvm", (uintptr_t)LLVMContextCreate);
}

void host_identity(strbuf *out)
{
    put_builds(out);
    put_build(out, "libmvec", (uintptr_t)dl_mvec_symbol("_ZGVbN2v_sin"));
    host_describe(out);
}

void device_identity(strbuf *out, const tgt_target *t)
{
    put_builds(out);
    target_print(out, t);
    sb_putc(out, '\n');
}
