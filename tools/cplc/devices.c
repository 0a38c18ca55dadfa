/* cplc devices: what kernels can run on. Today that is the host. */
#include "cplc.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The name that the kernel gives the processor; the machine's architecture where it gives none. */
static void processor_name(char *name, size_t size)
{
    struct utsname u;
    snprintf(name, size, "%s", uname(&u) == 0 ? u.machine : "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    fclose(file);
}

/* Cores that this process may use. */
static int allowed_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static void ignore(void *user, const cpl_diag *diag)
{
    (void)user;
    (void)diag;
}

/* Runs a parallel kernel, which proves that the host works. */
static cpl_status try_host(void)
{
    static const char source[] = "def f(i, x):\n    x[i] = 1.0\n";
    double x[4096];
    cpl_context *context;
    cpl_module *module = NULL;
    cpl_status status = cpl_context_create(NULL, &context);
    if (status)
        return status;
    cpl_context_set_sink(context, ignore, NULL);
    status = cpl_module_from_source(context, "devices.py", source, sizeof source - 1, &module);
    cpl_arg array = cpl_arg_array(CPL_FLOAT64, x, 4096);
    if (!status)
        status = cpl_elementwise(module, "f", NULL, &array, 1, CPL_AUTO, NULL);
    cpl_module_release(module);
    cpl_context_release(context);
    return status;
}

int command_devices(const options *o)
{
    (void)o;
    char name[256];
    cpl_status status = try_host();
    processor_name(name, sizeof name);
    const char *openmp = cpl_openmp_path(NULL);
    printf("host\n");
    printf("  processor  %s\n", name);
    printf("  cores      %ld, %d of them for this process\n", sysconf(_SC_NPROCESSORS_ONLN), allowed_cores());
    printf("  openmp     %s\n", openmp ? openmp : "none found: loops run on one thread");
    if (!status)
        return EXIT_OK;
    message("the host cannot run kernels: %s", cpl_status_message(status));
    return EXIT_SYSTEM;
}
