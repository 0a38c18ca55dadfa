/* cplc devices: what kernels can run on, and what was looked for where there is nothing. */
#include "cplc.h"

#include <inttypes.h>
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
    if (!file) return;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
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

/* Runs a parallel kernel, which proves that the host works. */
static cpl_status try_host(cpl_context *context)
{
    static const char source[] = "def f(i, x):\n    x[i] = 1.0\n";
    double x[4096];
    cpl_module *module = NULL;
    cpl_status status =
        cpl_module_from_source(context, "devices.py", source, sizeof source - 1, &module);
    cpl_arg array = cpl_arg_array(CPL_FLOAT64, x, 4096);
    if (!status) status = cpl_launch(module, "f", NULL, &array, 1);
    cpl_module_release(module);
    return status;
}

static void print_host(void)
{
    char name[256];
    processor_name(name, sizeof name);
    const char *openmp = cpl_openmp_path(NULL);
    printf("host\n");
    printf("  processor  %s\n", name);
    printf("  cores      %ld, %d of them for this process\n", sysconf(_SC_NPROCESSORS_ONLN),
           allowed_cores());
    printf("  openmp     %s\n", openmp ? openmp : "none found: loops run on one thread");
}

static void print_memory(const cpl_device_info *d)
{
    printf("  memory     ");
    if (d->memory) printf("%.1f GiB, ", (double)d->memory / (1 << 30));
    printf("%" PRIu64 " KiB of local memory a group\n", d->local_memory >> 10);
}

static void print_device(const cpl_device_info *d)
{
    printf("%s\n  name       %s\n", d->label, d->name);
    if (*d->vendor) printf("  vendor     %s\n", d->vendor);
    printf("  driver     %s\n", d->driver);
    printf("  takes      %s%s%s\n", d->target, *d->il ? "; " : "", d->il);
    printf("  units      %" PRIu32 ", groups of up to %" PRIu32, d->units, d->max_group_size);
    if (d->subgroup_size) printf(", sub-groups of %" PRIu32, d->subgroup_size);
    printf("\n");
    print_memory(d);
    printf("  float64    %s\n  float16    %s\n  atomics    %s\n", d->fp64 ? "yes" : "no",
           d->fp16 ? "yes" : "no", d->int64_atomics ? "32 and 64 bits" : "32 bits");
    if (!d->rounds_division)
        printf("  float32    division within 2.5 ULP, square root within 3, whatever the options "
               "say\n");
    if (!d->subnormals) printf("  float32    numbers below 2^-126 are zeros\n");
}

static void print_devices(cpl_context *context)
{
    size_t count = cpl_device_count(context);
    for (size_t i = 0; i < count; i++) {
        cpl_device_info info = {.size = sizeof info};
        if (!cpl_device_info_get(cpl_device_get(context, i), &info) && info.kind != CPL_DEVICE_HOST)
            print_device(&info);
    }
    static const char *const kinds[] = {
#define DEVICE_KIND(name, number, text) #text,
#include <cpl/device.def>
#undef DEVICE_KIND
    };
    for (size_t kind = CPL_DEVICE_HOST + 1; kind < sizeof kinds / sizeof *kinds; kind++) {
        const char *why = cpl_device_absent(context, (cpl_device_kind)kind);
        if (why) printf("%s\n  none       %s\n", kinds[kind], why);
    }
}

int command_devices(const options *o)
{
    input in;
    int failed = input_context(&in, o);
    if (failed) return failed;
    cpl_status status = try_host(in.context);
    print_host();
    print_devices(in.context);
    input_close(&in);
    if (!status) return EXIT_OK;
    message("the host cannot run kernels: %s", cpl_status_message(status));
    return EXIT_SYSTEM;
}
