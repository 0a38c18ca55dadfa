/*
 * Calls of C functions whose signature is known at run time only. Both the System V x86-64 and the
 * AArch64 convention pass integers and pointers in one sequence of registers and floats in another,
 * whatever their order among each other, so one function type that fills both sequences serves
 * every signature that fits into registers. A float32 travels in the low half of its register.
 */
#include "lib/interp/interp_int.h"

enum { WORDS = 6, FLOATS = 8 };

typedef uint64_t (*word_fn)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double,
                            double, double, double, double, double, double, double);
typedef double (*double_fn)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double,
                            double, double, double, double, double, double, double);
typedef float (*float_fn)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double,
                          double, double, double, double, double, double, double);

static double as_register(const cpl_type *t, double value)
{
    if (!type_is(t, CPL_FLOAT32)) return value;
    float single = (float)value;
    double whole = 0;
    memcpy(&whole, &single, sizeof single);
    return whole;
}

ir_value interp_extern(interp *in, const ir_func *f, const ir_value *args, const ir_node *site)
{
    ir_value result = {0};
    void *address = in->options->resolve ? in->options->resolve(in->options->user, f->name) : NULL;
    if (!address) {
        interp_fail(in, site, "the external function is not registered");
        return result;
    }
    uint64_t w[WORDS] = {0};
    double d[FLOATS] = {0};
    uint32_t words = 0, floats = 0;
    for (uint32_t i = 0; i < f->params.n; i++) {
        const cpl_type *t = f->params.at[i]->type;
        if (type_is_float(t) ? floats == FLOATS : words == WORDS) {
            interp_fail(in, site,
                        "the external function has too many parameters to be interpreted");
            return result;
        }
        if (type_is_float(t)) d[floats++] = as_register(t, args[i].number);
        else w[words++] = args[i].bits;
    }
    union {
        void *object;
        word_fn word;
        double_fn real;
        float_fn single;
    } fn = {address};
#define REGISTERS w[0], w[1], w[2], w[3], w[4], w[5], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
    if (type_is(f->result, CPL_FLOAT64)) result.number = fn.real(REGISTERS);
    else if (type_is(f->result, CPL_FLOAT32)) result.number = fn.single(REGISTERS);
    else result.bits = fn.word(REGISTERS);
#undef REGISTERS
    if (type_is_int(f->result)) result.bits = ir_wrap_to(f->result, result.bits);
    if (type_is_bool(f->result)) result.bits = (result.bits & 0xff) != 0;
    return result;
}
