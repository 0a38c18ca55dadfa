/*
 * Names in Unicode's normal form NFKC, as Python has them: two spellings that are equivalent, as
 * the micro sign and the Greek letter mu, or a letter and its accent in one character or in two,
 * are one name. The algorithm is that of Unicode's Standard Annex 15, on one starter and its marks
 * at a time; of more than MOST_MARKS of these in a row the rest is not ordered among them.
 */
#include "lib/front/front.h"

#include "cpl/functions.h"

enum { MOST_MARKS = 62 };

typedef struct run {
    uint32_t first;
    uint16_t count, at, parts;
} run;

static const run runs[] = {
#define RUN(first, count, at, parts) {first, count, at, parts},
#include "lib/front/nfkc.def"
#undef RUN
};

static const uint32_t parts[] = {
#define PART(code) code,
#include "lib/front/nfkc.def"
#undef PART
};

typedef struct class_run {
    uint32_t first;
    uint16_t count, class_;
} class_run;

static const class_run classes[] = {
#define CLASS(first, count, class_) {first, count, class_},
#include "lib/front/nfkc.def"
#undef CLASS
};

typedef struct pair {
    uint32_t a, b, made;
} pair;

static const pair pairs[] = {
#define PAIR(a, b, made) {a, b, made},
#include "lib/front/nfkc.def"
#undef PAIR
};

/* Hangul syllables: a leading consonant, a vowel, perhaps a consonant behind them. */
enum {
    SYLLABLES = 0xAC00,
    LEADING = 0x1100,
    VOWELS = 0x1161,
    TRAILING = 0x11A7,
    LEADING_COUNT = 19,
    VOWEL_COUNT = 21,
    TRAILING_COUNT = 28,
    SYLLABLE_COUNT = LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT
};

static const run *run_of(uint32_t code)
{
    size_t low = 0, high = COUNT_OF(runs);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code >= runs[middle].first + runs[middle].count) low = middle + 1;
        else high = middle;
    }
    return low < COUNT_OF(runs) && code >= runs[low].first ? &runs[low] : NULL;
}

static uint32_t class_of(uint32_t code)
{
    size_t low = 0, high = COUNT_OF(classes);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code >= classes[middle].first + classes[middle].count) low = middle + 1;
        else high = middle;
    }
    return low < COUNT_OF(classes) && code >= classes[low].first ? classes[low].class_ : 0;
}

/* What a and b make, or 0. */
static uint32_t composed(uint32_t a, uint32_t b)
{
    uint32_t syllable = a - SYLLABLES;
    if (a - LEADING < LEADING_COUNT && b - VOWELS < VOWEL_COUNT)
        return SYLLABLES + ((a - LEADING) * VOWEL_COUNT + (b - VOWELS)) * TRAILING_COUNT;
    if (syllable < SYLLABLE_COUNT && syllable % TRAILING_COUNT == 0 &&
        b - TRAILING - 1 < TRAILING_COUNT - 1)
        return a + (b - TRAILING);
    size_t low = 0, high = COUNT_OF(pairs);
    while (low < high) {
        size_t middle = (low + high) / 2;
        const pair *p = &pairs[middle];
        if (p->a == a && p->b == b) return p->made;
        if (p->a < a || (p->a == a && p->b < b)) low = middle + 1;
        else high = middle;
    }
    return 0;
}

typedef struct writer {
    char *out;
    size_t room, size;
    uint32_t held[MOST_MARKS + 2]; /* the last starter and the marks behind it, in order */
    uint32_t count;
} writer;

static void put_byte(writer *w, uint32_t byte)
{
    if (w->size + 1 < w->room) w->out[w->size] = (char)byte;
    w->size++;
}

static void put(writer *w, uint32_t code)
{
    if (code < 0x80) {
        put_byte(w, code);
        return;
    }
    uint32_t behind = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; /* bytes */
    put_byte(w, ((0xF00u >> (behind + 1)) & 0xFF) | code >> (6 * behind));
    while (behind-- > 0) put_byte(w, 0x80 | ((code >> (6 * behind)) & 0x3F));
}

