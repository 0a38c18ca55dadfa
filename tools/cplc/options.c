/* The command line: a table of options (options.def), getopt_long, and the help texts made from
 * both. */
#include "cplc.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum option_id {
    OPT_help,
    OPT_version,
    OPT_emit,
    OPT_types,
    OPT_as,
    OPT_target,
    OPT_passes,
    OPT_print_after,
    OPT_list_passes,
    OPT_time_passes,
    OPT_level,
    OPT_option,
    OPT_facts,
    OPT_output,
    OPT_n,
    OPT_out,
    OPT_time,
    OPT_header,
    OPT_stats,
    OPT_global,
    OPT_local,
    OPT_profile,
    OPT_no_opencl,
    OPT_no_opencl_gpu,
    OPT_unchecked,
    OPT_op,
    OPT_neutral,
    OPT_map,
    OPT_input,
    OPT_segment,
    OPT_sink,
    OPT_exclusive,
    OPT_bin,
    OPT_key,
    OPT_offsets,
    OPT_keys,
    OPT_values,
    OPT_order,
    OPT_before,
    OPT_descending,
    OPT_bits,
    OPT_first,
    OPT_kernel,
} option_id;

typedef struct option_row {
    option_id id;
    const char *name;  /* NULL: a letter alone */
    char letter;       /* 0: none */
    const char *value; /* what the argument is called in the help; NULL: none is taken */
    unsigned commands;
    const char *doc;
} option_row;

static const option_row rows[] = {
#define OPT(id, name, letter, value, commands, doc) {OPT_##id, name, letter, value, commands, doc},
#include "options.def"
#undef OPT
};
enum { ROWS = sizeof rows / sizeof *rows, FIRST_LONG = 256 };

static const struct {
    const char *word;
    command command;
} command_words[] = {{"run", RUN}, {"devices", DEVICES}, {"cache", CACHE}};

static const char *command_name(command c)
{
    return c == RUN       ? "cplc run"
           : c == DEVICES ? "cplc devices"
           : c == CACHE   ? "cplc cache"
                          : "cplc";
}

/* "--types" or "-O". */
static const char *row_name(const option_row *row, char buffer[64])
{
    if (row->name) snprintf(buffer, 64, "--%s", row->name);
    else snprintf(buffer, 64, "-%c", row->letter);
    return buffer;
}

static void print_usage(command c)
{
    switch (c) {
    case COMPILE:
        puts("Usage: cplc FILE[:FUNC] --emit STAGE [--types 'x=float64[] a=float64'] [OPTION]...\n"
             "       cplc run FILE[:FUNC] NAME=VALUE... [OPTION]...     (see cplc run --help)\n"
             "       cplc devices | cache [list|clear] | --list-passes | --version | --help\n"
             "       cplc --help language                    (what kernels are written in)\n"
             "\n"
             "Compiles a kernel written in restricted Python (FILE.py) or in typed IR (FILE.cir) "
             "and\n"
             "writes any stage on the way. FUNC may be left out when the file has one function.");
        break;
    case RUN:
        puts("Usage: cplc run [FILE[:FUNC]] ARGUMENT... [--out NAME=FILE.npy]... [OPTION]...\n"
             "\n"
             "Compiles a function for the types of its arguments and runs it once: for each index "
             "in\n"
             "parallel, with --as function as a plain call, whose result is printed, or with --as "
             "kernel\n"
             "on a device's work-items; --as reduce takes all elements together with --op and "
             "prints the\n"
             "result, --as scan keeps what is there behind each, --as histogram, segments and "
             "reduce-by-key\n"
             "take those of a bin, a segment or a run of equal keys, --as sort sorts arrays by "
             "one of them. With --target arrays are "
             "copied to a\n"
             "device and back. Indices and assertions are checked; --unchecked leaves that "
             "out.\n"
             "\n"
             "Arguments, one for each parameter but the index, in any order:\n"
             "  NAME=VALUE         a number, True or False; integers become int32 if they fit, "
             "else\n"
             "                     int64, else uint64; floats the widest float type of the arrays\n"
             "  NAME=VALUE:TYPE    a number of this type\n"
             "  NAME=FILE.npy      an array of a NumPy file; - is standard input\n"
             "  NAME=FILE.npz:KEY  an array of an archive; without KEY the one of this name\n"
             "  NAME=FILE.npy:S    records, as the struct S of the kernel file; so FILE.npz:KEY:S\n"
             "  NAME=TYPE[N]       an array of N zeros; TYPE[R,C] of R rows and C columns, and so "
             "on;\n"
             "                     TYPE may be a struct of the kernel file, or vectors: float4\n"
             "  NAME=local:N       local memory of N elements for each group, of the first array's "
             "type;\n"
             "                     NAME=local:TYPE[N] of this one\n"
             "  NAME=op:'a+b'      the parameter stands for this expression of a and b, or for\n"
             "                     op:'lambda x: ...'; it is called in the function\n"
             "  NAME=func:HELPER   ... for a function of the file\n"
             "  NAME=const:N       ... for this integer\n"
             "  NAME=type:T        ... for this type\n"
             "What a last parameter *NAME takes is called NAME0, NAME1 and so on.");
        break;
    case DEVICES:
        puts("Usage: cplc devices\n"
             "\n"
             "Lists what kernels can run on, what each device takes, and what was looked for in "
             "vain.");
        break;
    case CACHE:
        puts("Usage: cplc cache [list|clear]\n"
             "\n"
             "Lists or removes the code that is kept on disk between processes, in $CPL_CACHE_DIR, "
             "else\n"
             "$XDG_CACHE_HOME/cpl, else ~/.cache/cpl. CPL_CACHE=0 turns the cache off, "
             "CPL_CACHE_SIZE is\n"
             "the most it holds in megabytes (512 by default).");
        break;
    }
}

