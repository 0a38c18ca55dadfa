# documented.py ROOT: every option that --help shows is in the man page and in the completion, and neither has one more.
import re
import subprocess
import sys

root = sys.argv[1]
pattern = r"(?<![\w-])--[a-z][a-z-]*[a-z]|(?<![\w-])--n\b|(?<![\w-])-[hoO]\b"


def words(text):
    return set(re.findall(pattern, text))


shown = set()
for command in ([], ["run"], ["devices"], ["cache"]):
    text = subprocess.check_output(["cplc", *command, "--help"], text=True)
    options = text.split("Options:\n")[1].split("\n\n")[0]
    for line in options.splitlines():
        shown |= words(re.sub(r"-OLEVEL", "-O", line[:24]))
man = open(f"{root}/tools/cplc/cplc.1").read().replace("\\-", "-").replace("\\fB", "")
man = words(re.sub(r"-O (LEVEL|\d)|-O[0-3]", "-O", man))
bash = words(re.sub(r"-O[0-3]", "-O", open(f"{root}/tools/cplc/cplc.bash").read()))
bad = False
for name, found, optional in (("man page", man, {"--opt"}), ("completion", bash, {"-h"})):
    for option in sorted(shown - found - optional):
        print(f"{option} is not in the {name}")
        bad = True
    for option in sorted(found - shown - optional - {"--list-passes"}):
        print(f"{option} is in the {name} but not in --help")
        bad = True
print(len(shown), "options")
sys.exit(bad)
