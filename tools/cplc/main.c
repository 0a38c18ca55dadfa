/* cplc: the command line of libcpl. Any stage in, any stage out; runs kernels on .npy and .npz
 * files. */
#include "cplc.h"

#include <signal.h>
#include <stdio.h>

static int dispatch(const options *o)
{
    switch (o->command) {
    case COMPILE: return command_emit(o);
    case RUN: return command_run(o);
    case DEVICES: return command_devices(o);
    case CACHE: return command_cache(o);
    }
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    options o;
    signal(SIGXFSZ, SIG_IGN); /* a file past a limit is an error of writing it */
    int status = options_parse(&o, argc, argv);
    if (status == EXIT_OK && !o.done) status = dispatch(&o);
    /* A full disk or a closed pipe shows up here at the latest. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_OK) {
        message("stdout could not be written");
        status = EXIT_SYSTEM;
    }
    return status;
}
