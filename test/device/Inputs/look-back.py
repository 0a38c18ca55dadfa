# What tiles in front have, as runtime/algo/look.py and tiles.py look back for it, over states that a run of a scan
# may meet or not: of tiles that know of themselves alone, up to one that knows all, and of anything in front of that.
#
# It stands behind those files' text.

def affine(a, b):
    """x -> m*x + c, then another: m from bit 16 on, c below. It does not commute."""
    m = (a >> 16)*(b >> 16) & 0x7fff
    c = ((a & 0x7fff)*(b >> 16) + b) & 0x7fff
    return m << 16 | c


def same():
    return 1 << 16


def counts(state, out, tile):
    out[LID_0] = count_in_front(tile, 2000, 500, state, 3)


def values(state, total, carry, out, tile, base, PACKED, T, op, neutral):
    r = look_back_lanes(tile, 2000, 500, state, base, total, carry, T, PACKED, op, neutral)
    if LID_0 == 0:
        out[0] = r


def values_by_a_group(state, total, carry, out, tile, base, PACKED, T, op, neutral):
    room = declare('LOCAL_MEM matrix(64, "T")')
    kinds = declare('LOCAL_MEM matrix(32, "int")')
    r = look_back(tile, room, kinds, state, base, total, carry, T, PACKED, op, neutral)
    if LID_0 == 0:
        out[0] = r


def told(state, total, carry, x, out, kinds, KIND, PACKED, T, neutral):
    # what a tile says is what the next one is told
    words = declare('matrix(2, "int64")')
    publish(LID_0, KIND, x[LID_0], state, 0, total, carry, T, PACKED)
    wait_for(words, LID_0, state, 0, PACKED)
    out[LID_0] = value_of(LID_0, words, total, carry, T, PACKED, neutral)
    kinds[LID_0] = kind_of(words)


def torn(state, total, out, T, PACKED, op, neutral):
    # the second word of a value comes later than the first, the count of a tile later than those behind it
    if LID_0 < 32:
        r = look_back_lanes(2, 2, 500, state, 0, total, total, T, PACKED, op, neutral)
        if LID_0 == 0:
            out[0] = r
    elif LID_0 == 32:
        for k in range(5):
            out[1] += atomic_load(state[0])*0
        atomic_store(state[3], (cast(WHOLE, 'int64') << 32) | 7)
    elif LID_0 >= 64:
        late = count_in_front(3, 3, 500, state, 4)
        if LID_0 == 64:
            out[2] = late
    elif LID_0 == 33:
        for k in range(9):
            out[3] += atomic_load(state[0])*0
        atomic_store(state[5], (cast(AHEAD, 'int64') << COUNT_BITS) | 11)


def a_pass(state, out, count, words, KEPT):
    # tile t is told of, and takes down where the pass' words are
    own = declare('LOCAL_MEM matrix(2, "long")')
    at = next_tile(own, state, count, words, KEPT)
    if LID_0 == 0:
        out[at] = own[1]
    for t in range(at*32 + LID_0, words, count*32):
        state[own[1] + t] += 7
    if KEPT:
        clear_other(own, count, state, 32)


def joined(*all):
    r = 65536
    for v in all:
        m, c = (r >> 16)*(int(v) >> 16) & 0x7fff, (r & 0x7fff)*(int(v) >> 16) + int(v) & 0x7fff
        r = m << 16 | c
    return r


