# documented.py ROOT [MAN_PAGE]: what --help shows is in the man page and in the completion, and neither has more: every option, every
# stage of --emit, and every option of the compiler with its default and its range.
import re
import subprocess
import sys

root = sys.argv[1]
page = sys.argv[2] if len(sys.argv) > 2 else f"{root}/tools/cplc/cplc.1"
pattern = r"(?<![\w-])--[a-z][a-z-]*[a-z]|(?<![\w-])--n\b|(?<![\w-])-[hoO]\b"
bad = False


def words(text):
    return set(re.findall(pattern, text))


def complain(message):
    global bad
    print(message)
    bad = True


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def help_of(*command):
    return subprocess.check_output(["cplc", *command, "--help"], text=True)


def part(text, heading):
    return text.split(heading)[1].split("\n\n")[0]


def compare(what, shown, found, where):
    for item in sorted(shown - found):
        complain(f"{what} {item} is not in the {where}")
    for item in sorted(found - shown):
        complain(f"{what} {item} is in the {where} but not in --help")


shown = set()
for command in ([], ["run"], ["devices"], ["cache"]):
    for line in part(help_of(*command), "Options:\n").splitlines():
        shown |= words(re.sub(r"-OLEVEL", "-O", line[:24]))
man = read(page).replace("\\-", "-").replace("\\fB", "")
completion = read(f"{root}/tools/cplc/cplc.bash")
in_man = words(re.sub(r"-O (LEVEL|\d)|-O[0-3]", "-O", man))
in_completion = words(re.sub(r"-O[0-3]", "-O", completion))
compare("option", shown, in_man - {"--opt"}, "man page")
compare("option", shown - {"-h"}, in_completion - {"-h"}, "completion")

stages = set(re.findall(r"[a-z][a-z-]*", re.search(r"--emit=STAGE +write this stage: ([^;]*);", help_of()).group(1))) - {"or"}
emit = man.split(".BI --emit= STAGE")[1].split(".TP")[0].split("With\n.B run\n")[0]
compare("stage", stages, set(re.findall(r"^\.BR? ([a-z][a-z-]*)", emit, re.M)), "man page")
compare("stage", stages, set(re.search(r"--emit\) COMPREPLY=\(\$\(compgen -W '([^']*)'", completion).group(1).split()), "completion")

settings = set()
for row in part(help_of(), "Options of the compiler, for --option:\n").splitlines()[1:]:
    name, default, low, _, high = row.split()[:5]
    settings.add(f"{name} {default}; {low} to {high}")
section = man.split(".SH OPTIONS OF THE COMPILER")[1].split("\n.SH")[0]
compare("setting", settings, {" ".join(row) for row in re.findall(r'^\.BR (\w+) " \\\(en (.*)"$', section, re.M)}, "man page")
print(len(shown), "options,", len(stages), "stages,", len(settings), "settings")
sys.exit(bad)