static const struct {
    const char *name, *doc;
    int normal, least, most;
} settings[] = {
#define OPTION(name, normal, least, most, doc) {#name, doc, normal, least, most},
#include <cpl/config.def>
#undef OPTION
};

static void print_settings(void)
{
    puts("\nOptions of the compiler, for --option:");
    printf("  %-15s %-8s %-16s\n", "name", "default", "range");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char range[32];
        snprintf(range, sizeof range, "%d to %d", settings[i].least, settings[i].most);
        printf("  %-15s %-8d %-16s %s\n", settings[i].name, settings[i].normal, range,
               settings[i].doc);
    }
}

/* The library's stages; the header has an option of its own. */
enum { TEXT, TEXTS, BYTES };
static const struct {
    const char *name, *target, *ending;
    int form;
} stages[] = {
#define STAGE(name, number, text, where, target, ending, form)                                     \
    [number] = {text, target, ending, form},
#include <cpl/stage.def>
#undef STAGE
};
enum { STAGES = sizeof stages / sizeof *stages };

/* Those that --emit takes; returns how many there are. */
static size_t stage_names(const char *names[STAGES])
{
    size_t n = 0;
    for (size_t i = 0; i < STAGES; i++)
        if (i != CPL_STAGE_HEADER) names[n++] = stages[i].name;
    return n;
}

bool is_binary(cpl_stage stage)
{
    return stages[stage].form == BYTES;
}

bool is_of_sources(cpl_stage stage)
{
    return stages[stage].form == TEXT;
}

static void print_stages(const char *left, const char *doc)
{
    const char *names[STAGES];
    printf("  %-21s write this stage: %s; %s\n", left, word_join(names, stage_names(names)), doc);
}

static void print_help(command c)
{
    print_usage(c);
    puts("\nOptions:");
    for (size_t i = 0; i < ROWS; i++) {
        if (!(rows[i].commands & c)) continue;
        char left[128], name[64];
        const char *value = rows[i].value;
        bool named = rows[i].name && (rows[i].id != OPT_output || c == COMPILE);
        int used = rows[i].letter ? snprintf(left, sizeof left, "-%c%s", rows[i].letter,
                                             named          ? ", "
                                             : rows[i].name ? " "
                                                            : "")
                                  : 0;
        snprintf(left + used, sizeof left - (size_t)used, "%s%s%s",
                 named ? row_name(&rows[i], name) : "", value && named ? "=" : "",
                 value ? value : "");
        if (rows[i].id == OPT_emit) print_stages(left, rows[i].doc);
        else printf("  %-21s %s\n", left, rows[i].doc);
    }
    if (c == COMPILE || c == RUN) print_settings();
    puts("\nExit status: 0 success, 1 bad input, 2 bad usage, 3 device or system.");
}

