/* few.c threads|files: a kernel with a loop is launched when no more threads or files are to be
 * had. Prints what the sink gets and whether the launch did its work. */
#include "../../unit/launches.h"

#include <cpl/cpl.h>

#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 30000 };

static void show(void *user, const cpl_diag *d)
{
    (void)user;
    printf("%s: %s\n", d->severity == CPL_ERROR ? "error" : "note", d->message);
}

int main(int argc, char **argv)
{
    static const char text[] = "def count(i, x):\n    x[i] = i\n";
    static double x[N];
    cpl_context *cx;
    cpl_module *m;
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = show;
    if (cpl_context_create(&o, &cx)) return 1;
    cpl_status status = cpl_module_from_source(cx, "k.py", text, strlen(text), &m);
    printf("module: %s\n", status ? "none" : "there");
    if (argc > 1 && !strcmp(argv[1], "files")) {
        int next = open("/dev/null", O_RDONLY);
        struct rlimit none = {(rlim_t)next, (rlim_t)next};
        close(next);
        if (setrlimit(RLIMIT_NOFILE, &none)) return 1;
    }
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N)};
    if (!status) status = launch_rounds(m, "count", NULL, args, 1, CPL_AUTO, NULL);
    printf("status %d, x ends in %g\n", (int)status, x[N - 1]);
    cpl_module_release(status ? NULL : m);
    cpl_context_release(cx);
    return 0;
}
