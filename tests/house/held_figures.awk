# Prints the figures of a line of README.md that its commands do not print: awk -v kind=row|prose -v text=LINE -f held_figures.awk OUTPUT
#
# A figure matches a number that is equal to it after rounding to the digits of the figure. The figures of a row must be, in their order, in
# the lines of the output that begin with a word of the first cell (in a block: with the first word), one such line after the other. The
# figures of prose may be anywhere.
function figures_of(line, into, n) {
  n = 0
  gsub(/[|(),]/, " ", line)
  while (match(line, /(^|[ \t])-?[0-9]*\.?[0-9]+([ \t%]|$)/)) {
    into[++n] = substr(line, RSTART, RLENGTH)
    gsub(/[ \t%]/, "", into[n])
    # The blank after one number can also be the blank before the next one.
    line = " " substr(line, RSTART + RLENGTH)
  }
  return n
}
function decimals(figure) { return index(figure, ".") ? length(figure) - index(figure, ".") : 0 }
function same(figure, number) {
  return (figure - number)^2 <= (0.5 * 10^-decimals(figure) + 1e-9)^2
}
function is_name(word, i) {
  for (i = 1; i <= names; i++) if (word != "" && name[i] == word) return 1
  return 0
}
function missing_of(key, wanted, count, all, at, i) {
  at = 1
  for (i = 1; i <= count; i++) {
    while (at <= numbers[key] && !same(wanted[i], number[key, at])) at++
    if (at > numbers[key]) return wanted[i] " (" key ")"
    at++
  }
  return ""
}
BEGIN {
  first = text
  if (text ~ /^ *\|/) {
    sub(/^ *\| */, "", first)
    sub(/\|.*/, "", first)
    sub(/^ *\|[^|]*\|/, "", text)
    names = split(first, name, /[^A-Za-z0-9_>:=-]+/)
  } else if (kind == "row") {
    names = split(first, name, " ")
    if (names > 1) names = 1
  }
  wanted_count = figures_of(text, wanted)
}
{
  key = kind == "row" ? $1 : "it"
  if (kind == "row" && !is_name(key)) next
  count = figures_of($0, found)
  for (i = 1; i <= count; i++) number[key, ++numbers[key]] = found[i]
  seen[key] = 1
}
END {
  if (kind == "prose") {
    for (i = 1; i <= wanted_count; i++) {
      if (wanted[i] !~ /\./) continue
      holds = 0
      for (at = 1; at <= numbers["it"]; at++) if (same(wanted[i], number["it", at])) holds = 1
      if (!holds) print wanted[i]
    }
    exit
  }
  rows = 0
  for (key in seen) {
    rows++
    missing = missing_of(key, wanted, wanted_count)
    if (missing != "") print missing
  }
  if (rows == 0) print "no line of that name"
}
