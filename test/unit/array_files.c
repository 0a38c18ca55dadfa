/* Array files that were changed: whatever is done to an archive, it is refused or gives the arrays
 * that it had. And element types in all byte orders. */
#include "unit.h"
#include "zip.h"

#include <zlib.h>

enum { LENGTH = 5, LOCAL = 30, CENTRAL = 46, END = 22 };
static const char name[] = "x.npy";
static const double values[LENGTH] = {1, -2.5, 3e300, 0, 7};

typedef struct text {
    unsigned char *at;
    size_t size;
} text;

/* An archive of one array, stored. */
static text stored(void)
{
    npy_array a;
    char why[NPY_MESSAGE];
    text made = {0};
    int64_t shape = LENGTH;
    FILE *file = open_memstream((char **)&made.at, &made.size);
    zip_writer w = {.file = file};
    assert_int_equal(npy_zeros(&a, CPL_FLOAT64, &shape, 1, why), NPY_OK);
    memcpy(a.data, values, sizeof values);
    assert_true(zip_finish(&w, zip_add_array(&w, name, &a)));
    npy_free(&a);
    assert_int_equal(fclose(file), 0);
    return made;
}

static void set(unsigned char *at, size_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static size_t deflated_size(const unsigned char *from, size_t size, unsigned char *to, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)from;
    z.avail_in = (uInt)size;
    z.next_out = to;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size = room - z.avail_out;
    deflateEnd(&z);
    return size;
}

/* The same, deflated. */
static text deflated(void)
{
    text plain = stored();
    size_t head = LOCAL + strlen(name), rest = CENTRAL + strlen(name) + END;
    size_t data = plain.size - head - rest;
    text made = {malloc(plain.size + 100), 0};
    size_t packed = deflated_size(plain.at + head, data, made.at + head, data + 50);
    unsigned char *central = made.at + head + packed;
    memcpy(made.at, plain.at, head);
    memcpy(central, plain.at + head + data, rest);
    set(made.at + 8, 8, 2);
    set(made.at + 18, packed, 4);
    set(central + 10, 8, 2);
    set(central + 20, packed, 4);
    set(central + rest - END + 16, head + packed, 4);
    made.size = head + packed + rest;
    free(plain.at);
    return made;
}

/* Whether an archive in memory is read: then it has the array that it was made of. */
static bool reads(const unsigned char *at, size_t size)
{
    char why[NPY_MESSAGE];
    zip_archive archive;
    npy_array a;
    FILE *file = fmemopen((void *)at, size, "rb");
    assert_non_null(file);
    bool good = zip_open(&archive, file, why) == NPY_OK;
    bool named = good && archive.count == 1 && !strcmp(archive.entries[0].name, name);
    bool read = named && zip_read_array(&archive, &archive.entries[0], &a, why) == NPY_OK;
    if (read) {
        assert_int_equal(a.dtype, CPL_FLOAT64);
        assert_int_equal(a.length, LENGTH);
        assert_memory_equal(a.data, values, sizeof values);
        npy_free(&a);
    } else if (!good || named) {
        assert_true(why[0] && strlen(why) < NPY_MESSAGE);
    }
    if (good) zip_close(&archive);
    fclose(file);
    return read;
}

/* How many of the archives read that differ in one byte, which is put to some values. */
static size_t reads_changed(text archive)
{
    size_t count = 0;
    for (size_t i = 0; i < archive.size; i++) {
        unsigned char was = archive.at[i];
        for (int k = 0; k < 10; k++) {
            archive.at[i] = k < 8 ? was ^ (unsigned char)(1 << k) : k == 8 ? 0 : 255;
            if (archive.at[i] != was) count += reads(archive.at, archive.size);
        }
        archive.at[i] = was;
    }
    return count;
}

/* What nobody reads may change: versions, dates and attributes, sizes and the checksum in an
 * entry's own header, what it says of disks. Not one byte of data may. */
static void test_changed(void **state)
{
    (void)state;
    text (*const make[])(void) = {stored, deflated};
    for (int m = 0; m < 2; m++) {
        text archive = make[m]();
        assert_true(reads(archive.at, archive.size));
        size_t same = reads_changed(archive);
        assert_true(same > 0 && same < 50 * 10);
        free(archive.at);
    }
}

