/*
 * What was recorded, as files. The trace is in the form that chrome://tracing and Perfetto read:
 * "Trace Event Format", complete events
 * ("X") and metadata ("M"). Numbers are written by hand: printf would ask the locale for its
 * decimal point.
 */
#include "runtime/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { MOST_DEVICES = 64, MOST_QUEUES = 256 };

typedef struct writer {
    FILE *file;
    cpl_profile_format format;
    bool more;                         /* something stands before, in the list at hand */
    const char *devices[MOST_DEVICES]; /* of the trace: the process of device k is k + 1 */
    int device_count;
    struct {
        int device;
        uint32_t queue;
    } queues[MOST_QUEUES]; /* threads that have a name by now */
    int queue_count;
} writer;

static const char *const kinds[] = {"kernel",    "to device", "to host",
                                    "on device", "compile",   "choice"};

/* With so many digits behind the point; value counts units of the last digit. */
static void put_fixed(writer *w, uint64_t value, int digits)
{
    uint64_t unit = 1;
    for (int i = 0; i < digits; i++) unit *= 10;
    fprintf(w->file, "%" PRIu64 ".%0*" PRIu64, value / unit, digits, value % unit);
}

static void put_json(writer *w, const char *text)
{
    fputc('"', w->file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fprintf(w->file, "\\%c", c);
        else if (c < 0x20) fprintf(w->file, "\\u%04x", c);
        else fputc(c, w->file);
    }
    fputc('"', w->file);
}

/* RFC 4180: a field with a comma, a quote or a line end in quotes, its quotes doubled. */
static void put_csv(writer *w, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, w->file);
        return;
    }
    fputc('"', w->file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', w->file);
        fputc(*text, w->file);
    }
    fputc('"', w->file);
}

static void csv_row(void *user, const cpl_profile_row *r)
{
    writer *w = user;
    fprintf(w->file, "%s,", kinds[r->what]);
    put_csv(w, r->name);
    fputc(',', w->file);
    put_csv(w, r->device);
    fprintf(w->file, ",%" PRIu64 ",", r->count);
    const uint64_t ns[] = {r->device_ns, r->fastest_ns, r->slowest_ns};
    for (int i = 0; i < 3; i++) {
        put_fixed(w, ns[i], 6); /* ms */
        fputc(',', w->file);
    }
    fprintf(w->file, "%" PRIu64 ",", r->bytes);
    /* bytes a nanosecond are GB/s */
    put_fixed(w,
              r->device_ns ? (uint64_t)((double)r->bytes / (double)r->device_ns * 1000 + 0.5) : 0,
              3);
    fputc(',', w->file);
    put_fixed(w, r->compile_ns, 6);
    fputc(',', w->file);
    put_csv(w, r->why);
    fputc('\n', w->file);
}

static void begin_item(writer *w)
{
    fputs(w->more ? ",\n  " : "\n  ", w->file);
    w->more = true;
}

static void json_row(void *user, const cpl_profile_row *r)
{
    writer *w = user;
    begin_item(w);
    fprintf(w->file, "{\"kind\": \"%s\", \"name\": ", kinds[r->what]);
    put_json(w, r->name);
    fputs(", \"device\": ", w->file);
    put_json(w, r->device);
    fprintf(w->file,
            ", \"count\": %" PRIu64 ", \"device_ns\": %" PRIu64 ", \"fastest_ns\": %" PRIu64
            ", \"slowest_ns\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"compile_ns\": %" PRIu64
            ", \"why\": ",
            r->count, r->device_ns, r->fastest_ns, r->slowest_ns, r->bytes, r->compile_ns);
    put_json(w, r->why);
    fputc('}', w->file);
}

static void json_span(void *user, const cpl_profile_span *s)
{
    writer *w = user;
    begin_item(w);
    fprintf(w->file, "{\"kind\": \"%s\", \"name\": ", kinds[s->what]);
    put_json(w, s->name);
    fputs(", \"device\": ", w->file);
    put_json(w, s->device);
    fprintf(w->file,
            ", \"queue\": %" PRIu32 ", \"begin_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
            ", \"bytes\": %" PRIu64 "}",
            s->queue, s->begin_ns, s->end_ns, s->bytes);
}

static void name_track(writer *w, const char *what, int process, uint32_t thread, const char *name)
{
    begin_item(w);
    fprintf(w->file,
            "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %d, \"tid\": %" PRIu32
            ", \"args\": {\"name\": ",
            what, process, thread);
    put_json(w, name);
    fputs("}}", w->file);
}

/* The process that stands for a device, named when it first appears. */
static int trace_device(writer *w, const char *device)
{
    for (int i = 0; i < w->device_count; i++)
        if (!strcmp(w->devices[i], device)) return i + 1;
    if (w->device_count == MOST_DEVICES) return MOST_DEVICES;
    w->devices[w->device_count++] = device;
    name_track(w, "process_name", w->device_count, 0, device);
    return w->device_count;
}

