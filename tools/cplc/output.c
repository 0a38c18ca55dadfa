/*
 * Files that a command writes, whole or not at all: each is written under a temporary name in the
 * folder it belongs to, and gets its own when all of the command's files are complete. What is no
 * regular file (a pipe, a terminal, /dev/full) is written as it is.
 */
#include "cplc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct output {
    output *next;
    FILE *file;
    const char *path;      /* as the command line has it */
    const char *temporary; /* NULL: written directly */
    const char *target;    /* path without links */
    bool named;            /* the file is there under its own name */
    bool swapped;          /* the one that was there has the temporary name now */
};

/* Those that are not settled: a signal finds them here. */
static output *volatile all;

/* Where what is written to "-" goes; NULL: stdout. */
static FILE *reserved;

/* Takes the temporary files along when the process ends. */
static void on_signal(int number)
{
    for (const output *out = all; out; out = out->next)
        if (out->temporary) unlink(out->temporary);
    raise(number); /* SA_RESETHAND: what the system does */
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        if (!sigaction(numbers[i], NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
    }
}

/* True for what may be renamed over: nothing, or a regular file; *mode is that file's, else 0. The
 * process's own streams may be files and are still streams. */
static bool can_replace(const char *path, mode_t *mode)
{
    struct stat st;
    *mode = 0;
    if (!strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
        !strncmp(path, "/proc/", 6))
        return false;
    if (stat(path, &st)) return errno == ENOENT && lstat(path, &st) != 0;
    *mode = st.st_mode & 0777;
    return S_ISREG(st.st_mode);
}

static const char *without_links(const char *path)
{
    char *real = realpath(path, NULL);
    const char *kept = real ? copy_text(real, strlen(real)) : path;
    free(real);
    return kept;
}

/* A new file in the folder of the target; -1 with errno. */
static int open_temporary(output *out)
{
    const char *slash = strrchr(out->target, '/');
    int folder = slash ? (int)(slash + 1 - out->target) : 0;
    size_t size = (size_t)folder + 64;
    char *name = keep(size);
    int fd = -1;
    out->temporary = name;
    for (int i = 0; i < 1000 && fd < 0; i++) {
        snprintf(name, size, "%.*s.cplc-%ld-%d", folder, out->target, (long)getpid(), i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) out->temporary = NULL;
    return fd;
}

/* The file at a regular place; NULL with errno. */
static FILE *open_new(output *out, mode_t mode)
{
    out->target = without_links(out->path);
    if (mode && access(out->target, W_OK)) return NULL;
    int fd = open_temporary(out);
    if (fd < 0) return NULL;
    if (mode) fchmod(fd, mode);
    return fdopen(fd, "wb");
}

output *output_open(const char *path)
{
    if (!all) catch_signals();
    output *out = keep(sizeof *out);
    bool to_stdout = !path || !strcmp(path, "-");
    *out = (output){.next = all, .path = to_stdout ? "stdout" : path};
    all = out;
    mode_t mode;
    out->file = to_stdout                  ? (reserved ? reserved : stdout)
                : can_replace(path, &mode) ? open_new(out, mode)
                                           : fopen(path, "wbe");
    if (out->file) return out;
    message("%s: %s", path, strerror(errno));
    return NULL;
}

int output_reserve(void)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd >= 0) reserved = fdopen(fd, "wb");
    if (reserved && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return EXIT_OK;
    message("stdout: %s", strerror(errno));
    return EXIT_SYSTEM;
}

FILE *output_file(const output *out)
{
    return out->file;
}

int output_close(output *out, bool written)
{
    int error = written ? 0 : errno;
    if (fflush(out->file) && !error) error = errno;
    if (out->file != stdout && out->file != reserved && fclose(out->file) && !error) error = errno;
    out->file = NULL;
    if (!error) return EXIT_OK;
    message("%s: %s", out->path, strerror(error));
    return EXIT_SYSTEM;
}

/* Gives a file its name. The one that was there is kept, where the file system can swap two. */
static bool take_name(output *out)
{
    out->swapped = !renameat2(AT_FDCWD, out->temporary, AT_FDCWD, out->target, RENAME_EXCHANGE);
    out->named = out->swapped || !rename(out->temporary, out->target);
    return out->named;
}

static void give_back(const output *out)
{
    if (out->swapped) rename(out->temporary, out->target);
    else unlink(out->named ? out->target : out->temporary);
}

int outputs_settle(int failed)
{
    for (output *out = all; out && !failed; out = out->next) {
        if (!out->temporary || take_name(out)) continue;
        message("%s: %s", out->path, strerror(errno));
        failed = EXIT_SYSTEM;
    }
    for (const output *out = all; out; out = out->next) {
        if (!out->temporary) continue;
        if (failed) give_back(out);
        else if (out->swapped) unlink(out->temporary);
    }
    all = NULL;
    return failed;
}
