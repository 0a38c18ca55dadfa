/* What a context says: to its sink, with the texts that spans point to. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"

#include <stdio.h>

/* --- texts --- */

source_entry *context_add_source(cpl_context *cx, const char *name, const char *text, size_t size)
{
    source_entry *e = mem_zalloc(&cx->mem, sizeof *e);
    char *copy = mem_strdup(&cx->mem, name);
    if (!e || !copy) {
        mem_free(&cx->mem, e, sizeof *e);
        mem_strfree(&cx->mem, copy);
        return NULL;
    }
    pthread_mutex_lock(&cx->lock);
    e->src = (source){.id = ++cx->next_source, .name = copy, .text = text, .size = size};
    e->next = cx->sources;
    cx->sources = e;
    pthread_mutex_unlock(&cx->lock);
    return e;
}

void context_remove_source(cpl_context *cx, source_entry *e)
{
    pthread_mutex_lock(&cx->lock);
    source_entry **at = &cx->sources;
    while (*at != e) at = &(*at)->next;
    *at = e->next;
    pthread_mutex_unlock(&cx->lock);
    mem_strfree(&cx->mem, e->src.name);
    mem_free(&cx->mem, e, sizeof *e);
}

const source *context_find_source(void *user, uint32_t id)
{
    cpl_context *cx = user;
    pthread_mutex_lock(&cx->lock);
    source_entry *e = cx->sources;
    while (e && e->src.id != id) e = e->next;
    pthread_mutex_unlock(&cx->lock);
    return e ? &e->src : NULL;
}

/* --- reports --- */

cpl_status context_tell(cpl_context *cx, diag_sink to, cpl_severity severity, cpl_status status,
                        cpl_span span, const char *message)
{
    diag d = {.severity = severity, .status = status, .span = span, .message = message};
    diag_list l = {.first = &d, .last = &d};
    diag_deliver(&l, context_find_source, cx, to);
    return status;
}

static void tell(void *user, const cpl_diag *d)
{
    const cpl_context *cx = user;
    thread_tell(d, (diag_sink){cx->sink, cx->sink_user});
}

diag_sink context_sink(cpl_context *cx)
{
    return (diag_sink){tell, cx};
}

static cpl_status deliver(cpl_context *cx, cpl_severity severity, cpl_status status, cpl_span span,
                          const char *format, va_list args)
{
    char message[1024];
    vsnprintf(message, sizeof message, format, args);
    return context_tell(cx, context_sink(cx), severity, status, span, message);
}

cpl_status context_report(cpl_context *cx, cpl_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_ERROR, status, (cpl_span){0}, format, args);
    va_end(args);
    return status;
}

cpl_status context_no_memory(cpl_context *cx)
{
    return context_report(cx, CPL_ENOMEM, "out of memory");
}

cpl_status context_report_at(cpl_context *cx, cpl_status status, cpl_span span, const char *format,
                             ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_ERROR, status, span, format, args);
    va_end(args);
    return status;
}

void context_note(cpl_context *cx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_NOTE, CPL_OK, (cpl_span){0}, format, args);
    va_end(args);
}

void context_warn(cpl_context *cx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_WARNING, CPL_OK, (cpl_span){0}, format, args);
    va_end(args);
}