static void print_passes(void)
{
    const char *name, *doc;
    bool on;
    for (size_t i = 0; (name = cpl_pass_name(i, &doc, &on)); i++)
        printf("%-10s %-4s %s\n", name, on ? "on" : "off", doc);
}

bool is_name_byte(const char *text, size_t at)
{
    unsigned char c = (unsigned char)text[at];
    return isalpha(c) || c == '_' || c >= 0x80 || (at && isdigit(c));
}

char *normal_name(const char *text, size_t size)
{
    size_t room = cpl_name_normal(text, size, NULL, 0) + 1;
    char *name = keep(room);
    cpl_name_normal(text, size, name, room);
    return name;
}

bool split_binding(const char *text, char **name, const char **rest)
{
    size_t n = 0;
    while (is_name_byte(text, n)) n++;
    if (n == 0 || text[n] != '=') return false;
    *name = normal_name(text, n);
    *rest = text + n + 1;
    return true;
}

static int parse_stage(options *o, const char *text)
{
    for (size_t i = 0; i < STAGES; i++)
        if (i != CPL_STAGE_HEADER && !strcmp(text, stages[i].name)) {
            o->stage = (cpl_stage)i;
            o->has_stage = true;
            return EXIT_OK;
        }
    const char *names[STAGES];
    size_t count = stage_names(names);
    int status =
        usage_error("unknown stage '%s'; the stages are %s", text, word_join(names, count));
    suggest(text, names, count);
    return status;
}

/* In the order of algorithm_kind's bits. */
static const char *const algorithm_words[] = {"reduce",   "scan",          "histogram",
                                              "segments", "reduce-by-key", "sort"};
enum { ALGORITHMS = sizeof algorithm_words / sizeof *algorithm_words };

/* "--as reduce, scan and segments" */
static const char *with_algorithms(unsigned kinds, char buffer[96])
{
    int n = snprintf(buffer, 96, "--as");
    for (unsigned i = 0, first = 1; i < ALGORITHMS; i++) {
        unsigned bit = 1u << i;
        if (!(kinds & bit)) continue;
        const char *link = first ? " " : kinds < 2 * bit ? " and " : ", ";
        n += snprintf(buffer + n, (size_t)(96 - n), "%s%s", link, algorithm_words[i]);
        first = 0;
    }
    return buffer;
}

static int parse_form(options *o, const char *text)
{
    static const char *const forms[] = {"elementwise",   "function", "call",      "kernel",
                                        "reduce",        "scan",     "histogram", "segments",
                                        "reduce-by-key", "sort"};
    o->algorithm = NO_ALGORITHM;
    for (size_t i = 0; i < ALGORITHMS; i++)
        if (!strcmp(text, algorithm_words[i])) o->algorithm = (algorithm_kind)(1u << i);
    if (!strcmp(text, "elementwise") || o->algorithm) o->form = CPL_FORM_ELEMENTWISE;
    else if (!strcmp(text, "function") || !strcmp(text, "call")) o->form = CPL_FORM_FUNCTION;
    else if (!strcmp(text, "kernel")) o->form = CPL_FORM_KERNEL;
    else {
        usage_error("unknown form '%s'; a function is used as elementwise, function, kernel, "
                    "reduce, scan, histogram, segments, reduce-by-key or sort",
                    text);
        suggest(text, forms, sizeof forms / sizeof *forms);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int parse_target(options *o, const char *text)
{
#define DEVICE_KIND(name, number, text) #text,
    static const char *const targets[] = {
#include <cpl/device.def>
        "interp"};
#undef DEVICE_KIND
#define DEVICE_KIND(name, number, text) #text ", "
    static const char listed[] =
#include <cpl/device.def>
        "and, for run, interp";
#undef DEVICE_KIND
    const size_t count = sizeof targets / sizeof *targets;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(targets[i]);
        const bool is_whole = i == CPL_DEVICE_HOST || i == count - 1;
        /* of others the library knows which there are */
        if (strncmp(text, targets[i], length) != 0 || (is_whole && text[length])) continue;
        o->target = text;
        return EXIT_OK;
    }
    usage_error("unknown target '%s'; the targets are %s", text, listed);
    suggest(text, targets, count);
    return EXIT_USAGE;
}

static int parse_level(options *o, const char *text)
{
    if (text[0] < '0' || text[0] > '3' || text[1])
        return usage_error(
            "unknown optimisation level '-O%s'; the levels are -O0, -O1, -O2 and -O3", text);
    o->level = text[0] - '0';
    return EXIT_OK;
}

static int parse_count(const char *name, const char *text, int64_t *count)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || *end || errno || n < 0)
        return usage_error("--%s takes a count of 0 or more, not '%s'", name, text);
    *count = n;
    return EXIT_OK;
}

