/*
 * Reader and writer of ZIP archives. An archive is entries, each a header of its own and data, and
 * behind them the directory, which has the header of each once more and says where it is; its end
 * says where that is. What does not fit 32 bits is 0xffffffff there, and 64 bits wide in an extra
 * field, or in another end in front of that one.
 */
#include "zip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LOCAL = 0x04034b50, /* "PK\3\4", what each kind of header begins with */
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
};
enum {
    LOCAL_SIZE = 30, /* without names and extra fields */
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    COMMENT_LIMIT = 65535,
    EXTRA64 = 1, /* the extra field of wide sizes */
    DIRECTORY_LIMIT = 64 << 20,
    ENCRYPTED = 1, /* flags */
    DESCRIPTOR = 1 << 3,
    UTF8 = 1 << 11,
    STORED = 0, /* methods */
    DEFLATED = 8,
    /* the best of deflate: 258 bytes for two codes of a bit each */
    MOST_INFLATED = 1032,
    PIECE = 1 << 16,
};
#define WIDE 0xffffffffu

static npy_status damaged(char *text)
{
    return npy_fail(text, NPY_EFORMAT,
                    "it is no .npz file, or damaged: its directory makes no sense");
}

/* --- reading --- */

static uint64_t number(const unsigned char *p, int bytes)
{
    uint64_t v = 0;
    for (int i = bytes; i-- > 0;) v = v << 8 | p[i];
    return v;
}

static bool read_at(FILE *file, uint64_t at, void *to, size_t size)
{
    return at <= INT64_MAX && !fseeko(file, (off_t)at, SEEK_SET) &&
           fread(to, 1, size, file) == size;
}

/* Where the directory is, how large, and how many entries it has. */
typedef struct place {
    uint64_t at, size, count;
    uint64_t end; /* where it has to end: what follows it */
} place;

/* A second end, 64 bits wide, in front of the one at p->end. */
static bool find_end64(FILE *file, place *p)
{
    unsigned char locator[LOCATOR64_SIZE], end[END64_SIZE];
    uint64_t last = p->end;
    if (last < LOCATOR64_SIZE + END64_SIZE ||
        !read_at(file, last - LOCATOR64_SIZE, locator, sizeof locator) ||
        number(locator, 4) != LOCATOR64)
        return false;
    p->end = number(locator + 8, 8);
    if (p->end > last - LOCATOR64_SIZE - END64_SIZE || !read_at(file, p->end, end, sizeof end) ||
        number(end, 4) != END64 || number(end + 16, 8) != 0)
        return false;
    p->count = number(end + 32, 8);
    p->size = number(end + 40, 8);
    p->at = number(end + 48, 8);
    return number(end + 24, 8) == p->count &&
           number(end + 4, 8) == last - LOCATOR64_SIZE - p->end - 12;
}

/* The last bytes of the file that are an end, whose comment fills the rest. */
static const unsigned char *find_end(const unsigned char *tail, size_t size)
{
    for (size_t n = END_SIZE; n <= size; n++) {
        const unsigned char *p = tail + size - n;
        if (number(p, 4) == END && number(p + 20, 2) == n - END_SIZE) return p;
    }
    return NULL;
}

/* Fills p in from the end that p->end is the place of. */
static bool read_end(FILE *file, place *p, const unsigned char *end)
{
    p->count = number(end + 10, 2);
    p->size = number(end + 12, 4);
    p->at = number(end + 16, 4);
    if (number(end + 4, 4) || number(end + 8, 2) != p->count) return false;
    /* Numbers need not be too wide for this end where there is another one: what is between the
     * directory and this end tells. */
    return p->at + p->size == p->end || find_end64(file, p);
}

