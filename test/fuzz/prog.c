/* The tree of a program: memory, copies and walks. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct chunk {
    struct chunk *next;
    size_t used;
    _Alignas(16) char bytes[60000];
} chunk;

static void *checked(void *memory)
{
    if (memory) return memory;
    fputs("fuzz: out of memory\n", stderr);
    abort();
}

prog *prog_new(void)
{
    return checked(calloc(1, sizeof(prog)));
}

void *prog_alloc(prog *p, size_t size)
{
    size = (size + 15) / 16 * 16;
    if (!p->memory || p->memory->used + size > sizeof p->memory->bytes) {
        chunk *c = checked(malloc(sizeof *c));
        c->next = p->memory;
        c->used = 0;
        p->memory = c;
    }
    void *at = p->memory->bytes + p->memory->used;
    p->memory->used += size;
    memset(at, 0, size);
    return at;
}

void prog_free(prog *p)
{
    if (!p) return;
    for (chunk *c = p->memory; c;) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
    free(p->ir_text);
    free(p->py_text);
    free(p);
}

node *node_new(prog *p, kind k, ty t, int kids)
{
    node *n = prog_alloc(p, sizeof *n);
    n->kind = (uint8_t)k;
    n->type = (uint8_t)t;
    n->kids = (uint16_t)kids;
    n->a = n->b = n->c = -1;
    if (kids) n->kid = prog_alloc(p, (size_t)kids * sizeof *n->kid);
    return n;
}

void node_push(prog *p, node *parent, node *kid)
{
    node **kids = prog_alloc(p, (parent->kids + 1u) * sizeof *kids);
    if (parent->kids) memcpy(kids, parent->kid, parent->kids * sizeof *kids);
    kids[parent->kids++] = kid;
    parent->kid = kids;
}

static node *copy(prog *to, const node *n)
{
    if (!n) return NULL;
    node *c = node_new(to, (kind)n->kind, (ty)n->type, n->kids);
    node **kids = c->kid;
    *c = *n;
    c->kid = kids;
    for (int i = 0; i < n->kids; i++) c->kid[i] = copy(to, n->kid[i]);
    return c;
}

prog *prog_copy(const prog *p)
{
    prog *c = prog_new();
    *c = *p;
    c->memory = NULL;
    c->ir_text = c->py_text = NULL;
    for (int i = 0; i < p->helper_count; i++) c->helpers[i].body = copy(c, p->helpers[i].body);
    c->kernel.body = copy(c, p->kernel.body);
    return c;
}

void node_walk(node *n, node_visitor fn, void *user)
{
    fn(user, n);
    for (int i = 0; i < n->kids; i++) node_walk(n->kid[i], fn, user);
}

void prog_walk(prog *p, node_visitor fn, void *user)
{
    for (int i = 0; i < p->helper_count; i++) node_walk(p->helpers[i].body, fn, user);
    node_walk(p->kernel.body, fn, user);
}

int64_t own_slot(const prog *p, const array *a, const node *place, int64_t round)
{
    switch (a->map) {
    case 0: return round;
    case 1: return p->n - 1 - round;
    case 2: return round ^ a->twist;
    default: return round * a->twist + place->b;
    }
}

bool node_names_var(const node *n, int *second)
{
    *second = n->kind == S_COPY ? n->b : -1;
    switch (n->kind) {
    case E_VAR:
    case P_ITEM:
    case P_FIELD:
    case P_VAR:
    case P_PTR:
    case S_ASSIGN:
    case S_FOR:
    case S_WHILE:
    case S_PAR:
    case S_CALL:
    case S_POINTER:
    case S_ATOMIC:
    case S_CLEAR:
    case S_COPY:
    case S_COPYOUT:
    case S_SETPTR:
    case S_REDUCE: return true;
    default: return false;
    }
}

static bool names(const node *n, int v)
{
    int second;
    if (node_names_var(n, &second) && (n->a == v || second == v)) return true;
    for (int i = 0; i < n->kids; i++)
        if (names(n->kid[i], v)) return true;
    return false;
}

bool var_used(const func *f, int v)
{
    return names(f->body, v);
}

static int nodes(const node *n)
{
    int count = 1;
    for (int i = 0; i < n->kids; i++) count += nodes(n->kid[i]);
    return count;
}

bool index_is_checked(const node *index, int64_t length)
{
    int64_t most = index->type == T_I8 ? INT8_MAX : index->type == T_U8 ? UINT8_MAX : INT16_MAX;
    return index->kind != E_CONST && (index->style & 3) == 2 && length <= most;
}

int prog_size(const prog *p)
{
    int count = nodes(p->kernel.body);
    for (int i = 0; i < p->helper_count; i++) count += nodes(p->helpers[i].body);
    return count;
}

void text_add(text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t length = (size_t)vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (t->n + length + 1 > t->capacity) {
        t->capacity = 2 * (t->n + length + 1) + 4000;
        t->at = checked(realloc(t->at, t->capacity));
    }
    vsnprintf(t->at + t->n, length + 1, format, again);
    va_end(again);
    t->n += length;
}

void text_free(text *t)
{
    free(t->at);
    *t = (text){0};
}