/* "FIRST:END"; which there are depends on the keys. */
static int parse_bits(options *o, const char *text)
{
    int used = 0;
    bool good = !text[strspn(text, "0123456789:")] && strlen(text) <= 5 &&
                sscanf(text, "%2d:%2d%n", &o->bits[0], &o->bits[1], &used) == 2 && !text[used];
    if (good && o->bits[0] < o->bits[1]) return EXIT_OK;
    return usage_error("--bits takes FIRST:END, bits from FIRST to END-1, not '%s'", text);
}

/* "X", "X,Y" or "X,Y,Z"; what is left out is 1. */
static int parse_sizes(const char *name, const char *text, int64_t sizes[3])
{
    const char *p = text;
    for (int d = 0; d < 3; d++) sizes[d] = 1;
    for (int d = 0; d < 3; d++) {
        char *end;
        errno = 0;
        long long size = strtoll(p, &end, 10);
        if (!isdigit((unsigned char)*p) || errno || size < 1) break;
        sizes[d] = size;
        if (!*end) return EXIT_OK;
        if (*end != ',') break;
        p = end + 1;
    }
    return usage_error("--%s takes one to three sizes of 1 or more, X,Y,Z, not '%s'", name, text);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), n = strlen(ending);
    return length > n && !strcmp(text + length - n, ending);
}

static int parse_profile(options *o, const char *text)
{
    o->profile = text;
    if (ends_with(text, ".trace.json")) o->profile_format = CPL_PROFILE_TRACE;
    else if (ends_with(text, ".json")) o->profile_format = CPL_PROFILE_JSON;
    else if (ends_with(text, ".csv")) o->profile_format = CPL_PROFILE_CSV;
    else
        return usage_error(
            "--profile takes a name that ends in .csv, .json or .trace.json, not '%s'", text);
    return EXIT_OK;
}

static const struct {
    const char *name;
    cpl_fact fact;
} facts[] = {{"small", CPL_FACT_SMALL},
             {"apart", CPL_FACT_APART},
             {"large", CPL_FACT_LARGE},
             {"in-order", CPL_FACT_IN_ORDER}};
enum { FACTS = sizeof facts / sizeof *facts };

static int parse_fact(options *o, const char *word)
{
    const char *names[FACTS];
    for (size_t i = 0; i < FACTS; i++) {
        names[i] = facts[i].name;
        if (strcmp(word, facts[i].name) != 0) continue;
        o->facts |= (unsigned)facts[i].fact;
        return EXIT_OK;
    }
    usage_error("unknown fact '%s'; the facts are %s", word, word_join(names, FACTS));
    suggest(word, names, FACTS);
    return EXIT_USAGE;
}

/* Comma-separated; may repeat. */
static int parse_facts(options *o, const char *text)
{
    int failed = EXIT_OK;
    for (const char *p = text; !failed; p++) {
        size_t length = strcspn(p, ",");
        failed = parse_fact(o, copy_text(p, length));
        p += length;
        if (!*p) break;
    }
    return failed;
}

