"""Prints nfkc.def: Unicode's normal form NFKC, as far as characters of identifiers go.

python lib/front/nfkc.py > lib/front/nfkc.def, with a Python whose Unicode is that of lex_ident.c.
"""

import sys
import unicodedata as unicode

HANGUL = range(0xAC00, 0xAC00 + 11172)  # by arithmetic: nfkc.c
points = [c for c in range(0x80, sys.maxunicode + 1) if ("a" + chr(c)).isidentifier()]


def rows(items):
    line = ""
    for item in items:
        if len(line) + len(item) + 1 > 100:
            print(line.rstrip())
            line = ""
        line += item + " "
    print(line.rstrip())


def decompositions():
    """Runs of characters, each of which stands for one that is as far away, and single ones."""
    runs, parts = [], []
    for c in points:
        text = [ord(x) for x in unicode.normalize("NFKD", chr(c))]
        if c in HANGUL or text == [c]:
            continue
        last = runs[-1] if runs else None
        if last and len(text) == 1 == last[3] and last[0] + last[1] == c and \
                parts[last[2]] + last[1] == text[0]:
            last[1] += 1
            continue
        runs.append([c, 1, len(parts), len(text)])
        parts += text
    return runs, parts


def classes():
    runs = []
    for c in points:
        value = unicode.combining(chr(c))
        if runs and runs[-1][0] + runs[-1][1] == c and runs[-1][2] == value:
            runs[-1][1] += 1
        elif value:
            runs.append([c, 1, value])
    return runs


def pairs():
    for c in points:
        parts = unicode.decomposition(chr(c)).split()
        whole = unicode.normalize("NFC", chr(c)) == chr(c) and c not in HANGUL
        if len(parts) == 2 and parts[0][0] != "<" and whole:
            yield int(parts[0], 16), int(parts[1], 16), c


print(f"/* Printed by nfkc.py, from Unicode {unicode.unidata_version}. */")
runs, parts = decompositions()
print("#ifdef RUN /* first, how many, where in the parts, how many of those */")
rows(f"RUN({first:#X},{n},{at},{count})".replace("0X", "0x") for first, n, at, count in runs)
print("#endif\n#ifdef PART")
rows(f"PART({c:#X})".replace("0X", "0x") for c in parts)
print("#endif\n#ifdef CLASS /* first, how many, canonical combining class */")
rows(f"CLASS({c:#X},{n},{k})".replace("0X", "0x") for c, n, k in classes())
print("#endif\n#ifdef PAIR /* two characters, and what they make; in order */")
rows(f"PAIR({a:#X},{b:#X},{c:#X})".replace("0X", "0x") for a, b, c in sorted(pairs()))
print("#endif")