def cases(case, np, rng):
    def kernel(function, arrays, expected, scalars, local, modes=("O0", "O3", "interp")):
        case(function, form="kernel", arrays=arrays, expected=expected, scalars=scalars, modes=modes,
             options=["--global", local, "--local", local])

    # distances to the tile that knows all, at the borders of a look of 32 and of two; 0: the one right in front
    for tile, far in ((0, 0), (1, 0), (2, 1), (33, 31), (33, 32), (40, 31), (40, 33), (70, 63), (70, 64)):
        one = "interp" if far % 2 else "O3"
        n = rng.integers(0, 1 << 14, tile + 3)
        kind = np.ones(tile + 3, "int64")
        kind[:max(tile - far, 0)] = rng.integers(1, 3, max(tile - far, 0))
        if tile:
            kind[tile - 1 - far] = 2
        state = np.concatenate([[9, 9, 9], kind << 60 | n])
        front = int(n[tile - 1 - far:tile].sum()) if tile else 0
        given = {"state": state, "out": np.zeros(32, "int64")}
        kernel("counts", given, {"out": np.full(32, front)}, {"tile": tile}, "32", (one,))

        v = (rng.integers(0, 1 << 15, tile + 3) << 16 | 1 << 16 | rng.integers(0, 1 << 15, tile + 3))
        front = joined(*v[tile - 1 - far:tile]) if tile else 65536
        for T, packed in (("int32", 1), ("int64", 2), ("int64", 0)):
            words = {1: kind << 32 | v, 0: kind << 32, 2: np.stack([kind << 32 | v, kind << 32], 1).ravel()}[packed]
            given = {"state": np.concatenate([[9]*far, words]), "total": np.where(kind == 1, v, -1).astype(T),
                     "carry": np.where(kind == 2, v, -1).astype(T), "out": np.zeros(1, T)}
            scalars = {"tile": tile, "base": far, "PACKED": f"const:{packed}", "T": f"type:{T}", "op": "func:affine",
                       "neutral": "func:same"}
            kernel("values", given, {"out": np.array([front], T)}, scalars, "32", (one,))
            kernel("values_by_a_group", given, {"out": np.array([front], T)}, scalars, "64", (one,))

    # every bit of both words, either sign
    for T, packed in (("int32", 1), ("uint32", 1), ("float32", 1), ("int64", 2), ("uint64", 2), ("float64", 2),
                      ("int64", 0)):
        size = np.dtype(T).itemsize
        bits = np.array([1 << k for k in range(8*size)] + [(1 << 8*size) - 1, 0, 1 << 8*size - 1 | 1, 0x7f],
                        f"uint{8*size}")
        x = bits.view(T)
        for kind in (1, 2):
            none = np.zeros(len(x), T)
            given = {"state": np.zeros(2*len(x), "int64"), "total": none, "carry": none, "x": x, "out": none,
                     "kinds": np.zeros(len(x), "int32")}
            kernel("told", given, {"out": x, "kinds": np.full(len(x), kind, "int32")},
                   {"KIND": f"const:{kind}", "PACKED": f"const:{packed}", "T": f"type:{T}", "neutral": "func:same"},
                   str(len(x)), ("O3", "interp"))

    # whose words are cleared: of 3 tiles or 2, where what was left is more than they have work-items, one, or none
    for half, left, count, words in ((0, 0, 2, 5), (0, 150, 3, 40), (1, 1, 2, 64), (1, 100, 2, 100)):
        for kept in (1, 0):
            state = np.zeros(2*256, "int64")
            state[[0, 1, 2, 3]] = half << 32, 33, 33, 5
            state[2 - half] = left
            begin, other = (32, 288) if half == 0 else (288, 32)
            if not kept:
                state[0], begin = 0, 32
            state[other:other + left] = np.arange(1, left + 1)
            after = state.copy()
            if kept:
                after[other:other + left] = 0
                after[0], after[1 + half] = (half ^ 1) << 32, words
            else:
                after[0] = count
            after[begin:begin + words] += 7
            for mode in ("O3", "interp"):
                case("a_pass", form="kernel", arrays={"state": state, "out": np.zeros(count, "int64")},
                     expected={"state": after, "out": np.full(count, begin)}, modes=(mode,),
                     scalars={"count": count, "words": words, "KEPT": f"const:{kept}"},
                     options=["--global", str(32*count), "--local", "32"])

    state = np.array([2 << 32 | 5, 2 << 32, 2 << 32 | 6, 1 << 32 | 9, 2 << 60 | 100, 0, 1 << 60 | 1000], "int64")
    kernel("torn", {"state": state, "total": np.zeros(4, "int64"), "out": np.zeros(4, "int64")},
           {"out": np.array([7 << 32 | 6, 0, 1111, 0])},
           {"T": "type:int64", "PACKED": "const:2", "op": "op:max(a, b)", "neutral": "func:same"}, "96", ("interp",))
