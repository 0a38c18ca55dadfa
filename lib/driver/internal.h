/* Helpers of lib/driver that only its files call. */
#ifndef CPL_DRIVER_INTERNAL_H
#define CPL_DRIVER_INTERNAL_H

#include "lib/driver/driver.h"

/* files.c: the files of a module. They are read when it is made and do not change. */
/* Bytes of a kernel file or of typed IR. Spans hold 32-bit offsets; what the front end makes of a
 * text takes many times its size. */
#define SOURCE_LIMIT ((size_t)64 << 20)
#define MOST_FILES   256 /* of a module */
/* Takes over text, of size + 1 bytes; false when there is no memory. */
bool module_add_file(cpl_module *m, const char *path, char *text, size_t size);
/* Whether there is such a file already; as module_find_file's name. */
bool module_has_file(const cpl_module *m, const char *name);
/* A name as kernels have it, in normal form, in m's memory; of mem_strfree. */
char *name_copy(const mem *a, const char *name, size_t size);
/* What stands behind the folder and before ".py": what imports call a file; in m's memory. */
char *module_name(const mem *a, const char *path);
/*
 * Reads what f, the first file, imports by plain names from its own folder, and what that imports,
 * and declares all structs. What is wrong with a file is said when a kernel uses it. f is spoilt
 * for other use. False when there is no memory.
 */
bool module_read_imports(cpl_module *m, ast_file *f, const sema_env *env);
/* As sema_env.find_file; user: the module. */
const source *module_find_file(void *user, arena *a, const char *name, const char **problem);
void module_free_files(cpl_module *m);

/* index.c: lists the functions of a module's first file, of typed IR, of a host program. */
cpl_status index_source(compilation *c, void *module);
cpl_status index_ir(compilation *c, void *module);
cpl_status index_functions(compilation *c, void *module);
void module_free_functions(cpl_module *m);

/* hosts.c: functions of a host program. */
void module_free_hosts(cpl_module *m);
/* The file that the function is in, if m has it, else the first; NULL after errors. */
ast_file *module_parse(cpl_module *m, compilation *c, const char *function);
/* As sema_env.host and find_host; user: the module. */
const sema_host *module_host_at(void *user, size_t index);
size_t module_find_host(void *user, const char *name);
/* Of any module's function, its name in any spelling; SIZE_MAX: there is none. */
size_t module_function_index(const cpl_module *m, const char *name);

/* module.c */
/* With no file yet; NULL when there is no memory, which is reported. */
cpl_module *module_new(cpl_context *cx, module_origin origin, bool is_ir);
/* Looks at what is in the files; frees m when that fails. */
cpl_status module_finish(cpl_module *m, cpl_module **module);
void module_free(cpl_module *m);

/* signature.c: the C prototype of an entry, in the arena. */
const char *entry_signature(compilation *c, const ir_func *f);
/* "double *x", "struct Pair *p", "double (*m)[2][3]" */
const char *c_declaration(arena *a, const cpl_type *t, const char *inner);
/* what C allows: _ for other characters and behind keywords */
const char *c_identifier(arena *a, const char *name);

/* header.c: the C header for the entry's object; a describes the entry. */
void print_header(strbuf *out, const pipeline *p, const artifact *a);

/* packed.c: adds `void F.packed(const void *const *args, void *result)`, which calls the entry with
 * the values args point to. */
ir_func *packed_entry(ir_module *m, ir_func *entry);

/* readonly.c: sets ir_var.readonly of each pointer parameter through which nothing is written. */
void mark_readonly(ir_module *m);
/*
 * Sets ir_var.noalias of the entry's arrays, which are known to share no memory where one is
 * written. Behind mark_readonly. To LLVM noalias means that no other work-item writes there either,
 * at any time: what they write for each other to read does not get it. Whether it matters.
 */
bool mark_distinct(ir_module *m);
/* All that is known of parameters before the passes run. */
void mark_parameters(pipeline *p);

/* work.c: how many rounds of its parallel loop (of a plain function: calls) quick code for the
   entry does in a few milliseconds; 0 when not one. After the passes. */
int64_t work_quick_rounds(ir_module *m);
/* Loops inside each other, through calls, before the passes: the same for any target. */
uint32_t work_nesting(ir_module *m);
/* How many rounds take a few microseconds when optimised; 0 when one may take longer. */
int64_t work_short_rounds(ir_module *m);
/* Micro-operations of a round, with so many of a loop that does not say how many it has. */
double work_of_round(ir_module *m, double rounds);

/* binds.c: what the spec binds, in the request; false when memory ends. */
bool read_binds(pipeline *p, sema_request *r);
/* An expression as a source of the module; NULL when memory ends. */
const source *bind_source(cpl_module *m, const char *text);

/*
 * used.c: what a compilation may use of texts, structs, externs and values of a host program, into
 * the key. Behind pipeline_front. Places in that are the same for the same key: used_leave makes
 * them of spans, false where a span is of nothing that is used; used_return makes them spans again.
 */
typedef struct used used;
used *used_find(pipeline *p, strbuf *key);
bool used_leave(const used *u, cpl_span *span);
void used_return(const used *u, cpl_span *span);

/* stored.c: an artifact, what compiling it had to say and stats.ir_ops, as bytes and back; false
 * when that cannot be. */
bool stored_write(strbuf *out, const used *u, artifact *a, const diag *said, cpl_stats *stats);
bool stored_read(const strbuf *in, const used *u, artifact *a, compilation *c, cpl_stats *stats);

/* pipeline.c: takes out all kernels but one and what is launched before that. */
void keep_kernel(ir_module *m, const ir_func *kernel);

/* artifact.c: copies what the runtime needs to know of the entry's parameters; false when out of
 * memory. */
bool describe_entry(artifact *a, const pipeline *p, const ir_func *entry);
/* Reports parameters of the entry that nothing fills in unless it is called, on a device. */
bool check_roles(const pipeline *p, bool call);
void print_types(strbuf *sb, const pipeline *p);

#endif