static int apply(options *o, const option_row *row, const char *value)
{
    switch (row->id) {
    case OPT_emit: return parse_stage(o, value);
    case OPT_types: word_push(&o->types, value); break;
    case OPT_as: return parse_form(o, value);
    case OPT_target: return parse_target(o, value);
    case OPT_passes: o->passes = value; break;
    case OPT_print_after: o->print_after = value; break;
    case OPT_time_passes: o->time_passes = true; break;
    case OPT_level: return parse_level(o, value);
    case OPT_option: word_push(&o->settings, value); break;
    case OPT_facts: return parse_facts(o, value);
    case OPT_output: o->output = value; break;
    case OPT_n: return parse_count("n", value, &o->n);
    case OPT_out: word_push(&o->outputs, value); break;
    case OPT_no_opencl: o->no_opencl = true; break;
    case OPT_no_opencl_gpu: o->no_opencl_gpu = true; break;
    case OPT_unchecked: o->unchecked = true; break;
    case OPT_time: o->time = true; break;
    case OPT_header: o->header = value; break;
    case OPT_stats: o->stats = true; break;
    case OPT_global: return parse_sizes("global", value, o->global);
    case OPT_local: return parse_sizes("local", value, o->local);
    case OPT_profile: return parse_profile(o, value);
    case OPT_op: o->op = value; break;
    case OPT_neutral: o->neutral = value; break;
    case OPT_map: o->map = value; break;
    case OPT_input: o->input = value; break;
    case OPT_segment: o->segment = value; break;
    case OPT_sink: o->sink = value; break;
    case OPT_exclusive: o->exclusive = true; break;
    case OPT_bin: o->bin = value; break;
    case OPT_key: o->key = value; break;
    case OPT_offsets: o->offsets = value; break;
    case OPT_keys: o->keys = value; break;
    case OPT_values: o->values = value; break;
    case OPT_order: o->order = value; break;
    case OPT_before: o->before = value; break;
    case OPT_descending: o->descending = true; break;
    case OPT_bits: return parse_bits(o, value);
    case OPT_first: return parse_count("first", value, &o->first);
    case OPT_kernel: o->kernel = value; break;
    case OPT_help:
    case OPT_version:
    case OPT_list_passes: break; /* answered when the command is known */
    }
    return EXIT_OK;
}

/* Splits FILE:FUNC at the last colon that a name follows: an identifier, in typed IR one with dots
 * (f.body, f.1). */
static void split_file(options *o, const char *text)
{
    const char *colon = strrchr(text, ':');
    bool name = colon && colon != text && is_name_byte(colon + 1, 0);
    bool ir = name && colon - text > 4 && !strncmp(colon - 4, ".cir", 4);
    for (size_t i = 1; name && colon[i]; i++)
        name = is_name_byte(colon, i) || (ir && colon[i] == '.');
    o->file = name ? copy_text(text, (size_t)(colon - text)) : text;
    o->function = name ? normal_name(colon + 1, strlen(colon + 1)) : NULL;
}

static int read_cache_words(options *o, int argc, char **argv, int first)
{
    static const char *const words[] = {"list", "clear"};
    o->clear = !strcmp(argv[first], "clear");
    if (argc - first == 1 && (o->clear || !strcmp(argv[first], "list"))) return EXIT_OK;
    const char *wrong = argc - first > 1 ? argv[first + 1] : argv[first];
    usage_error("'cplc cache' takes list or clear, not '%s'", wrong);
    suggest(wrong, words, 2);
    return EXIT_USAGE;
}

/* Where the file should stand. */
static bool is_argument(const options *o, const char *text)
{
    size_t n = 0;
    while (is_name_byte(text, n)) n++;
    return o->command == RUN && n && text[n] == '=' && access(text, F_OK);
}

static int read_words(options *o, int argc, char **argv, int first)
{
    if (first == argc) return EXIT_OK;
    if (o->command == CACHE) return read_cache_words(o, argc, argv, first);
    if (o->command == DEVICES)
        return usage_error("'cplc devices' takes no arguments, but '%s' was given", argv[first]);
    if (is_argument(o, argv[first])) o->file = o->algorithm ? "" : NULL; /* expressions may do */
    else split_file(o, argv[first++]);
    for (int i = first; i < argc; i++) {
        if (o->command != RUN) {
            usage_error("one file is compiled at a time, but '%s' follows '%s'", argv[i],
                        argv[first - 1]);
            if (strchr(argv[i], '='))
                print_hint("arguments belong to 'cplc run'; types to --types");
            return EXIT_USAGE;
        }
        word_push(&o->arguments, argv[i]);
    }
    return EXIT_OK;
}

/* What getopt refused: an option it does not know, one without its argument, or an argument too
 * many. */
static int refuse(int code, char **argv, int at, int letter)
{
    const char *word = argv[at];
    if (letter && letter < FIRST_LONG) {
        if (code == ':') return usage_error("option '-%c' needs an argument", letter);
        return usage_error("unknown option '-%c'", letter);
    }
    char *name = copy_text(word, strcspn(word, "="));
    if (code == ':') return usage_error("option '%s' needs an argument", name);
    if (letter) /* known, but came with a value */
        return usage_error("option '%s' takes no argument", name);
    usage_error("unknown option '%s'", name);
    const char *names[ROWS];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].name) names[count++] = row_name(&rows[i], keep(64));
    suggest(name, names, count);
    return EXIT_USAGE;
}

