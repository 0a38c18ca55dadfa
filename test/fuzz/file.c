/*
 * Programs kept in files: typed IR, and Python beside it, under lines that say how to call it.
 *
 *     // fuzz SEED FORM N RESULT FLOATS WILD      numbers as in struct prog
 *     // param TYPE                               scalars of the kernel, in order
 *     // record TYPE LENGTH TYPE LENGTH ...       structs
 *     // array TYPE ROLE RECORD LENGTH ID
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static bool write_text(const char *dir, const char *name, const char *suffix, const text *t)
{
    char path[4000];
    snprintf(path, sizeof path, "%s/%s.%s", dir, name, suffix);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    bool ok = fwrite(t->at, 1, t->n, f) == t->n;
    return fclose(f) == 0 && ok;
}

static void header(const prog *p, const char *comment, text *t)
{
    for (const char *at = comment; *at;) {
        size_t length = strcspn(at, "\n");
        text_add(t, "// %.*s\n", (int)length, at);
        at += length + (at[length] != 0);
    }
    text_add(t, "// fuzz %llu %d %lld %d %d %d\n", (unsigned long long)p->seed, p->form,
             (long long)p->n, p->kernel.result, p->has_floats, p->wild);
    for (int i = 0; i < p->kernel.param_count; i++)
        text_add(t, "// param %d\n", p->kernel.vars[i].type);
    for (int i = 0; i < p->record_count; i++) {
        text_add(t, "// record");
        for (int k = 0; k < p->records[i].field_count; k++)
            text_add(t, " %d %d", p->records[i].type[k], p->records[i].length[k]);
        text_add(t, "\n");
    }
    for (int i = 0; i < p->array_count; i++) {
        const array *a = &p->arrays[i];
        text_add(t, "// array %d %d %d %d %d\n", a->type, a->role, a->record, a->length, a->id);
    }
}

bool file_write(const prog *p, const char *dir, const char *name, const char *comment)
{
    text t = {0};
    header(p, comment, &t);
    print_ir(p, &t);
    bool ok = write_text(dir, name, "cir", &t);
    text_free(&t);
    if (!ok || !p->python) return ok;
    print_py(p, &t);
    ok = write_text(dir, name, "py", &t);
    text_free(&t);
    return ok;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    text t = {0};
    char piece[4000];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece - 1, f)) > 0) text_add(&t, "%.*s", (int)n, piece);
    fclose(f);
    return t.at;
}

static void read_record(prog *p, const char *line)
{
    int type, length, used;
    if (p->record_count == MOST_RECORDS) return;
    record *r = &p->records[p->record_count++];
    for (line += strlen("// record");
         r->field_count < MOST_FIELDS && sscanf(line, " %d %d%n", &type, &length, &used) == 2;
         line += used) {
        r->type[r->field_count] = (uint8_t)type;
        r->length[r->field_count++] = (uint8_t)length;
    }
}

static void read_line(prog *p, const char *line)
{
    unsigned long long seed;
    long long n;
    int shape, result, floats, wild, type, use, rec, length, id;
    if (sscanf(line, "// fuzz %llu %d %lld %d %d %d", &seed, &shape, &n, &result, &floats, &wild) ==
        6) {
        p->seed = seed;
        p->form = (form)shape;
        p->n = n;
        p->kernel.result = (ty)result;
        p->has_floats = floats;
        p->wild = wild;
    } else if (sscanf(line, "// param %d", &type) == 1 && p->kernel.var_count < MOST_VARS) {
        p->kernel.vars[p->kernel.var_count++].type = (uint8_t)type;
        p->kernel.param_count = p->kernel.var_count;
    } else if (strncmp(line, "// record", strlen("// record")) == 0) {
        read_record(p, line);
    } else if (sscanf(line, "// array %d %d %d %d %d", &type, &use, &rec, &length, &id) == 5 &&
               p->array_count < MOST_ARRAYS) {
        p->arrays[p->array_count++] = (array){.type = (uint8_t)type,
                                              .role = (uint8_t)use,
                                              .record = (int8_t)rec,
                                              .length = length,
                                              .id = (uint8_t)id};
    }
}

prog *file_read(const char *path)
{
    size_t n = strlen(path);
    char other[4000];
    char *ir =
        n > 4 && n < sizeof other && strcmp(path + n - 4, ".cir") == 0 ? read_text(path) : NULL;
    if (!ir) return NULL;
    prog *p = prog_new();
    p->ir_text = ir;
    snprintf(other, sizeof other, "%.*s.py", (int)(n - 4), path);
    p->py_text = read_text(other);
    p->python = p->py_text != NULL;
    p->kernel.body = node_new(p, S_BLOCK, T_VOID, 0);
    for (const char *line = ir; *line;) {
        read_line(p, line);
        line += strcspn(line, "\n");
        line += *line != 0;
    }
    return p;
}
