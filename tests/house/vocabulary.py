"""Finds retired words: vocabulary.py [--unconverted] [PATH...], run in the top folder of the sources.

The words are the table of vocabulary_retired: phrases in text, and words of identifiers. vocabulary_allowed lists ordinary
senses of them, vocabulary_unconverted the pages and folders that still have them, which are left out unless --unconverted is given or
a PATH lies in one. Text is Markdown, man pages, web pages, data files and string literals; comments of code are not looked at.
Prints "FILE:LINE: ..." per finding; status 1 if there is one, 2 if a list is wrong.
"""

import argparse
import collections
import fnmatch
import functools
import pathlib
import re
import subprocess
import sys

HOUSE = "tests/house/"
RETIRED = HOUSE + "vocabulary_retired"
CODE = {".h", ".cpp", ".c", ".js", ".css"}
SCRIPT = {".sh", ".awk", ".py", ".pyi", ".cmake", ".yml", ".supp"}
TEXT = {".md", ".html", ".tsv", ".traffic", ".conf", ".1", ".7", ".in", ".reference"}

Finding = collections.namedtuple("Finding", "path line word instead text")


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


class Words:
    """The retired words and the senses in which they are allowed."""

    def __init__(self):
        self.phrases, self.parts, self.allowed = {}, {}, []
        table = pathlib.Path(RETIRED).read_text(encoding="utf-8")
        for row in re.findall(r"^\| (?!retired|-)(.*) \|$", table, re.M):
            text, identifiers, instead = (cell.strip() for cell in row.split(" | "))
            self.phrases.update((phrase.strip().lower(), instead) for phrase in text.split(",") if phrase.strip())
            self.parts.update((part, instead) for part in re.findall(r"`([a-z_]+)`", identifiers))
        if len(self.parts) < 20 or len(self.phrases) < 20:
            fail(f"{RETIRED}: no table of retired words could be read")
        wording = "|".join(re.escape(each).replace(r"\*", r"\w*") for each in sorted(self.phrases, key=len, reverse=True))
        self.pattern = re.compile(rf"(?<![\w$/.-])({wording})(?![\w/])", re.I)
        self.some_part = re.compile("|".join(sorted({part.partition("_")[0] for part in self.parts})), re.I)
        for number, line in rows_of(HOUSE + "vocabulary_allowed"):
            columns = line.split("\t")
            if len(columns) != 3:
                fail(f"{HOUSE}vocabulary_allowed:{number}: expected PATH, regular expression and reason, with tabs between them")
            self.allowed.append((columns[0], re.compile(columns[1])))

    def allowed_in(self, path, text):
        """The stretches of `text` in which every word is allowed."""
        return [match.span() for where, pattern in self.allowed if fnmatch.fnmatch(path, where) for match in pattern.finditer(text)]

    def in_text(self, path, text):
        spans = None
        for match in self.pattern.finditer(text):
            if spans is None:
                spans = self.allowed_in(path, text)
            if any(begin <= match.start() and match.end() <= end for begin, end in spans):
                continue
            yield match[1], self.instead_of(match[1])

    def instead_of(self, found):
        found = found.lower()
        for phrase, instead in self.phrases.items():
            if re.fullmatch(re.escape(phrase).replace(r"\*", r"\w*"), found):
                return instead
        return ""

    @functools.cache
    def parts_of(self, name):
        """What to write instead of `name`: words of snake_case and CamelCase; a part of several words must stand in this order."""
        if not self.some_part.search(name):
            return []
        words = [each.lower() for each in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
        found = []
        for part, instead in self.parts.items():
            several = part.split("_")
            if any(words[i : i + len(several)] == several for i in range(len(words))):
                found.append(instead)
        return found

    def in_identifier(self, path, name):
        for instead in self.parts_of(name):
            if not any(begin == 0 and end == len(name) for begin, end in self.allowed_in(path, name)):
                yield name, instead


def rows_of(path):
    """Numbered lines of a list, without comments."""
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line


# Text that looks like the name of an option, a key or an identifier.
NAMES = re.compile(r"(?<![\w/.-])--([a-z][a-z-]+)|\"([a-z]\w*)\"\s*:|`(?:pssp::)?([A-Za-z_]\w*)(?:\(\))?`|\b([A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*)\b|\b([a-z]\w*)=")


def of_text(text, number):
    """Pieces of a line of text."""
    yield number, text, None
    for match in NAMES.finditer(text):
        yield number, None, next(each for each in match.groups() if each)


def pieces_of_text(text):
    """(line, text, None) and (line, None, identifier)."""
    for number, line in enumerate(text.splitlines(), 1):
        # The target of a link is a path.
        yield from of_text(re.sub(r"\]\([^)]*\)", "]", line), number)


LITERAL = r'(?:u8|[uUL])?R"([^(]*)\((?:.*?)\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|`(?:\\.|[^`\\])*`'
TOKENS = re.compile(rf"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<include>#\s*include[^\n]*)|(?P<literal>{LITERAL})|(?P<name>[A-Za-z_]\w*)|(?P<other>[^A-Za-z_\"'`/#]+|.)", re.S)


def of_literal(text, number):
    if re.fullmatch(r"[A-Za-z_][\w-]*", text):
        yield number, None, text
    yield from of_text(text, number)


def pieces_of_code(path, text):
    number = 1
    joined, begin = "", 0
    for token in TOKENS.finditer(text):
        kind = token.lastgroup
        if kind == "literal" or token["literal"]:
            joined, begin = (joined, begin) if joined else ("", number)
            joined += re.sub(r'^(u8|[uUL])?R?["\'`]|["\'`]$', "", token["literal"]).replace("\\n", " ").replace("\\t", " ").replace('\\"', '"')
        elif not token[0].isspace():
            # Adjacent literals are one text.
            if joined:
                yield from of_literal(joined, begin)
                joined = ""
            if kind == "name":
                yield number, None, token[0]
        number += token[0].count("\n")


def pieces_of_script(path, text):
    """Lines with their comments cut off: quoted text and blocks behind << are text, all else is code."""
    until, quote = None, None
    for number, line in enumerate(text.splitlines(), 1):
        if until is not None:
            if line.strip() == until:
                until = None
            else:
                yield from of_text(line, number)
            continue
        if path.endswith(".py") or path.endswith(".pyi"):
            # Texts over several lines are documentation of functions.
            if quote or line.count('"""') == 1:
                if line.count('"""') == 1:
                    quote = not quote
                yield from of_text(line, number)
                continue
        line = re.sub(r"(^|\s)#(?![!{]).*", "", line)
        for literal in re.findall(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', line):
            yield from of_literal(literal[1:-1], number)
        bare = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', " ", line)
        for name in re.findall(r"(?<![\w$/.-])--([a-z][a-z-]+)|(?<![\w/.-])([A-Za-z_]\w*)(?=[=(\[]|\s*\(\))|\b([A-Za-z]\w*_\w+)\b|\$\{?[!#]?([A-Za-z_]\w*)", bare):
            yield number, None, next(each for each in name if each)
        here = re.search(r"<<-?\s*['\"\\]?(\w+)", line)
        until = here[1] if here and "<<<" not in line else None


def pieces_of(path):
    suffix = pathlib.Path(path).suffix
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return
    # The name of the file itself, and those of its folders.
    for part in re.split(r"[/.]", path):
        yield 1, None, part
    if suffix in CODE:
        yield from pieces_of_code(path, text)
    elif suffix in SCRIPT or path.endswith("CMakeLists.txt"):
        yield from pieces_of_script(path, text)
    elif suffix in TEXT:
        yield from pieces_of_text(text)


def findings_of(path, words):
    for number, text, name in pieces_of(path):
        found = words.in_text(path, text) if text is not None else words.in_identifier(path, name)
        for word, instead in found:
            yield Finding(path, number, word, instead, text)


def is_within(path, entry):
    return path == entry or path.startswith(entry.rstrip("/") + "/")


def main():
    parser = argparse.ArgumentParser(description="Finds retired words.")
    parser.add_argument("--unconverted", action="store_true", help="look at unconverted pages and folders, too")
    parser.add_argument("paths", metavar="PATH", nargs="*", help="files and folders (default: all)")
    options = parser.parse_args()

    words = Words()
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True).stdout.splitlines()
    # Corpora and input files of tests are text of other authors, and the lists of this test contain the words themselves.
    files = [each for each in files if not re.match(r"tests/fuzz/corpus/|tests/house/(vocabulary|test_vocabulary)|debian/missing-sources/", each)]
    unconverted = {entry: 0 for _, entry in rows_of(HOUSE + "vocabulary_unconverted")}
    count = 0
    for path in sorted(set(files)):
        if options.paths and not any(is_within(path, each) for each in options.paths):
            continue
        entries = [entry for entry in unconverted if is_within(path, entry)]
        # Only their existence matters.
        if entries and not options.unconverted and not options.paths and all(unconverted[entry] for entry in entries):
            continue
        seen = set()
        for found in findings_of(path, words):
            for entry in entries:
                unconverted[entry] += 1
            if entries and not options.unconverted and not options.paths:
                break
            # A word is reported at most once per line.
            if (found.line, found.word) in seen:
                continue
            seen.add((found.line, found.word))
            print(f"{found.path}:{found.line}: '{found.word}': write: {found.instead}")
            count += 1
    if not options.paths:
        for entry, found in unconverted.items():
            if not found:
                print(f"{HOUSE}vocabulary_unconverted: {entry} has no retired word left, or does not exist: delete the line")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
