/*
 * Texts of PTX that define what a kernel calls, put into the kernel's own. LLVM declares such
 * functions `.extern`, which a definition in the same text must not follow, and with types of bits
 * alone, where a text may say .f64: the declarations go. A text's own header goes too, but a newer
 * .version counts.
 */
#include "lib/target/nvptx_job.h"

#include <stdio.h>

typedef struct line {
    const char *at;
    size_t n; /* without its end */
} line;

static bool next_line(const char **rest, line *l)
{
    if (!**rest) return false;
    *l = (line){*rest, strcspn(*rest, "\n")};
    *rest += l->n + (l->at[l->n] == '\n');
    return true;
}

static bool begins(const line *l, const char *word)
{
    size_t blanks = 0, n = strlen(word);
    while (blanks < l->n && (l->at[blanks] == ' ' || l->at[blanks] == '\t')) blanks++;
    return l->n - blanks >= n && memcmp(l->at + blanks, word, n) == 0;
}

static bool is_header(const line *l)
{
    return begins(l, ".version") || begins(l, ".target") || begins(l, ".address_size");
}

/* 8.3 as 803; 0 for any other line */
static int version_in(const line *l)
{
    int major = 0, minor = 0;
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)(l->n < sizeof copy ? l->n : sizeof copy - 1), l->at);
    const char *word = strstr(copy, ".version");
    if (!begins(l, ".version") || sscanf(word, ".version %d.%d", &major, &minor) != 2) return 0;
    return major * 100 + minor;
}

static int newest_version(const ir_module *m)
{
    int newest = 0;
    line l;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        for (const char *rest = m->funcs.at[i]->text; rest && next_line(&rest, &l);)
            if (version_in(&l) > newest) newest = version_in(&l);
    return newest;
}

static bool seen_before(const ir_module *m, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (m->funcs.at[k]->text && strcmp(m->funcs.at[k]->text, m->funcs.at[i]->text) == 0)
            return true;
    return false;
}

static void put_line(strbuf *out, const line *l)
{
    sb_putn(out, l->at, l->n);
    sb_putc(out, '\n');
}

static void put_texts(strbuf *out, const ir_module *m)
{
    line l;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const char *rest = m->funcs.at[i]->text;
        if (!rest || seen_before(m, i)) continue;
        sb_putc(out, '\n');
        while (next_line(&rest, &l))
            if (!is_header(&l)) put_line(out, &l);
    }
}

/* Whether a declaration, which begins with this line, is of a function that has a text. */
static bool declares_one(const ir_module *m, const line *l)
{
    if (!begins(l, ".extern .func")) return false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const ir_func *f = m->funcs.at[i];
        size_t n = strlen(f->name);
        if (f->text && l->n > n && memcmp(l->at + l->n - n, f->name, n) == 0 &&
            (l->at[l->n - n - 1] == ' ' || l->at[l->n - n - 1] == '\t'))
            return true;
    }
    return false;
}

bool nvptx_has_texts(const ir_module *m)
{
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->text) return true;
    return false;
}

void nvptx_add_texts(strbuf *out, const char *ptx, const ir_module *m)
{
    int newest = newest_version(m);
    bool skipping = false;
    line l;
    for (const char *rest = ptx; next_line(&rest, &l);) {
        skipping = skipping || declares_one(m, &l);
        if (begins(&l, ".version") && newest > version_in(&l))
            sb_printf(out, ".version %d.%d\n", newest / 100, newest % 100);
        else if (!skipping) put_line(out, &l);
        if (skipping && l.n && l.at[l.n - 1] == ';') skipping = false;
        if (begins(&l, ".address_size")) put_texts(out, m);
    }
}
