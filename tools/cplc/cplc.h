/*
 * What the files of cplc share. The tool is a thin layer over include/cpl: it reads the command
 * line, hands files and arrays to the library and prints what comes back. Exit status: 1 bad input,
 * 2 bad usage, 3 device or system.
 */
#ifndef CPLC_H
#define CPLC_H

#include "npy.h"

#include <cpl/algorithm.h>
#include <cpl/array.h>
#include <cpl/base.h>
#include <cpl/cache.h>
#include <cpl/context.h>
#include <cpl/device.h>
#include <cpl/diag.h>
#include <cpl/functions.h>
#include <cpl/kernel.h>
#include <cpl/launch.h>
#include <cpl/module.h>
#include <cpl/profile.h>
#include <cpl/sort.h>
#include <cpl/type.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_OK = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_SYSTEM = 3 };

/* Commands, as bits so that a row of options.def can name several. */
typedef enum command { COMPILE = 1, RUN = 2, DEVICES = 4, CACHE = 8 } command;

/* Forms of `run` that are several kernels, as bits. */
typedef enum algorithm_kind {
    NO_ALGORITHM = 0,
    REDUCE = 1,
    SCAN = 2,
    HISTOGRAM = 4,
    SEGMENTS = 8,
    BY_KEY = 16,
    SORT = 32,
    /* those that put elements into groups, each of which has a result */
    GROUPS = HISTOGRAM | SEGMENTS | BY_KEY,
} algorithm_kind;

/* A list of words that point into argv or into memory that lives as long as the process. */
typedef struct word_list {
    const char **items;
    size_t count;
    size_t capacity;
} word_list;

typedef struct options {
    command command;
    bool done;            /* --help, --version or --list-passes has been answered */
    const char *file;     /* FILE of FILE:FUNC; NULL: none was given, "": none is needed */
    const char *function; /* FUNC; NULL when it was left out */
    word_list arguments;  /* NAME=... of `run` */
    word_list types;      /* texts of --types */
    word_list settings;   /* texts of --option */
    word_list outputs;    /* texts of --out */
    cpl_stage stage;      /* of --emit */
    bool has_stage;
    cpl_form form;
    const char *target;      /* "host", "interp", or what cpl_device_find takes */
    const char *passes;      /* NULL: the default ones */
    const char *print_after; /* NULL: none */
    bool time_passes;
    int level;          /* of -O; -1: the library's default */
    const char *output; /* NULL: stdout */
    const char *header; /* of --header; NULL: none */
    int64_t n;          /* CPL_AUTO without --n */
    int64_t global[3];  /* of --global: work-items; 0 in the first: not given */
    int64_t local[3];   /* of --local: those of a group; 0 in the first: not given */
    bool unchecked;
    bool no_opencl, no_opencl_gpu; /* of its devices none, or CPUs alone */
    unsigned facts;                /* cpl_fact */
    bool time;
    bool stats;
    const char *profile; /* of --profile; NULL: none */
    cpl_profile_format profile_format;
    bool clear;                  /* `cache clear` instead of `cache list` */
    algorithm_kind algorithm;    /* of --as; form is elementwise then */
    const char *op, *neutral;    /* of --op and --neutral; NULL: none, as those below */
    const char *map;             /* of --map */
    const char *input, *segment; /* of --input and --segment */
    const char *sink;            /* of --output, where it names a function */
    const char *bin, *key;       /* of --bin and --key */
    const char *offsets, *keys;  /* of --offsets and --keys: names of arguments */
    const char *before, *values; /* of --before and --values */
    const char *order;           /* of --order: the name of an argument */
    const char *kernel;          /* of --kernel; NULL: all of them */
    bool exclusive, descending;
    int bits[2];   /* of --bits; 0 and 0: all */
    int64_t first; /* of --first; CPL_AUTO: sort */
} options;

void print_language(void); /* language.c: what kernels are written in */

/* options.c: reads the command line. Returns EXIT_OK or, after a message, EXIT_USAGE. */
int options_parse(options *o, int argc, char **argv);
/* options.c: splits NAME=REST in place of a copy; false when there is no '=' behind an
 * identifier. */
