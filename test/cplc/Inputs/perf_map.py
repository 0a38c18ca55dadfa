# perf_map.py [--link] COMMAND...: runs a command, shows the names in its perf map in order, checks that no two functions overlap and
# removes the map. With --link the map's name is a link to an empty file when the command starts.
import os
import sys
import tempfile

link = sys.argv[1] == "--link"
command = sys.argv[2 if link else 1:]
target = tempfile.NamedTemporaryFile()
pid = os.fork()
if pid == 0:
    if link:
        os.symlink(target.name, f"/tmp/perf-{os.getpid()}.map")
    os.execvp(command[0], command)
status = os.waitpid(pid, 0)[1]
path = f"/tmp/perf-{pid}.map"
if link:
    print(f"the link's target has {os.path.getsize(target.name)} bytes")
    os.unlink(path)
elif os.path.exists(path):
    rows = [line.split(None, 2) for line in open(path)]
    os.unlink(path)
    places = sorted((int(start, 16), int(size, 16)) for start, size, _ in rows)
    for (start, size), (after, _) in zip(places, places[1:]):
        if start + size > after:
            sys.exit(f"functions overlap at {after:x}")
    for name in sorted(row[2].strip() for row in rows):
        print(name)
else:
    print("no map")
sys.exit(1 if status else 0)
