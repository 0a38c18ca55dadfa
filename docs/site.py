#!/usr/bin/env python3
"""The site, static HTML: site.py OUT [--build BUILD]

Pages come from the tree's Markdown, the C reference from the comments of include/cpl, the Python reference from docstrings (with
--build, whose folder python/ has the package). Files of the tree that pages link to become pages too. Exit status 1 if a link leads
nowhere. Needs markdown and pygments, which ./dev docs installs.
"""

import argparse
import html
import importlib
import inspect
import os
import re
import shutil
import sys
from html.parser import HTMLParser

import markdown
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What the side shows: a heading, and pages by their files in the tree; c_api and python_api are made here.
CONTENTS = (
    ("libcpl", ("README.md", "docs/gallery.md", "docs/how_it_works.md", "docs/building.md", "docs/stability.md")),
    ("Tutorials", ("docs/tutorial_c.md", "docs/tutorial_python.md", "docs/tutorial_shell.md")),
    ("Guides", ("docs/c.md", "docs/python.md", "docs/expressions.md", "docs/shell.md", "docs/from_numba.md", "docs/from_compyle.md", "docs/from_pytocl.md",
                "docs/from_opencl.md", "docs/from_cuda.md")),
    ("Reference", ("docs/language.md", "c_api", "python_api", "lib/ir/README.md")),
    ("Inside", ("CONTRIBUTING.md", "lib/README.md", "test/bench/README.md", "SECURITY.md", "CHANGELOG.md")),
)
MADE = {"c_api": "C API", "python_api": "Python API"}
STYLE = """
:root { --text: #1c2126; --page: #fff; --side: #f4f6f8; --line: #d8dee4; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --text: #dde3e9; --page: #15191d; --side: #1c2227; --line: #323a42; --link: #7db7f0 }
  pre, code { background: #20272d !important } .highlight * { color: inherit !important } }
* { box-sizing: border-box }
body { margin: 0; color: var(--text); background: var(--page); font: 16px/1.55 system-ui, sans-serif; display: flex }
nav { width: 15em; flex: none; padding: 1em; background: var(--side); min-height: 100vh; border-right: 1px solid var(--line); font-size: .92em }
nav b { display: block; margin: 1em 0 .2em } nav a { display: block; padding: .1em 0 } nav a.here { font-weight: 600 }
main { flex: 1; min-width: 0; max-width: 60em; padding: 1em 2em 4em }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
h1, h2, h3 { line-height: 1.25 } h2 { border-bottom: 1px solid var(--line); padding-bottom: .2em; margin-top: 2em }
pre { background: var(--side); border: 1px solid var(--line); border-radius: 4px; padding: .7em; overflow-x: auto; line-height: 1.4 }
code { font: .87em ui-monospace, monospace; background: var(--side); border-radius: 3px; padding: .1em .25em } pre code { padding: 0; background: none }
table { border-collapse: collapse; display: block; overflow-x: auto } td, th { border: 1px solid var(--line); padding: .3em .6em; text-align: left; vertical-align: top }
img { max-width: 100%; height: auto }
@media (max-width: 50em) { body { display: block } nav { width: auto; min-height: 0; border: 0 } main { padding: 1em } }
"""