/* --output is a file where something is compiled, a function where it is run; -o is the former. Its
 * name stands for the latter row until the command is known. */
static bool is_named(const option_row *row)
{
    return row->name && row->id != OPT_output;
}

static void settle_output(options *o, bool *seen)
{
    for (size_t i = 0; i < ROWS && o->command == COMPILE; i++) {
        if (rows[i].id == OPT_output) seen[i] = seen[i] || o->sink;
        if (rows[i].id == OPT_sink) seen[i] = false;
    }
    if (!o->sink || o->command != COMPILE) return;
    o->output = o->sink;
    o->sink = NULL;
}

/* The arrays that getopt_long wants. */
static void getopt_tables(struct option *longs, char *letters)
{
    *letters++ = ':'; /* a missing argument is told apart from an unknown option */
    for (size_t i = 0; i < ROWS; i++) {
        if (is_named(&rows[i]))
            *longs++ =
                (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL,
                                FIRST_LONG + (int)i};
        if (rows[i].letter) {
            *letters++ = rows[i].letter;
            if (rows[i].value) *letters++ = ':';
        }
    }
    *longs = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

static size_t row_of(int code)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].letter == code) return i;
    return (size_t)(code - FIRST_LONG);
}

static int check_commands(const options *o, const bool *seen)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (!seen[i] || rows[i].commands & o->command) continue;
        char name[64];
        if (rows[i].id == OPT_output) snprintf(name, sizeof name, "-o");
        else row_name(&rows[i], name);
        usage_error("option '%s' does not go with '%s'", name, command_name(o->command));
        if (rows[i].commands == RUN) print_hint("it belongs to 'cplc run'");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* word: the first that is no option, or NULL: --help language */
static bool answer(options *o, const bool *seen, const char *word)
{
    bool language = o->command == COMPILE && word && !strcmp(word, "language");
    for (size_t i = 0; i < ROWS; i++) {
        if (!seen[i]) continue;
        if (rows[i].id == OPT_help && language) print_language();
        else if (rows[i].id == OPT_help) print_help(o->command);
        else if (rows[i].id == OPT_version) printf("cplc %s\n", cpl_version_text());
        else if (rows[i].id == OPT_list_passes) print_passes();
        else continue;
        return o->done = true;
    }
    return false;
}

/* -o X.o without --emit means an object, X.ptx PTX and so on; a stage that one target has means
 * that target. */
static void default_stage(options *o)
{
    bool compiles = o->command == COMPILE || o->algorithm;
    for (size_t i = 0; i < STAGES && compiles && !o->has_stage && o->output; i++) {
        if (!*stages[i].ending || !ends_with(o->output, stages[i].ending)) continue;
        o->stage = (cpl_stage)i;
        o->has_stage = true;
    }
    if (!o->target) o->target = o->has_stage ? stages[o->stage].target : "host";
}

