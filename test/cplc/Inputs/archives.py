"""archives.py FOLDER: .npz files through `cplc run`, against NumPy and zipfile: what is read, what is refused and how, what is written."""
import io
import os
import struct
import subprocess
import sys
import warnings
import zipfile
import zlib

import numpy as np

folder = os.path.abspath(sys.argv[1])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
warnings.simplefilter("ignore")  # zipfile warns of names that come twice
with open("k.py", "w", encoding="utf-8") as f:
    f.write("class P:\n    def __init__(self):\n        self.a = 0.0\n        self.b = 0\n"
            "def copy(i, x, y):\n    y[i] = x[i]\n"
            "def flip(i, j, x, y):\n    y[j, i] = x[i, j]\n"
            "def one(i, p: 'P*', y):\n    y[i] = p[i].a + p[i].b\n")
failed = False
x = np.arange(1000.0)


def wrong(*what):
    global failed
    failed = True
    print("wrong:", *what)


def cplc(function, *words):
    return subprocess.run(["cplc", "run", "k.py:" + function, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)


def npy(array, **how):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asanyarray(array), **how)
    return file.getvalue()


def archive(*members, method=zipfile.ZIP_STORED, comment=b""):
    """Bytes of an archive of (name, bytes)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as z:
        for name, data in members:
            z.writestr(name, data)
        z.comment = comment
    return file.getvalue()


def wide(*members):
    """One with all sizes and places 64 bits wide."""
    limits = zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT
    zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 0
    try:
        return archive(*members)
    finally:
        zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limits


def streamed(*members):
    """One that was written to a pipe: sizes follow the data."""
    class Pipe(io.RawIOBase):
        data = b""

        def writable(self):
            return True

        def write(self, piece):
            self.data += bytes(piece)
            return len(piece)
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members:
            with z.open(name, "w") as member:
                member.write(data)
    return pipe.data


def patched(data, signature, offset, pattern, value):
    """With a number at an offset behind the last place of a signature."""
    at = data.rindex(signature) + offset
    size = struct.calcsize(pattern)
    return data[:at] + struct.pack(pattern, value) + data[at + size:]


def walked(data):
    """What is wrong with an archive for who reads it from its front, as from a pipe, and for whom a
    number that may be too wide is one that stands elsewhere; or None."""
    at, seen = 0, []
    while data[at:at + 4] == LOCAL:
        _, flags, method, _, _, crc, packed, size, n, extra = struct.unpack_from("<HHHHHIIIHH", data, at + 4)
        name = data[at + 30:at + 30 + n].decode()
        fields, place, at = data[at + 30 + n:at + 30 + n + extra], at, at + 30 + n + extra
        if packed == size == 0xffffffff:
            size, packed = struct.unpack_from("<QQ", fields, 4)
        if flags & 8:
            return name + ": its sizes follow its data"
        seen.append((name, place, flags, method, crc, packed, size))
        at += packed
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        listed = [(i.filename, i.header_offset, i.flag_bits, i.compress_type, i.CRC, i.compress_size, i.file_size) for i in z.infolist()]
        directory = z.start_dir
    if seen != listed or at != directory:
        return "its directory says something else than its entries"
    end = data.rindex(END)
    count, _, begin = struct.unpack_from("<HII", data, end + 10)
    is_wide = data[end - 20:end - 16] == LOCATOR
    if is_wide != (count == 0xffff or begin == 0xffffffff) or count != min(len(seen), 0xffff):
        return f"it has {len(seen)} entries, and its end says {count}, with {is_wide + 1} ends"
    return None


CENTRAL, LOCAL, END, END64, LOCATOR = b"PK\1\2", b"PK\3\4", b"PK\5\6", b"PK\6\6", b"PK\6\7"
good, deflated = archive(("x.npy", npy(x))), archive(("x.npy", npy(x)), method=zipfile.ZIP_DEFLATED)
two = archive(("y.npy", npy(x[::-1])), ("x.npy", npy(x)))


def saved(how, *arrays, **named):
    file = io.BytesIO()
    how(file, *arrays, **named)
    return file.getvalue()


# What is read: the file, what names the array behind it, and the array.
READ = {
    "savez": (saved(np.savez, y=x + 1, x=x), ":x", x),
    "by its name": (saved(np.savez, y=x + 1, x=x), "", x),
    "compressed": (saved(np.savez_compressed, x=x, y=x + 1), ":y", x + 1),
    "positional": (saved(np.savez, x, x + 1), ":arr_1", x + 1),
    "colon": (saved(np.savez, **{"a:b": x, "a": x + 1}), ":a:b", x),
    "folder": (saved(np.savez, **{"a/b": x}), ":a/b", x),
    "letters": (saved(np.savez, **{"größe": x}), ":größe", x),
    "no ending": (archive(("x", npy(x))), ":x", x),
    "the whole name": (good, ":x.npy", x),
    "wide": (wide(("y.npy", npy(x + 1)), ("x.npy", npy(x))), ":x", x),
    "streamed": (streamed(("y.npy", npy(x + 1)), ("x.npy", npy(x))), ":x", x),
    "comment": (archive(("x.npy", npy(x)), comment=b"PK\5\6" * 9), ":x", x),
    "level 0": (archive(("x.npy", npy(np.tile(x, 200))), method=zipfile.ZIP_DEFLATED), ":x", np.tile(x, 200)),
    "noise": (saved(np.savez_compressed, x=np.random.default_rng(1).random(100000)), ":x", np.random.default_rng(1).random(100000)),
    "zeros": (saved(np.savez_compressed, x=np.zeros(1 << 20)), ":x", np.zeros(1 << 20)),
    "version 2": (archive(("x.npy", npy(x, version=(2, 0)))), ":x", x),
    "half": (saved(np.savez_compressed, x=x.astype("f2")), ":x", x.astype("f2")),
    "none": (saved(np.savez, x=x[:0]), ":x", x[:0]),
}
for name, (data, key, expected) in READ.items():
    with open("a.npz", "wb") as f:
        f.write(data)
    done = cplc("copy", "x=a.npz" + key, f"y=float64[{len(expected)}]", "--out", "y=y.npy")
    if done.returncode or not (np.load("y.npy") == expected).all():
        wrong(name, done.stderr)

# What is refused: the file, what names the array, the message behind the name of the file.
REFUSED = {
    "no such array": (two, ":z", "{}: it has no array 'z'\nhint: its arrays are y, x; {}:KEY names one"),
    "a near name": (archive(("speed.npy", npy(x))), ":sped", "hint: did you mean 'speed'?"),
    "no array of its name": (archive(("speed.npy", npy(x))), "", "{}: it has no array 'x'"),
    "no arrays": (archive(), ":x", "{}: it has no array 'x'\nhint: its arrays are none"),
    "no name": (good, ":", "{}: it has no array ''"),
    "twice": (archive(("x.npy", npy(x)), ("x.npy", npy(x))), ":x", "{}:x: the archive has more than one array of this name"),
    "with and without": (archive(("x.npy", npy(x)), ("x", npy(x))), ":x", "{}:x: the archive has more than one array"),
    "a text": (archive(("x", b"speed,1\n" * 9)), ":x", "{}:x: it is not a .npy file"),
    "objects": (saved(np.savez, x=np.array([1, None])), ":x", "{}:x: it holds Python objects ('|O')"),
    "big-endian": (saved(np.savez, x=x.astype(">f8")), ":x", "{}:x: its elements are big-endian"),
    "records without a struct": (saved(np.savez, x=np.zeros(3, [("a", "f8")])), ":x", "x={}:x: the file holds records"),
    "a struct of none": (good, ":x:P", "x={}:x:P: the file holds float64, not records"),
    "empty": (b"", ":x", "{}: it is no .npz file, or cut short: no directory ends it"),
    "a .npy file": (npy(x), ":x", "{}: it is no .npz file, or cut short"),
    "cut short": (good[:-1], ":x", "{}: it is no .npz file, or cut short"),
    "no front": (good[7:], ":x", "{}: it is no .npz file, or damaged"),
    "something in front": (b"#!/bin/sh\n" + good, ":x", "{}: it is no .npz file, or damaged"),
    "two disks": (patched(good, END, 4, "<H", 1), ":x", "{}: it is no .npz file, or damaged"),
    "more entries than there are": (patched(patched(good, END, 10, "<H", 2), END, 8, "<H", 2), ":x", "{}: it is no .npz file, or damaged"),
    "fewer": (patched(patched(two, END, 10, "<H", 1), END, 8, "<H", 1), ":x", "{}: it is no .npz file, or damaged"),
    "very many": (patched(patched(wide(("x.npy", npy(x))), END64, 32, "<Q", 1 << 60), END64, 24, "<Q", 1 << 60), ":x", "{}: it is no .npz"),
    "a directory too long": (patched(good, END, 12, "<I", 1 << 31), ":x", "{}: it is no .npz file, or damaged"),
    "a directory past the end": (patched(good, END, 16, "<I", 1 << 31), ":x", "{}: it is no .npz file, or damaged"),
    "a large directory": (patched(wide(("x.npy", npy(x))), END64, 40, "<Q", 1 << 31), ":x", "{}: its directory is larger than 64 MiB"),
    "a wide end past the end": (patched(wide(("x.npy", npy(x))), LOCATOR, 8, "<Q", 1 << 62), ":x", "{}: it is no .npz file, or damaged"),
    "encrypted": (patched(good, CENTRAL, 8, "<H", 1), ":x", "{}:x: it is encrypted"),
    "bzip2": (archive(("x.npy", npy(x)), method=zipfile.ZIP_BZIP2), ":x", "{}:x: it is compressed by method 12; np.savez"),
    "moved": (patched(good, CENTRAL, 42, "<I", 1), ":x", "{}:x: it is damaged: it is not where the directory says"),
    "moved past the end": (patched(good, CENTRAL, 42, "<I", 1 << 31), ":x", "{}:x: it is damaged: it is not where"),
    "another name": (good.replace(b"x.npy", b"y.npy", 1), ":x", "{}:x: it is damaged: it is not where the directory says"),
    "past the directory": (patched(patched(good, CENTRAL, 20, "<I", 1 << 20), CENTRAL, 24, "<I", 1 << 20), ":x", "{}:x: it is cut short"),
    "a changed byte": (good[:1000] + b"?" + good[1001:], ":x", "{}:x: it is damaged: its checksum is another one"),
    "a changed sum": (patched(deflated, CENTRAL, 16, "<I", 7), ":x", "{}:x: it is damaged: its checksum is another one"),
    "deflated, changed": (deflated[:60] + bytes(20) + deflated[80:], ":x", "{}:x: "),
    "another size": (patched(good, CENTRAL, 24, "<I", 9000), ":x", "{}:x: it is damaged: 8128 bytes do not become 9000"),
    "a bomb's size": (patched(deflated, CENTRAL, 24, "<I", 0xfffffff0), ":x", "bytes do not become 4294967280"),
    "a smaller size": (patched(deflated, CENTRAL, 24, "<I", 8000), ":x", "{}:x: it is cut short: the header promises more data than the 7872"),
    "a larger one": (patched(deflated, CENTRAL, 24, "<I", 8200), ":x", "{}:x: 72 bytes follow its array"),
    "more behind it": (archive(("x.npy", npy(x) + bytes(1 << 20)), method=zipfile.ZIP_DEFLATED), ":x", "{}:x: 1048576 bytes follow its array"),
    "fewer packed": (patched(deflated, CENTRAL, 20, "<I", 1000), ":x", "{}:x: its deflated data is damaged or cut short"),
    "an array cut short": (archive(("x.npy", npy(x)[:-8])), ":x", "{}:x: it is cut short: the header promises more data than the 7992 bytes"),
}
for name, (data, key, message) in REFUSED.items():
    with open("a.npz", "wb") as f:
        f.write(data)
    done = cplc("copy", "x=a.npz" + key, "y=float64[1000]", "--out", "y=no.npy")
    usage = name in ("records without a struct", "a struct of none")
    if done.returncode != 1 + usage or message.format("a.npz", "a.npz") not in done.stderr or len(done.stderr) > 2000 or os.path.exists("no.npy"):
        wrong(name, done.returncode, done.stderr)
for path, message in (("absent.npz", "absent.npz: No such file"), (".npz", ".npz: it is not a regular file"),
                      ("pipe.npz", "pipe.npz: it is not a regular file")):
    if path == ".npz":
        os.makedirs(path, exist_ok=True)
    elif path == "pipe.npz" and not os.path.exists(path):
        os.mkfifo(path)
    done = cplc("copy", f"x={path}:x", "y=float64[4]")
    if done.returncode != 3 or message not in done.stderr:
        wrong(path, done.returncode, done.stderr)

# An archive that is there keeps its other arrays, packed as they are.
others = {"y.npy": npy(x[:9]), "größe.npy": npy(x), "y": npy(x[:4])}
before = {"stored": archive(*others.items()),
          "deflated": archive(*others.items(), method=zipfile.ZIP_DEFLATED),
          "streamed": streamed(*others.items()),
          "wide": wide(*others.items()),
          "bzip2": archive(*others.items(), method=zipfile.ZIP_BZIP2)}
for name, data in before.items():
    with open("kept.npz", "wb") as f:
        f.write(data)
    given = "x=kept.npz:größe" if name != "bzip2" else "x=float64[1000]"
    done = cplc("copy", given, "y=float64[1000]", "--out", "y=kept.npz:y", "--out", "x=kept.npz:new")
    with zipfile.ZipFile("kept.npz") as z:
        names = ["größe.npy", "y.npy", "new.npy"]
        if done.returncode or z.namelist() != names or z.testzip() or \
                z.read("größe.npy") != npy(x) or z.read("y.npy") != z.read("new.npy"):
            wrong("kept", name, z.namelist(), done.stderr)
    with open("kept.npz", "rb") as f:
        if why := walked(f.read()):
            wrong("kept", name, why)

# As many entries as the end of an archive has room for, one less and one more.
one = npy(x[:1])
local = struct.pack("<4sHHHHHIIIH", LOCAL, 20, 0, 0, 0, 33, zlib.crc32(one), len(one), len(one), 6)
entry = struct.pack("<4sHHHHHHIIIH", CENTRAL, 788, 20, 0, 0, 0, 33, zlib.crc32(one), len(one), len(one), 6)
names = [b"%06x" % k for k in range(0xffff)]
members = b"".join(local + bytes(2) + name + one for name in names)
step = len(local) + 8 + len(one)
directory = [entry + bytes(12) + struct.pack("<I", k * step) + name for k, name in enumerate(names)]
for count in 0xfffd, 0xfffe, 0xffff:
    size, begin = count * len(directory[0]), count * step
    with open("many.npz", "wb") as f:
        f.write(members[:begin] + b"".join(directory[:count]))
        if count == 0xffff:
            f.write(struct.pack("<4sQHHIIQQQQ", END64, 44, 788, 45, 0, 0, count, count, size, begin))
            f.write(struct.pack("<4sIQI", LOCATOR, 0, begin + size, 1))
        f.write(struct.pack("<4sHHHHIIH", END, 0, 0, count, count, size, begin, 0))
    done = cplc("copy", "x=many.npz:00fff0", "y=float64[1]", "--out", "y=many.npz:new")
    with open("many.npz", "rb") as f:
        why = walked(f.read())
    if done.returncode or why:
        wrong("many", count, why, done.stderr)
os.remove("many.npz")

# What is none stays as it was.
for name, data, message in (
        ("junk", b"junk", "no directory ends it"),
        ("damaged", patched(two, CENTRAL, 42, "<I", 1), "it is not where the directory says")):
    with open("kept.npz", "wb") as f:
        f.write(data)
    done = cplc("copy", "x=float64[4]", "y=float64[4]", "--out", "y=kept.npz:new")
    if done.returncode != 1 or message not in done.stderr or open("kept.npz", "rb").read() != data:
        wrong("kept", name, done.returncode, done.stderr)
open("kept.npz", "wb").close()
done = cplc("copy", "x=float64[4]", "y=float64[4]", "--out", "y=kept.npz:new")
if done.returncode or np.load("kept.npz").files != ["new"]:
    wrong("kept", "empty", done.stderr)

# Shapes and records.
if os.path.exists("b.npz"):
    os.remove("b.npz")
square, pairs = np.arange(6.0).reshape(2, 3), np.zeros(4, np.dtype([("a", "f8"), ("b", "i4")], align=True))
pairs["a"], pairs["b"] = np.arange(4) + 0.5, np.arange(4) * 10
np.savez("a.npz", square=square, pairs=pairs)
done = cplc("flip", "x=a.npz:square", "y=float64[3,2]", "--out", "y=b.npz:t", "--out", "x=b.npz:größe", "--out", "y=b.npy")
with np.load("b.npz") as b, zipfile.ZipFile("b.npz") as z:
    if done.returncode or b.files != ["t", "größe"] or (b["t"] != square.T).any() or (b["größe"] != square).any() or z.testzip():
        wrong("shapes", done.stderr)
    if (np.load("b.npy") != square.T).any() or any(i.compress_type for i in z.infolist()):
        wrong("both kinds", z.infolist())
done = cplc("one", "p=a.npz:pairs:P", "y=float64[4]", "--out", "y=b.npz", "--out", "p=b.npz")
with np.load("b.npz") as b:
    if done.returncode or walked(open("b.npz", "rb").read()) or (b["y"] != pairs["a"] + pairs["b"]).any() or (b["p"] != pairs).any() or b["p"].dtype != pairs.dtype:
        wrong("records", done.stderr)

# What is written is the same bytes every time, and may be what was read.
first = open("b.npz", "rb").read()
cplc("one", "p=b.npz:p:P", "y=b.npz", "--out", "y=b.npz", "--out", "p=b.npz")
if open("b.npz", "rb").read() != first:
    wrong("the same bytes")
for out, message in ((["y=c.npz", "--out", "x=c.npz:y"], "--out x=c.npz:y: c.npz has an array 'y' already"),
                     (["y=c.npz:"], "the name of an array has one byte at least"),
                     (["y=c.npz:" + 70000 * "y"], "and 65531 at most"),
                     (["y="], "--out takes NAME=FILE.npy or NAME=FILE.npz:KEY")):
    done = cplc("copy", "x=a.npz:square", "y=float64[6]", "--out", *out)
    if done.returncode != 2 or message not in done.stderr or os.path.exists("c.npz"):
        wrong(out[0][:20], done.returncode, done.stderr)
print("failed" if failed else f"{len(READ)} read, {len(REFUSED)} refused")
sys.exit(failed)
