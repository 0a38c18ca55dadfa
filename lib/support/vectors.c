/* Short vectors by the names that OpenCL C and CUDA have for them. */
#include "lib/support/support.h"

#include <stdio.h>

enum { MOST_LANES = 16 };

static const struct {
    const char *word;
    cpl_dtype dtype;
} words[] = {
    {"char", CPL_INT8},     {"uchar", CPL_UINT8},    {"short", CPL_INT16}, {"ushort", CPL_UINT16},
    {"int", CPL_INT32},     {"uint", CPL_UINT32},    {"long", CPL_INT64},  {"ulong", CPL_UINT64},
    {"float", CPL_FLOAT32}, {"double", CPL_FLOAT64},
};

static const char *const few[] = {"x", "y", "z", "w"};
static const char *const many[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                                   "s8", "s9", "sa", "sb", "sc", "sd", "se", "sf"};

static bool is_count(uint32_t lanes)
{
    return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

static const char *lane_name(uint32_t lanes, uint32_t i)
{
    return lanes <= COUNT_OF(few) ? few[i] : many[i];
}

static const char *word_of(cpl_dtype dtype)
{
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (words[i].dtype == dtype) return words[i].word;
    return NULL;
}

enum { MOST_NAME = 16 };

/* Its name as a type; false where there is none. What would have the name of a number has the one
 * that Numba would give it: float32x16, int32x8. */
static bool put_name(char name[MOST_NAME], cpl_dtype dtype, uint32_t lanes)
{
    const char *word = word_of(dtype);
    if (!word || !is_count(lanes)) return false;
    snprintf(name, MOST_NAME, "%s%u", word, (unsigned)lanes);
    bool number = cpl_dtype_parse(name) != CPL_DTYPE_COUNT;
    if (number) snprintf(name, MOST_NAME, "%sx%u", cpl_dtype_name(dtype), (unsigned)lanes);
    return true;
}

const cpl_type *type_vector_of(type_table *t, const cpl_type *lane, uint32_t lanes)
{
    char name[MOST_NAME];
    cpl_field fields[MOST_LANES];
    const cpl_type *type = NULL;
    if (!type_is_scalar(lane) || !put_name(name, lane->dtype, lanes)) return NULL;
    for (uint32_t i = 0; i < lanes; i++) fields[i] = (cpl_field){lane_name(lanes, i), lane, 0};
    type_declare_struct(t, name, fields, lanes, &type);
    return type;
}

/* "4", "16": 0 of anything else */
static uint32_t count_of(const char *digits)
{
    uint32_t lanes = strcmp(digits, "16") == 0 ? 16 : (uint32_t)(*digits - '0');
    return is_count(lanes) && (lanes == 16 || !digits[1]) ? lanes : 0;
}

const cpl_type *type_vector(type_table *t, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const char *word = words[i].word, *numba = cpl_dtype_name(words[i].dtype);
        size_t n = strlen(word), m = strlen(numba);
        uint32_t lanes = strncmp(name, numba, m) == 0 && name[m] == 'x' ? count_of(name + m + 1)
                         : strncmp(name, word, n) == 0                  ? count_of(name + n)
                                                                        : 0;
        if (lanes) return type_vector_of(t, type_scalar(t, words[i].dtype), lanes);
    }
    return NULL;
}

uint32_t type_lanes(const cpl_type *t)
{
    if (!type_is_struct(t) || !is_count(t->field_count) || !type_is_scalar(t->fields[0].type) ||
        t->placed)
        return 0;
    uint32_t lanes = t->field_count;
    char name[MOST_NAME];
    if (!put_name(name, t->fields[0].type->dtype, lanes) || strcmp(t->name, name) != 0) return 0;
    for (uint32_t i = 0; i < lanes; i++)
        if (t->fields[i].type != t->fields[0].type ||
            strcmp(t->fields[i].name, lane_name(lanes, i)) != 0)
            return 0;
    return lanes;
}
