# Prints results of the items in items.tsv. Variables: as (verdict of the item `id`, tsv for rows of expected.tsv, report, html or summary),
# folder (tables), out (results), ids (items, separated by commas).
BEGIN {
  FS = "\t"
  n_ids = split(ids, list, ",")
  for (i = 1; i <= n_ids; ++i) wanted[list[i]]
  if (as == "tsv") print "id\tsource\tplace\twhat\tpublished\tours\tdeviation\tverdict\tremark"
  if (as == "report") head_of_report()
  if (as == "html") head_of_html()
}

FNR == 1 { next }
as == "verdict" {
  if ($1 == id) print compare($1, $6, $7) (reason == "" ? "" : ": " reason)
  next
}
!($1 in wanted) { next }
{
  found = compare($1, $6, $7)
  ++counts[found]
  ++items
  if (found ~ /^(differs|order fails|failed)$/) {
    if ($6 == "differs" && found != "failed") ++known
    else { ++bad; bad_items = bad_items " " $1 }
  }
  if (found !~ /^(not run|definition)$/) ++ran
  if (as == "tsv") print row_text($0)
  if (as == "report") row_of_report($0)
  if (as == "html") row_of_html($0)
}

END {
  if (as == "report") printf "\n%s\n", counts_text()
  if (as == "html") printf "</table><p>%s</p></html>\n", escaped(counts_text())
  if (as == "summary") {
    printf "%s\n", counts_text()
    if (bad) { printf "unexpected differences or failures:%s\n", bad_items; exit 7 }
    if (!ran) exit 20
  }
}

# ---- cells ----

function counts_text(    text, i, order, n) {
  n = split("equal,within,order holds,order fails,like fabric,shown,differs,definition,not run,failed", order, ",")
  for (i = 1; i <= n; ++i) if (order[i] in counts) text = text (text == "" ? "" : ", ") counts[order[i]] " " order[i]
  return items " items: " text "."
}

# The sources have at most three decimal places, and our values are not more precise.
function shown(value) {
  if (!is_number(value) || value == int(value)) return value
  return absolute(value) >= 100 ? sprintf("%.1f", value) : absolute(value) >= .001 ? sprintf("%.4g", value) : sprintf("%.2e", value)
}

# Shortens long lists of pairs. The HTML report and published/ have the complete lists.
function short(text) { return length(text) > 40 ? substr(text, 1, 30) " ..." : text }
function published_text(    text, i) {
  for (i = 1; i <= count; ++i) text = text (i > 1 ? "; " : "") name[i] " " (how[i] == "least" ? "at least " : how[i] == "most" ? "at most " : "") short(published[i])
  return text
}
function ours_text(    text, i) {
  for (i = 1; i <= count; ++i) if (ours[i] != "") text = text (text == "" ? "" : "; ") name[i] " " short(ours_of(i))
  return text
}
function ours_of(i) { return shown(ours[i]) (error[i] == "" ? "" : " ± " shown(error[i])) (unit[i] == "" ? "" : " " unit[i]) }

# The largest relative deviation of the values that must be equal or within a tolerance.
function deviation_text(    i, d, most, of) {
  for (i = 1; i <= count; ++i) {
    if (how[i] !~ /^(relative|equal)$/ || ours[i] == "" || published[i] + 0 == 0) continue
    d = (ours[i] - published[i]) / absolute(published[i])
    if (of == "" || absolute(d) > absolute(most)) { most = d; of = name[i] }
  }
  return of == "" ? "" : sprintf("%+.1f %%", 100 * most)
}

function remark(note) { return reason == "" ? note : note == "" ? reason : reason ". " note }

# The cells of an item, separated by tabs. Tabs in error messages of scripts become blanks.
function row_text(line,    c, note) {
  split(line, c, "\t")
  note = remark(c[9])
  gsub(/\t/, " ", note)
  return c[1] "\t" c[2] "\t" c[3] "\t" c[4] "\t" published_text() "\t" ours_text() "\t" deviation_text() "\t" found "\t" note
}

# ---- Markdown ----

function head_of_report() {
  print "# Reproduction"
  print ""
  if (interrupted != "") print "**Incomplete: interrupted before all items had run.**\n"
  print "| id | source | place | what | published | ours | deviation | verdict | remark |"
  print "|---|---|---|---|---|---|---|---|---|"
}
function row_of_report(line,    text) {
  text = row_text(line)
  gsub(/\|/, "\\|", text)
  gsub(/\t/, " | ", text)
  print "| " text " |"
}

# ---- HTML ----

function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/"/, "\\&quot;", text); return text }
function head_of_html() {
  print "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Reproduction</title><style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.3em .5em;text-align:left;vertical-align:top}.differs,.order-fails,.failed{background:#fdd}.equal,.within,.order-holds{background:#dfd}.like-fabric{background:#ffd}img{max-width:48em;display:block}pre{white-space:pre-wrap}</style><h1>Reproduction</h1>"
  if (interrupted != "") print "<p><b>Incomplete: interrupted before all items had run.</b></p>"
  print "<table><tr><th>item<th>what<th>value, published, ours, verdict<th>verdict<th>command, seconds"
}
function row_of_html(line,    c, i, class, seconds) {
  split(line, c, "\t")
  class = found
  gsub(/ /, "-", class)
  printf "<tr id=%s><td>%s<br>%s<br>%s<td>%s<br>%s<td>", c[1], c[1], escaped(c[2]), escaped(c[3]), escaped(c[4]), escaped(remark(c[9]))
  if (count > 0) {
    printf "<table>"
    for (i = 1; i <= count; ++i) printf "<tr><td>%s<td>%s<td>%s<td>%s", escaped(name[i]), escaped(published[i] " " unit[i]), escaped(ours[i] == "" ? "" : ours_of(i)), verdict[i]
    printf "</table>"
  }
  pictures_of(out "/items/" c[1])
  if (originals != "") picture(originals "/" c[1] ".png", "png", "original")
  seconds = first_line(out "/items/" c[1] "/seconds")
  printf "<td class=%s>%s %s<td>%s<br>%s\n", class, found, deviation_text(), c[7] == "-" ? "" : escaped(c[7]), seconds == "" ? "" : escaped(seconds) " s"
}
function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }
# Pictures are embedded, so that the page is a single file.
function picture(file, kind, what,    code, command) {
  if ((getline code < file) < 0) return
  close(file)
  command = "base64 -w 0 " quoted(file)
  code = ""
  command | getline code
  close(command)
  printf "<img alt=\"%s\" src=\"data:image/%s;base64,%s\">", what, kind, code
}
function pictures_of(path,    command, file, files, n, i) {
  command = "ls " quoted(path) "/*.svg 2>/dev/null"
  while ((command | getline file) > 0) files[++n] = file
  close(command)
  for (i = 1; i <= n; ++i) picture(files[i], "svg+xml", "ours")
}
