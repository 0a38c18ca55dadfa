/* Options: the table of them, those of a context, and what a specialisation makes of those. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"

static const struct {
    const char *name;
    int64_t value, low, high;
    const char *doc;
} option_table[] = {
#define OPTION(name, value, low, high, doc) {#name, value, low, high, doc},
#include "cpl/config.def"
#undef OPTION
};

void options_default(int64_t values[OPTION_COUNT])
{
    for (int i = 0; i < OPTION_COUNT; i++) values[i] = option_table[i].value;
}

static int find_option(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_table[i].name, name) == 0) return i;
    return -1;
}

cpl_status option_check(cpl_context *cx, int i, int64_t value)
{
    if (value >= option_table[i].low && value <= option_table[i].high) return CPL_OK;
    return context_report(cx, CPL_EARG, "option %s takes %lld to %lld, not %lld",
                          option_table[i].name, (long long)option_table[i].low,
                          (long long)option_table[i].high, (long long)value);
}

static cpl_status no_option(cpl_context *cx, const char *name)
{
    suggester s;
    suggest_init(&s, name);
    for (int k = 0; k < OPTION_COUNT; k++) suggest_offer(&s, option_table[k].name);
    const char *best = suggest_best(&s);
    return context_report(cx, CPL_ENOTFOUND,
                          best ? "there is no option '%s'; did you mean '%s'?"
                               : "there is no option '%s'",
                          name, best);
}

cpl_status cpl_context_set_option(cpl_context *context, const char *name, int64_t value)
{
    if (MISSING("context name", context, name)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    int i = find_option(name);
    if (i < 0) return no_option(context, name);
    cpl_status status = option_check(context, i, value);
    if (status) return status;
    pthread_mutex_lock(&context->lock);
    int64_t values[OPTION_COUNT];
    memcpy(values, context_settings(context)->values, sizeof values);
    values[i] = value;
    bool done = settings_set(context, values);
    pthread_mutex_unlock(&context->lock);
    return done ? CPL_OK : context_no_memory(context);
}

cpl_status cpl_context_get_option(cpl_context *context, const char *name, int64_t *value)
{
    if (MISSING("context name value", context, name, value)) return CPL_EARG;
    int i = find_option(name);
    if (context_forked(context)) return context_refuse_fork(context);
    if (i < 0) return no_option(context, name);
    *value = context_settings(context)->values[i];
    return CPL_OK;
}

const char *cpl_option_name(size_t index, const char **doc)
{
    if (index >= OPTION_COUNT) return NULL;
    if (doc) *doc = option_table[index].doc;
    return option_table[index].name;
}

size_t context_settle(cpl_context *cx, const cpl_spec *spec, int64_t *out)
{
    memcpy(out, context_settings(cx)->values, OPTION_COUNT * sizeof *out);
    for (size_t i = 0; spec && i < spec->option_count && i < OPTION_COUNT; i++)
        if (spec->options[i] != INT64_MIN) out[i] = spec->options[i];
    return OPTION_COUNT;
}

void context_options(cpl_context *cx, const cpl_spec *spec, int64_t out[OPTION_COUNT])
{
    context_settle(cx, spec, out);
    if (out[OPT_fast_math])
        out[OPT_contract] = out[OPT_reassoc] = out[OPT_vector_math] = out[OPT_finite_math] = 1;
    if (out[OPT_reproducible]) out[OPT_precise] = 1;
    if (out[OPT_debugger]) out[OPT_debug_info] = 1;
    if (out[OPT_precise])
        out[OPT_contract] = out[OPT_reassoc] = out[OPT_vector_math] = out[OPT_finite_math] = 0;
}

int64_t context_option(cpl_context *cx, option_id option)
{
    return settings_option(context_settings(cx), option);
}

int context_vector_bits(cpl_context *cx)
{
    return host_vector_bits((int)context_option(cx, OPT_cpu_level));
}

int64_t settings_option(const settings *s, option_id option)
{
    return s->values[option];
}