static npy_status find_directory(FILE *file, place *p, char *text)
{
    static unsigned char tail[END_SIZE + COMMENT_LIMIT];
    off_t size = fseeko(file, 0, SEEK_END) ? -1 : ftello(file);
    size_t length = size < (off_t)sizeof tail ? (size_t)size : sizeof tail;
    if (size < 0 || !read_at(file, (uint64_t)size - length, tail, length))
        return npy_fail(text, NPY_EIO, "it cannot be read: %s", strerror(errno));
    const unsigned char *end = find_end(tail, length);
    if (!end)
        return npy_fail(text, NPY_EFORMAT,
                        "it is no .npz file, or cut short: no directory ends it");
    p->end = (uint64_t)size - (uint64_t)(tail + length - end);
    if (!read_end(file, p, end)) return damaged(text);
    if (p->size > DIRECTORY_LIMIT)
        return npy_fail(text, NPY_EFORMAT, "its directory is larger than %d MiB",
                        DIRECTORY_LIMIT >> 20);
    if (p->at > p->end || p->end - p->at != p->size || p->count > p->size / CENTRAL_SIZE)
        return damaged(text);
    return NPY_OK;
}

/* Takes sizes and the place, where they were WIDE, from the extra fields of an entry. */
static bool widen(zip_entry *e, const unsigned char *p, size_t size)
{
    uint64_t *const values[] = {&e->size, &e->packed, &e->place};
    while (size >= 4) {
        size_t id = number(p, 2), length = number(p + 2, 2), used = 0;
        p += 4;
        size -= 4;
        if (length > size) return false;
        for (int i = 0; id == EXTRA64 && i < 3; i++) {
            if (*values[i] != WIDE) continue;
            if (used + 8 > length) return false;
            *values[i] = number(p + used, 8);
            used += 8;
        }
        p += length;
        size -= length;
    }
    return true;
}

/* Reads an entry of the directory, and moves *at behind it. */
static bool read_entry(zip_entry *e, const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    if (end - p < CENTRAL_SIZE || number(p, 4) != CENTRAL) return false;
    size_t name = number(p + 28, 2), extra = number(p + 30, 2), comment = number(p + 32, 2);
    if ((size_t)(end - p) - CENTRAL_SIZE < name + extra + comment) return false;
    *e = (zip_entry){.flags = (uint16_t)number(p + 8, 2),
                     .method = (uint16_t)number(p + 10, 2),
                     .crc = (uint32_t)number(p + 16, 4),
                     .packed = number(p + 20, 4),
                     .size = number(p + 24, 4),
                     .place = number(p + 42, 4)};
    p += CENTRAL_SIZE;
    *at = p + name + extra + comment;
    if (memchr(p, 0, name) || !widen(e, p + name, extra)) return false;
    e->name = strndup((const char *)p, name);
    return e->name;
}

static npy_status read_directory(zip_archive *a, const place *p, unsigned char *bytes, char *text)
{
    const unsigned char *at = bytes, *end = bytes + p->size;
    if (!read_at(a->file, p->at, bytes, p->size))
        return npy_fail(text, NPY_EIO, "its directory cannot be read");
    while (a->count < p->count && read_entry(&a->entries[a->count], &at, end)) a->count++;
    return a->count == p->count && at == end ? NPY_OK : damaged(text);
}

npy_status zip_open(zip_archive *archive, FILE *file, char text[NPY_MESSAGE])
{
    place p = {0};
    *archive = (zip_archive){.file = file};
    npy_status status = find_directory(file, &p, text);
    if (status) return status;
    archive->end = p.at;
    unsigned char *bytes = malloc(p.size + 1);
    archive->entries = calloc(p.count + 1, sizeof *archive->entries);
    status = bytes && archive->entries ? read_directory(archive, &p, bytes, text)
                                       : npy_fail(text, NPY_ENOMEM, "out of memory");
    free(bytes);
    if (status) zip_close(archive);
    return status;
}

void zip_close(zip_archive *archive)
{
    for (size_t i = 0; i < archive->count; i++) free(archive->entries[i].name);
    free(archive->entries);
    *archive = (zip_archive){0};
}

/* The data of an entry, inflated. */
typedef struct stream {
    npy_source source;
    FILE *file;
    const zip_entry *entry;
    uint64_t packed; /* bytes of the file that are left */
    uint64_t given;  /* bytes that came out */
    uint32_t crc;
    bool ended; /* of deflated data: its last block is there */
    z_stream z;
    unsigned char piece[PIECE];
} stream;

static void stop(stream *s, npy_status status, const char *why)
{
    s->source.status = status;
    s->source.why = why;
}

