"""Checks the pages of a built documentation site: check_site.py FOLDER. Prints one line per fault; status 1 if there is one.

A page loads nothing from another host, its links lead to files and anchors that exist, and no Markdown is left in its text.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

# Attributes that make a browser load a file without a click; <a href> is not one of them.
LOADED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "object": "data"}
# A line of a paragraph that begins like this is a list, table or block of code that lacks the blank line or the indentation of four.
LEFT_OVER = re.compile(r"^\s*([-*] |\d+\. |\||```|#+ )")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.loaded, self.links, self.anchors, self.paragraphs = [], [], {""}, []
        self.inside = self.in_code = False

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors.add(attributes.get("id") or "")
        if tag in LOADED and attributes.get(LOADED[tag]):
            self.loaded.append(attributes[LOADED[tag]])
        elif tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag == "p":
            self.inside = True
            self.paragraphs.append("")
        elif tag == "code":
            self.in_code = True

    def handle_endtag(self, tag):
        if tag == "p":
            self.inside = False
        elif tag == "code":
            self.in_code = False

    def handle_data(self, data):
        if self.inside:
            # Code may begin with these marks.
            self.paragraphs[-1] += "x" if self.in_code else data


def read_page(path, cache={}):
    if path not in cache:
        cache[path] = Page()
        cache[path].feed(path.read_text(encoding="utf-8"))
    return cache[path]


def faults_of_page(path):
    page = read_page(path)
    for url in page.loaded:
        if re.match(r"(https?:)?//", url):
            yield f"loads {url} from another host"
    for link in page.links:
        url = urllib.parse.urlsplit(link)
        # The page of errors has links from the top of the server.
        if url.scheme or url.netloc or url.path.startswith("/"):
            continue
        target = path if not url.path else (path.parent / urllib.parse.unquote(url.path)).resolve()
        if target.is_dir():
            target /= "index.html"
        if not target.exists():
            yield f"the link {link} leads nowhere"
        elif target.suffix == ".html" and urllib.parse.unquote(url.fragment) not in read_page(target).anchors:
            yield f"the link {link} leads to no section"
    for line in "\n".join(page.paragraphs).splitlines():
        if LEFT_OVER.match(line):
            yield f"Markdown shows as text (a blank line before it, or an indentation of 4, is missing): {line.strip()[:60]}"


def faults_of_style(path):
    for url in re.findall(r"""(?:url\(|@import\s)\s*["']?((?:https?:)?//[^"')]+)""", path.read_text(encoding="utf-8")):
        yield f"loads {url} from another host"


def main(folder):
    faults = 0
    for path in sorted(folder.rglob("*")):
        check = {".html": faults_of_page, ".css": faults_of_style}.get(path.suffix)
        for fault in check(path) if check else ():
            print(f"{path.relative_to(folder)}: {fault}")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
