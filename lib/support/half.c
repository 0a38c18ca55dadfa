/* float16 in software: IEEE 754 binary16, 1 sign, 5 exponent and 10 fraction bits, so that every
 * host compiler agrees. */
#include "lib/support/support.h"

#include <math.h>

enum { HALF_INF = 0x7c00, HALF_NAN = 0x7e00, HALF_LEAST_EXPONENT = -14, HALF_FRACTION_BITS = 10 };
#define HALF_MAX 65504.0

/* Nearest float16, ties to even. Scaling by powers of two is exact, so rint rounds once. */
double half_round(double value)
{
    if (value == 0 || isnan(value) || isinf(value)) return value;
    int exponent = ilogb(value);
    if (exponent < HALF_LEAST_EXPONENT) exponent = HALF_LEAST_EXPONENT;
    int step = exponent - HALF_FRACTION_BITS; /* the last place is worth 2**step */
    double rounded = copysign(ldexp(rint(ldexp(value, -step)), step), value);
    return fabs(rounded) > HALF_MAX ? copysign(INFINITY, value) : rounded;
}

uint16_t half_bits(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    value = fabs(half_round(value));
    if (isnan(value)) return (uint16_t)(sign | HALF_NAN);
    if (isinf(value)) return (uint16_t)(sign | HALF_INF);
    if (value < ldexp(1, HALF_LEAST_EXPONENT)) /* subnormal: a count of 2**-24 */
        return (uint16_t)(sign | (uint16_t)ldexp(value, 24));
    int exponent = ilogb(value);
    uint16_t fraction = (uint16_t)(ldexp(value, HALF_FRACTION_BITS - exponent) - 1024);
    return (uint16_t)(sign | (exponent + 15) << HALF_FRACTION_BITS | fraction);
}

double half_value(uint16_t bits)
{
    int exponent = bits >> HALF_FRACTION_BITS & 31;
    int fraction = bits & 1023;
    double value;
    if (exponent == 31) value = fraction ? NAN : INFINITY;
    else if (exponent == 0) value = ldexp(fraction, -24);
    else value = ldexp(1024 + fraction, exponent - 15 - HALF_FRACTION_BITS);
    return bits & 0x8000 ? -value : value;
}
