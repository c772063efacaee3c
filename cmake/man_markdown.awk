# Converts the Markdown of the pages in docs/ (sections, paragraphs, lists, tables, code blocks, `code`, **bold**, links) to roff.
# With headless=1 the first row of a table is not a heading.

function escape(text) {
  gsub(/\\\|/, "|", text)
  gsub(/\\/, "\\e", text)
  return text
}

function inline(text,   out, code, at, length_of) {
  text = escape(text)
  # Replace [text](target) by text.
  while (match(text, /\[[^]]*\]\([^)]*\)/)) {
    out = substr(text, RSTART + 1, RLENGTH - 1)
    sub(/\]\([^)]*\)$/, "", out)
    text = substr(text, 1, RSTART - 1) out substr(text, RSTART + RLENGTH)
  }
  out = ""
  while (match(text, /`[^`]*`/)) {
    at = RSTART
    length_of = RLENGTH
    code = substr(text, at + 1, length_of - 2)
    gsub(/-/, "\\-", code)
    out = out bold(substr(text, 1, at - 1)) "\\fB" code "\\fR"
    text = substr(text, at + length_of)
  }
  text = out bold(text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

function bold(text) {
  while (match(text, /\*\*[^*]*\*\*/))
    text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 2, RLENGTH - 4) "\\fR" substr(text, RSTART + RLENGTH)
  return text
}

function row(   cells, n, i, first, rest) {
  line = $0
  sub(/^ *\| */, "", line)
  sub(/ *\| *$/, "", line)
  gsub(/\\\|/, "\001", line)
  n = split(line, cells, / *\| */)
  for (i = 1; i <= n; i++) gsub(/\001/, "|", cells[i])
  rest = ""
  for (i = 2; i <= n; i++) if (cells[i] != "") rest = rest (rest == "" ? "" : "; ") cells[i]
  print ".TP"
  print inline(cells[1])
  print rest == "" ? "\\&" : inline(rest)
}

/^```/ {
  code = !code
  print code ? ".PP\n.RS 4\n.nf" : ".fi\n.RE"
  next
}
code {
  line = escape($0)
  gsub(/-/, "\\-", line)
  if (line ~ /^[.']/) line = "\\&" line
  print line
  next
}
/^ *\|[ :|-]*\|? *$/ && /-/ { next }
/^ *\|/ {
  if (!table++ && !headless) next
  row()
  next
}
{ if (table) { table = 0; print ".PP" } }
/^## / { sub(/^## /, ""); gsub(/`/, ""); print ".SH " toupper(escape($0)); next }
/^###+ / { sub(/^#+ /, ""); gsub(/`/, ""); print ".SS " escape($0); next }
/^ *[-*] / { sub(/^ *[-*] /, ""); print ".IP \\(bu 2"; print inline($0); next }
/^ *[0-9]+\. / { number = $1; sub(/^ *[0-9]+\. /, ""); print ".IP " number " 4"; print inline($0); next }
/^$/ { blank = 1; next }
{
  if (blank && $0 !~ /^ /) print ".PP"
  blank = 0
  sub(/^ +/, "")
  print inline($0)
}
