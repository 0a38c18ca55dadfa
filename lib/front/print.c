/* Tokens and trees as text, for `--emit tokens` and `--emit ast`. */
#include "lib/front/front_int.h"

/* tokens */

static const char *const token_ids[] = {
#define TOKEN(id, text)   #id,
#define KEYWORD(id, text) #id,
#define PUNCT(id, text)   #id,
#include "lib/front/token.def"
#undef TOKEN
#undef KEYWORD
#undef PUNCT
};

/* A position that moves forward only, so that printing stays linear. */
typedef struct cursor {
    const source *src;
    uint32_t at, line, start; /* start: offset of the line */
} cursor;

static void move_to(cursor *c, uint32_t offset)
{
    for (; c->at < offset; c->at++) {
        char x = c->src->text[c->at];
        if (x != '\n' && !(x == '\r' && c->src->text[c->at + 1] != '\n')) continue;
        c->line++;
        c->start = c->at + 1;
    }
}

static void put_text(strbuf *sb, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)text[i];
        if (c == '\n') sb_put(sb, "\\n");
        else if (c == '\r') sb_put(sb, "\\r");
        else if (c == '\t') sb_put(sb, "\\t");
        else if (c < 32 || c == 127) sb_printf(sb, "\\x%02x", c);
        else sb_putc(sb, (char)c);
    }
}

void token_print(strbuf *sb, const token_list *tokens)
{
    cursor c = {.src = tokens->src, .line = tokens->src->lines_before + 1};
    for (uint32_t i = 0; i < tokens->n; i++) {
        const token *t = &tokens->at[i];
        move_to(&c, t->begin);
        sb_printf(sb, "%u:%u %s", c.line, t->begin - c.start + 1, token_ids[t->kind]);
        bool spelled = t->kind != TOK_INDENT && t->end > t->begin;
        if (spelled) {
            sb_putc(sb, ' ');
            put_text(sb, tokens->src->text + t->begin, t->end - t->begin);
        }
        sb_putc(sb, '\n');
    }
}

/* trees */

static const char *const kind_names[] = {
    [AST_ERROR] = "error",
    [AST_INT] = "int",
    [AST_FLOAT] = "float",
    [AST_IMAGINARY] = "imaginary",
    [AST_STRING] = "string",
    [AST_BOOL] = "bool",
    [AST_NONE] = "none",
    [AST_NAME] = "name",
    [AST_ATTRIBUTE] = "attribute",
    [AST_CALL] = "call",
    [AST_KEYWORD] = "keyword",
    [AST_STAR] = "star",
    [AST_INDEX] = "index",
    [AST_SLICE] = "slice",
    [AST_UNARY] = "unary",
    [AST_BINARY] = "binary",
    [AST_BOOLOP] = "boolop",
    [AST_COMPARE] = "compare",
    [AST_TERNARY] = "ternary",
    [AST_NAMED] = "named",
    [AST_TUPLE] = "tuple",
    [AST_LAMBDA] = "lambda",
    [AST_LIST] = "list",
    [AST_ASSIGN] = "assign",
    [AST_AUGASSIGN] = "augassign",
    [AST_ANNASSIGN] = "annassign",
    [AST_EXPR] = "expr",
    [AST_RETURN] = "return",
    [AST_IF] = "if",
    [AST_WHILE] = "while",
    [AST_FOR] = "for",
    [AST_WITH] = "with",
    [AST_ASSERT] = "assert",
    [AST_BREAK] = "break",
    [AST_CONTINUE] = "continue",
    [AST_PASS] = "pass",
};
_Static_assert(COUNT_OF(kind_names) == AST_KIND_COUNT, "a kind of node has no name");

const char *ast_kind_name(ast_kind kind)
{
    return kind_names[kind];
}

typedef struct printer {
    strbuf *sb;
    ast_file *f;
    VEC(uint32_t) lines; /* where each line starts */
    uint32_t depth;
} printer;

static void find_lines(printer *p)
{
    arena *a = &p->f->comp->arena;
    uint32_t start = 0;
    vec_push(a, &p->lines, start);
    cursor c = {.src = p->f->src, .line = 1};
    for (uint32_t at = 0; at < p->f->src->size; at++) {
        move_to(&c, at + 1);
        if (c.start != start) {
            start = c.start;
            vec_push(a, &p->lines, start);
        }
    }
}

static void end_line(printer *p, cpl_span span)
{
    uint32_t low = 0, high = p->lines.n;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (p->lines.at[middle] <= span.begin) low = middle;
        else high = middle;
    }
    uint32_t line = p->f->src->lines_before + low + 1;
    sb_printf(p->sb, " @%u:%u\n", line, span.begin - p->lines.at[low] + 1);
}

static void begin_line(printer *p, const char *word)
{
    for (uint32_t i = 0; i < p->depth; i++) sb_put(p->sb, "  ");
    sb_put(p->sb, word);
}

static const char *comparison_text(token_kind kind)
{
    return kind == TOK_NOT ? "is not" : token_text(kind);
}

