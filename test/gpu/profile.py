"""profile.py FOLDER TARGET: cplc run --profile in its three formats; each says the same and is what it claims to be."""
import csv
import json
import os
import subprocess
import sys

folder, target = sys.argv[1:]
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.makedirs(folder, exist_ok=True)


def run(name):
    path = f"{folder}/{name}"
    subprocess.check_call(["cplc", "run", f"{root}/examples/axpb.py", "--target", target, "x=float64[100000]", "y=float64[100000]",
                           "a=2.0", "b=1.0", "--profile", path])
    return open(path, newline="")


with run("p.csv") as file:
    rows = list(csv.DictReader(file))
kernel, = [row for row in rows if row["kind"] == "kernel"]
assert kernel["name"] == "axpb" and int(kernel["count"]) == 1 and int(kernel["bytes"]) == 1600000, kernel
assert float(kernel["device_ms"]) > 0 and float(kernel["compile_ms"]) > 0, kernel
kind, _, number = target.partition(":")
assert kernel["device"] == ("host" if target == "host" else f"{kind}:{number if number.isdigit() else 0}"), kernel

with run("p.json") as file:
    record = json.load(file)
kernel, = [row for row in record["rows"] if row["kind"] == "kernel"]
spans = [span for span in record["spans"] if span["name"] == "axpb" and span["kind"] == "kernel"]
assert len(spans) == kernel["count"] == 1 and spans[0]["end_ns"] - spans[0]["begin_ns"] == kernel["device_ns"] > 0, record
assert any(span["kind"] == "compile" and span["name"] == "axpb" for span in record["spans"]), record
copies = {row["kind"] for row in record["rows"]} & {"to device", "to host"}
assert copies == (set() if target == "host" else {"to device", "to host"}), record["rows"]

with run("p.trace.json") as file:
    events = json.load(file)["traceEvents"]
runs = [e for e in events if e["ph"] == "X" and e["cat"] == "kernel"]
assert len(runs) == 1 and runs[0]["name"] == "axpb" and runs[0]["dur"] > 0, events
names = {(e["name"], e["pid"]): e["args"]["name"] for e in events if e["ph"] == "M"}
assert names["process_name", runs[0]["pid"]] == kernel["device"], events
assert "thread_name" in {name for name, _ in names}
print("profiles agree")