static size_t read_stored(stream *s, unsigned char *to, size_t size)
{
    size_t want = size < s->packed ? size : (size_t)s->packed;
    size_t n = fread(to, 1, want, s->file);
    if (n < want) stop(s, NPY_EIO, "its data cannot be read");
    s->packed -= n;
    return n;
}

static size_t read_deflated(stream *s, unsigned char *to, size_t size)
{
    size_t n = 0;
    while (n < size && !s->ended && !s->source.status) {
        if (!s->z.avail_in) {
            s->z.next_in = s->piece;
            s->z.avail_in = (uInt)read_stored(s, s->piece, PIECE);
        }
        uInt room = (uInt)(size - n < PIECE ? size - n : PIECE);
        s->z.next_out = to + n;
        s->z.avail_out = room;
        int code = inflate(&s->z, Z_NO_FLUSH);
        n += room - s->z.avail_out;
        s->ended = code == Z_STREAM_END;
        if (code == Z_MEM_ERROR) stop(s, NPY_ENOMEM, "out of memory");
        else if (code != Z_OK && !s->ended && !s->source.status)
            stop(s, NPY_EFORMAT, "its deflated data is damaged or cut short");
    }
    return n;
}

/* No more than the entry claims to have. */
static size_t read_stream(npy_source *source, void *to, size_t size)
{
    stream *s = (stream *)source;
    uint64_t left = s->entry->size - s->given;
    if (size > left) size = (size_t)left;
    size_t n = s->entry->method == STORED ? read_stored(s, to, size) : read_deflated(s, to, size);
    s->given += n;
    s->crc = (uint32_t)crc32_z(s->crc, to, n);
    return n;
}

/* Whether all of the entry came out, and was what it should be. */
static npy_status check_end(stream *s, char *text)
{
    unsigned char more;
    if (s->given != s->entry->size)
        return npy_fail(text, NPY_EFORMAT, "%" PRIu64 " bytes follow its array",
                        s->entry->size - s->given);
    if (s->entry->method == DEFLATED && read_deflated(s, &more, 1))
        return npy_fail(text, NPY_EFORMAT, "it has more bytes than the %" PRIu64 " that it claims",
                        s->entry->size);
    if (s->source.status) return npy_fail(text, s->source.status, "%s", s->source.why);
    if (s->packed || s->z.avail_in)
        return npy_fail(text, NPY_EFORMAT, "something follows its deflated data");
    if (s->crc != s->entry->crc)
        return npy_fail(text, NPY_EFORMAT, "it is damaged: its checksum is another one");
    return NPY_OK;
}

/* What this program can read, by what the directory says. */
static npy_status check_entry(const zip_entry *e, char *text)
{
    if (e->flags & ENCRYPTED) return npy_fail(text, NPY_EFORMAT, "it is encrypted");
    if (e->method != STORED && e->method != DEFLATED)
        return npy_fail(
            text, NPY_EFORMAT,
            "it is compressed by method %d; np.savez and np.savez_compressed make what can "
            "be read",
            e->method);
    if (e->method == STORED ? e->size != e->packed : e->size / MOST_INFLATED > e->packed)
        return npy_fail(text, NPY_EFORMAT,
                        "it is damaged: %" PRIu64 " bytes do not become %" PRIu64, e->packed,
                        e->size);
    return NPY_OK;
}

/* Goes to the data of an entry; its own header has to say the same as the directory. */
static npy_status find_data(const zip_archive *a, const zip_entry *e, char *text)
{
    unsigned char local[LOCAL_SIZE];
    size_t length = strlen(e->name), extra;
    char *name = malloc(length + 1);
    if (!name) return npy_fail(text, NPY_ENOMEM, "out of memory");
    bool same = e->place <= a->end && a->end - e->place >= LOCAL_SIZE &&
                read_at(a->file, e->place, local, sizeof local) && number(local, 4) == LOCAL &&
                number(local + 8, 2) == e->method && number(local + 26, 2) == length &&
                fread(name, 1, length, a->file) == length && !memcmp(name, e->name, length);
    free(name);
    if (!same)
        return npy_fail(text, NPY_EFORMAT, "it is damaged: it is not where the directory says");
    extra = number(local + 28, 2);
    uint64_t data = e->place + LOCAL_SIZE + length + extra;
    if (data > a->end || e->packed > a->end - data)
        return npy_fail(text, NPY_EFORMAT, "it is cut short: there are no %" PRIu64 " bytes of it",
                        e->packed);
    if (!fseeko(a->file, (off_t)data, SEEK_SET)) return NPY_OK;
    return npy_fail(text, NPY_EIO, "its data cannot be read");
}

