"""PNG files of 8 bits a channel, grey or of red, green and blue, as arrays of NumPy."""
import struct
import zlib

import numpy as np


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(path, points):
    """points: uint8, of two dimensions or, with channels, three."""
    rows = points.reshape(len(points), -1)
    lines = np.concatenate([np.zeros((len(rows), 1), "u1"), rows], axis=1)
    header = struct.pack(">IIBBBBB", points.shape[1], len(points), 8, 2 if points.ndim == 3 else 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines.tobytes())) + chunk(b"IEND", b""))


def chunks(data):
    at = 8
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
        at += size + 12


def paeth(a, b, c):
    nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2*c), 2, c))
    return nearest[2]


def unfiltered(line, above, kind, channels):
    out = [0]*channels
    before = [0]*channels + above
    for k, byte in enumerate(line):
        a, b, c = out[k], above[k], before[k]
        out.append(byte + (0, a, b, (a + b)//2, paeth(a, b, c))[kind] & 255)
    return out[channels:]


def read(path):
    with open(path, "rb") as file:
        parts = list(chunks(file.read()))
    width, height, bits, colour, *rest = struct.unpack(">IIBBBBB", parts[0][1])
    assert bits == 8 and colour in (0, 2) and rest == [0, 0, 0], "no PNG that this reads"
    channels = 3 if colour == 2 else 1
    data = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    size, rows = width*channels, [[0]*width*channels]
    for at in range(0, len(data), size + 1):
        rows.append(unfiltered(data[at + 1:at + 1 + size], rows[-1], data[at], channels))
    shape = (height, width, 3) if channels == 3 else (height, width)
    return np.array(rows[1:], "u1").reshape(shape)