static void trace_queue(writer *w, int device, uint32_t queue)
{
    for (int i = 0; i < w->queue_count; i++)
        if (w->queues[i].device == device && w->queues[i].queue == queue) return;
    if (w->queue_count == MOST_QUEUES) return;
    w->queues[w->queue_count].device = device;
    w->queues[w->queue_count++].queue = queue;
    char name[32] = "calling thread";
    if (queue) snprintf(name, sizeof name, "queue %" PRIu32, queue);
    name_track(w, "thread_name", device, queue, name);
}

static void trace_span(void *user, const cpl_profile_span *s)
{
    writer *w = user;
    int device = trace_device(w, s->device);
    trace_queue(w, device, s->queue);
    begin_item(w);
    fputs("{\"ph\": \"X\", \"name\": ", w->file);
    put_json(w, s->name);
    fprintf(w->file,
            ", \"cat\": \"%s\", \"pid\": %d, \"tid\": %" PRIu32 ", \"ts\": ", kinds[s->what],
            device, s->queue);
    put_fixed(w, s->begin_ns, 3); /* us */
    fputs(", \"dur\": ", w->file);
    put_fixed(w, s->end_ns - s->begin_ns, 3);
    fprintf(w->file, ", \"args\": {\"bytes\": %" PRIu64 "}}", s->bytes);
}

/* --- where they come from --- */

/* The context's own record, or one that the program keeps. */
typedef struct origin {
    cpl_context *context;
    const cpl_profile_records *kept; /* NULL: the context's */
} origin;

static bool is_known(cpl_profile_what what, const char *name, const char *device)
{
    return what <= CPL_PROFILE_COMPILE && name && device;
}

static cpl_status unknown(const char *what, size_t i)
{
    return thread_report(CPL_EARG,
                         "%s %zu lacks its name or device, or is of something this version does "
                         "not know",
                         what, i + 1);
}

static cpl_status each_row(const origin *s, void (*visit)(void *, const cpl_profile_row *), void *w)
{
    if (!s->kept) return cpl_profile_each_row(s->context, visit, w);
    for (size_t i = 0; i < s->kept->row_count; i++) {
        cpl_profile_row r = {.size = sizeof r};
        cpl_status status = struct_read_item(&r, sizeof r, s->kept->rows, i, "cpl_profile_row");
        if (status) return status;
        if (!is_known(r.what, r.name, r.device)) return unknown("row", i);
        visit(w, &r);
    }
    return CPL_OK;
}

static cpl_status each_span(const origin *s, void (*visit)(void *, const cpl_profile_span *),
                            void *w)
{
    if (!s->kept) return cpl_profile_each_span(s->context, visit, w);
    for (size_t i = 0; i < s->kept->span_count; i++) {
        cpl_profile_span p = {.size = sizeof p};
        cpl_status status = struct_read_item(&p, sizeof p, s->kept->spans, i, "cpl_profile_span");
        if (status) return status;
        if (!is_known(p.what, p.name, p.device)) return unknown("span", i);
        visit(w, &p);
    }
    return CPL_OK;
}

static cpl_status write_all(const origin *from, writer *w)
{
    cpl_status status = CPL_OK, second = CPL_OK;
    switch (w->format) {
    case CPL_PROFILE_CSV:
        fputs("kind,name,device,count,device_ms,fastest_ms,slowest_ms,bytes,gb_per_s,compile_ms,"
              "why\n",
              w->file);
        status = each_row(from, csv_row, w);
        break;
    case CPL_PROFILE_JSON:
        fputs("{\"rows\": [", w->file);
        status = each_row(from, json_row, w);
        fputs("],\n \"spans\": [", w->file);
        w->more = false;
        second = each_span(from, json_span, w);
        fputs("]}\n", w->file);
        break;
    case CPL_PROFILE_TRACE:
        fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", w->file);
        status = each_span(from, trace_span, w);
        fputs("]}\n", w->file);
        break;
    }
    return status ? status : second;
}

static cpl_status write_file(const origin *from, cpl_profile_format format, const char *path)
{
    cpl_context *cx = from->context;
    if (MISSING("context path", cx, path)) return CPL_EARG;
    if ((unsigned)format > CPL_PROFILE_TRACE)
        return thread_report(CPL_EARG, "there is no format %d of profiles", (int)format);
    const mem *m = context_mem(cx);
    file_out *out = file_create(m, path);
    if (!out)
        return context_report(cx, errno == ENOMEM ? CPL_ENOMEM : CPL_EIO,
                              "%s cannot be written: %s", path, strerror(errno));
    writer w = {.format = format, .file = file_stream(out)};
    cpl_status status = write_all(from, &w);
    int error = file_finish(m, out, status == CPL_OK);
    if (error)
        return context_report(cx, CPL_EIO, "%s cannot be written: %s", path, strerror(error));
    return status;
}

cpl_status cpl_profile_write(cpl_context *context, cpl_profile_format format, const char *path)
{
    return write_file(&(origin){context, NULL}, format, path);
}

cpl_status cpl_profile_write_records(cpl_context *context, const cpl_profile_records *records,
                                     cpl_profile_format format, const char *path)
{
    cpl_profile_records kept = {.size = sizeof kept};
    if (MISSING("records", records)) return CPL_EARG;
    cpl_status status = struct_read(&kept, sizeof kept, records, "cpl_profile_records");
    return status ? status : write_file(&(origin){context, &kept}, format, path);
}
