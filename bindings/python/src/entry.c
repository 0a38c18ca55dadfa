/*
 * What calls of a function run: one entry for each list of kinds of arguments that came, with the
 * kernel for it. An entry is used as long as the names that the text means still mean the same,
 * the process is the same and the settings are.
 */
#include "function.h"

enum { MAX_ENTRIES = 1024 }; /* of one function; with more the oldest go */

/* --- entries --- */

static bool is_fresh(const entry *e)
{
    return e->epoch == binding_epoch && guards_hold(&e->guards);
}

static void entry_free(entry *e)
{
    guards_free(&e->guards);
    cpl_kernel_release(e->kernel);
    for (size_t i = 0; i < e->count; i++)
        if ((e->kinds[i].word & 0xff) == CPL_ARG_BOUND) Py_DECREF((PyObject *)e->kinds[i].what);
    Py_XDECREF(e->unsaid);
    Py_XDECREF(e->target);
    Py_XDECREF(e->names);
    Py_XDECREF((PyObject *)e->module);
    PyMem_Free(e);
}

/* Takes an entry out of the list; a call that runs without the GIL may still use it. */
static void retire(function_object *f, entry **at)
{
    entry *e = *at;
    *at = e->next;
    f->entry_count--;
    e->next = f->retired;
    f->retired = e;
}

static void free_retired(function_object *f)
{
    while (!f->running && f->retired) {
        entry *e = f->retired;
        f->retired = e->next;
        entry_free(e);
    }
}

void function_forget(function_object *f)
{
    while (f->entries) retire(f, &f->entries);
    free_retired(f);
}

static bool is_for(const entry *e, const call_args *c)
{
    if (e->count != c->count || e->target != c->target) return false;
    for (size_t i = 0; i < c->count; i++)
        if (e->kinds[i].word != c->kinds[i].word || e->kinds[i].what != c->kinds[i].what)
            return false;
    return true;
}

/* The entry in front of which no stale one is left. */
static entry *find(function_object *f, const call_args *c)
{
    entry **at = &f->entries;
    while (*at) {
        entry *e = *at;
        if (!is_for(e, c)) {
            at = &e->next;
        } else if (is_fresh(e)) {
            *at = e->next; /* to the front */
            e->next = f->entries;
            return f->entries = e;
        } else {
            retire(f, at);
        }
    }
    return NULL;
}

/* --- a new one --- */

static entry *entry_new(const call_args *c)
{
    entry *e = PyMem_Calloc(1, sizeof *e + c->count * sizeof *e->kinds);
    if (!e) return (entry *)PyErr_NoMemory();
    e->count = c->count;
    e->epoch = binding_epoch;
    e->target = Py_XNewRef(c->target);
    memcpy(e->kinds, c->kinds, c->count * sizeof *e->kinds);
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].kind == CPL_ARG_BOUND) Py_INCREF(c->objects[i]);
    return e;
}

/* The functions among the arguments, in order. */
static PyObject *functions_of(const call_args *c)
{
    PyObject *functions = PyTuple_New((Py_ssize_t)c->function_count);
    Py_ssize_t at = 0;
    for (size_t i = 0; functions && i < c->count; i++)
        if (c->args[i].kind == CPL_ARG_BOUND) {
            Py_INCREF(c->objects[i]);
            PyTuple_SetItem(functions, at++, c->objects[i]);
        }
    return functions;
}

/* Asks the Python side for the text of the functions, as a module. */
static bool load(function_object *f, entry *e, const call_args *c)
{
    PyObject *functions = functions_of(c), *rows;
    PyObject *said = functions ? PyObject_CallFunction(f->load, "(O)", functions) : NULL;
    Py_XDECREF(functions);
    bool fine = said && PyArg_ParseTuple(said, "O!O!O!", module_type, &e->module, &PyTuple_Type,
                                         &e->names, &PyTuple_Type, &rows);
    if (fine) {
        Py_INCREF((PyObject *)e->module);
        Py_INCREF(e->names);
        fine = guards_take(&e->guards, rows, &f->signed_by);
    } else {
        e->module = NULL;
        e->names = NULL;
    }
    Py_XDECREF(said);
    return fine;
}

static const char *name_at(const entry *e, Py_ssize_t index)
{
    PyObject *name = PyTuple_GetItem(e->names, index);
    return name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
}

/* Functions of the roles come before those of the arguments. */
static Py_ssize_t role_functions(const function_object *f, int roles)
{
    Py_ssize_t count = 0;
    for (int r = 0; r < roles; r++) {
        PyObject *what = PyTuple_GetItem(f->roles, r);
        count += what != Py_None && !PyUnicode_Check(what);
    }
    return count;
}

