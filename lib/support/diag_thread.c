/*
 * What a thread is told: its last error, kept as text, and the list that takes the place of the
 * sinks while the thread has one. Neither is any context's, and their memory is malloc's.
 */
#include "lib/support/support.h"

#include <pthread.h>
#include <stdlib.h>

struct cpl_diag_list {
    diag_log log;
};

/* A thread's own. Initial-exec: no allocation behind a call's back. */
#define OWN static _Thread_local __attribute__((tls_model("initial-exec")))
OWN cpl_diag_list *list;    /* that it has; NULL: none */
OWN char *last_text;        /* of its last error, of malloc; NULL: none yet, or see last_status */
OWN cpl_status last_status; /* of that error */
OWN bool told;              /* the report has had an error */

/* Frees the texts of threads that end. */
static struct {
    pthread_once_t once;
    pthread_key_t key;
    bool made;
} ends = {.once = PTHREAD_ONCE_INIT};

static void forget_text(void *text)
{
    free(text);
    last_text = NULL;
}

static void make_key(void)
{
    ends.made = pthread_key_create(&ends.key, forget_text) == 0;
}

/* NULL when there is no memory: the status then stands for the text. */
static char *text_of(const cpl_diag *d)
{
    size_t size = cpl_diag_render(d, NULL, 0) + 1;
    char *text = malloc(size);
    if (!text) return NULL;
    cpl_diag_render(d, text, size);
    if (size > 1 && text[size - 2] == '\n') text[size - 2] = '\0';
    return text;
}

static void keep_error(const cpl_diag *d)
{
    pthread_once(&ends.once, make_key);
    free(last_text);
    last_status = d->status;
    last_text = ends.made ? text_of(d) : NULL;
    if (ends.made && pthread_setspecific(ends.key, last_text)) forget_text(last_text);
}

void thread_report_begins(void)
{
    told = false;
}

void thread_tell(const cpl_diag *d, diag_sink otherwise)
{
    if (d->severity == CPL_ERROR && !told) {
        told = true;
        keep_error(d);
    }
    if (list) diag_log_add(&list->log, d);
    else if (otherwise.fn) otherwise.fn(otherwise.user, d);
}

void diag_log_replay(const diag_log *l, diag_sink to)
{
    if (!to.fn) return;
    thread_report_begins();
    for (size_t i = 0; i < diag_log_count(l); i++) to.fn(to.user, diag_log_at(l, i));
}

cpl_status thread_report(cpl_status status, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    cpl_diag d = {.size = sizeof d, .severity = CPL_ERROR, .status = status, .message = message};
    thread_report_begins();
    thread_tell(&d, (diag_sink){0});
    return status;
}

cpl_status thread_missing(const char *names, const void *const *pointers, size_t count)
{
    size_t i = 0;
    while (i < count && pointers[i]) i++;
    if (i == count) return CPL_OK;
    for (; i; i--) names += strcspn(names, " ") + 1;
    return thread_report(CPL_EARG, "the argument '%.*s' is NULL", (int)strcspn(names, " "), names);
}

const char *cpl_last_error(void)
{
    if (last_text) return last_text;
    return last_status ? cpl_status_message(last_status) : "";
}

void cpl_last_error_clear(void)
{
    free(last_text);
    last_text = NULL;
    last_status = CPL_OK;
    if (ends.made) pthread_setspecific(ends.key, NULL);
}

cpl_status cpl_diag_list_create(cpl_diag_list **made)
{
    if (MISSING("list", made)) return CPL_EARG;
    *made = mem_zalloc(&mem_libc, sizeof **made);
    if (!*made) return thread_report(CPL_ENOMEM, "out of memory");
    diag_log_init(&(*made)->log, &mem_libc);
    return CPL_OK;
}

void cpl_diag_list_free(cpl_diag_list *l)
{
    if (!l) return;
    if (list == l) list = NULL;
    diag_log_free(&l->log);
    mem_free(&mem_libc, l, sizeof *l);
}

cpl_diag_list *cpl_diag_list_use(cpl_diag_list *l)
{
    cpl_diag_list *before = list;
    list = l;
    return before;
}

size_t cpl_diag_list_count(const cpl_diag_list *l)
{
    return l ? diag_log_count(&l->log) : 0;
}

const cpl_diag *cpl_diag_list_get(const cpl_diag_list *l, size_t index)
{
    return index < cpl_diag_list_count(l) ? diag_log_at(&l->log, index) : NULL;
}

void diag_list_replay(const cpl_diag_list *l, diag_sink to)
{
    diag_log_replay(&l->log, to);
}

void cpl_diag_list_clear(cpl_diag_list *l)
{
    if (l) diag_log_free(&l->log);
}