bool split_binding(const char *text, char **name, const char **rest);
bool is_binary(cpl_stage stage);                /* no text */
bool is_of_sources(cpl_stage stage);            /* not of kernels */
bool is_name_byte(const char *text, size_t at); /* whether an identifier may have text[at] there */
char *normal_name(const char *text,
                  size_t size); /* a copy in the form that kernels have names in */

/* message.c: messages of the tool itself, and memory that is there or ends the process with
 * status 3. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same and a pointer to --help; returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "hint: did you mean 'NAME'?" on stderr when one of the names is close to word. */
void suggest(const char *word, const char *const *names, size_t count);
void print_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *allocate(size_t size); /* zeroed; release with free */
void *keep(size_t size);     /* zeroed; lives as long as the process, as do texts and word lists */
char *copy_text(const char *text, size_t length);
void word_push(word_list *list, const char *word);
int word_find(const word_list *list, const char *word); /* where it stands, or -1 */
/* The names of all element types. */
const word_list *element_types(void);
/* "a, b, c", or "none". */
const char *word_join(const char *const *words, size_t count);
double now_ms(void);

/* output.c: a file to write; "-" and NULL are stdout. NULL after a message. */
typedef struct output output;
output *output_open(const char *path);
FILE *output_file(const output *out);
/* written: all that was put there went well, else errno says why. Returns an exit status, after a
 * message. */
int output_close(output *out, bool written);
/* When a command ends, with its status: all files it wrote appear, or none. Returns its status. */
int outputs_settle(int failed);

/* Once arrays go to stdout, all else that is printed goes to stderr. Returns an exit status. */
int output_reserve(void);

/* A kernel file that is open, and the function in it that the command line names. */
typedef struct input {
    cpl_context *context;
    cpl_module *module;
    const char *function; /* NULL where the whole file is meant, or none is named to an algorithm */
    /* elementwise: the name of the parameter that is not given; NULL otherwise */
    const char *index;
    word_list parameters; /* those that are given */
    const char *variadic; /* NAME of *NAME, of which the last ones are, or NULL */
    size_t indices;       /* elementwise: the first ones of those may be indices as well */
    bool free;            /* of an algorithm: parameters are what the command line names */
    size_t errors;        /* diagnostics of severity error so far */
    size_t located;       /* those of them with a place in a file */
} input;

/* input.c: makes a context alone, with the options. Returns an exit status, as all of these do. */
int input_context(input *in, const options *o);
/* Makes the context with the options, opens the file and finds the function. */
int input_open(input *in, const options *o, bool whole_file);
void input_close(input *in);
/* Names of the functions of the file. */
word_list input_functions(const input *in);
/* The exit status for a status of the library; prints a message if the library gave no
 * diagnostic. */
int input_failed(const input *in, cpl_status status, const char *what);
/* Their names, for messages: "x, y, *args". */
const char *input_parameters(const input *in);
/* Position of a parameter by name, or -1 after a usage error that lists the parameters, or after
 * the errors of a function that does not parse. */
int input_find(const input *in, const char *name);

/* As many names NAME0, NAME1, ... as the command line gives to what *NAME takes. */
void list_variadic(word_list *names, const options *o, const char *name);

/* One argument of `run`. */
typedef struct argument {
    bool given;
    cpl_arg value;
    cpl_bind bind;   /* of a bound one */
    npy_array array; /* of an array; holds value.data */
} argument;

/* Where a function runs. The host, and with it the interpreter and who asks for a stage, uses the
 * arguments' own arrays: queue is NULL then. */
typedef struct place {
    cpl_context *context;
    cpl_device *device;
    cpl_queue *queue;
    cpl_array **arrays; /* [count] of the parameters that are arrays, else NULL */
    size_t count;
} place;

/* place.c: opens what --target names; an exit status. place_close undoes it, even when it
 * failed. */
int place_open(place *p, const input *in, const options *o);
void place_close(place *p);
/* Makes arrays there for those among the values, and puts them in their place. */
cpl_status place_arguments(place *p, cpl_arg *values);
/* Copy all arrays there and back; both wait. */
cpl_status place_write(place *p, const argument *arguments);
cpl_status place_read(place *p, argument *arguments);

