"""Names of functions that headers declare and no code calls: folders as arguments, a name a line.

Looks at text, not at types: a function is called where its name stands and is neither declared nor defined. So of two functions
of one name it sees neither while one is called; what it names is uncalled."""

import collections
import os
import re
import sys

KEYWORDS = {"return", "else", "throw", "case", "new", "delete", "co_await", "co_yield", "co_return", "typename", "goto", "and", "or", "not"}
# What stands before a function's name where it is declared or defined: a type, and perhaps the class.
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
