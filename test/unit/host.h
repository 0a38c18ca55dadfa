/* Compiles typed IR for the host and loads it, without any pass: what lib/codegen and lib/target do
 * is all there is to see. */
#ifndef UNIT_HOST_H
#define UNIT_HOST_H

#include "unit.h"

#include "lib/target/target.h"
#include "lib/support/abi.h"
#include "runtime/resolve.h"
#include "lib/dl/dl.h"

#include <stdio.h>

static inline void host_print_diag(void *user, const cpl_diag *d)
{
    (void)user;
    char text[2000];
    cpl_diag_render(d, text, sizeof text);
    print_error("%s", text);
}

static inline const source *host_find_source(void *user, uint32_t id)
{
    (void)id;
    return user;
}

/* The object of a text in IR, in out. */
static inline bool host_object(const char *text, size_t size, int opt_level, strbuf *out)
{
    jmp_buf oom;
    compilation c = {.mem = &mem_libc, .on_oom = &oom, .max_ops = 1000000};
    arena_init(&c.arena, &mem_libc, &oom);
    c.diags.arena = &c.arena;
    c.types = type_table_create(&mem_libc);
    sb_init(out, &mem_libc);
    volatile bool ok = false;
    source src = {.id = 1, .name = "test.cir", .text = text, .size = size};
    if (!setjmp(oom)) {
        ir_module *m = ir_parse(&c, &src);
        /* precise: the interpreter's results, bit by bit */
        tgt_options options = {.opt_level = opt_level, .loaded = true};
        ok = m && ir_verify(m, "test") && host_emit(&c, m, &options, TGT_OBJ, out, NULL);
        diag_deliver(&c.diags, host_find_source, &src, (diag_sink){host_print_diag, NULL});
    }
    type_table_free(c.types);
    arena_free(&c.arena);
    return ok;
}

/* user: an abi_place; NULL: OpenMP's */
static inline void *host_resolve(void *user, const char *symbol)
{
    static abi_place openmp = ABI_PLACE_OF({0});
    if (!strcmp(symbol, ABI_PLACE)) return user ? user : &openmp;
    if (!user) team_open(NULL);
    return abi_resolve(symbol);
}

/* Compiles and loads; a failure fails the test. place: of its forks, or NULL */
static inline code *host_load_at(code_loader *l, const char *text, size_t size, int opt_level,
                                 abi_place *place)
{
    strbuf object;
    char error[500] = "";
    assert_true(host_object(text, size, opt_level, &object));
    code *c = code_load(l, &(code_object){object.at, object.n, host_resolve, place, {0}}, error,
                        sizeof error);
    if (!c) print_error("%s\n", error);
    assert_non_null(c);
    sb_free(&object);
    return c;
}

static inline code *host_load(code_loader *l, const char *text, size_t size, int opt_level)
{
    return host_load_at(l, text, size, opt_level, NULL);
}

static inline void *host_symbol(code *c, const char *symbol)
{
    char error[500] = "";
    void *p = code_symbol(c, symbol, error, sizeof error);
    if (!p) print_error("%s\n", error);
    assert_non_null(p);
    return p;
}

static inline code_loader *host_loader(void)
{
    char error[500] = "";
    assert_true(host_init());
    code_loader *l = code_loader_create(&mem_libc, error, sizeof error);
    if (!l) print_error("%s\n", error);
    assert_non_null(l);
    return l;
}

#endif