static void test_cut(void **state)
{
    (void)state;
    text (*const make[])(void) = {stored, deflated};
    for (int m = 0; m < 2; m++) {
        text archive = make[m](), more = {calloc(1, archive.size + 1), archive.size + 1};
        for (size_t n = 1; n < archive.size; n++) {
            assert_false(reads(archive.at, n));
            assert_false(reads(archive.at + n, archive.size - n));
        }
        memcpy(more.at + 1, archive.at, archive.size);
        assert_false(reads(more.at, more.size)); /* all places are off by one */
        memcpy(more.at, archive.at, archive.size);
        more.at[archive.size] = 0;
        assert_false(reads(more.at, more.size)); /* a comment of no length does not fill it */
        free(more.at);
        free(archive.at);
    }
}

/* Bytes in the place of deflated data. */
static void test_noise(void **state)
{
    (void)state;
    text archive = deflated();
    size_t head = LOCAL + strlen(name), end = archive.size - CENTRAL - strlen(name) - END;
    uint64_t bits = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        for (size_t i = head; i < end; i++) {
            bits ^= bits << 13; /* Marsaglia, Xorshift RNGs, 2003 */
            bits ^= bits >> 7;
            bits ^= bits << 17;
            archive.at[i] = (unsigned char)(bits >> 32);
        }
        assert_false(reads(archive.at, archive.size));
    }
    free(archive.at);
}

/* The same of a .npy file as it comes through a pipe, where nothing says how much there is. */
static void test_stream(void **state)
{
    (void)state;
    text archive = stored();
    size_t start = LOCAL + strlen(name);
    size_t size = archive.size - start - CENTRAL - strlen(name) - END;
    for (size_t n = 1; n <= size; n++) {
        char why[NPY_MESSAGE];
        npy_array a;
        FILE *file = fmemopen(archive.at + start, n, "rb");
        npy_status status = npy_read_next(file, &a, why);
        assert_int_equal(status, n < size ? NPY_EFORMAT : NPY_OK);
        if (status) assert_true(why[0]);
        else assert_memory_equal(a.data, values, sizeof values);
        if (!status) npy_free(&a);
        if (!status) assert_int_equal(npy_read_next(file, &a, why), NPY_EFORMAT);
        fclose(file);
    }
    free(archive.at);
}

/* What reading an array says whose element type is spelt so, a field of a record or all of it. */
static npy_status reads_code(const char *code, cpl_dtype dtype, bool field, char *why)
{
    npy_array a;
    char descr[64];
    size_t size = 0, header;
    const int64_t shape = LENGTH;
    snprintf(descr, sizeof descr, field ? "[('f', '%s')]" : "'%s'", code);
    assert_int_equal(npy_zero_records(&a, descr, cpl_dtype_size(dtype), &shape, 1, why), NPY_OK);
    char *bytes = npy_header(&a, &header);
    size = header + npy_bytes(&a);
    bytes = realloc(bytes, size);
    assert_non_null(bytes);
    memcpy(bytes + header, a.data, npy_bytes(&a));
    npy_free(&a);
    FILE *file = fmemopen(bytes, size, "rb");
    npy_status status = npy_read_next(file, &a, why);
    if (!status) assert_int_equal(field ? a.fields[0].dtype : a.dtype, dtype);
    if (!status) npy_free(&a);
    fclose(file);
    free(bytes);
    return status;
}

/* Each element type in each byte order: of the other one there are only bytes. */
static void test_orders(void **state)
{
    (void)state;
    int types = 0;
    for (cpl_dtype d = CPL_BOOL; d < CPL_DTYPE_COUNT; d++) {
        char code[16], why[NPY_MESSAGE];
        if (!npy_code(d)) continue;
        snprintf(code, sizeof code, "%.*s", (int)strlen(npy_code(d)) - 2, npy_code(d) + 1);
        for (const char *order = "<>=|"; *order; order++)
            for (int field = 0; field < 2; field++) {
                code[0] = *order;
                npy_status status = reads_code(code, d, field, why);
                bool turned = *order == '>' && cpl_dtype_size(d) > 1;
                if (status != (turned ? NPY_EFORMAT : NPY_OK)) fail_msg("%s: %s", code, why);
                if (turned) assert_non_null(strstr(why, "its elements are big-endian"));
            }
        types++;
    }
    assert_int_equal(types, 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changed), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_noise), cmocka_unit_test(test_stream),
                                       cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
