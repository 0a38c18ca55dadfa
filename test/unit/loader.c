/* Sessions of LLVM's linker (lib/target/load.c): what stays of each object that was linked goes
 * with its session, so one that is used up and holds nothing any more is made anew. */
#include "launches.h"
#include "unit.h"

#include "cpl/cpl.h"
#include "lib/target/hooks.h"

static int sessions, made; /* that there are; so far */

hook_session *__real_hook_session_create(char *error, size_t error_size);
void __real_hook_session_free(hook_session *s);
hook_session *__wrap_hook_session_create(char *error, size_t error_size);
void __wrap_hook_session_free(hook_session *s);

hook_session *__wrap_hook_session_create(char *error, size_t error_size)
{
    hook_session *s = __real_hook_session_create(error, error_size);
    if (s) sessions++, made++;
    return s;
}

void __wrap_hook_session_free(hook_session *s)
{
    if (s) sessions--;
    __real_hook_session_free(s);
}

static cpl_module *module(cpl_context *cx)
{
    static const char text[] = "def f(a: float64):\n    return a*a + 3\n";
    cpl_module *m;
    assert_int_equal(cpl_module_from_source(cx, "k.py", text, sizeof text - 1, &m), CPL_OK);
    return m;
}

/* Makes a kernel of the module. */
static cpl_kernel *load(cpl_module *m)
{
    cpl_spec spec;
    cpl_kernel *k;
    cpl_spec_init(&spec);
    assert_int_equal(spec_kernel(m, "f", &spec, &k), CPL_OK);
    return k;
}

/* Many kernels that come and go, beside so many that stay. */
static void come_and_go(int staying)
{
    enum { KERNELS = 400, MOST = 3 };
    cpl_context *cx;
    cpl_module *m[MOST];
    cpl_kernel *k[MOST];
    assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "opt_level", 0), CPL_OK);
    made = 0;
    for (int i = 0; i < staying; i++) k[i] = load(m[i] = module(cx));
    for (int i = 0; i < KERNELS; i++) {
        cpl_module *gone = module(cx);
        cpl_kernel_release(load(gone));
        cpl_module_release(gone);
        assert_true(sessions <= 1 + staying);
    }
    assert_true(made > 1);
    for (int i = 0; i < staying; i++) cpl_kernel_release(k[i]), cpl_module_release(m[i]);
    cpl_context_release(cx);
    assert_int_equal(sessions, 0);
}

static void sessions_are_renewed(void **state)
{
    (void)state;
    for (int staying = 0; staying <= 3; staying++) come_and_go(staying);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(sessions_are_renewed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
