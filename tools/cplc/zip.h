/*
 * ZIP archives, as far as NumPy's .npz files need them (PKWARE's APPNOTE.TXT 6.3.10;
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT): entries that are stored or
 * deflated, of any size (zip64). They are written stored, as np.savez does.
 *
 * Strict where unpackers differ: the directory has to fill the place that it claims, sizes have to
 * fit each other and the file, and every byte that is read counts in the checksum.
 */
#ifndef CPLC_ZIP_H
#define CPLC_ZIP_H

#include "npy.h"

typedef struct zip_entry {
    char *name;      /* ends in NUL */
    uint64_t place;  /* of its own header in the file */
    uint64_t packed; /* bytes in the file */
    uint64_t size;   /* bytes once they are inflated */
    uint32_t crc;
    uint16_t flags, method;
} zip_entry;

typedef struct zip_archive {
    FILE *file; /* the caller's */
    zip_entry *entries;
    size_t count;
    uint64_t end; /* where the entries end and the directory begins */
} zip_archive;

/* Reads the directory of a file that can be sought. On failure text says why, and nothing is left
 * to close. */
npy_status zip_open(zip_archive *archive, FILE *file, char text[NPY_MESSAGE]);
void zip_close(zip_archive *archive);
/* Reads the array that an entry is: it has to fill the entry. One at a time. */
npy_status zip_read_array(const zip_archive *archive, const zip_entry *entry, npy_array *array,
                          char text[NPY_MESSAGE]);

/* An archive that is written, from front to back: a pipe will do. Starts as {.file = f}. */
typedef struct zip_writer {
    FILE *file;
    uint64_t at; /* bytes so far */
    uint64_t count;
    unsigned char *directory;
    size_t size, room; /* of the directory, in bytes, and of what holds it */
} zip_writer;

/* Adds an entry of another archive as it is there, packed or not; text says why not. */
npy_status zip_add_entry(zip_writer *writer, const zip_archive *from, const zip_entry *entry,
                         char text[NPY_MESSAGE]);
/* Adds an array under a name, of 65535 bytes at most. False with errno. */
bool zip_add_array(zip_writer *writer, const char *name, const npy_array *array);
/* Writes the directory; nothing is left to free behind it, whatever `written` said and it says.
 * written: all that was added; false goes through, with errno as it was. */
bool zip_finish(zip_writer *writer, bool written);

#endif
