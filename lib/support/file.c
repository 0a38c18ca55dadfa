/* Files read whole, and files written whole or not at all. */
#include "lib/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ends at the first failure, and one byte past the limit: not every file has an end. */
static cpl_status read_into(strbuf *sb, FILE *f, size_t limit)
{
    char chunk[4096];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, f)) > 0) {
        sb_putn(sb, chunk, got);
        if (sb->failed) return CPL_ENOMEM;
        if (sb->n > limit) return CPL_ELIMIT;
    }
    sb_putn(sb, "", 0); /* so that an empty file has its NUL */
    return ferror(f) ? CPL_EIO : sb->failed ? CPL_ENOMEM : CPL_OK;
}

cpl_status file_read(const mem *m, const char *path, size_t limit, char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    FILE *f = fopen(path, "rbe");
    if (!f) return CPL_EIO;
    strbuf sb;
    sb_init(&sb, m);
    cpl_status status = read_into(&sb, f, limit);
    int error = errno;
    fclose(f);
    if (!status) *text = mem_realloc(m, sb.at, sb.capacity, sb.n + 1);
    if (*text) *size = sb.n;
    else sb_free(&sb);
    errno = error;
    return status || *text ? status : CPL_ENOMEM;
}

struct file_out {
    FILE *file;
    bool direct;           /* no regular file: written as it is */
    char target[PATH_MAX]; /* where links lead */
    char temporary[PATH_MAX + 64];
};

/* A new file in the folder of the target, with the rights of the one that is there. */
static int open_temporary(file_out *out, mode_t mode)
{
    static atomic_uint count;
    const char *slash = strrchr(out->target, '/');
    int folder = slash ? (int)(slash + 1 - out->target) : 0, fd = -1;
    for (int i = 0; i < 100 && fd < 0; i++) {
        snprintf(out->temporary, sizeof out->temporary, "%.*s.cpl-%ld-%u", folder, out->target,
                 (long)getpid(), atomic_fetch_add(&count, 1));
        fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd >= 0 && mode) fchmod(fd, mode);
    return fd;
}

static FILE *open_out(file_out *out, const char *path)
{
    struct stat st;
    bool there = stat(path, &st) == 0;
    out->direct = there ? !S_ISREG(st.st_mode) : lstat(path, &st) == 0;
    if (out->direct) return fopen(path, "we");
    if (there ? !realpath(path, out->target) || access(path, W_OK)
              : (size_t)snprintf(out->target, PATH_MAX, "%s", path) >= PATH_MAX)
        return NULL;
    int fd = open_temporary(out, there ? st.st_mode & 0777 : 0);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file) {
        close(fd);
        unlink(out->temporary);
    }
    return file;
}

file_out *file_create(const mem *m, const char *path)
{
    errno = ENOMEM;
    file_out *out = mem_zalloc(m, sizeof *out);
    if (!out) return NULL;
    out->file = open_out(out, path);
    if (out->file) return out;
    int error = errno;
    mem_free(m, out, sizeof *out);
    errno = error;
    return NULL;
}

FILE *file_stream(const file_out *out)
{
    return out->file;
}

int file_finish(const mem *m, file_out *out, bool wanted)
{
    errno = 0;
    int error = fflush(out->file) || ferror(out->file) ? (errno ? errno : EIO) : 0;
    if (fclose(out->file) && !error) error = errno;
    bool keep = wanted && !error;
    if (!out->direct && keep && rename(out->temporary, out->target)) {
        error = errno;
        keep = false;
    }
    if (!out->direct && !keep) unlink(out->temporary);
    mem_free(m, out, sizeof *out);
    return error;
}