def anchor(heading, separator="-"):
    """As GitHub names headings."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


class Site:
    def __init__(self, out, build):
        self.out, self.build = out, build
        self.places = {"README.md": "index.html"}  # a file or folder of the tree -> where its page is
        self.waiting = []  # files that pages link to
        self.titles = {}
        self.faults = []

    def place(self, path):
        """Where the page of a file of the tree is; one that is not there yet is made later."""
        if path not in self.places:
            name = path.removeprefix("docs/")
            self.places[path] = name.removesuffix(".md").replace("/", "_").lstrip(".") + ".html"
            self.waiting.append(path)
        return self.places[path]

    def side(self, here):
        parts = []
        for heading, pages in CONTENTS:
            parts.append(f"<b>{heading}</b>")
            for path in pages:
                mark = ' class="here"' if path == here else ""
                parts.append(f'<a href="{self.place(path)}"{mark}>{html.escape(self.titles[path])}</a>')
        return "\n".join(parts)

    def write(self, path, title, body):
        with open(os.path.join(self.out, self.place(path)), "w", encoding="utf-8") as file:
            file.write(f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
                       '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="style.css"></head>\n'
                       f"<body><nav>\n{self.side(path)}\n</nav><main>\n{body}\n</main></body></html>\n")

    def link(self, path, target):
        """What a link of a page of the tree is on the site."""
        if "://" in target or target.startswith(("#", "mailto:")):
            return target
        file, _, part = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(path), file))
        if not os.path.exists(os.path.join(ROOT, file)):
            self.faults.append(f"{path}: links to {target}, which does not exist")
            return target
        if file.endswith((".png", ".svg")):
            shutil.copy(os.path.join(ROOT, file), os.path.join(self.out, os.path.basename(file)))
            return os.path.basename(file)
        return self.place(file) + (f"#{part}" if part else "")

    def from_markdown(self, path):
        text = read(path)
        text = re.sub(r"^```(\w+) \S+$", r"```\1", text, flags=re.M)  # the name of a file
        text = re.sub(r"^```(out|err|text)$", "```", text, flags=re.M)
        # lists and fences that follow a paragraph at once, as GitHub takes them
        text = re.sub(r"(?m)^(?!\s*[-*] |\s*\d+\. |\s*$|[|#>]| )(.+)\n(?=- |1\. )", r"\1\n\n", text)
        body = markdown.markdown(text, extensions=["fenced_code", "tables", "toc", "codehilite"], tab_length=2,
                                 extension_configs={"toc": {"slugify": anchor}, "codehilite": {"guess_lang": False}})
        return re.sub(r'(href|src)="([^"]*)"', lambda m: f'{m[1]}="{html.escape(self.link(path, html.unescape(m[2])))}"', body)

    def from_source(self, path):
        full = os.path.join(ROOT, path)
        if os.path.isdir(full):
            names = sorted(name for name in os.listdir(full) if not name.startswith((".", "__")))
            return f"<h1>{path}</h1><ul>" + "".join(f"<li>{html.escape(name)}</li>" for name in names) + "</ul>"
        try:
            lexer = get_lexer_for_filename(path)
        except ClassNotFound:
            lexer = TextLexer()
        return f"<h1>{path}</h1>" + highlight(read(path), lexer, HtmlFormatter())

    def make(self):
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)
        with open(os.path.join(self.out, "style.css"), "w") as file:
            file.write(STYLE + HtmlFormatter().get_style_defs(".highlight, .codehilite"))
        pages = [path for _, paths in CONTENTS for path in paths]
        for path in pages:
            self.titles[path] = MADE.get(path) or re.search(r"^# (.*)$", read(path), re.M).group(1)
            self.place(path)
        self.waiting = []
        for path in pages:
            body = c_api() if path == "c_api" else python_api(self.build) if path == "python_api" else self.from_markdown(path)
            self.write(path, self.titles[path], body)
        while self.waiting:
            path = self.waiting.pop(0)
            self.write(path, path, self.from_markdown(path) if path.endswith(".md") else self.from_source(path))
        self.faults += broken_links(self.out)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


# --- references ---

def plain(comment):
    """A comment of C without its stars: text in paragraphs, code where it is indented."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip("/*").strip().split("\n")]
    parts = []
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        if all(line.startswith("    ") for line in block.split("\n")):
            parts.append("<pre>" + html.escape(re.sub("(?m)^    ", "", block)) + "</pre>")
        else:
            parts.append("<p>" + html.escape(block) + "</p>")
    return "\n".join(parts)


def declarations(text):
    """(comment, code) of each part of a header: a comment at the left edge, and what follows up to the next."""
    text = re.sub(r'(?m)^#(if|ifdef|ifndef|endif|include|else).*\n|^extern "C" \{\n|^\}\n(?=#endif)', "", text)
    for comment, code in re.findall(r"^(/\*.*?\*/)[ \t]*\n(.*?)(?=^/\*|\Z)", text, re.M | re.S):
        code = re.sub(r"(?m)^(static inline [^{;]*?)\n\{.*?^\}", r"\1;", code, flags=re.S).strip()
        code = re.sub(r"(?m)^#define CPL_\w+_H$|^\}$(?=\Z)", "", code).strip()
        yield comment, code


