/* Programs on devices: which device, and what a program must do without to be compared bit for bit
 * there. */
#include "fuzz.h"

#include <string.h>

/*
 * "cuda", "opencl:1", and with a target for its queue "opencl:0:c1.2", "opencl:0:spv1.2".
 * "ptx:sm_90" is no device: what would run there is made into machine code by ptxas.
 */
bool device_open(cpl_context *cx, const char *name, cpl_queue **queue, char *target, size_t size)
{
    static const char *const forms[] = {"c", "spv"};
    char label[64];
    const char *last = strrchr(name, ':');
    cpl_device *device;
    cpl_queue_options options;
    *queue = NULL;
    target[0] = 0;
    if (strncmp(name, "ptx:", 4) == 0) {
        snprintf(target, size, "cuda:%s", name + 4);
        return true;
    }
    snprintf(label, sizeof label, "%s", name);
    for (size_t i = 0; last && i < COUNT_OF(forms); i++) {
        size_t n = strlen(forms[i]);
        if (strncmp(last + 1, forms[i], n) != 0 || last[1 + n] < '0' || last[1 + n] > '9') continue;
        snprintf(label, sizeof label, "%.*s", (int)(last - name), name);
        snprintf(target, size, "opencl:%s", last + 1);
    }
    if (cpl_device_find(cx, label, &device)) return false;
    cpl_queue_options_init(&options);
    if (target[0]) options.target = target;
    return cpl_queue_create(device, &options, queue) == CPL_OK;
}

/* A device's mathematics is its own: in programs that compute on with results, exact ops stand in
 * for libm's functions. */
static void make_exact(void *user, node *n)
{
    (void)user;
    if (n->kind == E_OP && op_is_math((op)n->op))
        n->op = n->kids == 1 ? OP_NEG : n->kids == 2 ? OP_SUB : OP_FMA;
}

void reproducible_program(prog *p)
{
    p->math_only = false; /* compared bit for bit, like any other */
    p->reproducible = true;
    p->has_floats |= p->has_math;
}

/* OpenCL's atomics reach no further than the device, and before 2.0 know no order. */
static void reach_device(void *user, node *n)
{
    const prog *p = user;
    int order = p->seed % 4 ? 0 : n->mode & 7;
    if (n->kind == S_ATOMIC) n->mode = (uint8_t)(order + 8);
}

/* CUDA's atomic sums of float32 take subnormal numbers for zeros (PTX ISA, atom). */
static void leave_sums(void *user, node *n)
{
    (void)user;
    bool sum = n->kind == S_ATOMIC && (n->op == OP_ATOMIC_ADD || n->op == OP_ATOMIC_SUB);
    if (sum && n->kid[0]->type == T_F32) n->op = OP_ATOMIC_MAX;
}

/* OpenCL sets lgamma no limit. */
static void leave_lgamma(void *user, node *n)
{
    (void)user;
    if (n->kind == E_OP && n->op == OP_LGAMMA) n->op = OP_TGAMMA;
}

void device_program(prog *p, const char *name, bool reproducible)
{
    if (strncmp(name, "cuda", 4) == 0) prog_walk(p, leave_sums, NULL);
    if (!reproducible) prog_walk(p, leave_lgamma, NULL);
    if (strncmp(name, "opencl", 6) == 0) prog_walk(p, reach_device, p);
    if (p->math_only || reproducible) return;
    prog_walk(p, make_exact, NULL);
    p->has_math = false;
}