/* bind.c: reads "op:a+b", "func:NAME", "const:N" and "type:TYPE". False when the text is none of
 * them; *failed is an exit status, after a message. */
bool bind_parse(cpl_bind *b, const input *in, const char *name, const char *text, int *failed);

/* algorithm.c: a reduction, a scan or the like of the arguments, which are `values` in the order of
 * the parameters. algorithm_open returns an exit status. */
typedef struct algorithm {
    algorithm_kind kind;
    cpl_reduce_spec reduce; /* but for scans and histograms */
    cpl_scan_spec scan;
    cpl_histogram_spec histogram;
    cpl_sort_spec sort;
    cpl_bind key;
    word_list names; /* of the arguments, in the order that the library is given them */
    /* of GROUPS: what functions are not called with, the last ones of names; the order of SORT */
    word_list results;
    int64_t n; /* elements */
    int64_t k; /* of --first; CPL_AUTO: sort */
} algorithm;
int algorithm_open(algorithm *a, const input *in, const options *o, const cpl_arg *values);
/* Behind a name that is not known: the function of the file that --op may mean. */
void algorithm_hint(const input *in, const options *o);
/* Puts the values in its order; returns how many. */
size_t algorithm_order(const algorithm *a, const input *in, const cpl_arg *values, cpl_arg *to);
/* args: in its order. */
cpl_status algorithm_run(const algorithm *a, const input *in, const cpl_launch_options *how,
                         const cpl_arg *args, size_t count);

/* array_file.c: an array file as the command line names it. */
typedef struct array_file {
    const char *path;   /* "-": standard input, or output */
    const char *key;    /* of an archive (.npz): the array in it; else NULL */
    const char *record; /* the struct that its records are; NULL: none is named */
} array_file;
/* Reads "FILE.npy", "FILE.npz:KEY" (without KEY the array called name) and "-", :STRUCT behind them
 * or not. False where text is none of these. */
bool array_file_parse(array_file *f, const char *name, const char *text);
/* Settles what is KEY and what STRUCT. Returns an exit status, after a message. */
int array_file_read(array_file *f, npy_array *array);
/* "FILE.npz:KEY" */
const char *array_file_text(const array_file *f);

/* What --out asks for; its text is what it was read from. */
typedef struct array_output {
    const char *text;
    char *name; /* of the argument */
    array_file file;
    const npy_array *array;
} array_output;
/* These return an exit status, after a message. */
int array_output_parse(array_output *out, const char *text);
int array_outputs_check(const array_output *outputs, size_t count);
/* Those of one archive are written together. */
int array_outputs_write(const array_output *outputs, size_t count);

/* argument.c: reads the right side of NAME=... into a. Returns an exit status, after a message
 * unless it is EXIT_OK. */
int argument_parse(argument *a, const input *in, const char *name, const char *text);

/* record.c: the struct of the kernel file, or the vectors, that text names; NULL: none. */
const cpl_type *record_named(const input *in, const char *text);
/* Of the records in an array of the file at path, the struct of that name: the kernel file's, which
 * must lie as they do, or a new one. Returns as argument_parse. */
int record_of_file(const input *in, const npy_array *array, const char *path, const char *record,
                   const cpl_type **type);
/* An array of such records that are zero. */
npy_status record_zeros(const input *in, npy_array *array, const cpl_type *type,
                        const int64_t *shape, int32_t ndim, char why[NPY_MESSAGE]);

/* The commands, each in the file of its name. They return the exit status of the process. */
int command_emit(const options *o);
/* In emit.c too: writes a stage to a file that outputs_settle lets appear; path NULL: stdout.
 * Returns an exit status, after a message. */
int emit_write(const char *path, cpl_stage stage, const cpl_blob *blob);
/* kernels.c: the stage of the kernels of an algorithm. */
int emit_kernels(const input *in, const options *o, const cpl_kernels *found);
int command_run(const options *o);
int command_devices(const options *o);
int command_cache(const options *o);

#endif
