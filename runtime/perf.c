/*
 * The map that Linux's perf reads to name code that no file holds: /tmp/perf-PID.map, a line "START
 * SIZE NAME" a function, in hexadecimal (tools/perf/Documentation/jit-interface.txt of the kernel).
 * Lines are appended and never taken back: when another kernel is loaded where one was, perf takes
 * the later line.
 */
#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Others can write to /tmp too: a link or a file of somebody else's is not followed. */
static int open_map(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat st;
    if (fd < 0) return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1)
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

void perf_map_add(void *context, const char *symbol, const void *address, size_t size)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int n =
        snprintf(line, sizeof line, "%" PRIxPTR " %zx %.400s\n", (uintptr_t)address, size, symbol);
    int fd = open_map(path);
    if (fd < 0 || write(fd, line, (size_t)n) != n)
        context_warn(context, "%s cannot be written: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
}