static npy_status read_entry_array(stream *s, npy_array *array, char *text)
{
    if (s->entry->method == DEFLATED && inflateInit2(&s->z, -MAX_WBITS) != Z_OK)
        return npy_fail(text, NPY_ENOMEM, "out of memory");
    npy_status status = npy_load(&s->source, array, text);
    if (!status && (status = check_end(s, text))) npy_free(array);
    if (s->entry->method == DEFLATED) inflateEnd(&s->z);
    return status;
}

npy_status zip_read_array(const zip_archive *archive, const zip_entry *entry, npy_array *array,
                          char text[NPY_MESSAGE])
{
    memset(array, 0, sizeof *array);
    npy_status status = check_entry(entry, text);
    if (!status) status = find_data(archive, entry, text);
    if (status) return status;
    stream *s = malloc(sizeof *s);
    if (!s) return npy_fail(text, NPY_ENOMEM, "out of memory");
    *s = (stream){.source = {.read = read_stream, .left = entry->size},
                  .file = archive->file,
                  .entry = entry,
                  .packed = entry->packed};
    status = read_entry_array(s, array, text);
    free(s);
    return status;
}

/* --- writing --- */

/* A header as it grows. */
typedef struct bytes {
    unsigned char at[128];
    size_t size;
} bytes;

static void put(bytes *b, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) b->at[b->size++] = (unsigned char)(value >> 8 * i);
}

static bool write_bytes(zip_writer *w, const void *from, size_t size)
{
    w->at += size;
    return fwrite(from, 1, size, w->file) == size;
}

/* What both headers of an entry have: from the version it needs to the length of its extra field,
 * which is `extra` with wide sizes and 0 without. */
static void put_entry(bytes *b, const zip_entry *e, bool wide, unsigned extra)
{
    put(b, wide ? 45 : 20, 2);
    put(b, e->flags, 2);
    put(b, e->method, 2);
    put(b, 0, 2);
    put(b, 1 << 5 | 1, 2); /* 1980-01-01, as NumPy has it: the same arrays make the same file */
    put(b, e->crc, 4);
    put(b, wide ? WIDE : e->packed, 4);
    put(b, wide ? WIDE : e->size, 4);
    put(b, strlen(e->name), 2);
    put(b, wide ? extra : 0, 2);
}

static void put_extra(bytes *b, const zip_entry *e, unsigned size)
{
    put(b, EXTRA64, 2);
    put(b, size, 2);
    put(b, e->size, 8);
    put(b, e->packed, 8);
    if (size > 16) put(b, e->place, 8);
}

static bool write_local(zip_writer *w, const zip_entry *e)
{
    bytes head = {.size = 0}, extra = {.size = 0};
    bool wide = e->size >= WIDE;
    put(&head, LOCAL, 4);
    put_entry(&head, e, wide, 20);
    if (wide) put_extra(&extra, e, 16);
    return write_bytes(w, head.at, head.size) && write_bytes(w, e->name, strlen(e->name)) &&
           write_bytes(w, extra.at, extra.size);
}

/* Where so many bytes of the directory go next, or NULL. */
static unsigned char *reserve(zip_writer *w, size_t size)
{
    if (w->room - w->size < size) {
        size_t room = w->room + w->room / 2 + size + 1000; /* grows by a part of itself */
        unsigned char *grown = realloc(w->directory, room);
        if (!grown) return NULL;
        w->directory = grown;
        w->room = room;
    }
    w->size += size;
    return w->directory + w->size - size;
}