/* What goes with some algorithms alone. */
static int check_algorithm(options *o)
{
    const struct {
        const char *name;
        bool given;
        unsigned kinds;
    } all[] = {
        {"--op", o->op, REDUCE | SCAN | GROUPS | SORT},
        {"--neutral", o->neutral, REDUCE | SCAN | GROUPS},
        {"--map", o->map, REDUCE | GROUPS},
        {"--input", o->input, SCAN},
        {"--segment", o->segment, SCAN},
        {"--output", o->sink, SCAN},
        {"--exclusive", o->exclusive, SCAN},
        {"--bin", o->bin, HISTOGRAM},
        {"--offsets", o->offsets, SEGMENTS},
        {"--key", o->key, BY_KEY},
        {"--keys", o->keys, BY_KEY | SORT},
        {"--values", o->values, SORT},
        {"--order", o->order, SORT},
        {"--before", o->before, SORT},
        {"--descending", o->descending, SORT},
        {"--bits", o->bits[1], SORT},
        {"--first", o->first != CPL_AUTO, SORT},
    };
    char with[96];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given && !(all[i].kinds & o->algorithm))
            return usage_error("%s goes with %s", all[i].name, with_algorithms(all[i].kinds, with));
    if (o->algorithm == SORT && o->op && o->before)
        return usage_error("--op of a sort is --before: one of them is given");
    if (o->algorithm == SORT && o->op) o->before = o->op;
    if (o->before && o->bits[1])
        return usage_error("--bits does not go with --before, which is given whole keys");
    if (o->before && o->first != CPL_AUTO)
        return usage_error("--first does not go with --before: without --first all are sorted");
    if (!o->algorithm) return EXIT_OK;
    with_algorithms(o->algorithm, with);
    if (o->algorithm == SEGMENTS && !o->offsets)
        return usage_error("%s needs --offsets, the array of their borders", with);
    if (!o->op && !(o->algorithm & (HISTOGRAM | SORT))) {
        usage_error("%s needs --op, what takes two values together", with);
        print_hint("--op 'a + b', --op 'max(a, b)', or a function of the file");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* What `run` writes in place of running it. */
static int check_emitted(const options *o)
{
    if (!o->has_stage && o->output) {
        usage_error("-o goes with --emit, and with names that say which stage: X.o, X.ptx");
        print_hint("--out NAME=FILE writes an array");
        return EXIT_USAGE;
    }
    if (!o->has_stage && o->kernel) return usage_error("--kernel goes with --emit");
    if (!o->has_stage) return EXIT_OK;
    if (!o->algorithm) {
        usage_error("'cplc run' takes --emit with an algorithm alone");
        print_hint("cplc FILE:FUNC --types 'NAME=TYPE ...' --emit STAGE");
        return EXIT_USAGE;
    }
    if (!strcmp(o->target, "interp")) return usage_error("target 'interp' has no stages to write");
    return EXIT_OK;
}

static int check_complete(options *o)
{
    if (o->command == DEVICES || o->command == CACHE) return EXIT_OK;
    if (!o->file) {
        usage_error("a file is missing");
        print_hint("see '%s --help'", command_name(o->command));
        return EXIT_USAGE;
    }
    if (o->command == RUN) {
        int failed = check_algorithm(o);
        return failed ? failed : check_emitted(o);
    }
    char with[96];
    if (o->algorithm)
        return usage_error("%s goes with 'cplc run'", with_algorithms(o->algorithm, with));
    if (!o->has_stage) {
        usage_error("nothing to do: --emit says which stage to write, or -o X.o an object, X.ptx "
                    "PTX, X.spv SPIR-V");
        print_hint("to run a kernel: cplc run FILE:FUNC NAME=VALUE...");
        return EXIT_USAGE;
    }
    if (o->header && o->stage < CPL_STAGE_ASM)
        return usage_error("--header goes with an object: --emit obj or asm, or -o X.o");
    if (o->header && o->output && !strcmp(o->header, o->output))
        return usage_error("-o and --header name the same file, '%s'", o->header);
    if (!strcmp(o->target, "interp"))
        return usage_error("target 'interp' has no stages to write; it goes with 'cplc run'");
    return EXIT_OK;
}

int options_parse(options *o, int argc, char **argv)
{
    *o = (options){.command = COMPILE,
                   .form = CPL_FORM_ELEMENTWISE,
                   .level = -1,
                   .n = CPL_AUTO,
                   .first = CPL_AUTO};
    struct option longs[ROWS + 1];
    char letters[2 * ROWS + 2];
    bool seen[ROWS] = {false};
    getopt_tables(longs, letters);
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (code == '?' || code == ':') return refuse(code, argv, optind - 1, optopt);
        size_t i = row_of(code);
        seen[i] = true;
        int status = apply(o, &rows[i], optarg);
        if (status) return status;
    }
    int first = optind;
    if (first < argc) {
        for (size_t i = 0; i < sizeof command_words / sizeof *command_words; i++) {
            if (!strcmp(argv[first], command_words[i].word)) {
                o->command = command_words[i].command;
                first++;
                break;
            }
        }
    }
    if (answer(o, seen, first < argc ? argv[first] : NULL)) return EXIT_OK;
    settle_output(o, seen);
    int status = check_commands(o, seen);
    if (!status) status = read_words(o, argc, argv, first);
    default_stage(o);
    return status ? status : check_complete(o);
}