static void flush(writer *w)
{
    for (uint32_t i = 0; i < w->count; i++) put(w, w->held[i]);
    w->count = 0;
}

/* The starter takes in the marks that it has a character with. */
static void compose(writer *w)
{
    uint32_t kept = 1, last = 0;
    for (uint32_t i = 1; i < w->count; i++) {
        uint32_t class_ = class_of(w->held[i]);
        uint32_t made = last < class_ ? composed(w->held[0], w->held[i]) : 0;
        if (made) {
            w->held[0] = made;
        } else {
            last = class_;
            w->held[kept++] = w->held[i];
        }
    }
    if (w->count) w->count = kept;
}

static void add(writer *w, uint32_t code)
{
    uint32_t class_ = class_of(code), at = w->count;
    if (class_ == 0) {
        compose(w);
        uint32_t made = w->count == 1 ? composed(w->held[0], code) : 0;
        if (!made) flush(w);
        w->held[0] = made ? made : code;
        w->count = 1;
        return;
    }
    if (at == COUNT_OF(w->held)) {
        compose(w);
        flush(w);
        at = 0;
    }
    for (; at > 1 && class_of(w->held[at - 1]) > class_; at--) w->held[at] = w->held[at - 1];
    w->held[at] = code;
    w->count++;
}

static void decompose(writer *w, uint32_t code)
{
    uint32_t syllable = code - SYLLABLES;
    const run *r = run_of(code);
    if (syllable < SYLLABLE_COUNT) {
        add(w, LEADING + syllable / (VOWEL_COUNT * TRAILING_COUNT));
        add(w, VOWELS + syllable / TRAILING_COUNT % VOWEL_COUNT);
        if (syllable % TRAILING_COUNT) add(w, TRAILING + syllable % TRAILING_COUNT);
    } else if (!r) {
        add(w, code);
    } else {
        uint32_t distance = code - r->first; /* runs of several have one part */
        for (uint32_t i = 0; i < r->parts; i++) add(w, parts[r->at + i] + distance);
    }
}

/* The next character of well-formed UTF-8; any byte that is none stands for itself, past the
 * characters. */
static bool decode(const uint8_t *s, size_t size, size_t *at, uint32_t *code)
{
    uint32_t behind = s[*at] < 0x80 ? 0 : s[*at] < 0xE0 ? 1 : s[*at] < 0xF0 ? 2 : 3;
    if (s[*at] >= 0x80 && s[*at] < 0xC2) return false;
    if (s[*at] > 0xF4 || *at + behind >= size) return false;
    *code = behind ? s[*at] & (0x3Fu >> behind) : s[*at];
    for (uint32_t i = 1; i <= behind; i++) {
        if ((s[*at + i] & 0xC0) != 0x80) return false;
        *code = *code << 6 | (s[*at + i] & 0x3F);
    }
    *at += behind + 1;
    return true;
}

size_t cpl_name_normal(const char *name, size_t size, char *out, size_t room)
{
    writer w = {.out = out, .room = room};
    if ((size && !name) || (room && !out)) return 0;
    for (size_t at = 0; at < size;) {
        uint32_t code;
        if (decode((const uint8_t *)name, size, &at, &code)) {
            decompose(&w, code);
            continue;
        }
        compose(&w);
        flush(&w);
        put_byte(&w, (uint8_t)name[at++]);
    }
    compose(&w);
    flush(&w);
    if (room) out[w.size < room ? w.size : room - 1] = '\0';
    return w.size;
}

const char *front_name(arena *a, const char *text, size_t size)
{
    bool plain = true;
    for (size_t i = 0; i < size; i++) plain = plain && (uint8_t)text[i] < 0x80;
    if (plain) return arena_strndup(a, text, size);
    size_t room = cpl_name_normal(text, size, NULL, 0) + 1;
    char *name = arena_array(a, room, 1);
    cpl_name_normal(text, size, name, room);
    return name;
}
