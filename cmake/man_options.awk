# Converts the options in the --help of a program to roff. With several=1 the files are the --help of the commands of one program;
# options that all commands share are printed once, at the end. Layout of --help: option names begin in the third column, followed
# by their descriptions, or by a far indented description on the next line if the names are long. Headings end in a colon.

function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

# Describes the value of an option, which follows the names: its type, range and default.
function describe_value(text,   range, chosen, others, word) {
  range = chosen = others = ""
  if (match(text, /(Excludes|Needs): .*/)) {
    others = tolower(substr(text, RSTART, RLENGTH))
    text = substr(text, 1, RSTART - 1)
  }
  if (match(text, /=[^= ]*[^=]*$/)) {
    chosen = substr(text, RSTART + 1)
    text = substr(text, 1, RSTART - 1)
    sub(/ +$/, "", chosen)
  }
  if (match(text, / in \[.*\]/)) {
    range = substr(text, RSTART + 5, RLENGTH - 6)
    sub(/ - /, " to ", range)
    text = substr(text, 1, RSTART - 1)
  }
  note = ""
  if (text ~ /REQUIRED/) note = "required"
  sub(/ *REQUIRED/, "", text)
  if (range != "") note = note (note == "" ? "" : "; ") range
  if (chosen != "") note = note (note == "" ? "" : "; ") "default " chosen
  if (others != "") note = note (note == "" ? "" : "; ") others
  word = text
  sub(/:(UINT|INT|FLOAT|TEXT)/, "", word)
  sub(/^(UINT|INT)/, "N", word)
  sub(/^FLOAT/, "X", word)
  sub(/^TEXT/, "VALUE", word)
  sub(/ +$/, "", word)
  return word
}

function finish_entry(   line, value) {
  if (names == "") return
  value = describe_value(rest)
  gsub(/,-/, ", -", names)
  line = ".TP\n\\fB" roff(names) "\\fR" (value == "" ? "" : " \\fI" roff(value) "\\fR") "\n"
  line = line roff(text == "" ? names : text) (note == "" ? "" : " (" roff(note) ")") "\n"
  if (several) {
    entry[part, ++entries[part]] = line
    count[line]++
  } else {
    printf "%s", line
  }
  names = ""
}

FNR == 1 {
  finish_entry()
  ++part
  begun = 0
  title[part] = FILENAME
  sub(/.*command-/, "", title[part])
  summary[part] = $0
}

/^Usage: / { begun = 1; next }
!begun { next }
/^$/ { next }
/^[^ ].*:$/ {
  finish_entry()
  heading = $0
  if (!several && heading != "Options:") ++headings
  sub(/:$/, "", heading)
  in_commands = heading == "Subcommands" || heading == "Commands"
  if (!several && (heading != "Options" || headings)) print ".SS " roff(heading == "Positionals" ? "Arguments" : heading == "Subcommands" ? "Commands" : heading)
  next
}
/^  [^ ]/ {
  finish_entry()
  line = substr($0, 3)
  if (match(line, /   *[^ ].*$/) && RSTART > 1) {
    text = substr(line, RSTART)
    sub(/^ +/, "", text)
    line = substr(line, 1, RSTART - 1)
  } else {
    text = ""
  }
  names = line
  rest = ""
  if (match(line, / /)) {
    names = substr(line, 1, RSTART - 1)
    rest = substr(line, RSTART + 1)
  }
  next
}
/^    / && names != "" {
  sub(/^ +/, "")
  text = text (text == "" ? "" : " ") $0
  next
}
{
  # Text below the options.
  finish_entry()
  if (several) next
  print ".PP"
  print roff($0)
}

END {
  finish_entry()
  if (!several) exit
  for (p = 1; p <= part; p++) {
    own = 0
    for (e = 1; e <= entries[p]; e++) own += count[entry[p, e]] < part
    if (!own) continue
    print ".SS " roff(name " " title[p])
    print roff(summary[p])
    for (e = 1; e <= entries[p]; e++) if (count[entry[p, e]] < part) printf "%s", entry[p, e]
  }
  print ".SS Options of all commands"
  for (e = 1; e <= entries[1]; e++) if (count[entry[1, e]] == part) printf "%s", entry[1, e]
}
