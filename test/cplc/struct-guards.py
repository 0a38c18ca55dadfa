# Headers of kernels over structs of one name: the same struct has the same guard, so that headers
# go together, and each other one, whatever alone is different, a guard of its own.
# RUN: rm -rf %t && mkdir %t && %python %s %t | FileCheck %s
# CHECK: 17 structs, 17 guards
# CHECK-NEXT: the same again: the same guards
import re
import subprocess
import sys

STRUCTS = {
    "": ("a: 'int'", "b: 'float'"),
    "another field": ("a: 'int'", "c: 'float'"),
    "a longer name": ("a: 'int'", "bb: 'float'"),
    "a name that ends otherwise": ("a: 'int'", "bc: 'float'"),
    "fields of other names in turn": ("b: 'int'", "a: 'float'"),
    "fields in another order": ("b: 'float'", "a: 'int'"),
    "first: unsigned": ("a: 'uint'", "b: 'float'"),
    "first: float": ("a: 'float'", "b: 'float'"),
    "first: narrow": ("a: 'short'", "b: 'float'"),
    "last: signed": ("a: 'int'", "b: 'int'"),
    "last: unsigned": ("a: 'int'", "b: 'uint'"),
    "last: wide": ("a: 'int'", "b: 'double'"),
    "last: array": ("a: 'int'", "b: 'matrix(2, \"float\")'"),
    "last: longer array": ("a: 'int'", "b: 'matrix(3, \"float\")'"),
    "last: narrow": ("a: 'int'", "b: 'short'"),
    "one more": ("a: 'int'", "b: 'float'", "c: 'float'"),
    "one more, small": ("a: 'int'", "b: 'float'", "c: 'char'"),
}


def guard(fields):
    path = sys.argv[1] + "/kernel"
    with open(path + ".py", "w") as file:
        lines = [f"    {field}\n" for field in fields]
        file.write("@struct\nclass Q:\n" + "".join(lines) + "\n\ndef f(i, p):\n    p[i].a += 1\n")
    subprocess.run(["cplc", path + ".py:f", "--types", "p=Q[]", "-o", path + ".o",
                    "--header", path + ".h"], check=True)
    [name] = re.findall(r"^#ifndef (CPL_STRUCT_Q_\w+)$", open(path + ".h").read(), re.M)
    return name


guards = {what: guard(fields) for what, fields in STRUCTS.items()}
print(f"{len(guards)} structs, {len(set(guards.values()))} guards")
for what, own in guards.items():
    alike = [other for other, its in guards.items() if its == own and other != what]
    if alike:
        print(f"'{what}' has the guard of {alike}")
again = {what: guard(fields) for what, fields in STRUCTS.items()}
print("the same again:", "the same guards" if again == guards else "other guards")
