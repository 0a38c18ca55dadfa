/* PTX to machine code with NVIDIA's assembler, where a machine has it: for looking at code and for
 * tests. Kernels are run from PTX by the driver. */
#include "lib/target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_SIZE = 512, LOG_SIZE = 1024 };

typedef struct places { /* files in a private folder */
    char folder[PATH_SIZE], ptx[PATH_SIZE + 8], cubin[PATH_SIZE + 8], log[PATH_SIZE + 8];
} places;

static bool make_folder(places *p)
{
    const char *base = getenv("TMPDIR");
    int n = snprintf(p->folder, sizeof p->folder, "%s/cpl-XXXXXX", base && *base ? base : "/tmp");
    if (n < 0 || (size_t)n >= sizeof p->folder || !mkdtemp(p->folder)) return false;
    snprintf(p->ptx, sizeof p->ptx, "%s/k.ptx", p->folder);
    snprintf(p->cubin, sizeof p->cubin, "%s/k.cubin", p->folder);
    snprintf(p->log, sizeof p->log, "%s/log", p->folder);
    return true;
}

static void remove_folder(const places *p)
{
    unlink(p->ptx);
    unlink(p->cubin);
    unlink(p->log);
    rmdir(p->folder);
}

static bool write_file(const char *path, const char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    return (!f || fclose(f) == 0) && ok;
}

static bool read_all(const char *path, strbuf *out)
{
    char part[4096];
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    for (size_t n; (n = fread(part, 1, sizeof part, f));) sb_putn(out, part, n);
    bool ok = !ferror(f);
    fclose(f);
    return ok && !out->failed;
}

/* What ptxas said, on one line. */
static void read_log(const char *path, char *error, size_t size)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(error, 1, size - 1, f) : 0;
    if (f) fclose(f);
    while (n && (error[n - 1] == '\n' || error[n - 1] == ' ')) n--;
    for (size_t i = 0; i < n; i++)
        if (error[i] == '\n') error[i] = ' ';
    error[n] = 0;
}

/* Why it failed: what it said, or how it ended where it said nothing. */
static void tell_end(const char *program, const char *log, int status, char *error, size_t size)
{
    bool killed = WIFSIGNALED(status);
    read_log(log, error, size);
    if (!*error)
        snprintf(error, size, "%s ended %s %d", program, killed ? "by signal" : "with status",
                 killed ? WTERMSIG(status) : WEXITSTATUS(status));
}

static int run_program(const char *program, char *const *args, const char *log, int *status)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed =
            posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (!failed) failed = posix_spawnp(&child, program, &actions, NULL, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return failed;
    *status = 0;
    /* ECHILD: the host ignores its children; the output tells */
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
    return 0;
}

bool ptxas_run(const char *ptx, size_t size, int sm, bool line_info, strbuf *cubin, char *error,
               size_t error_size)
{
    const char *program = getenv("CPL_PTXAS");
    places p;
    char arch[24], name[] = "ptxas", output[] = "-o", lines[] = "-lineinfo";
    int status = 0;
    bool ok = false;
    if (!program || !*program) program = name;
    snprintf(arch, sizeof arch, "-arch=sm_%d", sm);
    if (!make_folder(&p)) {
        snprintf(error, error_size, "no temporary folder could be made: %s", strerror(errno));
        return false;
    }
    char *args[] = {name, arch, output, p.cubin, p.ptx, line_info ? lines : NULL, NULL};
    if (!write_file(p.ptx, ptx, size)) {
        snprintf(error, error_size, "%s could not be written: %s", p.ptx, strerror(errno));
    } else {
        int failed = run_program(program, args, p.log, &status);
        if (failed)
            snprintf(error, error_size, "%s could not be run: %s", program, strerror(failed));
        else if (!WIFEXITED(status) || WEXITSTATUS(status))
            tell_end(program, p.log, status, error, error_size);
        else if (!(ok = read_all(p.cubin, cubin)))
            snprintf(error, error_size, "%s wrote nothing", program);
    }
    remove_folder(&p);
    return ok;
}
