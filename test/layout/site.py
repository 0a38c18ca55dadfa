# The site has every page, every public function of both APIs, and no link that leads nowhere.
# REQUIRES: markdown
# RUN: %python -I %root/docs/site.py %t --build %build | FileCheck %s
# RUN: %python %s %root %t
# CHECK: {{[1-9][0-9]+}} pages, 0 broken links
"""site.py ROOT SITE: whether the references are whole, code has its colours, and a broken link would be found."""

import glob
import os
import re
import sys
import tempfile

root, site = sys.argv[1:3]
faults = []


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def check_references():
    page = read(site, "c_api.html")
    declared = set()
    for header in glob.glob(os.path.join(root, "include/cpl/*.h")):
        declared |= set(re.findall(r"CPL_API[^;(]*?\b(cpl_\w+)\(", read(header)))
    faults.extend(f"{name} is not in the C reference" for name in sorted(declared) if f'id="{name}"' not in page)
    if len(declared) < 100:
        faults.append(f"the headers declare {len(declared)} functions")
    page = read(site, "python_api.html")
    if "was not built" not in page:
        names = re.findall(r'"(\w+)"', re.search(r"__all__ = [\[(](.*?)[\])]", read(root, "bindings/python/cpl/__init__.py"), re.S).group(1))
        faults.extend(f"{name} is not in the Python reference" for name in names if f'id="{name}"' not in page)
    if "codehilite" not in read(site, "index.html"):
        faults.append("code has no colours")


def check_links():
    import importlib.util
    spec = importlib.util.spec_from_file_location("docs_site", os.path.join(root, "docs", "site.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.html"), "w") as file:
            file.write('<h1 id="top">x</h1><a href="#top">x</a><a href="gone.html">x</a><a href="#below">x</a><img src="gone.png">')
        found = list(module.broken_links(folder))
    if len(found) != 3:
        faults.append(f"of three broken links {len(found)} were found")


check_references()
check_links()
print("\n".join(faults))
sys.exit(1 if faults else 0)
