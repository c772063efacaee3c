"""Prints the names of functions that headers declare and no code calls, one per line. The arguments are folders.

The script analyzes text, not types: every occurrence of a name that is neither a declaration nor a definition counts as a call. It
therefore misses an uncalled function if another function with the same name is called, but every printed name is uncalled."""

import collections
import os
import re
import sys

KEYWORDS = {"return", "else", "throw", "case", "new", "delete", "co_await", "co_yield", "co_return", "typename", "goto", "and", "or", "not"}
# The text before the name of a function in its declaration or definition: a type, and perhaps the class.
DECLARED = re.compile(r"([A-Za-z_]\w*|(?<! )[>\]])[&*]*\s+(?:[A-Za-z_]\w*(?:<[^<>;(){}]*>)?::)*([a-z_]\w*)\s*\(")


def bare(text):
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def sources(folders):
    for top in folders:
        for folder, _, names in os.walk(top):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".h", ".c", ".cpp")))


named, declared, in_headers = collections.Counter(), collections.Counter(), set()
for path in sources(sys.argv[1:]):
    with open(path, encoding="utf-8") as file:
        text = bare(file.read())
    named.update(re.findall(r"[A-Za-z_]\w*", text))
    for before, name in DECLARED.findall(text):
        if before in KEYWORDS:
            continue
        declared[name] += 1
        if path.endswith(".h"):
            in_headers.add(name)
print("\n".join(sorted(name for name in in_headers if named[name] <= declared[name])))
