# Prints the figures in README.md (numbers with a decimal point) and their commands. For each line with figures:
#
#   LINE <tab> COMMANDS <tab> KIND <tab> TEXT
#
# COMMANDS: the code in the same paragraph, or in the paragraph before a table or a block, that calls a program of the project with arguments,
# or by its path (./demo.sh); several commands are separated by ";". KIND: row (its first word or cell names a line of the output) or prose.
# TEXT: the line without times, which tests cannot compare. The programs are those in -v programs="NAME NAME ..".
function has_program(text, i) {
  for (i = 1; i <= count; i++) if (text ~ "(^|[ /])" program[i] "( |$)") return 1
  return 0
}
function has_figure(text) { return text ~ /(^|[ (|,])[0-9]*\.[0-9]+/ }
function add(code) {
  if (has_program(code) && code ~ /[ \/]/) found = found (found == "" ? "" : "; ") code
}
function take_commands(text) {
  while (match(text, /`[^`]+`/)) {
    add(substr(text, RSTART + 1, RLENGTH - 2))
    text = substr(text, RSTART + RLENGTH)
  }
}
function without_code(text) {
  gsub(/`[^`]*`/, "", text)
  return text
}
BEGIN { count = split(programs, program, " ") }
/^ *```/ {
  in_block = !in_block
  timed = 0
  next
}
in_block {
  if (timed == 0 && / ms( |$)/) timed = 1
  if (has_program($0) || !has_figure($0)) next
  text = $0
  if (timed) sub(/ [0-9.]+ *$/, "", text)
  printf "%d\t%s\trow\t%s\n", NR, found, text
  next
}
/^ *\|/ {
  if (has_figure($0)) printf "%d\t%s\trow\t%s\n", NR, found, $0
  next
}
/^ *$/ { next }
# A paragraph is one line; tables and blocks below it belong to it.
{
  found = ""
  take_commands($0)
  if (has_figure(without_code($0))) printf "%d\t%s\tprose\t%s\n", NR, found, without_code($0)
}