static bool add_central(zip_writer *w, const zip_entry *e)
{
    bytes head = {.size = 0}, extra = {.size = 0};
    bool wide = e->size >= WIDE || e->place >= WIDE;
    size_t name = strlen(e->name);
    put(&head, CENTRAL, 4);
    put(&head, 3 << 8 | 45, 2); /* made on Unix */
    put_entry(&head, e, wide, 28);
    put(&head, 0, 2 + 2 + 2);               /* comment, disk, attributes */
    put(&head, (uint64_t)0100644 << 16, 4); /* a file that its owner writes and all read */
    put(&head, wide ? WIDE : e->place, 4);
    if (wide) put_extra(&extra, e, 24);
    unsigned char *at = reserve(w, head.size + name + extra.size);
    if (!at) return false;
    memcpy(at, head.at, head.size);
    memcpy(at + head.size, e->name, name);
    memcpy(at + head.size + name, extra.at, extra.size);
    w->count++;
    return true;
}

static bool plain(const char *name)
{
    while (*name > 0) name++;
    return !*name;
}

static bool add(zip_writer *w, char *name, const npy_array *array, const char *header, size_t size)
{
    size_t data = npy_bytes(array);
    uLong crc = crc32_z(crc32_z(0, (const void *)header, size), array->data, data);
    zip_entry e = {.name = name,
                   .place = w->at,
                   .packed = size + data,
                   .size = size + data,
                   .crc = (uint32_t)crc,
                   .flags = plain(name) ? 0 : UTF8,
                   .method = STORED};
    return write_local(w, &e) && write_bytes(w, header, size) &&
           write_bytes(w, array->data, data) && add_central(w, &e);
}

bool zip_add_array(zip_writer *writer, const char *name, const npy_array *array)
{
    size_t size;
    char *copy = strdup(name), *header = copy ? npy_header(array, &size) : NULL;
    bool ok = header && add(writer, copy, array, header, size);
    int error = errno;
    free(header);
    free(copy);
    errno = error;
    return ok;
}

static bool copy_data(zip_writer *w, FILE *from, uint64_t size)
{
    static unsigned char piece[PIECE];
    while (size) {
        size_t n = size < sizeof piece ? (size_t)size : sizeof piece;
        if (fread(piece, 1, n, from) < n || !write_bytes(w, piece, n)) return false;
        size -= n;
    }
    return true;
}

npy_status zip_add_entry(zip_writer *writer, const zip_archive *from, const zip_entry *entry,
                         char text[NPY_MESSAGE])
{
    zip_entry e = *entry;
    npy_status status = find_data(from, entry, text);
    if (status) return status;
    e.place = writer->at;
    e.flags &= (uint16_t)~DESCRIPTOR; /* the sizes stand in front */
    bool ok = write_local(writer, &e) && copy_data(writer, from->file, e.packed) &&
              add_central(writer, &e);
    return ok ? NPY_OK : npy_fail(text, NPY_EIO, "%s", strerror(errno));
}

static void put_end64(bytes *b, const zip_writer *w, uint64_t directory)
{
    put(b, END64, 4);
    put(b, END64_SIZE - 12, 8);
    put(b, 3 << 8 | 45, 2);
    put(b, 45, 2);
    put(b, 0, 4 + 4); /* disks */
    put(b, w->count, 8);
    put(b, w->count, 8);
    put(b, w->size, 8);
    put(b, directory, 8);
    put(b, LOCATOR64, 4);
    put(b, 0, 4);
    put(b, directory + w->size, 8);
    put(b, 1, 4);
}

static void put_end(bytes *b, const zip_writer *w, uint64_t directory)
{
    bool wide = w->count >= 0xffff || w->size >= WIDE || directory >= WIDE;
    if (wide) put_end64(b, w, directory);
    put(b, END, 4);
    put(b, 0, 2 + 2); /* disks */
    put(b, wide ? 0xffff : w->count, 2);
    put(b, wide ? 0xffff : w->count, 2);
    put(b, wide ? WIDE : w->size, 4);
    put(b, wide ? WIDE : directory, 4);
    put(b, 0, 2); /* comment */
}

bool zip_finish(zip_writer *writer, bool written)
{
    bytes end = {.size = 0};
    put_end(&end, writer, writer->at);
    bool ok = written && write_bytes(writer, writer->directory, writer->size) &&
              write_bytes(writer, end.at, end.size);
    int error = errno;
    free(writer->directory);
    *writer = (zip_writer){0};
    errno = error;
    return ok;
}