static void put_attributes(printer *p, const ast_node *n)
{
    switch (n->kind) {
    case AST_INT:
        if (n->overflow) sb_put(p->sb, " overflow");
        else sb_printf(p->sb, " %llu", (unsigned long long)n->integer);
        break;
    case AST_IMAGINARY:
    case AST_FLOAT:
        sb_putc(p->sb, ' ');
        sb_float(p->sb, n->number, CPL_FLOAT64);
        break;
    case AST_STRING:
        sb_put(p->sb, " '");
        put_text(p->sb, n->text, n->text_length);
        sb_putc(p->sb, '\'');
        break;
    case AST_BOOL: sb_put(p->sb, n->integer ? " True" : " False"); break;
    case AST_NAME:
    case AST_ATTRIBUTE:
    case AST_KEYWORD: sb_printf(p->sb, " %s", n->name); break;
    case AST_UNARY:
    case AST_BINARY:
    case AST_BOOLOP:
    case AST_AUGASSIGN: sb_printf(p->sb, " %s", token_text(n->op)); break;
    case AST_COMPARE:
        for (uint32_t i = 0; i + 1 < n->kid_count; i++)
            sb_printf(p->sb, " %s", comparison_text(n->ops[i]));
        break;
    default: break;
    }
}

static void print_list(printer *p, const char *label, const ast_list *list);

/* The `elif` behind an if: it is the if alone in its else, but is shown beside it, which keeps long
 * chains readable. */
static const ast_node *elif_of(const printer *p, const ast_node *n)
{
    if (n->kind != AST_IF || !n->orelse || n->orelse->n != 1) return NULL;
    const ast_node *next = n->orelse->at[0];
    bool spelled = next->kind == AST_IF && p->f->src->text[next->op_span.begin] == 'e';
    return spelled ? next : NULL;
}

static void print_node(printer *p, const ast_node *n)
{
    const char *word = kind_names[n->kind];
    while (n) {
        const ast_node *elif = elif_of(p, n);
        begin_line(p, word);
        put_attributes(p, n);
        end_line(p, n->span);
        p->depth++;
        for (uint32_t i = 0; i < n->kid_count; i++) print_node(p, n->kids[i]);
        if (n->body) print_list(p, "body", n->body);
        if (n->orelse && !elif) print_list(p, "else", n->orelse);
        p->depth--;
        n = elif;
        word = "elif";
    }
}

static void print_list(printer *p, const char *label, const ast_list *list)
{
    begin_line(p, label);
    sb_putc(p->sb, '\n');
    p->depth++;
    for (uint32_t i = 0; i < list->n; i++) print_node(p, list->at[i]);
    p->depth--;
}

static void print_labelled(printer *p, const char *label, const ast_node *n)
{
    if (!n) return;
    begin_line(p, label);
    sb_putc(p->sb, '\n');
    p->depth++;
    print_node(p, n);
    p->depth--;
}

static void print_param(printer *p, const ast_param *q)
{
    begin_line(p, "param ");
    if (q->star) sb_put(p->sb, q->star == '*' ? "*" : q->star == 'K' ? "**" : "keyword-only ");
    sb_put(p->sb, q->name);
    end_line(p, q->span);
    p->depth++;
    print_labelled(p, "annotation", q->annotation);
    print_labelled(p, "default", q->value);
    p->depth--;
}

static void print_func(printer *p, ast_func *fn)
{
    ast_parse_body(fn);
    begin_line(p, "func ");
    sb_printf(p->sb, "%s%s%s", fn->name, fn->is_async ? " async" : "",
              fn->is_generator ? " generator" : "");
    end_line(p, fn->span);
    p->depth++;
    for (uint32_t i = 0; i < fn->decorator_count; i++)
        print_labelled(p, "decorator", fn->decorators[i].expr);
    for (uint32_t i = 0; i < fn->param_count; i++) print_param(p, &fn->params[i]);
    print_labelled(p, "returns", fn->returns);
    print_list(p, "body", &fn->body);
    p->depth--;
}

static void print_item(printer *p, const ast_item *item);

static void print_class(printer *p, const ast_class *k)
{
    begin_line(p, k->is_struct ? "struct " : "class ");
    sb_printf(p->sb, "%s%s", k->name, k->bad.file ? " bad" : "");
    end_line(p, k->name_span);
    p->depth++;
    for (uint32_t i = 0; i < k->fields.n; i++) {
        begin_line(p, "field ");
        sb_put(p->sb, k->fields.at[i].name);
        end_line(p, k->fields.at[i].span);
        p->depth++;
        print_node(p, k->fields.at[i].type);
        p->depth--;
    }
    for (uint32_t i = 0; i < k->methods.n; i++) print_func(p, k->methods.at[i]);
    for (uint32_t i = 0; i < k->body->items.n; i++) print_item(p, &k->body->items.at[i]);
    p->depth--;
}

/* Values are not shown: they are parsed when a kernel uses them, and may be any Python until
 * then. */
static void print_item(printer *p, const ast_item *item)
{
    const ast_import *i = item->import;
    switch (item->kind) {
    case ITEM_FUNC: print_func(p, item->func); return;
    case ITEM_CLASS: print_class(p, item->class_); return;
    case ITEM_CONST:
        begin_line(p, "const ");
        sb_printf(p->sb, "%s%s", item->name, item->constant->reassigned ? " reassigned" : "");
        end_line(p, item->constant->span);
        return;
    case ITEM_IMPORT:
        begin_line(p, "import ");
        sb_put(p->sb, i->module);
        if (i->name) sb_printf(p->sb, " name %s", i->name);
        sb_printf(p->sb, " as %s", i->as);
        end_line(p, i->span);
        return;
    }
}

void ast_print(strbuf *sb, ast_file *f, ast_func *fn)
{
    printer p = {.sb = sb, .f = f};
    find_lines(&p);
    if (fn) {
        print_func(&p, fn);
        return;
    }
    for (uint32_t i = 0; i < f->items.n; i++) print_item(&p, &f->items.at[i]);
}
