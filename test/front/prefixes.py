# Which letters in front of a quote are part of a string: of all that are up to three letters long, the 25 of the language reference, section 2.4.1.
# RUN: %python %s %t.txt
import itertools
import subprocess
import sys

PREFIXES = ("r", "u", "b", "f", "br", "rb", "fr", "rf")
words = ["".join(w) for n in (1, 2, 3) for w in itertools.product("rRbBuUfFx", repeat=n)]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.writelines(f"{word}'a'\n" for word in words)
done = subprocess.run(["cplc", "--emit", "tokens", sys.argv[1]], capture_output=True, text=True, check=True)
tokens = {}  # of each line
for line in done.stdout.splitlines():
    place, *token = line.split(" ", 2)
    tokens.setdefault(int(place.split(":")[0]), []).append(token)
taken = 0
for k, word in enumerate(words, 1):
    kind = "FSTRING" if "f" in word.lower() else "STRING"
    apart = [["NAME", word], ["STRING", "'a'"]]
    expected = [[kind, word + "'a'"]] if word.lower() in PREFIXES else apart
    assert tokens[k] == [*expected, ["NEWLINE"]], (word, tokens[k])
    taken += len(expected) == 1
assert taken == 24, taken