cpl_bind function_bind(const function_object *f, const entry *e, role which)
{
    PyObject *what = PyTuple_GetItem(f->roles, which);
    if (what == Py_None) return (cpl_bind){0};
    if (PyUnicode_Check(what)) return cpl_bind_expression(PyUnicode_AsUTF8AndSize(what, NULL));
    return cpl_bind_function(name_at(e, role_functions(f, which)));
}

/* Arguments that are functions, under the names that the module has for them. */
static void bind_functions(const function_object *f, const entry *e, call_args *c, cpl_bind *binds)
{
    Py_ssize_t at = role_functions(f, ROLE_COUNT);
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].kind == CPL_ARG_BOUND) {
            binds[i] = cpl_bind_function(name_at(e, at++));
            c->args[i].data = &binds[i];
        }
}

bool function_settings_enter(const function_object *f, own_settings *s)
{
    bool has_own = PyTuple_Size(f->options) > 2;
    return settings_enter(has_own ? PyTuple_GetItem(f->options, 2) : NULL, s);
}

static const cpl_form forms[] = {
    [ELEMENTWISE] = CPL_FORM_ELEMENTWISE, [PLAIN] = CPL_FORM_FUNCTION,   [KERNEL] = CPL_FORM_KERNEL,
    [REDUCE] = CPL_FORM_ELEMENTWISE,      [SCAN] = CPL_FORM_ELEMENTWISE,
};

void function_options(const function_object *f, const call_args *c, const launch *how,
                      cpl_launch_options *o)
{
    cpl_launch_options_init(o);
    o->queue = c->queue;
    o->automatic = c->where != NULL;
    o->form = forms[f->form];
    if (!how->is_given) return;
    if (f->form != KERNEL) {
        o->n = how->n;
        return;
    }
    memcpy(o->global, how->global, sizeof o->global);
    memcpy(o->local, how->local, sizeof o->local);
}

/* Python can do nothing with an address, and an array knows its length. */
static bool returns_value(const function_object *f, const entry *e)
{
    if (f->form != PLAIN || !e->result || !strpbrk(cpl_type_text(e->result), "[*")) return true;
    return diag_refuse(CPL_ETYPE, "returns an array; fill one that is given as an argument",
                       f->name);
}

/* Compiles, without the GIL. */
static bool find_kernel(function_object *f, entry *e, call_args *c, const launch *how)
{
    cpl_bind binds[MAX_ARGS];
    cpl_launch_options o;
    function_options(f, c, how, &o);
    o.soon = true;
    bind_functions(f, e, c, binds);
    const char *name = name_at(e, 0);
    cpl_module *module = e->module->module;
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_kernel_for(module, name, &o, c->args, c->count, &e->kernel);
    Py_END_ALLOW_THREADS if (!diag_check_keep(status, f->name, &e->unsaid)) return false;
    e->short_below = cpl_kernel_short_below(e->kernel);
    e->result = cpl_kernel_result(e->kernel);
    return returns_value(f, e);
}

static bool complete(function_object *f, entry *e, call_args *c, const launch *how)
{
    own_settings settings;
    if (!load(f, e, c) || !function_settings_enter(f, &settings)) return false;
    bool is_algorithm = f->form == REDUCE || f->form == SCAN;
    bool fine = is_algorithm ? algorithm_prepare(f, e, c, how) : find_kernel(f, e, c, how);
    settings_leave(&settings);
    return fine;
}

static void drop_oldest(function_object *f)
{
    entry **at = &f->entries;
    while ((*at)->next) at = &(*at)->next;
    retire(f, at);
}

/* Warnings that a filter makes exceptions come at each call, until they can be said: what they are
 * about is made anew then. */
static bool say_again(function_object *f, const call_args *c, PyObject *unsaid)
{
    Py_INCREF(unsaid);
    bool fine = diag_say(unsaid, f->name);
    entry *e = fine ? find(f, c) : NULL;
    if (e && e->unsaid == unsaid) retire(f, &f->entries);
    Py_DECREF(unsaid);
    return fine;
}

static entry *find_said(function_object *f, const call_args *c)
{
    entry *e = find(f, c);
    while (e && e->unsaid) e = say_again(f, c, e->unsaid) ? find(f, c) : NULL;
    return e;
}

static void keep(function_object *f, entry *e)
{
    if (f->entry_count == MAX_ENTRIES) drop_oldest(f);
    e->next = f->entries;
    f->entries = e;
    f->entry_count++;
}

entry *function_entry(function_object *f, call_args *c, const launch *how)
{
    entry *e = find_said(f, c);
    if (e || PyErr_Occurred()) return e;
    if (!diag_listen()) return NULL;
    free_retired(f);
    e = entry_new(c);
    if (!e) return NULL;
    f->running++; /* what others retire meanwhile stays */
    bool fine = complete(f, e, c, how);
    f->running--;
    if (fine || e->unsaid) keep(f, e);
    else entry_free(e);
    return fine ? e : NULL;
}