def c_api():
    order = re.findall(r'#include "cpl/(\w+\.h)"', read("include/cpl/cpl.h"))
    order += sorted(set(os.listdir(os.path.join(ROOT, "include/cpl"))) - set(order))
    parts, index = [], []
    for name in (name for name in order if name.endswith(".h")):
        parts.append(f'<h2 id="{name}">cpl/{name}</h2>')
        names = []
        for comment, code in declarations(read(f"include/cpl/{name}")):
            parts.append(plain(comment))
            if code:
                found = [n for n in re.findall(r"\b(cpl_\w+)\(", code) if n not in names]
                names += found
                parts.append("".join(f'<a id="{n}"></a>' for n in found) + highlight(code, get_lexer_for_filename("x.c"), HtmlFormatter()))
        index.append(f'<li><a href="#{name}">cpl/{name}</a>: ' + ", ".join(f'<a href="#{n}"><code>{n}</code></a>' for n in names) + "</li>")
    return "<h1>C API</h1><ul>" + "\n".join(index) + "</ul>\n" + "\n".join(parts)


def docstring(thing):
    text = inspect.getdoc(thing) or ""
    parts = []
    for block in re.split(r"\n\s*\n", text):
        code = block.lstrip().startswith((">>>", "    "))
        parts.append(f"<pre>{html.escape(block)}</pre>" if code else f"<p>{html.escape(block)}</p>")
    return "\n".join(parts)


def signature(name, thing):
    try:
        return name + str(inspect.signature(thing))
    except (TypeError, ValueError):
        return name


def python_api(build):
    if not build or not os.path.exists(os.path.join(build, "python", "cpl")):
        return "<h1>Python API</h1><p>The package was not built.</p>"
    sys.path.insert(0, os.path.join(build, "python"))
    package = importlib.import_module("cpl")
    parts = ["<h1>Python API</h1>", docstring(package)]
    for name in package.__all__:
        thing = getattr(package, name)
        shown = html.escape(signature(f"cpl.{name}", thing)) if callable(thing) else f"cpl.{name}"
        parts.append(f'<h2 id="{name}"><code>{shown}</code></h2>{docstring(thing)}')
        if not inspect.isclass(thing) or issubclass(thing, BaseException):
            continue
        for member, value in sorted(vars(thing).items()):
            if not member.startswith("_") and inspect.getdoc(value):
                parts.append(f'<h3 id="{name}.{member}"><code>{html.escape(signature(member, value))}</code></h3>{docstring(value)}')
    return "\n".join(parts)


# --- links ---

class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.anchors.add(attributes["id"])
        for name in ("href", "src"):
            if name in attributes:
                self.targets.append(attributes[name])


def broken_links(out):
    pages = {}
    for name in sorted(os.listdir(out)):
        if name.endswith(".html"):
            pages[name] = Links()
            with open(os.path.join(out, name), encoding="utf-8") as file:
                pages[name].feed(file.read())
    for name, page in pages.items():
        for target in page.targets:
            file, _, part = target.partition("#")
            if "://" in target:
                continue
            if file and not os.path.exists(os.path.join(out, file)):
                yield f"{name}: {target} leads nowhere"
            elif part and (file or name) in pages and part not in pages[file or name].anchors:
                yield f"{name}: {target} has no such place"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--build")
    args = parser.parse_args()
    site = Site(args.out, args.build)
    site.make()
    for fault in site.faults:
        print(fault)
    pages = sum(name.endswith(".html") for name in os.listdir(args.out))
    print(f"{pages} pages, {len(site.faults)} broken links")
    return 1 if site.faults or pages < len(CONTENTS) else 0


if __name__ == "__main__":
    sys.exit(main())
