/*
 * Passes over the typed IR. One file, one entry each: bool pass_NAME(pass_context *, ir_module *),
 * true when it changed something. The top comment of each says what it does, requires, ensures and
 * where it comes from. They never dump, time or verify: run.c does.
 */
#ifndef CPL_PASS_H
#define CPL_PASS_H

#include "lib/ir/ir.h"
#include "lib/support/target.h"

typedef struct pass_context {
    compilation *comp;
    bool bounds_check;
    bool precise;      /* sums of floats keep their order */
    bool reproducible; /* and have the host's on devices too */
    bool elementary; /* mathematics by the language's functions where it has them, else as before */
    bool in_order;   /* parallel loops become serial ones */
    const tgt_target *target;
    bool float32;    /* float64 becomes float32 where the device lacks it */
    int32_t threads; /* that a grid on the host runs on; 0: the default */
    uint32_t facts;  /* what is known of arguments: cpl_fact */
    uint32_t relies; /* on which of it the code does; passes add theirs */
    /* The function of float64 that computes the op of that name, in m; NULL: there is none */
    ir_func *(*find_elementary)(void *user, ir_module *m, const char *name, cpl_dtype dtype);
    void *user;
} pass_context;

typedef bool (*pass_fn)(pass_context *cx, ir_module *m);

typedef struct pass_info {
    const char *name;
    pass_fn run;
    bool default_on;
    const char *doc;
} pass_info;
typedef enum pass_id { /* rows of pass_table */
#define PASS(name, on, doc) PASS_##name,
#include "passes/pass.def"
#undef PASS
} pass_id;
extern const pass_info pass_table[]; /* run.c; ends in a NULL name */
const pass_info *pass_find(const char *name, size_t length);

#define PASS(name, on, doc) bool pass_##name(pass_context *cx, ir_module *m);
#include "passes/pass.def"
#undef PASS

/* How the runner reports and what it does around each pass. */
typedef struct pass_runner {
    pass_context cx;
    /* after each pass; failure is a CPL_EINTERNAL diagnostic that names the pass */
    bool verify;
    const char *print_after; /* comma-separated names or "all"; NULL: none */
    strbuf *log;             /* where dumps go; may be NULL */
    double ms[32];           /* time by row of pass.def, added up */
    uint32_t runs[32];
} pass_runner;

/* Runs one pass. False when the verifier refused the result. */
bool pass_run(pass_runner *r, ir_module *m, const pass_info *pass);
/* Runs a comma-separated list of names; an unknown name is a CPL_EARG diagnostic. */
bool pass_run_list(pass_runner *r, ir_module *m, const char *names);
void pass_print_times(strbuf *sb, const pass_runner *r);

#endif
